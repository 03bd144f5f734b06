// Limits that all processes of one machine count as one, in a file that each of them maps.
import { closeSync, ftruncateSync, openSync } from "node:fs";
import { Failure } from "../../contract/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { HOUR_MS } from "../../lib/time.ts";
import { type Limits, type Verdict, WINDOW_MS } from "./port.ts";
import { RING, RING_BYTES, SharedRings } from "./mapped-ring.ts";

/** How many of each kind are counted at once. The file takes room only for those that were seen. */
const TENANTS = 32_768;
/** Addresses have a part of their own: wrong keys must not take the room of accounts. */
const ADDRESSES = 8_192;
const WARNINGS = 8_192;

/** Made by the first process, before any other is started. */
export function makeSharedFile(path: string): void {
  const file = openSync(path, "w", 0o600);
  ftruncateSync(file, (TENANTS + ADDRESSES + WARNINGS) * RING_BYTES);
  closeSync(file);
}

/** What the processes of one machine share to count as one. */
export interface SharedLimits {
  file: string;
  /** What to add to the clock of this process so that all agree; see `systemUptimeOffsetMs`. */
  offsetMs: number;
}

/** Tenants are counted exactly or refused. An address for which there is no room is counted by `local`, for this process alone. */
export function createSharedLimits(clock: Clock, { file, offsetMs }: SharedLimits, local: Limits): Limits {
  const memory = Bun.mmap(file, { shared: true });
  const part = (from: number, count: number) => memory.subarray(from * RING_BYTES, (from + count) * RING_BYTES);
  const tenants = new SharedRings(part(0, TENANTS), WINDOW_MS);
  const addresses = new SharedRings(part(TENANTS, ADDRESSES), WINDOW_MS);
  const warnings = new SharedRings(part(TENANTS + ADDRESSES, WARNINGS), HOUR_MS);
  const nowUs = () => BigInt(Math.floor((clock.monotonic() + offsetMs) * 1000));

  function askTenant(subject: string, limit: number, count: boolean): Verdict {
    const verdict = tenants.admit(subject, nowUs(), limit, count);
    if (verdict) return verdict;
    throw new Failure("overloaded", "Too many accounts are active at once.", { headers: { "Retry-After": "1" } });
  }

  const askAddress = (subject: string, limit: number, count: boolean): Verdict | null =>
    limit < RING ? addresses.admit(subject, nowUs(), limit, count) : null;

  return {
    admit: (subject, limit) =>
      isTenant(subject)
        ? askTenant(subject, limit, true)
        : (askAddress(subject, limit, true) ?? local.admit(subject, limit)),
    peek: (subject, limit) =>
      isTenant(subject)
        ? askTenant(subject, limit, false)
        : (askAddress(subject, limit, false) ?? local.peek(subject, limit)),
    isFirst: (name) => warnings.admit(name, nowUs(), 1, true)?.admitted ?? true,
    trouble: async () => null,
    close: local.close,
  };
}

const isTenant = (subject: string): boolean => subject.startsWith("t");
