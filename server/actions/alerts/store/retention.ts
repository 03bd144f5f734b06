// SQL of retention: deletes what is older than it needs to be kept.
import { DAY_MS } from "../../../lib/time.ts";
import { type Db, toIso } from "../../../store/db.ts";

export async function deleteOld(db: Db, now: number, retentionDays: number): Promise<void> {
  const old = toIso(now - retentionDays * DAY_MS);
  const weekAgo = toIso(now - 7 * DAY_MS);
  await db.sql`delete from alert_gone where gone_at < ${weekAgo}`;
  await db.sql`delete from alert_seen where until <= ${toIso(now)}`;
  await db.sql`delete from alert_matches where created_at < ${old} and state <> 'held'`;
  await db.sql`delete from alert_outbox where created_at < ${old} and next_at is null`;
  await db.sql`delete from alert_feed_content where created_at < ${weekAgo}`;
  await db.sql`delete from alert_content where created_at < ${weekAgo}`;
  await db.sql`delete from alert_feed_items where seen_at < ${toIso(now - 180 * DAY_MS)}`;
}
