// Rows as the API shows them. Pure; secrets never pass through here, except a new one, which is shown once.
import { formatTime } from "../../lib/time.ts";
import { toIso } from "../../store/db.ts";
import type { Alert, DeliveryView, MatchView, Preview } from "./contract/index.ts";
import { cut } from "./engine/channel/message.ts";
import type { AlertRow, ChannelRow, FeedRow, MatchRow, NotificationRow } from "./rows.ts";
import { broadnessWarnings } from "./spec/preview.ts";
import { parseWatch } from "./spec/query.ts";

/** What belongs to an alert but lies in other tables. */
export interface AlertRelations {
  channels: ChannelRow[];
  feeds: FeedRow[];
  held: number;
  preview?: Preview | null;
  /** Warnings of this request alone. */
  warnings?: Alert["warnings"];
  /** New secrets by channel id, shown once. */
  secrets?: Map<string, string>;
}

const MAX_NAME = 120;

/** The name it was given, or what it watches, as it was written. */
export function alertName({ spec }: AlertRow): string {
  const { any = [], all = [] } = spec.tags ?? {};
  return spec.name ?? cut(spec.tag ?? spec.query ?? [...all, ...any].join(", "), MAX_NAME);
}

export function alertView(row: AlertRow, relations: AlertRelations, now: number, publicUrl: string): Alert {
  const { spec } = row;
  const parsed = parseWatch(spec);
  const self = `${publicUrl}/api/v1/alerts/${row.id}`;
  return {
    id: row.id,
    status: statusOf(row, relations, now),
    name: alertName(row),
    severity: spec.severity,
    labels: spec.labels,
    created_at: formatTime(row.createdMs),
    updated_at: formatTime(row.updatedMs),
    expires_at: toIso(row.expiresMs),
    warnings: alertWarnings(row, relations),
    snoozed_until: snoozedUntil(row, now),
    query: {
      source: parsed.source,
      canonical: parsed.canonical,
      leaves: parsed.leaves,
      required_terms: parsed.requiredTerms,
      warnings: [...parsed.warnings, ...(relations.preview ? broadnessWarnings(relations.preview) : [])],
    },
    match: spec.match,
    condition: spec.condition,
    sources: sourcesView(row, relations.feeds),
    channels: relations.channels.map((c) => channelView(c, relations.secrets?.get(c.id))),
    delivery: spec.delivery,
    dedupe: spec.dedupe,
    preview: relations.preview ?? null,
    stats: { ...row.stats, held: relations.held },
    links: {
      self,
      matches: `${self}/matches`,
      deliveries: `${self}/deliveries`,
      stream: `${publicUrl}/api/v1/alerts/stream?alert_id=${row.id}`,
    },
  };
}

function snoozedUntil({ pace }: AlertRow, now: number): string | null {
  if (pace.snoozed === "clear") return "clear";
  return pace.snoozed !== null && pace.snoozed > now ? formatTime(pace.snoozed) : null;
}

function sourcesView({ spec }: AlertRow, feeds: FeedRow[]): Alert["sources"] {
  return spec.sources.map((source) => {
    const feed = source.type === "feed" ? feeds.find((f) => f.url === source.url) : undefined;
    return {
      id: feed?.id ?? null,
      type: source.type,
      url: source.url ?? null,
      format: feed?.format ?? null,
      stream: source.stream ?? null,
      topics: source.topics ?? null,
      status: feed?.state.status ?? "active",
      poll_reason: feed?.state.reason ?? null,
      next_poll_at: toIso(feed?.state.nextAt ?? null),
      last_error: feed?.state.lastError ?? null,
    };
  });
}

function channelView(channel: ChannelRow, secret: string | undefined): Alert["channels"][number] {
  const { to, url, host, chat_id, topic, room_id, base_url } = channel.target;
  const target = to ?? url ?? host ?? chat_id ?? topic ?? room_id ?? base_url;
  return {
    id: channel.id,
    type: channel.type,
    target: target === undefined ? null : String(target),
    status: channel.status,
    last_error: channel.lastError,
    ...(secret === undefined ? {} : { secret }),
  };
}

function statusOf(row: AlertRow, { channels, feeds }: AlertRelations, now: number): Alert["status"] {
  if (row.status !== "active") return row.status;
  if (snoozedUntil(row, now) !== null) return "snoozed";
  const noChannelWorks = channels.length > 0 && channels.every((c) => c.status === "disabled");
  return noChannelWorks || feeds.some(isFeedDead) ? "degraded" : "active";
}

const isFeedDead = ({ state }: FeedRow) => state.status === "failing" || state.status === "gone";

/** What may keep the alert from doing what was meant. */
function alertWarnings({ spec }: AlertRow, { channels, feeds, warnings = [] }: AlertRelations): Alert["warnings"] {
  const found: Alert["warnings"] = [...warnings];
  if (!spec.sources.some((s) => s.type === "feed")) {
    const detail = "It watches no feed: only content that you push and events of this service.";
    found.push({ code: "no_feed", term: null, detail });
  }
  if (channels.length === 0) {
    const detail = "It notifies nobody: add channels, or follow GET /alerts/stream.";
    found.push({ code: "no_channel", term: null, detail });
  }
  for (const { url, state } of feeds) {
    if (state.lastError === null) continue;
    found.push({ code: "feed_not_readable", term: url, detail: `${url} cannot be read: ${state.lastError}` });
  }
  for (const { type, status, lastError } of channels) {
    if (status === "pending_verification") {
      const detail = "Nothing is mailed before the owner of the address has confirmed it.";
      found.push({ code: "not_confirmed", term: type, detail });
    } else if (status === "disabled") {
      found.push({ code: "channel_disabled", term: type, detail: lastError ?? "The channel is disabled." });
    }
  }
  return found;
}

export function matchView(alertId: string, match: Omit<MatchRow, "seq">): MatchView {
  return {
    id: match.id,
    alert_id: alertId,
    state: match.state,
    reason: match.reason,
    due_at: toIso(match.dueMs),
    matched_terms: match.terms,
    highlights: match.highlights,
    // Matches that are older than `edited` lack it.
    item: { ...match.item, edited: match.item.edited ?? false },
    created_at: formatTime(match.createdMs),
  };
}

export function notificationView(row: NotificationRow): DeliveryView {
  return {
    id: row.id,
    channel_id: row.channelId,
    type: "verify" in row.message ? "alert.verify" : row.message.type,
    status: row.status,
    attempts: row.attempts,
    next_attempt_at: toIso(row.nextMs),
    last_error: row.lastError,
    total: "verify" in row.message ? 0 : row.message.total,
    created_at: formatTime(row.createdMs),
  };
}
