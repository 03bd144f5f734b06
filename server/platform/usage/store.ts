// The SQL of usage counts, and of when a key was last used.
import { type Db, jsonb, toIso, toMs, type Tx } from "../../store/db.ts";

export interface UsageCount {
  tenantId: number;
  keyId: string;
  route: string;
  minuteMs: number;
  requests: number;
  failures: number;
  /** When the last of them came. */
  lastMs: number;
}

/** The PostgreSQL transaction that wrote something: whether it was committed can be asked later. */
export type TransactionId = string;

/** Whether the transaction was committed; null while it is still under way. */
export async function wasCommitted(db: Db, id: TransactionId): Promise<boolean | null> {
  const [{ status }] = await db.sql`select pg_xact_status(${id}::text::xid8) as status`;
  return status === "in progress" ? null : status === "committed";
}

/** Adds the counts and notes when each key was last used, in one transaction, whose id is passed to `onBegin`. */
export async function addCounts(db: Db, counts: UsageCount[], onBegin: (id: TransactionId) => void): Promise<void> {
  const rows = counts.map((c) => ({ ...c, minute: toIso(c.minuteMs) }));
  const used = [...lastUse(counts)].map(([id, atMs]) => ({ id, at: toIso(atMs) }));
  await db.sql.begin(async (tx: Tx) => {
    const [{ id }] = await tx`select pg_current_xact_id()::text as id`;
    onBegin(id);
    // A fixed order keeps two replicas that write the same rows from waiting on each other in a circle.
    await tx`
      insert into usage (tenant_id, minute, route, key_id, requests, failures)
      select "tenantId", minute, route, "keyId", requests, failures
      from jsonb_to_recordset(${jsonb(rows)}::text::jsonb)
        as u ("tenantId" int, minute timestamptz, route text, "keyId" text, requests int, failures int)
      order by 1, 2, 3, 4
      on conflict (tenant_id, minute, route, key_id) do update
        set requests = usage.requests + excluded.requests, failures = usage.failures + excluded.failures`;
    await tx`
      with used as (select * from jsonb_to_recordset(${jsonb(used)}::text::jsonb) as u (id text, at timestamptz)),
        held as (select k.id, used.at from keys k join used on used.id = k.id order by k.id for no key update of k)
      update keys set last_used_at = greatest(last_used_at, held.at) from held where keys.id = held.id`;
  });
}

/** By key. */
function lastUse(counts: UsageCount[]): Map<string, number> {
  const last = new Map<string, number>();
  for (const { keyId, lastMs } of counts) last.set(keyId, Math.max(lastMs, last.get(keyId) ?? 0));
  return last;
}

export interface Totals {
  today: number;
  thisMonth: number;
}

/** Requests since the start of the UTC day and month that hold `now`. */
export async function readTotals(db: Db, tenantIds: number[], now: number): Promise<Map<number, Totals>> {
  const day = toIso(now).slice(0, 10);
  const rows = await db.sql`
    select tenant_id, coalesce(sum(requests) filter (where minute >= ${day}::timestamptz), 0)::int as today,
      sum(requests)::int as this_month
    from usage where tenant_id = any(${tenantIds}::int[]) and minute >= ${`${day.slice(0, 7)}-01`}::timestamptz
    group by tenant_id`;
  const totals = new Map<number, Totals>(tenantIds.map((id) => [id, { today: 0, thisMonth: 0 }]));
  for (const row of rows) totals.set(row.tenant_id, { today: row.today, thisMonth: row.this_month });
  return totals;
}

export interface UsageQuery {
  tenantId: number;
  by: "minute" | "hour" | "day";
  fromMs: number;
  toMs: number;
  /** Only this key's requests. */
  keyId: string | null;
  /** One row per key instead of one for all keys together. */
  byKey: boolean;
}

export interface UsageRow {
  atMs: number;
  route: string;
  keyId: string | null;
  requests: number;
  failures: number;
}

export async function readUsage(db: Db, query: UsageQuery): Promise<UsageRow[]> {
  const rows = await db.sql`
    select date_trunc(${query.by}, minute, 'UTC') as at, route,
      case when ${query.byKey} then nullif(key_id, '') end as key_id,
      sum(requests)::int as requests, sum(failures)::int as failures
    from usage
    where tenant_id = ${query.tenantId} and minute >= ${toIso(query.fromMs)} and minute < ${toIso(query.toMs)}
      and (${query.keyId}::text is null or key_id = ${query.keyId})
    group by 1, 2, 3 order by 1, 2, 3`;
  return rows.map(({ at, key_id, ...rest }: any) => ({ ...rest, atMs: toMs(at as Date), keyId: key_id }));
}
