// SQL of the keys table; the only file that knows it.
import type { Mode, Plan, Scope } from "../../contract/define.ts";
import { type Db, toIso, toMs, type Tx } from "../../store/db.ts";

export interface KeyRow {
  id: string;
  accountId: string;
  tenantId: number;
  mode: Mode;
  name: string;
  /** The first 12 and the last 4 characters of the key. */
  prefix: string;
  last4: string;
  scopes: Scope[];
  ipAllowlist: string[];
  expiresMs: number | null;
  revokedMs: number | null;
  createdMs: number;
  lastUsedMs: number | null;
  /** The key that replaced it. */
  rolledTo: string | null;
}

/** A key with what a request needs to know of its account. */
export interface OwnedKeyRow extends KeyRow {
  account: { name: string; email: string | null; plan: Plan; createdMs: number; isSuspended: boolean };
}

export interface NewKeyRow {
  id: string;
  tenantId: number;
  name: string;
  hash: string;
  prefix: string;
  last4: string;
  scopes: Scope[];
  ipAllowlist: string[];
  expiresMs: number | null;
  createdBy: string | null;
  createdMs: number;
}

export async function insertKey(tx: Tx, row: NewKeyRow): Promise<void> {
  await tx`
    insert into keys (id, tenant_id, name, hash, first, last, scopes, ip_allowlist, expires_at, created_by, created_at)
    values (${row.id}, ${row.tenantId}, ${row.name}, ${row.hash}, ${row.prefix}, ${row.last4}, ${row.scopes}::text[],
      ${row.ipAllowlist}::text[], ${toIso(row.expiresMs)}, ${row.createdBy}, ${toIso(row.createdMs)})`;
}

const keyColumns = (tx: Tx) => tx`select k.*, t.mode, t.account_id from keys k join tenants t on t.id = k.tenant_id`;
const ownedColumns = (tx: Tx) => tx`
  select k.*, t.mode, t.account_id, a.name as account_name, a.email, a.plan, a.created_at as account_created_at, a.suspended_at
  from keys k join tenants t on t.id = k.tenant_id join accounts a on a.id = t.account_id`;

export async function findByHash(tx: Tx, hash: string): Promise<OwnedKeyRow | null> {
  const [raw] = await tx`${ownedColumns(tx)} where k.hash = ${hash}`;
  return raw ? ownedOf(raw) : null;
}

export async function findByIds(tx: Tx, ids: string[]): Promise<OwnedKeyRow[]> {
  const rows = await tx`${ownedColumns(tx)} where k.id = any(${ids}::text[])`;
  return rows.map(ownedOf);
}

export async function listKeyRows(tx: Tx, tenantId: number, after: string | null, count: number): Promise<KeyRow[]> {
  const rows = await tx`
    ${keyColumns(tx)} where k.tenant_id = ${tenantId} and (${after}::text is null or k.id < ${after})
    order by k.id desc limit ${count}`;
  return rows.map(keyOf);
}

/** All keys of both worlds of an account. */
export async function listAccountKeys(tx: Tx, accountId: string): Promise<KeyRow[]> {
  const rows = await tx`${keyColumns(tx)} where t.account_id = ${accountId} order by k.id`;
  return rows.map(keyOf);
}

/** Locks the row until the transaction ends; without a tenant, whosever it is. */
export async function lockKey(tx: Tx, id: string, tenantId: number | null): Promise<KeyRow | null> {
  const [raw] = await tx`
    ${keyColumns(tx)} where k.id = ${id} and (${tenantId}::int is null or k.tenant_id = ${tenantId}) for update of k`;
  return raw ? keyOf(raw) : null;
}

export async function updateKey(tx: Tx, row: KeyRow): Promise<void> {
  await tx`
    update keys set name = ${row.name}, scopes = ${row.scopes}::text[], ip_allowlist = ${row.ipAllowlist}::text[],
      expires_at = ${toIso(row.expiresMs)}, revoked_at = ${toIso(row.revokedMs)}, rolled_to = ${row.rolledTo}
    where id = ${row.id}`;
}

/** Removes keys that stopped working before then. */
export async function forgetKeys(db: Db, beforeMs: number): Promise<void> {
  await db.sql`
    delete from keys where revoked_at < ${toIso(beforeMs)}::timestamptz or expires_at < ${toIso(beforeMs)}::timestamptz`;
}

/** The tenant that holds one world of an account, or null when there is no such account. */
export async function findTenant(tx: Tx, accountId: string, mode: Mode): Promise<number | null> {
  const [tenant] = await tx`select id from tenants where account_id = ${accountId} and mode = ${mode}`;
  return tenant?.id ?? null;
}

/** Tells every replica that what it holds of keys and accounts may be out of date. */
export const bumpGeneration = (tx: Tx) => tx`update generations set value = value + 1 where name = 'keys'`;

export async function readGeneration(tx: Tx): Promise<string> {
  const [row] = await tx`select value from generations where name = 'keys'`;
  return String(row.value);
}

function keyOf(raw: any): KeyRow {
  return {
    id: raw.id,
    accountId: raw.account_id,
    tenantId: raw.tenant_id,
    mode: raw.mode,
    name: raw.name,
    prefix: raw.first,
    last4: raw.last,
    scopes: raw.scopes,
    ipAllowlist: raw.ip_allowlist,
    expiresMs: toMs(raw.expires_at),
    revokedMs: toMs(raw.revoked_at),
    createdMs: toMs(raw.created_at)!,
    lastUsedMs: toMs(raw.last_used_at),
    rolledTo: raw.rolled_to,
  };
}

function ownedOf(raw: any): OwnedKeyRow {
  const { account_name: name, email, plan } = raw;
  return {
    ...keyOf(raw),
    account: { name, email, plan, createdMs: toMs(raw.account_created_at)!, isSuspended: raw.suspended_at !== null },
  };
}
