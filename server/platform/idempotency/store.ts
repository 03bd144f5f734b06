// The SQL of idempotency records.
import { type Db, toIso, type Tx } from "../../store/db.ts";

export interface RecordRow {
  digest: string;
  tenantId: number;
  fingerprint: string;
  status: number;
  body: string;
  createdMs: number;
}

export interface StoredAnswer {
  fingerprint: string;
  status: number;
  body: string;
}

/**
 * For a statement that writes records beside rows of its own: inserts what the CTE `new_records` of that statement holds,
 * with the columns digest, tenant_id, fingerprint, status, body and created_at.
 */
export const recordCte = (tx: Tx) => tx`
  inserted_records as (
    insert into idempotency (digest, tenant_id, fingerprint, status, body, created_at)
    select digest, tenant_id, fingerprint, status, body, created_at from new_records)`;

/** Fails with a violation of `idempotency_pkey` when the digest is taken. */
export async function insertRecord(tx: Tx, row: RecordRow): Promise<void> {
  await tx`
    insert into idempotency (digest, tenant_id, fingerprint, status, body, created_at)
    values (${row.digest}, ${row.tenantId}, ${row.fingerprint}, ${row.status}, ${row.body}, ${toIso(row.createdMs)})`;
}

/** False when the digest is taken. */
export async function insertRecordOnce(db: Db, row: RecordRow): Promise<boolean> {
  const stored = await db.sql`
    insert into idempotency (digest, tenant_id, fingerprint, status, body, created_at)
    values (${row.digest}, ${row.tenantId}, ${row.fingerprint}, ${row.status}, ${row.body}, ${toIso(row.createdMs)})
    on conflict (digest) do nothing returning 1`;
  return stored.length > 0;
}

export async function findRecord(db: Db, digest: string, newerThanMs: number): Promise<StoredAnswer | null> {
  const [row] = await db.sql`
    select fingerprint, status, body from idempotency where digest = ${digest} and created_at > ${toIso(newerThanMs)}`;
  return row ?? null;
}

/** Removes what is not newer: everything, or one record. True when something went. */
export async function deleteOld(db: Db, notNewerThanMs: number, digest: string | null): Promise<boolean> {
  const gone = await db.sql`
    delete from idempotency
    where created_at <= ${toIso(notNewerThanMs)} and (${digest}::text is null or digest = ${digest}) returning 1`;
  return gone.length > 0;
}
