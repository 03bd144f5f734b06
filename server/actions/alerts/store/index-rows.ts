// SQL of the in-memory index: everything at start, one alert when it changes, and what a lost notification left out.
import { type Db, toIso, toMs } from "../../../store/db.ts";
import type { IndexEntry, ShardShare } from "../rows.ts";

/** The last number, and roughly how many alerts there are: an exact count of a million rows would take too long. */
export async function readExtent(db: Db): Promise<{ about: number; last: number }> {
  const [row] = await db.sql`
    select coalesce(max(number), 0)::int as last,
      (select greatest(reltuples, 0)::int from pg_class where oid = 'alerts'::regclass) as about from alerts`;
  return { last: row.last, about: Math.min(row.last, row.about) };
}

/** Active alerts of one term, as lines "number tenant sources term": a million rows arrive as a few long texts. */
export async function readTerms(db: Db, { part, parts }: ShardShare, after: number, upTo: number): Promise<string> {
  const [{ lines }] = await db.sql`
    select coalesce(string_agg(concat_ws(' ', number, tenant_id, sources, term), E'\n'), '') as lines
    from alerts where number > ${after} and number <= ${upTo} and status = 'active' and term is not null
      and number % ${parts}::int = ${part}::int`;
  return lines;
}

/** Active alerts that must be parsed, as lines "number tenant sources watch" where watch is JSON. */
export async function readQueries(
  db: Db,
  { part, parts }: ShardShare,
  after: number,
  count: number,
): Promise<{ lines: string; last: number | null }> {
  const [{ lines, last }] = await db.sql`
    select coalesce(string_agg(concat_ws(' ', number, tenant_id, sources, watch), E'\n'), '') as lines, max(number) as last
    from (
      select number, tenant_id, sources, jsonb_strip_nulls(jsonb_build_object('tag', spec->'tag', 'tags', spec->'tags',
        'query', spec->'query', 'match', spec->'match'))::text as watch
      from alerts where number > ${after} and status = 'active' and term is null and number % ${parts}::int = ${part}::int
      order by number limit ${count}
    ) as page`;
  return { lines, last };
}

export async function readFeedLinks(
  db: Db,
  { part, parts }: ShardShare,
): Promise<{ feedId: string; number: number }[]> {
  const rows = await db.sql`
    select feed_id, alert_number from alert_feed_links where alert_number % ${parts}::int = ${part}::int`;
  return rows.map((r: any) => ({ feedId: r.feed_id, number: r.alert_number }));
}

export async function readEntry(db: Db, number: number): Promise<(IndexEntry & { updatedMs: number }) | null> {
  const [row] = await db.sql`
    select number, tenant_id, status, sources, term, spec as watch, updated_at,
      array(select feed_id from alert_feed_links l where l.alert_number = alerts.number) as feeds
    from alerts where number = ${number}`;
  if (!row) return null;
  const { number: _, tenant_id: tenantId, updated_at: updatedAt, ...rest } = row;
  return { number, tenantId, updatedMs: toMs(updatedAt), ...rest };
}

/** Alerts changed since then, in any state. */
export async function readChanged(db: Db, sinceMs: number): Promise<{ number: number; updatedMs: number }[]> {
  const rows = await db.sql`select number, updated_at from alerts where updated_at >= ${toIso(sinceMs)}`;
  return rows.map((r: any) => ({ number: r.number, updatedMs: toMs(r.updated_at) }));
}

export async function readDeleted(db: Db, sinceMs: number): Promise<number[]> {
  const rows = await db.sql`select number from alert_gone where gone_at >= ${toIso(sinceMs)}`;
  return rows.map((r: any) => r.number);
}
