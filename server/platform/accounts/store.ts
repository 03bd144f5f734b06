// SQL of accounts and their two worlds.
import type { Mode, Plan } from "../../contract/define.ts";
import { type Db, toIso, toMs, type Tx } from "../../store/db.ts";

export interface AccountRow {
  id: string;
  name: string;
  email: string | null;
  plan: Plan;
  createdMs: number;
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
  const rows = await db.sql`select id, name, email, plan, created_at from accounts order by id`;
  return rows.map(({ created_at, ...rest }: any) => ({ ...rest, createdMs: toMs(created_at as Date) }));
}

/** False when there is no such account. */
export async function updatePlan(tx: Tx, accountId: string, plan: Plan): Promise<boolean> {
  const changed = await tx`update accounts set plan = ${plan} where id = ${accountId} returning id`;
  return changed.length > 0;
}
