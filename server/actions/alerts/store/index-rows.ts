// SQL of the index: everything at start, one alert when it changes, and what a lost notification would have told.
import type { Db } from "../../../store/db.ts";
import { iso } from "./alerts.ts";
import type { Entry } from "../background/index/shard.ts";

/** A share of the alerts: those whose number leaves `part` when divided by `parts`. */
export interface Share {
  part: number;
  parts: number;
}

/** The last number, and about how many alerts there are: counting a million would take as long as reading some. */
export async function readExtent(db: Db): Promise<{ about: number; last: number }> {
  const [row] = await db.sql`
    select coalesce(max(number), 0)::int as last,
      (select greatest(reltuples, 0)::int from pg_class where oid = 'alerts'::regclass) as about from alerts`;
  return { last: row.last, about: Math.min(row.last, row.about) };
}

/** Active alerts of one term, as lines "number tenant sources term": a million rows are read as a few long texts. */
export async function readTerms(db: Db, { part, parts }: Share, after: number, upTo: number): Promise<string> {
  const [{ lines }] = await db.sql`
    select coalesce(string_agg(concat_ws(' ', number, tenant_id, sources, term), E'\n'), '') as lines
    from alerts where number > ${after} and number <= ${upTo} and status = 'active' and term is not null
      and number % ${parts}::int = ${part}::int`;
  return lines;
}

/** The same for those that must be parsed: JSON of only what says what is watched. */
export async function readQueries(
  db: Db,
  { part, parts }: Share,
  after: number,
  count: number,
): Promise<{ lines: string; last: number | null }> {
  const [{ lines, last }] = await db.sql`
    select coalesce(string_agg(concat_ws(' ', number, tenant_id, sources, given), E'\n'), '') as lines, max(number) as last
    from (
      select number, tenant_id, sources, jsonb_strip_nulls(jsonb_build_object('tag', spec->'tag', 'tags', spec->'tags',
        'query', spec->'query', 'match', spec->'match'))::text as given
      from alerts where number > ${after} and status = 'active' and term is null and number % ${parts}::int = ${part}::int
      order by number limit ${count}
    ) as page`;
  return { lines, last };
}

export async function readFeedLinks(db: Db, { part, parts }: Share): Promise<{ feedId: string; number: number }[]> {
  const rows = await db.sql`
    select feed_id, alert_number from alert_feed_links where alert_number % ${parts}::int = ${part}::int`;
  return rows.map((r: any) => ({ feedId: r.feed_id, number: r.alert_number }));
}

export async function readOne(db: Db, number: number): Promise<(Entry & { updatedMs: number }) | null> {
  const [row] = await db.sql`
    select number, tenant_id, status, sources, term, spec as given, updated_at,
      array(select feed_id from alert_feed_links l where l.alert_number = alerts.number) as feeds
    from alerts where number = ${number}`;
  if (!row) return null;
  const { number: _, tenant_id: tenantId, updated_at: updatedAt, ...rest } = row;
  return { number, tenantId, updatedMs: new Date(updatedAt).getTime(), ...rest };
}

/** Changed since then, whatever their state. */
export async function readChanged(db: Db, sinceMs: number): Promise<{ number: number; updatedMs: number }[]> {
  const rows = await db.sql`select number, updated_at from alerts where updated_at >= ${iso(sinceMs)}`;
  return rows.map((r: any) => ({ number: r.number, updatedMs: new Date(r.updated_at).getTime() }));
}

/** Deleted since then. */
export async function readGone(db: Db, sinceMs: number): Promise<number[]> {
  const rows = await db.sql`select number from alert_gone where gone_at >= ${iso(sinceMs)}`;
  return rows.map((r: any) => r.number);
}
