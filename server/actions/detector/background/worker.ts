// The thread that does the long work, so that the event loop never waits for it.
import type { KernelChoice } from "../model-files.ts";
import { perform, type Task } from "./tasks.ts";

declare const self: Worker;

self.onmessage = async ({ data }: MessageEvent<{ task: Task; kernel: KernelChoice }>) => {
  const { task, kernel } = data;
  try {
    self.postMessage({ outcome: await perform(task, kernel) });
  } catch (error) {
    self.postMessage({ failed: String(error) });
  }
};
