// The SQL of events. Order for followers is (xid, seq) below the oldest running transaction; see migration 0010.
import type { Mode } from "../../contract/define.ts";
import { formatTime } from "../../lib/time.ts";
import type { Db, Tx } from "../../store/db.ts";

/** A place in the log: everything up to and including it has been seen. */
export interface Position {
  xid: bigint;
  seq: bigint;
}

export interface EventRow {
  position: Position;
  id: string;
  tenantId: number;
  type: string;
  tags: string[];
  /** The event as JSON text, as every reader gets it. */
  json: string;
}

interface RawRow {
  xid: string;
  seq: string;
  id: string;
  tenant_id: number;
  mode: Mode;
  type: string;
  tags: string[];
  data: string;
  created_at: Date;
}

export const isBefore = (a: Position, b: Position) => a.xid < b.xid || (a.xid === b.xid && a.seq < b.seq);

/** Where the log ends now: every event that commits from now on lies behind it. */
export async function headPosition(tx: Tx): Promise<Position> {
  const [{ xmin }] = await tx`select pg_snapshot_xmin(pg_current_snapshot())::text as xmin`;
  return { xid: BigInt(xmin), seq: 0n };
}

/** Where an event lies, or null when it is not (or no longer) kept for this tenant. */
export async function findPosition(db: Db, tenantId: number, id: string): Promise<Position | null> {
  const [row] = await db.sql`
    select xid::text, seq::text from events where id = ${id} and tenant_id = ${tenantId}`;
  return row ? { xid: BigInt(row.xid), seq: BigInt(row.seq) } : null;
}

/**
 * Up to `count` events of the tenants behind `after`, in order, and the position up to which nothing was left out:
 * the last event when the page is full, else the end of the log.
 */
export async function readAfter(
  tx: Tx,
  tenantIds: number[],
  after: Position,
  count: number,
): Promise<{ rows: EventRow[]; upTo: Position }> {
  const raw: (RawRow & { xmin: string })[] = await tx`
    with horizon as (select pg_snapshot_xmin(pg_current_snapshot()) as xmin)
    select horizon.xmin::text, e.xid::text, e.seq::text, e.id, e.tenant_id, t.mode, e.type, e.tags, e.data::text as data, e.created_at
    from horizon left join lateral (
      select * from events
      where tenant_id = any(${tenantIds}::int[])
        and (xid, seq) > (${String(after.xid)}::text::xid8, ${String(after.seq)}::text::bigint) and xid < horizon.xmin
      order by xid, seq limit ${count}
    ) e on true left join tenants t on t.id = e.tenant_id
    order by e.xid, e.seq`;
  const rows = raw.filter((row) => row.id !== null).map(eventOf);
  const end = { xid: BigInt(raw[0].xmin), seq: 0n };
  return { rows, upTo: rows.length === count ? rows.at(-1)!.position : isBefore(end, after) ? after : end };
}

export interface EventQuery {
  tenantId: number;
  types: string[];
  tag: string | null;
  /** Newest first, behind this seq. */
  before: string | null;
  count: number;
}

export async function listEvents(db: Db, query: EventQuery): Promise<EventRow[]> {
  const { exact, families } = splitTypes(query.types);
  const all = query.types.length === 0 || query.types.includes("*");
  const raw: RawRow[] = await db.sql`
    select e.xid::text, e.seq::text, e.id, e.tenant_id, t.mode, e.type, e.tags, e.data::text as data, e.created_at
    from events e join tenants t on t.id = e.tenant_id
    where e.tenant_id = ${query.tenantId} and (${query.before}::bigint is null or e.seq < ${query.before}::bigint)
      and (${all} or e.type = any(${exact}::text[]) or e.type like any(${families}::text[]))
      and (${query.tag}::text is null or ${query.tag} = any(e.tags))
    order by e.seq desc limit ${query.count}`;
  return raw.map(eventOf);
}

export async function findEvent(db: Db, tenantId: number, id: string): Promise<EventRow | null> {
  const [raw] = await db.sql`
    select e.xid::text, e.seq::text, e.id, e.tenant_id, t.mode, e.type, e.tags, e.data::text as data, e.created_at
    from events e join tenants t on t.id = e.tenant_id where e.id = ${id} and e.tenant_id = ${tenantId}`;
  return raw ? eventOf(raw) : null;
}

export async function readEvents(db: Db, ids: string[]): Promise<Map<string, EventRow>> {
  const raw: RawRow[] = await db.sql`
    select e.xid::text, e.seq::text, e.id, e.tenant_id, t.mode, e.type, e.tags, e.data::text as data, e.created_at
    from events e join tenants t on t.id = e.tenant_id where e.id = any(${ids}::text[])`;
  return new Map(raw.map((row) => [row.id, eventOf(row)]));
}

/** Removes what is older than the retention, in bites that do not hold the table for long. Returns how many went. */
export async function forgetEvents(db: Db, before: Date, bite = 5000): Promise<number> {
  for (let total = 0; ;) {
    const { count } = await db.sql`
      delete from events where seq in (select seq from events where created_at < ${before} order by created_at limit ${bite})`;
    total += count;
    if (count < bite) return total;
  }
}

/**
 * After a restore into a new cluster the stored xids may lie above its counter, and followers would wait for it for
 * months. They are moved below it, which keeps the order by seq.
 */
export async function mendPositions(db: Db): Promise<void> {
  const [{ next }] = await db.sql`select pg_current_xact_id()::text as next`;
  await db.sql.begin(async (tx) => {
    const { count } = await tx`update events set xid = '1' where xid > ${next}::text::xid8`;
    if (count > 0)
      await tx`update webhooks set position_xid = '1', position_seq = coalesce((select max(seq) from events), 0)`;
  });
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
    position: { xid: BigInt(raw.xid), seq: BigInt(raw.seq) },
    id: raw.id,
    tenantId: raw.tenant_id,
    type: raw.type,
    tags: raw.tags,
    // The stored data is JSON text already; parsing it only to write it again would be waste.
    json: `${JSON.stringify(head).slice(0, -1)},"data":${raw.data}}`,
  };
}
