// The thread that does the long work, so that the event loop never waits for it.
import type { KernelChoice } from "../model-files.ts";
import { perform, type Task } from "./tasks.ts";

declare const self: Worker;

self.onmessage = async ({ data }: MessageEvent<{ n: number; task: Task; kernel: KernelChoice }>) => {
  const { n, task, kernel } = data;
  try {
    self.postMessage({ n, outcome: await perform(task, kernel) });
  } catch (error) {
    self.postMessage({ n, failed: String(error) });
  }
};
