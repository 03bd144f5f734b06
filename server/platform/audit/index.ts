// The audit log: append-only rows, each hashed over the one before it, so a missing or altered row shows.
import { createHash } from "node:crypto";
import type { MakeId } from "../../lib/id.ts";
import { formatTime } from "../../lib/time.ts";
import type { Db, Tx } from "../../store/db.ts";
import { lockOnce } from "../../store/locks.ts";

export interface Deed {
  accountId: string | null;
  /** A key's id, or `operator` for the command line. */
  actor: string;
  /** What was done, past tense: `key.created`. */
  action: string;
  target: string;
  clientAddress?: string | null;
  requestId?: string | null;
  detail?: Record<string, unknown>;
}

export interface AuditRow {
  seq: number;
  id: string;
  at: string;
  account_id: string | null;
  actor: string;
  action: string;
  target: string;
  client_address: string | null;
  request_id: string | null;
  detail: Record<string, unknown>;
  previous_hash: string;
  hash: string;
}

const beginning = "0".repeat(64);

export type Audit = ReturnType<typeof createAudit>;

export function createAudit(makeId: MakeId) {
  return {
    /** Writes the deed in the transaction of the deed. One writer at a time keeps the chain a chain. */
    async record(tx: Tx, deed: Deed, now: number): Promise<void> {
      await lockOnce(tx, "auditChain");
      const [last] = await tx`select seq, hash from audit order by seq desc limit 1`;
      const row: Omit<AuditRow, "hash"> = {
        seq: Number(last?.seq ?? 0) + 1,
        id: makeId("aud"),
        at: formatTime(now),
        account_id: deed.accountId,
        actor: deed.actor,
        action: deed.action,
        target: deed.target,
        client_address: deed.clientAddress ?? null,
        request_id: deed.requestId ?? null,
        detail: deed.detail ?? {},
        previous_hash: last?.hash ?? beginning,
      };
      await tx`
        insert into audit (seq, id, at, account_id, actor, action, target, client_address, request_id, detail, previous_hash, hash)
        values (${row.seq}, ${row.id}, ${row.at}, ${row.account_id}, ${row.actor}, ${row.action}, ${row.target},
          ${row.client_address}, ${row.request_id}, ${JSON.stringify(row.detail)}::text::jsonb, ${row.previous_hash}, ${hashOf(row)})`;
    },
  };
}

function hashOf(row: Omit<AuditRow, "hash">): string {
  const { seq, id, at, account_id, actor, action, target, client_address, request_id, detail, previous_hash } = row;
  const text = JSON.stringify([
    seq,
    id,
    at,
    account_id,
    actor,
    action,
    target,
    client_address,
    request_id,
    sorted(detail),
    previous_hash,
  ]);
  return createHash("sha256").update(text).digest("hex");
}

/** jsonb forgets the order of names; the hash must not depend on it. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inside]) => [name, sorted(inside)]);
}

export type ChainReport =
  | { ok: true; rows: number; head: string }
  | { ok: false; rows: number; brokenAt: number; reason: string };

/** Walks the whole chain and names the first row that does not hold. */
export async function verifyChain(db: Db): Promise<ChainReport> {
  let previous = beginning;
  let seq = 0;
  for (;;) {
    const rows = await db.sql`select * from audit where seq > ${seq} order by seq limit 1000`;
    if (rows.length === 0) return { ok: true, rows: seq, head: previous };
    for (const stored of rows) {
      const row: AuditRow = { ...stored, seq: Number(stored.seq), at: formatTime(stored.at.getTime()) };
      const reason =
        row.seq !== seq + 1
          ? `row ${seq + 1} is missing`
          : row.previous_hash !== previous
            ? `row ${row.seq} does not follow row ${seq}`
            : hashOf(row) !== row.hash
              ? `row ${row.seq} was altered`
              : null;
      if (reason) return { ok: false, rows: seq, brokenAt: seq + 1, reason };
      previous = row.hash;
      seq = row.seq;
    }
  }
}
