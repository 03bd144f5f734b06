// The detector, as the rest of the service may see it.
import { handle } from "../../contract/define.ts";
import type { Module, Platform } from "../../platform/platform.ts";
import * as contract from "./contract.ts";
import { analyzeText, KNOWN_LIMITS } from "./engine/analyze.ts";
import { type KernelChoice, openLight } from "./model-files.ts";
import { createPageReader } from "./providers/page.ts";
import { createService } from "./routes/analyses.ts";
import { createStore } from "./store.ts";
import { createCrew } from "./background/worker-queue.ts";

let warmed: Promise<void> | null = null;
const WARM_ROUNDS = 30;

/** Reads the weights and has the engine compiled, so that the first request waits for neither; once in a process. */
async function warmUp(): Promise<void> {
  const light = await openLight();
  const text = Array(6).fill(KNOWN_LIMITS.join(" ")).join("\n\n");
  for (let i = 0; i < WARM_ROUNDS; i++) {
    analyzeText(light, text, { tier: "light", point: "0.01", segments: true }, null);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

export function createDetector(platform: Platform, { kernel }: { kernel: KernelChoice }): Module {
  const crew = createCrew({ kernel, clock: platform.clock });
  const service = createService({
    platform,
    crew,
    store: createStore(platform.db),
    readPage: createPageReader(platform.guard),
  });
  return {
    handlers: [
      handle(contract.analyze, (call) => service.analyze(call) as never),
      handle(contract.read, (call) => service.read(call) as never),
      handle(contract.remove, (call) => service.remove(call)),
    ],
    start: () => (warmed ??= warmUp()),
    stop: () => crew.stop(),
  };
}
