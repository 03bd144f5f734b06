// Idempotency: the record is written in the transaction of the effect, so a retry after a crash finds either both
// or neither. Two replicas that race for one key are settled by the primary key: the loser replays the winner.
import type { Call, IdempotencyClaim } from "../../contract/define.ts";
import { Failure } from "../../contract/errors.ts";
import { formatTime } from "../../lib/time.ts";
import { type Db, type Tx, violatedConstraint } from "../../store/db.ts";

export const retentionHours = 24;
const neverStored = new Set([400, 401, 403, 404, 413, 415, 429]);

/** Server faults are not kept either: nothing was committed, so a retry with the same key is safe and useful. */
export const isStored = (status: number) => status < 500 && !neverStored.has(status);

export interface StoredAnswer {
  fingerprint: string;
  status: number;
  body: string;
}

/** Thrown out of a transaction that lost the race; the driver then replays the winner's answer. */
export class LostRace extends Error {}

/** Runs the effect and writes the idempotency record, if there is one, in one transaction. */
export async function transact<T>(
  db: Db,
  call: Pick<Call, "idempotency" | "now">,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const claim = call.idempotency;
  try {
    const data = await db.sql.begin(async (tx) => {
      const result = await work(tx);
      if (claim) await insertRecord(tx, claim, result, call.now);
      return result;
    });
    if (claim) claim.written = true;
    return data as T;
  } catch (error) {
    throw claim && violatedConstraint(error) === "idempotency_pkey" ? new LostRace() : error;
  }
}

/**
 * For a statement that writes records beside rows of its own: inserts what the CTE `new_records` of that statement holds,
 * with the columns digest, tenant_id, fingerprint, status, body and created_at.
 */
export const recordCte = (tx: Tx) => tx`
  inserted_records as (
    insert into idempotency (digest, tenant_id, fingerprint, status, body, created_at)
    select digest, tenant_id, fingerprint, status, body, created_at from new_records)`;

/** The record as a row, for writers that group many requests into one statement. */
export function recordOf(claim: IdempotencyClaim, data: unknown, now: number) {
  const { status, body } = claim.render(data);
  return {
    digest: claim.digest,
    tenant_id: claim.tenantId,
    fingerprint: claim.fingerprint,
    status,
    body,
    created_at: formatTime(now),
  };
}

async function insertRecord(tx: Tx, claim: IdempotencyClaim, data: unknown, now: number): Promise<void> {
  const row = recordOf(claim, data, now);
  await tx`insert into idempotency ${(tx as Db["sql"])(row)}`;
}

export function createIdempotency(db: Db) {
  const inFlight = new Set<string>();
  return {
    /** Marks the key as running here; false when it already is. */
    begin(digest: string): boolean {
      if (inFlight.has(digest)) return false;
      inFlight.add(digest);
      return true;
    },
    end(digest: string): void {
      inFlight.delete(digest);
    },
    async find(digest: string, now: number): Promise<StoredAnswer | null> {
      const oldest = new Date(now - retentionHours * 3_600_000);
      const [row] = await db.sql`
        select fingerprint, status, body from idempotency where digest = ${digest} and created_at > ${oldest}`;
      return row ?? null;
    },
    /** Keeps an answer that had no transaction of its own: a refusal, or an effect-free success. False when one is there. */
    async store(claim: IdempotencyClaim, answer: { status: number; body: string }, now: number): Promise<boolean> {
      const at = new Date(now);
      const stored = await db.sql`
        insert into idempotency (digest, tenant_id, fingerprint, status, body, created_at)
        values (${claim.digest}, ${claim.tenantId}, ${claim.fingerprint}, ${answer.status}, ${answer.body}, ${at})
        on conflict (digest) do nothing returning 1`;
      return stored.length > 0;
    },
    /** Sweeps what is past its day: everything, or one record. True when something went. */
    async forgetOld(now: number, digest: string | null = null): Promise<boolean> {
      const oldest = new Date(now - retentionHours * 3_600_000);
      const gone = await db.sql`
        delete from idempotency where created_at <= ${oldest} and (${digest}::text is null or digest = ${digest}) returning 1`;
      return gone.length > 0;
    },
  };
}

export type Idempotency = ReturnType<typeof createIdempotency>;

/** Quoted or bare, 1 to 255 visible ASCII characters. */
export function readIdempotencyKey(header: string): string {
  const key = header.length >= 2 && header.startsWith('"') && header.endsWith('"') ? header.slice(1, -1) : header;
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new Failure("idempotency_key_invalid", "Idempotency-Key must be 1 to 255 visible ASCII characters.");
}
