// Makes messages and events of matches. Pure: ids and time are handed in.
import type { Message, MessageItem } from "../engine/channel/message.ts";
import { cut } from "../engine/channel/message.ts";
import { formatTime, parseTime } from "../../../lib/time.ts";
import type { Item, MatchView } from "../contract/index.ts";
import { zoneOf } from "../spec/spec.ts";
import type { AlertRow } from "../store/alerts.ts";
import type { Incoming } from "../spec/content.ts";

export interface Told {
  id: string;
  item: Item;
  terms: string[];
  highlights: any[];
  createdMs: number;
}

export function itemOf(content: Incoming, edited: boolean): Item {
  return {
    id: content.guid,
    title: content.title ? cut(content.title, 500) : null,
    summary: content.text ? cut(content.text, 1000) : null,
    url: content.url ?? null,
    author: content.author ? cut(content.author, 200) : null,
    source: content.source ?? null,
    tags: [...(content.tags ?? [])].slice(0, 50),
    numbers: Object.fromEntries(Object.entries(content.numbers ?? {}).map(([k, v]) => [k, String(v)])),
    published_at: content.publishedMs === null ? null : formatTime(content.publishedMs),
    edited,
  };
}

export function nameOf(row: AlertRow): string {
  return row.spec.name ?? cut(row.query, 120);
}

export function messageOf(
  row: AlertRow,
  type: Message["type"],
  matches: Told[],
  total: number,
  suppressed: Record<string, number>,
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
      name: nameOf(row),
      severity: row.spec.severity,
      labels: row.spec.labels,
      url: `${publicUrl}/api/v1/alerts/${row.id}`,
    },
    items: matches.map(messageItem),
    total,
    suppressed,
    note: null,
  };
}

function messageItem({ id, item, terms }: Told): MessageItem {
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

export function matchView(
  alertId: string,
  match: Told,
  state: MatchView["state"],
  reason: string | null,
  dueMs: number | null,
): MatchView {
  return {
    id: match.id,
    alert_id: alertId,
    state,
    reason,
    due_at: dueMs === null ? null : formatTime(dueMs),
    matched_terms: match.terms,
    highlights: match.highlights,
    // Matches from before there were editions say nothing of it.
    item: { ...match.item, edited: match.item.edited ?? false },
    created_at: formatTime(match.createdMs),
  };
}

/** The event that every message also is, so that streams and webhooks of the platform carry it. */
export function eventOf(
  row: AlertRow,
  type: "alert.matched" | "alert.digest",
  matches: Told[],
  total: number,
  suppressed: Record<string, number>,
  id: string,
  now: number,
) {
  const data = {
    alert: { id: row.id, name: nameOf(row), severity: row.spec.severity, labels: row.spec.labels },
    matches: matches.slice(0, 20).map((m) => matchView(row.id, m, "notified", null, null)),
    total,
    suppressed_since_last: suppressed,
  };
  return {
    id,
    tenantId: row.tenantId,
    type,
    tags: Object.values(row.spec.labels)
      .filter((l) => l !== "")
      .slice(0, 20),
    data,
    at: now,
  };
}
