// The detector, as the rest of the house may see it.
import { handle } from "../../contract/define.ts";
import type { Module, Platform } from "../../platform/platform.ts";
import * as contract from "./contract.ts";
import { type KernelChoice, openLight } from "./model-files.ts";
import { createPageReader } from "./providers/page.ts";
import { createService } from "./service.ts";
import { createStore } from "./store.ts";
import { createCrew } from "./work/crew.ts";

export function createDetector(platform: Platform, { kernel }: { kernel: KernelChoice }): Module {
  const crew = createCrew(kernel);
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
    // A megabyte read once; after it no request waits for the disk.
    start: async () => void (await openLight()),
    stop: () => crew.stop(),
  };
}
