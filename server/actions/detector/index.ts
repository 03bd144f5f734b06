// Wires the detector: the worker queue, the page reader, the store and the routes.
import type { Module, Platform } from "../../platform/platform.ts";
import { createWorkerQueue } from "./background/worker-queue.ts";
import { warmUp } from "./background/warm-up.ts";
import type { KernelChoice } from "./model-files.ts";
import { createPageReader } from "./providers/page.ts";
import { analysisRoutes } from "./routes/analyses.ts";
import { createStore } from "./store.ts";

export function createDetector(platform: Platform, { kernel }: { kernel: KernelChoice }): Module {
  const queue = createWorkerQueue({ kernel, clock: platform.clock });
  const store = createStore(platform.db);
  const readPage = createPageReader(platform.guard);
  return {
    handlers: analysisRoutes({ platform, store, queue, readPage }),
    start: warmUp,
    stop: () => queue.stop(),
  };
}
