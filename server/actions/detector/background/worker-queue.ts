// Hands tasks to one worker thread, in order, and refuses when too many wait. The thread is started at the first task, and
// replaced when a task does not end: a file or a text made to be slow costs its sender an answer and nobody else.
import type { Clock } from "../../../lib/clock.ts";
import type { KernelChoice } from "../model-files.ts";
import type { Outcome, Task } from "./tasks.ts";

/** About a second of work for one core; who comes later is better served by trying again. */
const MAX_WAITING = 64;
/** A hundred times what the longest honest task takes. */
const MAX_TASK_MS = 30_000;

export class CrewBusy extends Error {}
/** The task itself was given up. */
export class CrewStuck extends Error {}

export interface Crew {
  perform(task: Task): Promise<Outcome>;
  stop(): void;
}

interface Waiting {
  task: Task;
  resolve(outcome: Outcome): void;
  reject(error: Error): void;
}

export interface CrewOptions {
  kernel: KernelChoice;
  clock: Clock;
  /** Another thread than worker.ts, for tests. */
  script?: string;
}

const WORKER = new URL("./worker.ts", import.meta.url).href;

export function createCrew({ kernel, clock, script = WORKER }: CrewOptions): Crew {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let next = 0;
  let cancelWatch = () => {};

  const post = (n: number, task: Task) => (worker ?? start()).postMessage({ n, task, kernel });
  const end = () => {
    cancelWatch();
    worker?.terminate();
    worker = null;
  };
  const failAll = (error: Error) => {
    end();
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  /** Watches the task that is being worked on: the first of those that wait. */
  const watch = () => {
    cancelWatch();
    if (waiting.size > 0) cancelWatch = clock.after(MAX_TASK_MS, replace);
  };
  const replace = () => {
    end();
    const [[stuck, { reject }]] = waiting;
    waiting.delete(stuck);
    reject(new CrewStuck());
    for (const [n, { task }] of waiting) post(n, task);
    watch();
  };
  const start = () => {
    const started = new Worker(script);
    started.onmessage = ({ data }) => {
      const task = waiting.get(data.n);
      waiting.delete(data.n);
      watch();
      if (data.failed) task?.reject(new Error(data.failed));
      else task?.resolve(data.outcome);
    };
    started.onerror = (event) => {
      if (worker === started) failAll(new Error(`the detector's thread failed: ${event.message}`));
    };
    worker = started;
    return started;
  };
  return {
    perform(task) {
      if (waiting.size >= MAX_WAITING) return Promise.reject(new CrewBusy());
      const n = next++;
      return new Promise((resolve, reject) => {
        waiting.set(n, { task, resolve, reject });
        post(n, task);
        if (waiting.size === 1) watch();
      });
    },
    stop: () => failAll(new Error("the detector is stopping")),
  };
}
