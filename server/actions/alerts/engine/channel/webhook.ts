// Renders a message as the body of a signed webhook, at most 20 kB.
import { formatTime } from "../../../../lib/time.ts";
import { cut, utf8Length, type Message } from "./message.ts";

const MAX_BYTES = 20_000;

export interface AlertPayload {
  type: Message["type"];
  timestamp: string;
  data: Record<string, unknown>;
}

/** Shortens summaries, then drops items from the end, until it fits; `truncated` says that it did. */
export function payloadOf(message: Message): AlertPayload {
  for (const [items, summary] of [
    [100, 2000],
    [100, 300],
    [50, 100],
    [25, 0],
    [10, 0],
    [3, 0],
    [1, 0],
    [0, 0],
  ]) {
    const shown = message.items.slice(0, items);
    const truncated = shown.length < message.total || message.items.some((i) => (i.summary?.length ?? 0) > summary);
    const payload: AlertPayload = {
      type: message.type,
      timestamp: formatTime(message.at),
      data: {
        alert: { ...message.alert, name: cut(message.alert.name, 120) },
        items: shown.map((i) => ({
          id: i.id,
          title: cut(i.title, 300),
          url: i.url === null ? null : cut(i.url, 2000),
          source: i.source === null ? null : cut(i.source, 200),
          summary: i.summary === null || summary === 0 ? null : cut(i.summary, summary),
          matched_terms: i.terms.slice(0, 20).map((t) => cut(t, 100)),
          published_at: i.publishedAt === null ? null : formatTime(i.publishedAt),
        })),
        total: message.total,
        suppressed_since_last: message.suppressed,
        note: message.note,
        truncated,
      },
    };
    if (utf8Length(JSON.stringify(payload)) <= MAX_BYTES) return payload;
  }
  return {
    type: message.type,
    timestamp: formatTime(message.at),
    data: { alert: { id: message.alert.id }, items: [], total: message.total, truncated: true },
  };
}
