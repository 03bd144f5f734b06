// Deletes kept analyses and batches that are older than the retention, once an hour.
import { DAY_MS } from "../../../lib/time.ts";
import type { Job } from "../../../platform/jobs/index.ts";
import type { Platform } from "../../../platform/platform.ts";
import { retentionNow } from "../../../platform/retention/index.ts";
import { deleteOlderThan } from "../store.ts";

export function retentionJob(platform: Platform, retentionDays: number): Job {
  return {
    name: "detector.forget",
    cron: "47 * * * *",
    run: () => forgetOld(platform, retentionDays),
  };
}

export async function forgetOld(platform: Platform, retentionDays: number): Promise<void> {
  const nowMs = await retentionNow(platform, "detector.forget");
  const count = await deleteOlderThan(platform.db, nowMs - retentionDays * DAY_MS);
  if (count > 0) platform.log.info({ count }, "old analyses deleted");
}
