// Idempotency: the record is written in the transaction of the effect, so a retry after a crash finds either both
// or neither. Two replicas that race for one key are settled by the primary key: the loser replays the winner.
import type { Call, IdempotencyClaim } from "../../contract/define.ts";
import { Failure } from "../../contract/errors.ts";
import { DAY_MS } from "../../lib/time.ts";
import { type Db, type Tx, violatedConstraint } from "../../store/db.ts";
import { isConflict } from "../../store/faults.ts";
import { markRequest } from "../../store/requests.ts";
import { deleteOld, findRecord, insertRecord, insertRecordOnce, type RecordRow, type StoredAnswer } from "./store.ts";

export { type RecordRow, recordCte, type StoredAnswer } from "./store.ts";

const RETENTION_MS = DAY_MS;
const NEVER_STORED = new Set([400, 401, 403, 404, 413, 415, 429]);

/** Server faults are not kept either: nothing was committed, so a retry with the same key is safe and useful. */
export const isStored = (status: number) => status < 500 && !NEVER_STORED.has(status);

/** Thrown out of a transaction that lost the race; the driver then replays the winner's answer. */
export class LostRace extends Error {}

/** Runs the effect and writes the idempotency record, if there is one, in one transaction; once more after a deadlock. */
export async function transact<T>(
  db: Db,
  call: Pick<Call, "idempotency" | "now">,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const claim = call.idempotency;
  const attempt = () =>
    db.sql.begin(async (tx: Tx) => {
      markRequest(tx);
      const result = await work(tx);
      if (claim) await insertRecord(tx, recordOf(claim, result, call.now));
      return result;
    });
  try {
    const data = await attempt().catch((error: unknown) => {
      if (!isConflict(error)) throw error;
      return attempt();
    });
    if (claim) claim.written = true;
    return data as T;
  } catch (error) {
    throw claim && violatedConstraint(error) === "idempotency_pkey" ? new LostRace() : error;
  }
}

/** The record as a row, for writers that group many requests into one statement. */
export function recordOf(claim: IdempotencyClaim, data: unknown, now: number): RecordRow {
  return rowOf(claim, claim.render(data), now);
}

function rowOf({ digest, tenantId, fingerprint }: IdempotencyClaim, answer: Answer, now: number): RecordRow {
  return { digest, tenantId, fingerprint, ...answer, createdMs: now };
}

interface Answer {
  status: number;
  body: string;
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
    find(digest: string, now: number): Promise<StoredAnswer | null> {
      return findRecord(db, digest, now - RETENTION_MS);
    },
    /** Keeps an answer that had no transaction of its own: a refusal, or an effect-free success. False when one is there. */
    store(claim: IdempotencyClaim, answer: Answer, now: number): Promise<boolean> {
      return insertRecordOnce(db, rowOf(claim, answer, now));
    },
    /** Removes what is past its day: everything, or one record. True when something went. */
    forgetOld(now: number, digest: string | null = null): Promise<boolean> {
      return deleteOld(db, now - RETENTION_MS, digest);
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
