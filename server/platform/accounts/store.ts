// SQL of accounts and their two worlds.
import type { Mode, Plan } from "../../contract/define.ts";
import { tablesOf } from "../../store/backup/tables.ts";
import { type Db, toIso, toMs, type Tx } from "../../store/db.ts";

export interface AccountRow {
  id: string;
  name: string;
  email: string | null;
  plan: Plan;
  createdMs: number;
  suspendedMs: number | null;
}

export async function insertAccount(tx: Tx, row: AccountRow): Promise<void> {
  await tx`
    insert into accounts (id, name, email, plan, created_at)
    values (${row.id}, ${row.name}, ${row.email}, ${row.plan}, ${toIso(row.createdMs)})`;
}

/** The tenant that holds one world of the account. */
export async function insertTenant(tx: Tx, accountId: string, mode: Mode): Promise<number> {
  const [tenant] = await tx`insert into tenants (account_id, mode) values (${accountId}, ${mode}) returning id`;
  return tenant.id;
}

export async function listAccountRows(db: Db): Promise<AccountRow[]> {
  const rows = await db.sql`select id, name, email, plan, created_at, suspended_at from accounts order by id`;
  return rows.map(({ created_at, suspended_at, ...rest }: any) => ({
    ...rest,
    createdMs: toMs(created_at as Date),
    suspendedMs: toMs(suspended_at as Date | null),
  }));
}

/** False when there is no such account. */
export async function updatePlan(tx: Tx, accountId: string, plan: Plan): Promise<boolean> {
  const changed = await tx`update accounts set plan = ${plan} where id = ${accountId} returning id`;
  return changed.length > 0;
}

/** Null resumes it. False when there is no such account. */
export async function updateSuspension(tx: Tx, accountId: string, suspendedMs: number | null): Promise<boolean> {
  const changed = await tx`
    update accounts set suspended_at = ${toIso(suspendedMs)} where id = ${accountId} returning id`;
  return changed.length > 0;
}

/** Holds off every other account until the transaction ends; false when there is one already. */
export async function lockIfEmpty(tx: Tx): Promise<boolean> {
  await tx`lock table accounts in share row exclusive mode`;
  const [{ used }] = await tx`select exists (select 1 from accounts) as used`;
  return !used;
}

/** Everything of both worlds, in every table that names its tenant; what hangs on those rows goes with them. */
export async function deleteAccountRows(tx: Tx, accountId: string): Promise<boolean> {
  const tenants: { id: number }[] = await tx`select id from tenants where account_id = ${accountId}`;
  if (tenants.length === 0) return false;
  const ids = tenants.map((tenant) => tenant.id);
  const owned = new Set<string>(
    (
      await tx`
      select table_name from information_schema.columns where table_schema = 'public' and column_name = 'tenant_id'`
    ).map((row: { table_name: string }) => row.table_name),
  );
  for (const table of (await tablesOf(tx)).toReversed()) {
    if (owned.has(table))
      await tx.unsafe(`delete from "${table}" where tenant_id = any($1::int[])`, [tx.array(ids, "INT")]);
  }
  await tx`delete from tenants where account_id = ${accountId}`;
  await tx`delete from accounts where id = ${accountId}`;
  return true;
}
