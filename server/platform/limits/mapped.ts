// Limits that all processes of one machine count as one, in a file that each of them maps.
import { closeSync, ftruncateSync, openSync } from "node:fs";
import { Failure } from "../../contract/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { type Limits, type Verdict, WINDOW_MS } from "./port.ts";
import { SHARED_BYTES, SharedRings } from "./mapped-ring.ts";

/** Made by the first process, before any other is started. */
export function makeSharedFile(path: string): void {
  const file = openSync(path, "w", 0o600);
  ftruncateSync(file, SHARED_BYTES);
  closeSync(file);
}

/** What the processes of one machine share to count as one. */
export interface SharedLimits {
  file: string;
  /** What to add to the clock of this process so that all agree; see `systemUptimeOffsetMs`. */
  offsetMs: number;
}

/** `local` counts what is no tenant: addresses with wrong keys must not take the room of accounts. */
export function createSharedLimits(clock: Clock, { file, offsetMs }: SharedLimits, local: Limits): Limits {
  const rings = new SharedRings(Bun.mmap(file, { shared: true }), WINDOW_MS);
  const ask = (subject: string, limit: number, count: boolean): Verdict => {
    const nowUs = BigInt(Math.floor((clock.monotonic() + offsetMs) * 1000));
    const verdict = rings.admit(subject, nowUs, limit, count);
    if (verdict) return verdict;
    throw new Failure("overloaded", "Too many accounts are active at once.", { headers: { "Retry-After": "1" } });
  };
  return {
    admit: (subject, limit) => (isTenant(subject) ? ask(subject, limit, true) : local.admit(subject, limit)),
    peek: (subject, limit) => (isTenant(subject) ? ask(subject, limit, false) : local.peek(subject, limit)),
    trouble: async () => null,
    close: local.close,
  };
}

const isTenant = (subject: string): boolean => subject.startsWith("t");
