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
  /** New secrets by channel id, shown once. */
  secrets?: Map<string, string>;
}

const MAX_NAME = 120;

export const alertName = (row: AlertRow): string => row.spec.name ?? cut(row.query, MAX_NAME);

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
  const noSourceWorks =
    row.spec.sources.every((s) => s.type === "feed") &&
    feeds.length > 0 &&
    feeds.every((f) => f.state.status === "failing" || f.state.status === "gone");
  return noChannelWorks || noSourceWorks ? "degraded" : "active";
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
