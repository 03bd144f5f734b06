// Turns matches into messages, notifications and events. Pure: ids and time are passed in.
import type { MakeId } from "../../../lib/id.ts";
import { formatTime, parseTime } from "../../../lib/time.ts";
import type { NewEvent } from "../../../platform/events/index.ts";
import type { Item } from "../contract/index.ts";
import { cut, type Message, type MessageItem } from "../engine/channel/message.ts";
import type { AlertRow, ChannelRow, MatchedItem, NewNotification } from "../rows.ts";
import type { IncomingContent } from "../spec/content.ts";
import { zoneOf } from "../spec/rules.ts";
import { alertName, matchView } from "../view.ts";

export interface MessageDeps {
  makeId: MakeId;
  publicUrl(): string;
}

/** What one message carries. */
export interface Batch {
  matches: MatchedItem[];
  /** How many matches there are; more than are shown. */
  total: number;
  /** Matches since the last message that were only counted, by reason. */
  suppressed: Record<string, number>;
}

const MAX_EVENT_MATCHES = 20;
const MAX_EVENT_TAGS = 20;

export function itemOf(content: IncomingContent, edited: boolean): Item {
  return {
    id: content.guid,
    title: content.title ? cut(content.title, 500) : null,
    summary: cut(content.summary || content.text || "", 1000) || null,
    url: content.url ?? null,
    author: content.author ? cut(content.author, 200) : null,
    source: content.source ?? null,
    tags: [...(content.tags ?? [])].slice(0, 50),
    numbers: Object.fromEntries(Object.entries(content.numbers ?? {}).map(([k, v]) => [k, String(v)])),
    published_at: content.publishedMs === null ? null : formatTime(content.publishedMs),
    edited,
  };
}

/** One notification for each channel that can take it; its id stays the same over retries. */
export function notificationsFor(
  { makeId, publicUrl }: MessageDeps,
  row: AlertRow,
  channels: ChannelRow[],
  type: Message["type"],
  batch: Batch,
  now: number,
): NewNotification[] {
  return channels
    .filter((c) => c.type !== "sse" && (c.status === "active" || c.status === "failing"))
    .map((c) => {
      const id = makeId("ntf");
      const message = messageOf(row, type, batch, id, now, publicUrl());
      return { id, tenantId: row.tenantId, alertNumber: row.number, channelId: c.id, message, createdMs: now };
    });
}

function messageOf(
  row: AlertRow,
  type: Message["type"],
  { matches, total, suppressed }: Batch,
  id: string,
  now: number,
  publicUrl: string,
): Message {
  return {
    id,
    type,
    at: now,
    timezone: zoneOf(row.spec),
    alert: {
      id: row.id,
      name: alertName(row),
      severity: row.spec.severity,
      labels: row.spec.labels,
      url: `${publicUrl}/api/v1/alerts/${row.id}`,
    },
    items: matches.map(messageItemOf),
    total,
    suppressed,
    note: null,
  };
}

function messageItemOf({ id, item, terms }: MatchedItem): MessageItem {
  return {
    id,
    title: item.title ?? item.url ?? "(no title)",
    url: item.url,
    summary: item.summary,
    source: item.source,
    publishedAt: item.published_at === null ? null : parseTime(item.published_at),
    terms,
  };
}

/** The event of a message, for the event log, streams and webhooks. */
export function eventOf(
  row: AlertRow,
  type: "alert.matched" | "alert.digest",
  { matches, total, suppressed }: Batch,
  id: string,
  now: number,
): NewEvent {
  const data = {
    alert: { id: row.id, name: alertName(row), severity: row.spec.severity, labels: row.spec.labels },
    matches: matches
      .slice(0, MAX_EVENT_MATCHES)
      .map((m) => matchView(row.id, { ...m, state: "notified", reason: null, dueMs: null })),
    total,
    suppressed_since_last: suppressed,
  };
  const tags = Object.values(row.spec.labels).filter((label) => label !== "");
  return { id, tenantId: row.tenantId, type, tags: tags.slice(0, MAX_EVENT_TAGS), data, at: now };
}
