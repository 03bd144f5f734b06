// The thread that does the long work, so that the event loop never waits for it.
import { perform, type Task } from "./tasks.ts";

declare const self: Worker;

self.onmessage = async ({ data: { n, task } }: MessageEvent<{ n: number; task: Task }>) => {
  try {
    self.postMessage({ n, outcome: await perform(task) });
  } catch (error) {
    self.postMessage({ n, failed: String(error) });
  }
};
