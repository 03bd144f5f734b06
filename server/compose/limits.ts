// Which limits count: in this process, in memory that the processes of one machine share, or in the Redis of all replicas.
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { Clock } from "../lib/clock.ts";
import {
  createMemoryLimits,
  createRedisLimits,
  createSharedLimits,
  type Limits,
  type SharedLimits,
  WINDOW_MS,
} from "../platform/limits/index.ts";

export interface LimitsParts {
  clock: Clock;
  log: Logger;
  /** Called for every request that was decided without Redis. */
  count(): void;
  /** What the processes of this machine share; null where there is one process. */
  shared: SharedLimits | null;
}

/** Counts on this machine alone: all its processes as one, where there are several. */
export function createMachineLimits(clock: Clock, shared: SharedLimits | null): Limits {
  const own = createMemoryLimits(clock);
  return shared ? createSharedLimits(clock, shared, own) : own;
}

export async function createLimits(config: Config, { clock, log, count, shared }: LimitsParts): Promise<Limits> {
  if (!config.REDIS_URL) return createMachineLimits(clock, shared);
  const without = config.QUOTA_WITHOUT_REDIS;
  return createRedisLimits({
    url: config.REDIS_URL,
    windowMs: WINDOW_MS,
    without,
    onUndecided: count,
    onLost: (reason) =>
      log.error({ error: reason, choice: without }, "Redis cannot be reached: quotas are not counted"),
    onBack: (undecided) => log.warn({ undecided, choice: without }, "Redis is back: quotas are counted again"),
  });
}
