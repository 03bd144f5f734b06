// SQL of recent content, which serves previews: pushed content, feed items and events of the last week.
import { jsonb, toIso, toMs, type Tx } from "../../../store/db.ts";
import type { LoggedEvent } from "../rows.ts";
import { loggedEventOf } from "./event-log.ts";

interface RecentRow {
  content: any;
  atMs: number;
}

export async function insertContent(tx: Tx, tenantId: number, contents: unknown[], now: number): Promise<void> {
  await tx`
    insert into alert_content (tenant_id, content, created_at)
    select ${tenantId}, value, ${toIso(now)} from jsonb_array_elements(${jsonb(contents)}::text::jsonb)`;
}

/** Of one feed, for previews: a feed that is new at every reading does not fill the disk. */
const MAX_KEPT_OF_FEED = 1_000;

/** Keeps what the feed said, the oldest first, and forgets what is behind the newest thousand. */
export async function insertFeedContent(tx: Tx, feedId: string, contents: unknown[], now: number): Promise<void> {
  if (contents.length === 0) return;
  await tx`
    insert into alert_feed_content (feed_id, content, created_at)
    select ${feedId}, value, ${toIso(now)} from jsonb_array_elements(${jsonb(contents)}::text::jsonb)`;
  await tx`
    delete from alert_feed_content where feed_id = ${feedId} and seq <= (
      select seq from alert_feed_content where feed_id = ${feedId} order by seq desc offset ${MAX_KEPT_OF_FEED} limit 1)`;
}

export async function readRecentContent(tx: Tx, tenantId: number, count: number): Promise<RecentRow[]> {
  const rows = await tx`
    select content, created_at from alert_content where tenant_id = ${tenantId} order by seq desc limit ${count}`;
  return rows.map(recentOf);
}

/** Recent items of these feeds; without `keys`, of every feed that an alert of the tenant reads. */
export async function readRecentItems(
  tx: Tx,
  tenantId: number,
  keys: string[] | null,
  count: number,
): Promise<RecentRow[]> {
  const rows = keys
    ? await tx`
      select content, created_at from alert_feed_content
      where feed_id in (select id from alert_feeds where key = any(string_to_array(${keys.join("\n")}, E'\n')))
      order by seq desc limit ${count}`
    : await tx`
      select content, created_at from alert_feed_content where feed_id in (
        select l.feed_id from alert_feed_links l join alerts a on a.number = l.alert_number
        where a.tenant_id = ${tenantId})
      order by seq desc limit ${count}`;
  return rows.map(recentOf);
}

/** The last events of the tenant, except those of alerts themselves. */
export async function readRecentEvents(tx: Tx, tenantId: number, count: number): Promise<LoggedEvent[]> {
  const rows = await tx`
    select e.seq::text, e.id, e.tenant_id, e.type, e.tags, e.data, e.created_at from events e
    where e.tenant_id = ${tenantId} and e.type not like 'alert.%' order by e.seq desc limit ${count}`;
  return rows.map(loggedEventOf);
}

const recentOf = (r: any): RecentRow => ({ content: r.content, atMs: toMs(r.created_at) });
