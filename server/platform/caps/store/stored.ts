// The SQL of caps: what each plan holds, and what a tenant stores. The counting itself is done by triggers (migration 0090).
import type { Plan } from "../../../contract/define.ts";
import { type Db, jsonb, type Tx } from "../../../store/db.ts";
import { tryLockInTransaction } from "../../../store/locks.ts";

export interface CapRow {
  plan: Plan;
  kind: string;
  maxRows: number;
  maxBytes: number;
}

export async function writeCaps(db: Db, caps: CapRow[]): Promise<void> {
  await db.sql`
    insert into plan_caps (plan, kind, max_rows, max_bytes)
    select plan, kind, "maxRows", "maxBytes" from jsonb_to_recordset(${jsonb(caps)}::text::jsonb)
      as c (plan text, kind text, "maxRows" bigint, "maxBytes" bigint)
    on conflict (plan, kind) do update set max_rows = excluded.max_rows, max_bytes = excluded.max_bytes`;
}

export interface Stored {
  rows: number;
  bytes: number;
}

/** By tenant, then by kind; what a tenant has nothing of is not there. */
export async function readStored(db: Db, tenantIds: number[]): Promise<Map<number, Map<string, Stored>>> {
  const rows = await db.sql`
    select tenant_id, kind, sum(rows)::float8 as rows, sum(bytes)::float8 as bytes from (
      select tenant_id, kind, rows, bytes from stored_changes where tenant_id = any(${tenantIds}::int[])
      union all
      select e.tenant_id, l.kind, 1, e.bytes
      from stored_log l cross join unnest(l.tenants, l.bytes) as e (tenant_id, bytes)
      where l.tenants && ${tenantIds}::int[] and e.tenant_id = any(${tenantIds}::int[])) as changes
    group by tenant_id, kind`;
  const stored = new Map<number, Map<string, Stored>>(tenantIds.map((id) => [id, new Map()]));
  for (const row of rows) stored.get(row.tenant_id)!.set(row.kind, { rows: row.rows, bytes: row.bytes });
  return stored;
}

/** Folds what holders of leases stored into one row for each tenant and kind, unless another replica is at it. */
export async function foldLog(db: Db): Promise<void> {
  await db.sql.begin(async (tx: Tx) => {
    if (await tryLockInTransaction(tx, "cap", "fold")) await tx`select fold_log()`;
  });
}

/** The same for what sessions of the database counted; what is being written waits for the next time. */
export async function foldChanges(db: Db): Promise<void> {
  await db.sql.begin(async (tx: Tx) => {
    if (!(await tryLockInTransaction(tx, "cap", "fold"))) return;
    await tx`select fold_log()`;
    await tx`
      with free as (
        select ctid from stored_changes where session > 0 for update skip locked
      ), gone as (
        delete from stored_changes where ctid = any(array(select ctid from free)) returning tenant_id, kind, rows, bytes
      )
      insert into stored_changes as s (tenant_id, kind, rows, bytes, session)
      select tenant_id, kind, sum(rows), sum(bytes), 0 from gone group by tenant_id, kind
      on conflict (tenant_id, kind, session) do update set rows = s.rows + excluded.rows, bytes = s.bytes + excluded.bytes`;
  });
}

/** Counts the rows of a kind and corrects the sums; returns for how many tenants. Reading a large table takes what it takes. */
export async function recountStored(db: Db, kind: string, table: string, size: string): Promise<number> {
  return db.sql.begin("read write", async (tx: Tx) => {
    await tx`set local statement_timeout = 0`;
    const [{ corrected }] = await tx`select recount_stored(${kind}, ${table}, ${size}) as corrected`;
    return corrected;
  });
}
