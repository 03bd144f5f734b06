// SQL of the background side of alerts: matches, held matches, the outbox, feeds.
import type { Db, Tx } from "../../../store/db.ts";
import type { PollState } from "../engine/feed/schedule.ts";
import type { Message } from "../engine/channel/message.ts";
import { channelOf, type ChannelRow, feedOf, type FeedRow, iso, isoOrNull, json, type WebSub } from "../store.ts";
import type { Item } from "../contract.ts";

/** Remembers the keys; returns those that were new, as "number key". Old ones that have run out count as new. */
export async function remember(
  tx: Tx,
  keys: { number: number; key: string; untilMs: number }[],
  now: number,
): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await tx`
    insert into alert_seen (alert_number, key, until)
    select * from unnest(${keys.map((k) => k.number)}::int[], ${keys.map((k) => k.key)}::text[],
      ${keys.map((k) => iso(k.untilMs))}::timestamptz[])
    on conflict (alert_number, key) do update set until = excluded.until where alert_seen.until <= ${iso(now)}
    returning alert_number, key`;
  return new Set(rows.map((r: any) => `${r.alert_number} ${r.key}`));
}

export interface NewMatch {
  id: string;
  tenantId: number;
  number: number;
  item: Item;
  terms: string[];
  highlights: unknown[];
  state: "held" | "notified" | "suppressed";
  reason: string | null;
  group: string;
  dueMs: number | null;
  atMs: number;
}

export async function insertMatches(tx: Tx, matches: NewMatch[]): Promise<void> {
  if (matches.length === 0) return;
  const rows = matches.map((m) => ({
    id: m.id,
    tenant_id: m.tenantId,
    alert_number: m.number,
    item: m.item,
    terms: m.terms,
    highlights: m.highlights,
    state: m.state,
    reason: m.reason,
    group_key: m.group,
    due_at: isoOrNull(m.dueMs),
    created_at: iso(m.atMs),
  }));
  await tx`
    insert into alert_matches (id, tenant_id, alert_number, item, terms, highlights, state, reason, group_key, due_at, created_at)
    select id, tenant_id, alert_number, item, terms, highlights, state, reason, group_key, due_at, created_at
    from jsonb_to_recordset(${json(rows)}::text::jsonb) as m (id text, tenant_id int, alert_number int, item jsonb,
      terms text[], highlights jsonb,
      state text, reason text, group_key text, due_at timestamptz, created_at timestamptz)`;
}

export interface NewSending {
  id: string;
  tenantId: number;
  number: number;
  channelId: string;
  message: Message | { verify: true; name: string };
  atMs: number;
}

export async function insertSendings(tx: Tx, sendings: NewSending[]): Promise<void> {
  if (sendings.length === 0) return;
  const rows = sendings.map((s) => ({
    id: s.id,
    tenant_id: s.tenantId,
    alert_number: s.number,
    channel_id: s.channelId,
    message: s.message,
    at: iso(s.atMs),
  }));
  await tx`
    insert into alert_outbox (id, tenant_id, alert_number, channel_id, message, status, next_at, created_at)
    select id, tenant_id, alert_number, channel_id, message, 'queued', at, at
    from jsonb_to_recordset(${json(rows)}::text::jsonb) as s (id text, tenant_id int, alert_number int, channel_id
      text, message jsonb, at timestamptz)`;
}

export interface Sending {
  id: string;
  seq: string;
  tenantId: number;
  number: number;
  message: any;
  attempts: number;
  channel: ChannelRow;
  mode: "live" | "test";
  alertId: string;
}

/** Takes what is due for a while: should this process die, it falls due again. */
export async function leaseSendings(db: Db, now: number, leaseMs: number, count: number): Promise<Sending[]> {
  const rows = await db.sql`
    with due as (
      select o.id from alert_outbox o where o.next_at <= ${iso(now)} order by o.next_at, o.seq limit ${count} for update skip locked
    ), taken as (
      update alert_outbox o set next_at = ${iso(now + leaseMs)}, attempts = attempts + 1 from due where o.id = due.id
      returning o.id, o.seq, o.tenant_id, o.alert_number, o.message, o.attempts, o.channel_id
    )
    select t.id as sending, t.seq::text, t.message, t.attempts, c.*, n.mode, a.id as alert_id
    from taken t join alert_channels c on c.id = t.channel_id join tenants n on n.id = t.tenant_id join alerts a on
      a.number = t.alert_number
    order by t.seq`;
  return rows.map((r: any) => ({
    id: r.sending,
    seq: r.seq,
    tenantId: r.tenant_id,
    number: r.alert_number,
    message: r.message,
    attempts: r.attempts,
    mode: r.mode,
    alertId: r.alert_id,
    channel: channelOf(r),
  }));
}

export async function finishSending(
  tx: Tx,
  id: string,
  status: string,
  nextMs: number | null,
  error: string | null,
  now: number,
): Promise<void> {
  await tx`
    update alert_outbox set status = ${status}, next_at = ${isoOrNull(nextMs)}, last_error = ${error}, finished_at =
      ${nextMs === null ? iso(now) : null}
    where id = ${id}`;
}

export async function readDueGroups(db: Db, now: number, count: number): Promise<{ number: number; group: string }[]> {
  const rows = await db.sql`
    select alert_number, group_key from alert_matches where state = 'held' and due_at <= ${iso(now)}
    group by alert_number, group_key order by min(due_at) limit ${count}`;
  return rows.map((r: any) => ({ number: r.alert_number, group: r.group_key }));
}

export interface HeldMatch {
  id: string;
  item: Item;
  terms: string[];
  highlights: any[];
  createdMs: number;
}

