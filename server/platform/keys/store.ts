// SQL of the keys table; the only file that knows it.
import type { Mode, Plan, Scope } from "../../contract/define.ts";
import type { Tx } from "../../store/db.ts";

export interface KeyRow {
  id: string;
  tenant_id: number;
  name: string;
  first: string;
  last: string;
  scopes: Scope[];
  ip_allowlist: string[];
  expires_at: Date | null;
  revoked_at: Date | null;
  created_at: Date;
  last_used_at: Date | null;
  mode: Mode;
}

export interface KeyOwner {
  account_id: string;
  account_name: string;
  email: string | null;
  plan: Plan;
  account_created_at: Date;
}

export type NewKeyRow = Omit<KeyRow, "mode" | "revoked_at" | "last_used_at"> & {
  hash: string;
  created_by: string | null;
};

export const insertKey = (tx: Tx, row: NewKeyRow) => tx`
  insert into keys (id, tenant_id, name, hash, first, last, scopes, ip_allowlist, expires_at, created_by, created_at)
  values (${row.id}, ${row.tenant_id}, ${row.name}, ${row.hash}, ${row.first}, ${row.last}, ${row.scopes}::text[],
    ${row.ip_allowlist}::text[], ${row.expires_at}, ${row.created_by}, ${row.created_at})`;

export async function findByHash(tx: Tx, hash: string): Promise<(KeyRow & KeyOwner) | null> {
  const [row] = await tx`
    select k.*, t.mode, a.id as account_id, a.name as account_name, a.email, a.plan, a.created_at as account_created_at
    from keys k join tenants t on t.id = k.tenant_id join accounts a on a.id = t.account_id
    where k.hash = ${hash}`;
  return row ?? null;
}

export async function findByIds(tx: Tx, ids: string[]): Promise<(KeyRow & KeyOwner)[]> {
  return tx`
    select k.*, t.mode, a.id as account_id, a.name as account_name, a.email, a.plan, a.created_at as account_created_at
    from keys k join tenants t on t.id = k.tenant_id join accounts a on a.id = t.account_id
    where k.id = any(${ids}::text[])`;
}

export const listKeyRows = (tx: Tx, tenantId: number, after: string | null, count: number): Promise<KeyRow[]> =>
  tx`
  select k.*, t.mode from keys k join tenants t on t.id = k.tenant_id
  where k.tenant_id = ${tenantId} and (${after}::text is null or k.id < ${after})
  order by k.id desc limit ${count}` as unknown as Promise<KeyRow[]>;

/** Locks the row until the transaction ends. */
export async function lockKey(tx: Tx, tenantId: number, id: string): Promise<KeyRow | null> {
  const [row] = await tx`
    select k.*, t.mode from keys k join tenants t on t.id = k.tenant_id
    where k.id = ${id} and k.tenant_id = ${tenantId} for update of k`;
  return row ?? null;
}

export const updateKey = (tx: Tx, row: KeyRow, rolledTo: string | null = null) => tx`
  update keys set name = ${row.name}, scopes = ${row.scopes}::text[], ip_allowlist = ${row.ip_allowlist}::text[],
    expires_at = ${row.expires_at}, revoked_at = ${row.revoked_at}, rolled_to = coalesce(${rolledTo}, rolled_to)
  where id = ${row.id}`;

/** Tells every replica that what it holds of keys may be out of date. */
export const bumpGeneration = (tx: Tx) => tx`update generations set value = value + 1 where name = 'keys'`;

export async function readGeneration(tx: Tx): Promise<string> {
  const [row] = await tx`select value from generations where name = 'keys'`;
  return String(row.value);
}
