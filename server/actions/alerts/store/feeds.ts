// SQL of feeds as they are read: which are due, what they said, who pushes them.
import type { Db, Tx } from "../../../store/db.ts";
import type { PollState } from "../engine/feed/schedule.ts";
import { feedOf, type FeedRow, iso, isoOrNull, json, type WebSub } from "./alerts.ts";

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

/** For previews: what the feed has said lately, the oldest first. */
export async function keepFeedContent(tx: Tx, feedId: string, contents: unknown[], now: number): Promise<void> {
  if (contents.length === 0) return;
  await tx`
    insert into alert_feed_content (feed_id, content, created_at)
    select ${feedId}, value, ${iso(now)} from jsonb_array_elements(${json(contents)}::text::jsonb)`;
}
