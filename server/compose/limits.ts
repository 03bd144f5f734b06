// Which limits count: in this process, or in the Redis that all replicas share.
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { Clock } from "../lib/clock.ts";
import { createMemoryLimits, createRedisLimits, type Limits, WINDOW_MS } from "../platform/limits/index.ts";

export async function createLimits(config: Config, clock: Clock, log: Logger, count: () => void): Promise<Limits> {
  if (!config.REDIS_URL) return createMemoryLimits(clock);
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
