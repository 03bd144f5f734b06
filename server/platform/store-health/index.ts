// Whether the store can be used: does it answer, is there room on its disk, and what do its errors mean.
import { statfsSync } from "node:fs";
import { Failure } from "../../contract/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { within } from "../../lib/deadline.ts";
import { SECOND_MS } from "../../lib/time.ts";
import { type Db, ping } from "../../store/db.ts";

export { isDiskFull, isStoreAway } from "../../store/faults.ts";

export interface StoreHealthOptions {
  db: Db;
  clock: Clock;
  /** The folder whose disk fills up; null when the store lies elsewhere. */
  folder: string | null;
  /** Below this much free space nothing more is accepted. */
  reserveBytes: number;
  /** How much is free; the file system's answer unless a test gives another. */
  readFreeBytes?(folder: string): number;
}

const PING_MS = SECOND_MS;
const LOOK_MS = SECOND_MS;
const RETRY_AFTER_SECONDS = "30";

export type StoreHealth = ReturnType<typeof createStoreHealth>;

export function createStoreHealth(options: StoreHealthOptions) {
  const { db, clock, folder, reserveBytes, readFreeBytes = freeBytesOf } = options;
  let freeBytes = Number.POSITIVE_INFINITY;

  function look(): void {
    if (folder !== null) freeBytes = readFreeBytes(folder);
  }

  look();
  const stop = clock.every(LOOK_MS, look);
  const isLow = () => freeBytes < reserveBytes;

  return {
    /** Free space on the store's disk; NaN when the store lies elsewhere. */
    freeBytes: () => (folder === null ? Number.NaN : freeBytes),
    /** What keeps the service from taking requests. */
    async missing(): Promise<string[]> {
      look();
      const answers = await within(PING_MS, "the store", ping(db)).then(
        () => true,
        () => false,
      );
      return [...(answers ? [] : ["store"]), ...(isLow() ? ["disk"] : [])];
    },
    /** Stops writing while there is still room for the store itself to go on; it ends when there is room again. */
    refuseWrites(): void {
      if (!isLow()) return;
      const headers = { "Retry-After": RETRY_AFTER_SECONDS };
      throw new Failure("overloaded", "There is too little room on the disk to store more.", {
        headers,
        hint: "Try again later. The operator has to free space on the disk of CONNECTOR_DATA_DIR.",
        expected: true,
      });
    },
    stop,
  };
}

function freeBytesOf(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
