// The SQL of events. Followers read in seq order up to the horizon; see migrations 0010 and 0017.
import type { Mode } from "../../contract/define.ts";
import { formatTime } from "../../lib/time.ts";
import { type Db, toIso, type Tx } from "../../store/db.ts";
import { servesRequest } from "../../store/requests.ts";

export interface EventRow {
  /** Its place in the log. */
  seq: bigint;
  id: string;
  tenantId: number;
  type: string;
  tags: string[];
  /** Milliseconds since the epoch. */
  createdMs: number;
  /** The event as JSON text, as every reader gets it. */
  json: string;
}

export interface NewEvent {
  id: string;
  tenantId: number;
  type: string;
  tags: string[];
  data: unknown;
  /** Milliseconds since the epoch. */
  at: number;
}

/**
 * Events that no request asked for are counted and never refused (migration 0092). `json` and not `jsonb`: what a
 * subscriber gets has the members in the order of the contract.
 */
export async function insertEvents(tx: Tx, events: NewEvent[]): Promise<void> {
  const rows = events.map((e) => ({ ...e, tenant_id: e.tenantId, created_at: toIso(e.at) }));
  await tx`
    with new_events as (
      select * from json_to_recordset(${JSON.stringify(rows)}::text::json)
        as e (id text, tenant_id int, type text, tags text[], data json, created_at timestamptz)
      where ${servesRequest(tx)} or set_config('connector.derived_events', 'on', true) is not null
    ), ${eventsCte(tx)} select`;
}

/**
 * For a statement that writes events beside rows of its own: inserts what the CTE `new_events` of that statement holds,
 * with the columns id, tenant_id, type, tags, data (json) and created_at. Call `notifyLocal` afterwards.
 */
export const eventsCte = (tx: Tx) => tx`
  inserted_events as (
    insert into events (id, tenant_id, type, tags, data, created_at)
    select id, tenant_id, type, tags, data, created_at from new_events)`;

interface RawRow {
  seq: string;
  id: string;
  tenant_id: number;
  mode: Mode;
  type: string;
  tags: string[];
  data: string;
  created_at: Date;
}

export interface Horizon {
  /** The last seq that was committed. */
  last: bigint;
  /** Transactions that may still commit an event up to it. */
  writers: string[];
}

export async function readHorizon(db: Db): Promise<Horizon> {
  const [{ last, writers }] = await db.sql`select last::text, writers from event_horizon()`;
  return { last: BigInt(last), writers };
}

/** Where an event lies, or null when it is not (or no longer) kept for this tenant. */
export async function findPosition(db: Db, tenantId: number, id: string): Promise<bigint | null> {
  const [row] = await db.sql`select seq::text from events where id = ${id} and tenant_id = ${tenantId}`;
  return row ? BigInt(row.seq) : null;
}

/**
 * Events of the tenants behind `after` and up to the horizon, in order; at most `count`. Each tenant's are read in the order of
 * its index, so that a long backlog costs no more than a short one.
 */
export async function readAfter(
  db: Db,
  tenantIds: number[],
  after: bigint,
  horizon: bigint,
  count: number,
): Promise<EventRow[]> {
  const raw: RawRow[] = await db.sql`
    select e.seq::text, e.id, e.tenant_id, t.mode, e.type, e.tags, e.data::text as data, e.created_at
    from tenants t cross join lateral (
      select * from events where tenant_id = t.id and seq > ${String(after)}::text::bigint
        and seq <= ${String(horizon)}::text::bigint
      order by seq limit ${count}) e
    where t.id = any(${tenantIds}::int[])
    order by e.seq limit ${count}`;
  return raw.map(eventOf);
}

export interface EventQuery {
  tenantId: number;
  types: string[];
  tag: string | null;
  /** An id that the event's data names. */
  object: string | null;
  sinceMs: number | null;
  untilMs: number | null;
  /** Newest first, behind this seq. */
  before: string | null;
  count: number;
}

export async function listEvents(db: Db, query: EventQuery): Promise<EventRow[]> {
  const { exact, families } = splitTypes(query.types);
  const all = query.types.length === 0 || query.types.includes("*");
  const raw: RawRow[] = await db.sql`
    select e.seq::text, e.id, e.tenant_id, t.mode, e.type, e.tags, e.data::text as data, e.created_at
    from events e join tenants t on t.id = e.tenant_id
    where e.tenant_id = ${query.tenantId} and (${query.before}::bigint is null or e.seq < ${query.before}::bigint)
      and (${all} or e.type = any(${exact}::text[]) or e.type like any(${families}::text[]))
      and (${query.tag}::text is null or ${query.tag} = any(e.tags))
      and (${query.object}::text is null or position('"' || ${query.object} || '"' in e.data::text) > 0)
      and (${toIso(query.sinceMs)}::timestamptz is null or e.created_at >= ${toIso(query.sinceMs)}::timestamptz)
      and (${toIso(query.untilMs)}::timestamptz is null or e.created_at < ${toIso(query.untilMs)}::timestamptz)
    order by e.seq desc limit ${query.count}`;
  return raw.map(eventOf);
}

export async function findEvent(db: Db, tenantId: number, id: string): Promise<EventRow | null> {
  const [raw] = await db.sql`
    select e.seq::text, e.id, e.tenant_id, t.mode, e.type, e.tags, e.data::text as data, e.created_at
    from events e join tenants t on t.id = e.tenant_id where e.id = ${id} and e.tenant_id = ${tenantId}`;
  return raw ? eventOf(raw) : null;
}

export async function readEvents(db: Db, ids: string[]): Promise<Map<string, EventRow>> {
  const raw: RawRow[] = await db.sql`
    select e.seq::text, e.id, e.tenant_id, t.mode, e.type, e.tags, e.data::text as data, e.created_at
    from events e join tenants t on t.id = e.tenant_id where e.id = any(${ids}::text[])`;
  return new Map(raw.map((row) => [row.id, eventOf(row)]));
}

/** Removes what is older than the retention, in bites that do not hold the table for long. Returns how many went. */
export async function forgetEvents(db: Db, before: Date, bite = 5000): Promise<number> {
  for (let total = 0; ; ) {
    const { count } = await db.sql`
      delete from events where seq in (select seq from events where created_at < ${before} limit ${bite})`;
    total += count;
    if (count < bite) return total;
  }
}

/** Patterns as SQL wants them: exact names, and `like` patterns for families. */
export function splitTypes(types: string[]): { exact: string[]; families: string[] } {
  const like = (text: string) => `${text.slice(0, -1).replaceAll(/[\\%_]/g, "\\$&")}%`;
  return {
    exact: types.filter((t) => !t.endsWith(".*")),
    families: types.filter((t) => t.endsWith(".*")).map(like),
  };
}

function eventOf(raw: RawRow): EventRow {
  const head = {
    id: raw.id,
    type: raw.type,
    created_at: formatTime(raw.created_at.getTime()),
    mode: raw.mode,
    tags: raw.tags,
  };
  return {
    seq: BigInt(raw.seq),
    id: raw.id,
    tenantId: raw.tenant_id,
    type: raw.type,
    tags: raw.tags,
    createdMs: raw.created_at.getTime(),
    // The stored data is JSON text already; parsing it only to write it again would be waste.
    json: `${JSON.stringify(head).slice(0, -1)},"data":${raw.data}}`,
  };
}

/** Wakes every process that listens on the channel. */
export async function notifyReplicas(db: Db, channel: string): Promise<void> {
  await db.sql`select pg_notify(${channel}, '')`;
}
