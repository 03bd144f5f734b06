// Deletes kept analyses and batches that are older than the retention, once an hour.
import { DAY_MS } from "../../../lib/time.ts";
import type { Job } from "../../../platform/jobs/index.ts";
import type { Platform } from "../../../platform/platform.ts";
import { deleteOlderThan } from "../store.ts";

export function retentionJob(platform: Platform, retentionDays: number): Job {
  return {
    name: "detector.forget",
    cron: "47 * * * *",
    run: () => forgetOld(platform, retentionDays),
  };
}

export async function forgetOld({ db, clock, log }: Platform, retentionDays: number): Promise<void> {
  const count = await deleteOlderThan(db, clock.now() - retentionDays * DAY_MS);
  if (count > 0) log.info({ count }, "old analyses deleted");
}
