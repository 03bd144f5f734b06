// The thread that does the long work, so that the event loop never waits for it.
import { perform, type Task } from "./tasks.ts";

declare const self: Worker;

self.onmessage = async ({ data }: MessageEvent<{ task: Task }>) => {
  try {
    self.postMessage({ outcome: await perform(data.task) });
  } catch (error) {
    self.postMessage({ failed: String(error) });
  }
};
