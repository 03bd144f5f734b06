// Hands tasks to one worker thread, in order, and refuses when too many wait. The thread is started at the first task.
import type { KernelChoice } from "../model-files.ts";
import type { Outcome, Task } from "./tasks.ts";

/** About a second of work for one core; who comes later is better served by trying again. */
const MOST_WAITING = 64;

export class CrewBusy extends Error {}

export interface Crew {
  perform(task: Task): Promise<Outcome>;
  stop(): void;
}

export function createCrew(kernel: KernelChoice): Crew {
  const waiting = new Map<number, { resolve(outcome: Outcome): void; reject(error: Error): void }>();
  let worker: Worker | null = null;
  let next = 0;
  const failAll = (error: Error) => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    worker = null;
  };
  const start = () => {
    worker = new Worker(new URL("./worker.ts", import.meta.url).href);
    worker.onmessage = ({ data }) => {
      const task = waiting.get(data.n);
      waiting.delete(data.n);
      if (data.failed) task?.reject(new Error(data.failed));
      else task?.resolve(data.outcome);
    };
    worker.onerror = (event) => failAll(new Error(`the detector's thread failed: ${event.message}`));
    return worker;
  };
  return {
    perform(task) {
      if (waiting.size >= MOST_WAITING) return Promise.reject(new CrewBusy());
      const n = next++;
      return new Promise((resolve, reject) => {
        waiting.set(n, { resolve, reject });
        (worker ?? start()).postMessage({ n, task, kernel });
      });
    },
    stop() {
      worker?.terminate();
      failAll(new Error("the detector is stopping"));
    },
  };
}
