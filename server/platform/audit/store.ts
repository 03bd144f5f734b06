// The SQL of the audit log; rows are only ever added.
import type { Mode } from "../../contract/define.ts";
import { type Db, jsonb, toIso, toMs, type Tx } from "../../store/db.ts";
import { lockOnce } from "../../store/locks.ts";

export interface AuditRow {
  seq: number;
  id: string;
  atMs: number;
  accountId: string | null;
  /** Null for what concerns the account as a whole. */
  mode: Mode | null;
  actor: string;
  action: string;
  target: string;
  clientAddress: string | null;
  requestId: string | null;
  detail: Record<string, unknown>;
  previousHash: string;
  hash: string;
}

/** The last row's place and hash, locked: one writer at a time keeps the chain a chain. */
export async function lockHead(tx: Tx): Promise<{ seq: number; hash: string } | null> {
  await lockOnce(tx, "auditChain");
  const [last] = await tx`select seq, hash from audit order by seq desc limit 1`;
  return last ? { seq: Number(last.seq), hash: last.hash } : null;
}

export async function insertRow(tx: Tx, row: AuditRow): Promise<void> {
  await tx`
    insert into audit (seq, id, at, account_id, mode, actor, action, target, client_address, request_id, detail,
      previous_hash, hash)
    values (${row.seq}, ${row.id}, ${toIso(row.atMs)}, ${row.accountId}, ${row.mode}, ${row.actor}, ${row.action}, ${row.target},
      ${row.clientAddress}, ${row.requestId}, ${jsonb(row.detail)}::text::jsonb, ${row.previousHash}, ${row.hash})`;
}

export async function readRows(db: Db, afterSeq: number, count: number): Promise<AuditRow[]> {
  const rows = await db.sql`select * from audit where seq > ${afterSeq} order by seq limit ${count}`;
  return rows.map(rowOf);
}

export interface AuditQuery {
  accountId: string;
  /** A test key sees the test world alone; a live key the live world and what concerns the whole account. */
  mode: Mode;
  actor: string | null;
  action: string | null;
  target: string | null;
  sinceMs: number | null;
  untilMs: number | null;
  /** Newest first, behind this seq. */
  before: string | null;
  count: number;
}

export async function listRows(db: Db, query: AuditQuery): Promise<AuditRow[]> {
  const { accountId, mode, actor, action, target, before } = query;
  const rows = await db.sql`
    select * from audit
    where account_id = ${accountId} and coalesce(mode, 'live') = ${mode}
      and (${actor}::text is null or actor = ${actor}) and (${action}::text is null or action = ${action})
      and (${target}::text is null or target = ${target})
      and (${toIso(query.sinceMs)}::timestamptz is null or at >= ${toIso(query.sinceMs)}::timestamptz)
      and (${toIso(query.untilMs)}::timestamptz is null or at < ${toIso(query.untilMs)}::timestamptz)
      and (${before}::bigint is null or seq < ${before}::bigint)
    order by seq desc limit ${query.count}`;
  return rows.map(rowOf);
}

function rowOf(raw: any): AuditRow {
  return {
    seq: Number(raw.seq),
    id: raw.id,
    atMs: toMs(raw.at as Date),
    accountId: raw.account_id,
    mode: raw.mode,
    actor: raw.actor,
    action: raw.action,
    target: raw.target,
    clientAddress: raw.client_address,
    requestId: raw.request_id,
    detail: raw.detail,
    previousHash: raw.previous_hash,
    hash: raw.hash,
  };
}
