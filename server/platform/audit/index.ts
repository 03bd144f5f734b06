// The audit log: append-only rows, each hashed over the one before it with a key that the store does not hold, so a
// missing or altered row shows, and nobody who can only write the table can forge one.
import { createHash, createHmac, hkdfSync } from "node:crypto";
import type { Call, Mode } from "../../contract/define.ts";
import type { MakeId } from "../../lib/id.ts";
import { formatTime } from "../../lib/time.ts";
import type { Db, Tx } from "../../store/db.ts";
import { type AuditRow, insertRow, lockHead, readRows } from "./store.ts";

export interface AuditEntry {
  accountId: string | null;
  /** The world it was done in; null or absent for what concerns the account as a whole. */
  mode?: Mode | null;
  /** A key's id, or `operator` for the command line. */
  actor: string;
  /** What was done, past tense: `key.created`. */
  action: string;
  target: string;
  clientAddress?: string | null;
  requestId?: string | null;
  detail?: Record<string, unknown>;
}

export type ChainReport =
  | { ok: true; rows: number; head: string }
  | { ok: false; rows: number; brokenAt: number; reason: string };

const BEGINNING = "0".repeat(64);
/** Marks hashes made with the key; rows of before carry a plain SHA-256, and may only stand before the first of these. */
const KEYED = "hmac-sha256:";
const READ_AT_ONCE = 1000;

export type Audit = ReturnType<typeof createAudit>;

export function createAudit(makeId: MakeId, secret: string) {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "audit", 32));

  function hashOf(row: Omit<AuditRow, "hash">): string {
    return KEYED + createHmac("sha256", key).update(textOf(row)).digest("hex");
  }

  function faultOf(row: AuditRow, before: { seq: number; hash: string }): string | null {
    if (row.seq !== before.seq + 1) return `row ${before.seq + 1} is missing`;
    if (row.previousHash !== before.hash) return `row ${row.seq} does not follow row ${before.seq}`;
    const plain = !row.hash.startsWith(KEYED) && !before.hash.startsWith(KEYED);
    const wanted = plain ? createHash("sha256").update(textOf(row)).digest("hex") : hashOf(row);
    return row.hash === wanted ? null : `row ${row.seq} was altered`;
  }

  return {
    /** Writes the entry in the same transaction as the change it describes. */
    async record(tx: Tx, entry: AuditEntry, now: number): Promise<void> {
      const last = await lockHead(tx);
      const row = {
        seq: (last?.seq ?? 0) + 1,
        id: makeId("aud"),
        atMs: now,
        accountId: entry.accountId,
        mode: entry.mode ?? null,
        actor: entry.actor,
        action: entry.action,
        target: entry.target,
        clientAddress: entry.clientAddress ?? null,
        requestId: entry.requestId ?? null,
        detail: entry.detail ?? {},
        previousHash: last?.hash ?? BEGINNING,
      };
      await insertRow(tx, { ...row, hash: hashOf(row) });
    },

    /** Walks the whole chain and names the first row that does not hold. A cut tail shows only against a head kept elsewhere. */
    async verify(db: Db): Promise<ChainReport> {
      let head = { seq: 0, hash: BEGINNING };
      for (;;) {
        const rows = await readRows(db, head.seq, READ_AT_ONCE);
        if (rows.length === 0) return { ok: true, rows: head.seq, head: head.hash };
        for (const row of rows) {
          const reason = faultOf(row, head);
          if (reason) return { ok: false, rows: head.seq, brokenAt: head.seq + 1, reason };
          head = row;
        }
      }
    },
  };
}

/** What a call did, as the audit log keeps it. */
export function auditEntry(
  call: Call,
  action: string,
  target: string,
  detail: Record<string, unknown> = {},
): AuditEntry {
  const { accountId, mode, keyId } = call.caller;
  const { clientAddress, requestId } = call;
  return { accountId, mode, actor: keyId, action, target, clientAddress, requestId, detail };
}

function textOf(row: Omit<AuditRow, "hash">): string {
  const { seq, id, atMs, accountId, mode, actor, action, target, clientAddress, requestId, detail } = row;
  const common = [seq, id, formatTime(atMs), accountId, actor, action, target, clientAddress, requestId];
  const world = mode === null ? [] : [mode];
  return JSON.stringify([...common, sorted(detail), row.previousHash, ...world]);
}

/** jsonb forgets the order of names; the hash must not depend on it. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inside]) => [name, sorted(inside)]);
}
