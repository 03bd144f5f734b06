// Which limits count: in this process, or in the Redis that all replicas share.
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { Clock } from "../lib/clock.ts";
import { createMemoryLimits, createRedisLimits, type Limits, windowMs } from "../platform/limits/index.ts";

export async function createLimits(config: Config, clock: Clock, log: Logger, count: () => void): Promise<Limits> {
  if (!config.REDIS_URL) return createMemoryLimits(clock);
  const onAbsence = (error: unknown) => {
    count();
    log.error(
      { error: String(error), choice: config.QUOTA_WITHOUT_REDIS },
      "Redis cannot be reached: quotas are not counted",
    );
  };
  return createRedisLimits({ url: config.REDIS_URL, windowMs, without: config.QUOTA_WITHOUT_REDIS, onAbsence });
}
