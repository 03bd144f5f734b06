// An alert as the API shows it. Pure; secrets never pass through here, except the one that is shown once.
import { formatTime } from "../../lib/time.ts";
import type { Alert, Preview } from "./contract/index.ts";
import type { AlertRow, ChannelRow, FeedRow } from "./store/alerts.ts";
import { broadness } from "./spec/preview.ts";
import { readWanted } from "./spec/query.ts";
import { nameOf } from "./background/messages.ts";

export interface Around {
  channels: ChannelRow[];
  feeds: FeedRow[];
  held: number;
  preview?: Preview | null;
  /** By channel id, shown once. */
  secrets?: Map<string, string>;
}

export function alertView(row: AlertRow, around: Around, now: number, publicUrl: string): Alert {
  const { spec } = row;
  const wanted = readWanted(spec);
  const at = `${publicUrl}/api/v1/alerts/${row.id}`;
  return {
    id: row.id,
    status: statusOf(row, around, now),
    name: nameOf(row),
    severity: spec.severity,
    labels: spec.labels,
    created_at: formatTime(row.createdMs),
    updated_at: formatTime(row.updatedMs),
    expires_at: row.expiresMs === null ? null : formatTime(row.expiresMs),
    snoozed_until:
      row.pace.snoozed === "clear"
        ? "clear"
        : row.pace.snoozed !== null && row.pace.snoozed > now
          ? formatTime(row.pace.snoozed)
          : null,
    query: {
      source: wanted.source,
      canonical: wanted.canonical,
      leaves: wanted.leaves,
      required_terms: wanted.requiredTerms,
      warnings: [...wanted.warnings, ...(around.preview ? broadness(around.preview) : [])],
    },
    match: spec.match,
    condition: spec.condition,
    sources: spec.sources.map((source) => {
      const feed = source.type === "feed" ? around.feeds.find((f) => f.url === source.url) : undefined;
      return {
        id: feed?.id ?? null,
        type: source.type,
        url: source.url ?? null,
        format: feed?.format ?? null,
        stream: source.stream ?? null,
        topics: source.topics ?? null,
        status: feed?.state.status ?? "active",
        poll_reason: feed?.state.reason ?? null,
        next_poll_at: feed?.state.nextAt == null ? null : formatTime(feed.state.nextAt),
        last_error: feed?.state.lastError ?? null,
      };
    }),
    channels: around.channels.map((c) => {
      const secret = around.secrets?.get(c.id);
      return {
        id: c.id,
        type: c.type,
        target: targetOf(c),
        status: c.status,
        last_error: c.lastError,
        ...(secret === undefined ? {} : { secret }),
      };
    }),
    delivery: spec.delivery,
    dedupe: spec.dedupe,
    preview: around.preview ?? null,
    stats: { ...row.stats, held: around.held },
    links: {
      self: at,
      matches: `${at}/matches`,
      deliveries: `${at}/deliveries`,
      stream: `${publicUrl}/api/v1/alerts/stream?alert_id=${row.id}`,
    },
  };
}

function targetOf({ target }: ChannelRow): string | null {
  const { to, url, host, chat_id, topic, room_id, base_url } = target;
  const shown = to ?? url ?? host ?? chat_id ?? topic ?? room_id ?? base_url;
  return shown === undefined ? null : String(shown);
}

function statusOf(row: AlertRow, { channels, feeds }: Around, now: number): Alert["status"] {
  if (row.status !== "active") return row.status;
  if (row.pace.snoozed === "clear" || (row.pace.snoozed !== null && row.pace.snoozed > now)) return "snoozed";
  const mute = channels.length > 0 && channels.every((c) => c.status === "disabled");
  const deaf =
    row.spec.sources.every((s) => s.type === "feed") &&
    feeds.length > 0 &&
    feeds.every((f) => f.state.status === "failing" || f.state.status === "gone");
  return mute || deaf ? "degraded" : "active";
}
