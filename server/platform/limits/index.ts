// Who may pass now. In memory for one process; the same ring as a script in Redis or Valkey when replicas share it.
import type { Clock } from "../../lib/clock.ts";
import { type Limits, WINDOW_MS } from "./port.ts";
import { Ring } from "./ring.ts";

export { type Limits, type Verdict, WINDOW_MS } from "./port.ts";
export { createRedisLimits } from "./redis.ts";
export { createSharedLimits, makeSharedFile, type SharedLimits } from "./mapped.ts";

export function createMemoryLimits(clock: Clock): Limits {
  const rings = new Map<string, Ring>();
  const ringOf = (subject: string) => {
    let ring = rings.get(subject);
    if (!ring) rings.set(subject, (ring = new Ring(WINDOW_MS)));
    return ring;
  };
  const stop = clock.every(WINDOW_MS, () => {
    for (const [subject, ring] of rings) {
      ring.peek(clock.monotonic(), 1);
      if (ring.empty) rings.delete(subject);
    }
  });
  return {
    admit: (subject, limit) => ringOf(subject).admit(clock.monotonic(), limit),
    peek: (subject, limit) => ringOf(subject).peek(clock.monotonic(), limit),
    trouble: async () => null,
    close: async () => stop(),
  };
}
