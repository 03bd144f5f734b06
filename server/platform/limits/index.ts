// Who may pass now. In memory for one process; the same ring as a script in Redis or Valkey when replicas share it.
import type { Clock } from "../../lib/clock.ts";
import { Ring, type Verdict } from "./ring.ts";

export type { Verdict } from "./ring.ts";
export { createRedisLimits } from "./redis.ts";

export interface Limits {
  /** Counts one request of `subject` if it fits within `limit` per window. */
  admit(subject: string, limit: number): Verdict | Promise<Verdict>;
  /** Asks without counting. */
  peek(subject: string, limit: number): Verdict | Promise<Verdict>;
  close(): Promise<void>;
}

export const windowMs = 60_000;

export function createMemoryLimits(clock: Clock): Limits {
  const rings = new Map<string, Ring>();
  const ringOf = (subject: string) => {
    let ring = rings.get(subject);
    if (!ring) rings.set(subject, (ring = new Ring(windowMs)));
    return ring;
  };
  const stop = clock.every(windowMs, () => {
    for (const [subject, ring] of rings) {
      ring.peek(clock.monotonic(), 1);
      if (ring.empty) rings.delete(subject);
    }
  });
  return {
    admit: (subject, limit) => ringOf(subject).admit(clock.monotonic(), limit),
    peek: (subject, limit) => ringOf(subject).peek(clock.monotonic(), limit),
    close: async () => stop(),
  };
}
