// Frees the jobs of a worker that was killed. graphile-worker alone would wait four hours before it tries them again.
// A living worker holds a session lock in the database, which the database drops the moment that worker is gone.
import type { ReservedSQL } from "bun";
import type { Logger } from "pino";
import type { Clock } from "../lib/clock.ts";
import { within } from "../lib/deadline.ts";
import { type Db, openSession, type Session } from "../store/db.ts";
import { listLockHolders, unlockWorker } from "./store.ts";
import { lockInSession, tryLockInSession, unlockInSession } from "../store/locks.ts";

const ROUND_MS = 5_000;
/** A worker may lock its first job a moment before it has its session lock. */
const YOUNGEST_SECONDS = 3;

export function createOrphanReaper(db: Db, clock: Clock, log: Logger) {
  let session: Session | null = null;
  let stopTimer = () => {};
  let busy = false;
  const mine = new Set<string>();
  const unclaimed: string[] = [];

  /** Remembers a pool of this process; its lock is taken in the next round at the latest. */
  function claim(poolId: string): void {
    mine.add(poolId);
    unclaimed.push(poolId);
  }

  async function round(): Promise<void> {
    if (busy) return;
    busy = true;
    try {
      await within(ROUND_MS * 3, "a round of the orphan reaper", claimAndFree());
    } catch (error) {
      // The connection and its locks are gone; take everything anew.
      log.warn({ error: String(error) }, "the orphan reaper lost its connection");
      void session?.close();
      session = null;
      unclaimed.splice(0, unclaimed.length, ...mine);
    } finally {
      busy = false;
    }
  }

  async function claimAndFree(): Promise<void> {
    session ??= await openSession(db);
    const { sql } = session;
    for (const id of unclaimed.splice(0)) await lockInSession(sql, "jobWorker", id);
    await freeOrphans(sql);
  }

  async function freeOrphans(sql: ReservedSQL): Promise<void> {
    for (const owner of await listLockHolders(sql, YOUNGEST_SECONDS)) {
      if (mine.has(owner)) continue;
      if (!(await tryLockInSession(sql, "jobWorker", owner))) continue;
      await unlockWorker(sql, owner);
      await unlockInSession(sql, "jobWorker", owner);
      log.warn({ worker: owner }, "freed the jobs of a worker that is gone");
    }
  }

  return {
    claim,
    async start(): Promise<void> {
      await round();
      stopTimer = clock.every(ROUND_MS, () => void round());
    },
    async stop(): Promise<void> {
      stopTimer();
      // The locks go with the connection.
      await session?.close();
      session = null;
    },
  };
}
