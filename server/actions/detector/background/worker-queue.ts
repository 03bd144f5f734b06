// A queue in front of one worker thread. It refuses tasks when too many wait, and replaces the thread when a task does not
// end: a file or a text made to be slow costs its sender an answer and nobody else.
import type { Clock } from "../../../lib/clock.ts";
import type { KernelChoice } from "../model-files.ts";
import type { Outcome, Task } from "./tasks.ts";

/** About a second of work for one core; who comes later is better served by trying again. */
const MAX_WAITING = 64;
/** A hundred times what the longest honest task takes. */
const MAX_TASK_MS = 30_000;

/** Too many tasks wait already. */
export class QueueFull extends Error {}
/** The task took too long and was given up. */
export class TaskTimeout extends Error {}

export interface WorkerQueue {
  run(task: Task): Promise<Outcome>;
  stop(): void;
}

interface Waiting {
  task: Task;
  resolve(outcome: Outcome): void;
  reject(error: Error): void;
}

export interface QueueOptions {
  kernel: KernelChoice;
  clock: Clock;
  /** Another thread than worker.ts, for tests. */
  script?: string;
}

const WORKER = new URL("./worker.ts", import.meta.url).href;

export function createWorkerQueue({ kernel, clock, script = WORKER }: QueueOptions): WorkerQueue {
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
    reject(new TaskTimeout());
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
    run(task) {
      if (waiting.size >= MAX_WAITING) return Promise.reject(new QueueFull());
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
