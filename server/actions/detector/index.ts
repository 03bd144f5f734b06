// Wires the detector: page reader, routes and background jobs.
import type { Module, Platform } from "../../platform/platform.ts";
import { batchJob, runBatch } from "./background/batches.ts";
import { forgetOld, retentionJob } from "./background/retention.ts";
import { warmUp } from "./background/warm-up.ts";
import type { Deps } from "./background/judge.ts";
import { createPageReader } from "./providers/page.ts";
import { analysisRoutes } from "./routes/analyses.ts";
import { batchRoutes } from "./routes/batches.ts";
import { listOpenBatches } from "./store.ts";

export interface DetectorOptions {
  /** How long kept analyses and batches stay. */
  retentionDays: number;
}

export function createDetector(platform: Platform, { retentionDays }: DetectorOptions): Module {
  const deps: Deps = { platform, readPage: createPageReader(platform.guard) };
  return {
    handlers: [...analysisRoutes(deps), ...batchRoutes(deps)],
    jobs: [batchJob(deps), retentionJob(platform, retentionDays)],
    async settle() {
      for (const batchId of await listOpenBatches(platform.db)) await runBatch(deps, batchId);
      await forgetOld(platform, retentionDays);
    },
    start: warmUp,
  };
}
