// SQL of feeds: which alerts read them, which are due, what they contained, which hub pushes them.
import { jsonb, toIso, type Tx } from "../../../store/db.ts";
import type { PollState } from "../engine/feed/schedule.ts";
import type { FeedRow, WebSub } from "../rows.ts";

/** Links the alert to the feed of that key; creates the feed for its first alert. */
export async function linkFeed(tx: Tx, number: number, feed: FeedRow, intervalS: number | null): Promise<void> {
  const [{ id }] = await tx`
    insert into alert_feeds (id, key, url, simulated, state, next_at)
    values (${feed.id}, ${feed.key}, ${feed.url}, ${feed.simulated}, ${jsonb(feed.state)}::text::jsonb,
      ${toIso(feed.state.nextAt)})
    on conflict (key) do update set key = excluded.key returning id`;
  await tx`
    insert into alert_feed_links (alert_number, feed_id, interval_s, tenant_id)
    select ${number}, ${id}, ${intervalS}, tenant_id from alerts where number = ${number}
    on conflict (alert_number, feed_id) do update set interval_s = excluded.interval_s`;
}

export const unlinkFeeds = (tx: Tx, number: number) => tx`delete from alert_feed_links where alert_number = ${number}`;

export async function readFeeds(tx: Tx, numbers: number[]): Promise<(FeedRow & { alertNumber: number })[]> {
  const rows = await tx`
    select f.*, l.alert_number from alert_feeds f join alert_feed_links l on l.feed_id = f.id
    where l.alert_number = any(${numbers}::int[])`;
  return rows.map((r: any) => ({ ...feedOf(r), alertNumber: r.alert_number }));
}

/** A feed with the shortest interval that its alerts ask for, and one of the tenants that read it. */
export type LeasedFeed = FeedRow & { intervalS: number | null; tenantId: number };

/** Leases feeds that are due, but none that only the tenants `without` read. */
export async function leaseFeeds(
  tx: Tx,
  now: number,
  leaseMs: number,
  count: number,
  without: number[],
): Promise<LeasedFeed[]> {
  const rows = await tx`
    with due as (
      select id from alert_feeds f where next_at <= ${toIso(now)} and exists (
        select 1 from alert_feed_links l where l.feed_id = f.id and l.tenant_id <> all(${without}::int[]))
      order by next_at limit ${count} for update skip locked
    )
    update alert_feeds f set next_at = ${toIso(now + leaseMs)} from due,
      lateral (select min(interval_s) as interval_s, min(tenant_id) as tenant_id from alert_feed_links l where l.feed_id = due.id) as link
    where f.id = due.id returning f.*, link.interval_s, link.tenant_id`;
  return rows.map((r: any) => ({ ...feedOf(r), intervalS: r.interval_s, tenantId: r.tenant_id }));
}

/** Makes feeds of an alert due that were last read before `readBefore`; says how many. */
export async function makeFeedsDue(tx: Tx, number: number, now: number, readBefore: number): Promise<number> {
  const { count } = await tx`
    update alert_feeds f set next_at = ${toIso(now)} from alert_feed_links l
    where l.feed_id = f.id and l.alert_number = ${number} and f.state->>'status' <> 'gone'
      and coalesce((f.state->>'polledAt')::numeric, 0) <= ${readBefore}::numeric`;
  return count as number;
}

/** The alerts that read a feed. */
export async function readFeedAlerts(tx: Tx, feedId: string): Promise<{ id: string; tenantId: number }[]> {
  const rows = await tx`
    select a.id, a.tenant_id from alerts a join alert_feed_links l on l.alert_number = a.number
    where l.feed_id = ${feedId}`;
  return rows.map((r: any) => ({ id: r.id, tenantId: r.tenant_id }));
}

export async function saveFeed(
  tx: Tx,
  id: string,
  state: PollState,
  facts: { format: string; title: string | null; hub: string | null } | null,
): Promise<void> {
  await tx`
    update alert_feeds set state = ${jsonb(state)}::text::jsonb, next_at = ${toIso(state.nextAt)},
      format = coalesce(${facts?.format ?? null}, format), title = coalesce(${facts?.title ?? null}, title),
      hub = coalesce(${facts?.hub ?? null}, hub)
    where id = ${id}`;
}

export async function saveWebSub(tx: Tx, feedId: string, websub: WebSub | null): Promise<void> {
  await tx`
    update alert_feeds set websub = ${websub === null ? null : jsonb(websub)}::text::jsonb,
      hub_token = ${websub?.token ?? null}
    where id = ${feedId}`;
}

export async function lockFeedByHubToken(tx: Tx, token: string): Promise<FeedRow | null> {
  const [row] = await tx`select * from alert_feeds where hub_token = ${token} for update`;
  return row ? feedOf(row) : null;
}

/** Records items of a feed; returns the keys that were new. */
export async function insertItemKeys(tx: Tx, feedId: string, keys: string[], now: number): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await tx`
    insert into alert_feed_items (feed_id, key, seen_at)
    select ${feedId}, k, ${toIso(now)} from unnest(${keys}::text[]) as k
    on conflict do nothing returning key`;
  return new Set(rows.map((r: any) => r.key));
}

function feedOf(r: any): FeedRow {
  return {
    id: r.id,
    key: r.key,
    url: r.url,
    simulated: r.simulated,
    format: r.format,
    title: r.title,
    hub: r.hub,
    websub: r.websub,
    state: r.state,
  };
}