/** The first of the held matches of a group, and how many there are. */
export async function readHeld(
  tx: Tx,
  number: number,
  group: string,
  most: number,
): Promise<{ matches: HeldMatch[]; total: number }> {
  const rows = await tx`
    select *, count(*) over ()::int as total from alert_matches
    where alert_number = ${number} and group_key = ${group} and state = 'held' order by seq limit ${most}`;
  const matches = rows.map((r: any) => ({
    id: r.id,
    item: r.item,
    terms: r.terms,
    highlights: r.highlights,
    createdMs: new Date(r.created_at).getTime(),
  }));
  return { matches, total: rows[0]?.total ?? 0 };
}

export async function closeHeld(
  tx: Tx,
  number: number,
  group: string,
  state: "notified" | "suppressed",
  reason: string | null,
): Promise<void> {
  await tx`
    update alert_matches set state = ${state}, reason = coalesce(${reason}, reason), due_at = null
    where alert_number = ${number} and group_key = ${group} and state = 'held'`;
}

export async function postponeHeld(
  tx: Tx,
  number: number,
  group: string,
  dueMs: number,
  reason: string,
): Promise<void> {
  await tx`
    update alert_matches set due_at = ${iso(dueMs)}, reason = ${reason}
    where alert_number = ${number} and group_key = ${group} and state = 'held'`;
}

export async function readEmptyDigests(db: Db, now: number, count: number): Promise<number[]> {
  const rows =
    await db.sql`select number from alerts where due_at <= ${iso(now)} and status = 'active' order by due_at limit ${count}`;
  return rows.map((r: any) => r.number);
}

export async function expireAlerts(db: Db, now: number): Promise<number[]> {
  const rows = await db.sql`
    update alerts set status = 'expired', updated_at = ${iso(now)} where expires_at <= ${iso(now)} and status <>
      'expired' returning number`;
  return rows.map((r: any) => r.number);
}

/** Takes feeds that are due for a while, with the shortest wish of those who read them. */
export async function leaseFeeds(
  db: Db,
  now: number,
  leaseMs: number,
  count: number,
): Promise<(FeedRow & { intervalS: number | null })[]> {
  const rows = await db.sql`
    with due as (select id from alert_feeds where next_at <= ${iso(now)} order by next_at limit ${count} for update skip locked)
    update alert_feeds f set next_at = ${iso(now + leaseMs)} from due where f.id = due.id
    returning f.*, (select min(interval_s) from alert_feed_links l where l.feed_id = f.id) as interval_s`;
  return rows.map((r: any) => ({ ...feedOf(r), intervalS: r.interval_s }));
}

export async function saveFeed(
  tx: Tx,
  id: string,
  state: PollState,
  facts: { format: string; title: string | null; hub: string | null } | null,
): Promise<void> {
  await tx`
    update alert_feeds set state = ${json(state)}::text::jsonb, next_at = ${isoOrNull(state.nextAt)},
      format = coalesce(${facts?.format ?? null}, format), title = coalesce(${facts?.title ?? null}, title),
      hub = coalesce(${facts?.hub ?? null}, hub)
    where id = ${id}`;
}

export async function saveWebSub(tx: Tx, feedId: string, websub: WebSub | null): Promise<void> {
  await tx`
    update alert_feeds set websub = ${websub === null ? null : json(websub)}::text::jsonb, hub_token = ${websub?.token ?? null}
    where id = ${feedId}`;
}

export async function feedByHubToken(tx: Tx, token: string): Promise<FeedRow | null> {
  const [row] = await tx`select * from alert_feeds where hub_token = ${token} for update`;
  return row ? feedOf(row) : null;
}

/** Remembers items of a feed; returns the keys that were new. */
export async function rememberItems(tx: Tx, feedId: string, keys: string[], now: number): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await tx`
    insert into alert_feed_items (feed_id, key, seen_at) select ${feedId}, k, ${iso(now)} from unnest(${keys}::text[]) as k
    on conflict do nothing returning key`;
  return new Set(rows.map((r: any) => r.key));
}

export async function keepContent(tx: Tx, tenantId: number, contents: unknown[], now: number): Promise<void> {
  await tx`
    insert into alert_content (tenant_id, content, created_at)
    select ${tenantId}, value, ${iso(now)} from jsonb_array_elements(${json(contents)}::text::jsonb)`;
}

export async function recentContent(
  db: Db,
  tenantId: number,
  count: number,
): Promise<{ content: any; atMs: number }[]> {
  const rows =
    await db.sql`select content, created_at from alert_content where tenant_id = ${tenantId} order by seq desc limit ${count}`;
  return rows.map((r: any) => ({ content: r.content, atMs: new Date(r.created_at).getTime() }));
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
  return rows.map((r: any) => ({
    seq: BigInt(r.seq),
    id: r.id as string,
    tenantId: r.tenant_id as number,
    type: r.type as string,
    tags: r.tags as string[],
    data: r.data as unknown,
    atMs: new Date(r.created_at).getTime(),
  }));
}

export async function forgetOld(db: Db, now: number, retentionDays: number): Promise<void> {
  const old = iso(now - retentionDays * 86_400_000);
  await db.sql`delete from alert_gone where gone_at < ${iso(now - 7 * 86_400_000)}`;
  await db.sql`delete from alert_seen where until <= ${iso(now)}`;
  await db.sql`delete from alert_matches where created_at < ${old} and state <> 'held'`;
  await db.sql`delete from alert_outbox where created_at < ${old} and next_at is null`;
  await db.sql`delete from alert_content where created_at < ${iso(now - 7 * 86_400_000)}`;
  await db.sql`delete from alert_feed_items where seen_at < ${iso(now - 180 * 86_400_000)}`;
}
