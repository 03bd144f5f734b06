// SQL of what comes in and what is forgotten: recent content, how far the event log has been matched, retention.
import type { Db, Tx } from "../../../store/db.ts";
import { iso, json } from "./alerts.ts";

export async function keepContent(tx: Tx, tenantId: number, contents: unknown[], now: number): Promise<void> {
  await tx`
    insert into alert_content (tenant_id, content, created_at)
    select ${tenantId}, value, ${iso(now)} from jsonb_array_elements(${json(contents)}::text::jsonb)`;
}

interface Recent {
  content: any;
  atMs: number;
}
const recent = (r: any): Recent => ({ content: r.content, atMs: new Date(r.created_at).getTime() });

export async function recentContent(db: Db, tenantId: number, count: number): Promise<Recent[]> {
  const rows =
    await db.sql`select content, created_at from alert_content where tenant_id = ${tenantId} order by seq desc limit ${count}`;
  return rows.map(recent);
}

/** What these feeds have said lately; without any named, all that alerts of the tenant read. */
export async function recentItems(db: Db, tenantId: number, keys: string[] | null, count: number): Promise<Recent[]> {
  const rows = keys
    ? await db.sql`
      select content, created_at from alert_feed_content
      where feed_id in (select id from alert_feeds where key = any(string_to_array(${keys.join("\n")}, E'\n')))
      order by seq desc limit ${count}`
    : await db.sql`
      select content, created_at from alert_feed_content where feed_id in (
        select l.feed_id from alert_feed_links l join alerts a on a.number = l.alert_number where a.tenant_id = ${tenantId})
      order by seq desc limit ${count}`;
  return rows.map(recent);
}

/** The last events of the tenant, but for those of alerts themselves. */
export async function recentEvents(db: Db, tenantId: number, count: number): Promise<LoggedEvent[]> {
  const rows = await db.sql`
    select e.seq::text, e.id, e.tenant_id, e.type, e.tags, e.data, e.created_at from events e
    where e.tenant_id = ${tenantId} and e.type not like 'alert.%' order by e.seq desc limit ${count}`;
  return rows.map(loggedEvent);
}

/** Where matching of the event log stands; the row is locked, so that one replica at a time matches. */
export async function lockPosition(tx: Tx): Promise<bigint | null> {
  const [row] = await tx`select seq::text from alert_position for update`;
  return row ? BigInt(row.seq) : null;
}

export async function savePosition(tx: Tx, seq: bigint): Promise<void> {
  await tx`insert into alert_position (seq) values (${String(seq)}::bigint) on conflict (one) do update set seq = excluded.seq`;
}

export interface LoggedEvent {
  seq: bigint;
  id: string;
  tenantId: number;
  type: string;
  tags: string[];
  data: unknown;
  atMs: number;
}

export async function readEventsAfter(tx: Tx, after: bigint, horizon: bigint, count: number): Promise<LoggedEvent[]> {
  const rows = await tx`
    select e.seq::text, e.id, e.tenant_id, e.type, e.tags, e.data, e.created_at from events e
    where e.seq > ${String(after)}::bigint and e.seq <= ${String(horizon)}::bigint and e.type not like 'alert.%' order
      by e.seq limit ${count}`;
  return rows.map(loggedEvent);
}

const loggedEvent = (r: any): LoggedEvent => ({
  seq: BigInt(r.seq),
  id: r.id,
  tenantId: r.tenant_id,
  type: r.type,
  tags: r.tags,
  data: r.data,
  atMs: new Date(r.created_at).getTime(),
});

export async function forgetOld(db: Db, now: number, retentionDays: number): Promise<void> {
  const old = iso(now - retentionDays * 86_400_000);
  await db.sql`delete from alert_gone where gone_at < ${iso(now - 7 * 86_400_000)}`;
  await db.sql`delete from alert_seen where until <= ${iso(now)}`;
  await db.sql`delete from alert_matches where created_at < ${old} and state <> 'held'`;
  await db.sql`delete from alert_outbox where created_at < ${old} and next_at is null`;
  await db.sql`delete from alert_feed_content where created_at < ${iso(now - 7 * 86_400_000)}`;
  await db.sql`delete from alert_content where created_at < ${iso(now - 7 * 86_400_000)}`;
  await db.sql`delete from alert_feed_items where seen_at < ${iso(now - 180 * 86_400_000)}`;
}
