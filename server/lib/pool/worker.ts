// The script of a pool thread: loads the module of a task on first use, runs it, answers. Its priority is lower than that of
// the thread that answers requests, so that a busy pool never takes the processor away from it.
import { heapSize } from "bun:jsc";
import { lowerPriority } from "./priority.ts";
import type { ThreadReply, ThreadRequest } from "./task.ts";

declare const self: Worker;

lowerPriority();
self.onmessage = async ({ data }: MessageEvent<ThreadRequest>) => self.postMessage(await answer(data));

async function answer({ module, name, input }: ThreadRequest): Promise<ThreadReply> {
  try {
    const { [name]: run } = await import(module);
    const output = await run(input);
    return { output, heapBytes: heapSize() };
  } catch (error) {
    return { failed: String(error), heapBytes: heapSize() };
  }
}
