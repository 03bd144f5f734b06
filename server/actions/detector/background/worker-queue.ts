// A queue in front of one worker thread. It refuses tasks when too many wait, and replaces the thread when a task does not
// end: a file or a text made to be slow costs its sender an answer and nobody else.
import type { Clock } from "../../../lib/clock.ts";
import type { Outcome, Task } from "./tasks.ts";

/** About a second of work for one core; who comes later is better served by trying again. */
const MAX_WAITING = 64;
const DEFAULT_TASK_MS = 30_000;

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
  clock: Clock;
  /** How long one task may take; unless given, a hundred times what the longest ordinary task takes. */
  maxTaskMs?: number;
  /** A slower task may have cost the thread much memory: a fresh thread serves the next one. */
  recycleAfterMs?: number;
  /** Another thread than worker.ts, for tests. */
  script?: string;
}

const WORKER = new URL("./worker.ts", import.meta.url).href;

export function createWorkerQueue(options: QueueOptions): WorkerQueue {
  const { clock, script = WORKER, maxTaskMs = DEFAULT_TASK_MS, recycleAfterMs = Infinity } = options;
  const waiting: Waiting[] = [];
  let running: Waiting | null = null;
  let worker: Worker | null = null;
  let cancelWatch = () => {};

  const startNext = () => {
    const next = running ? undefined : waiting.shift();
    if (!next) return;
    running = next;
    const startedMs = clock.monotonic();
    cancelWatch = clock.after(maxTaskMs, () => {
      endThread();
      finish((task) => task.reject(new TaskTimeout()));
    });
    worker ??= new Worker(script);
    const thread = worker;
    thread.onmessage = ({ data }) => {
      if (worker !== thread) return;
      if (clock.monotonic() - startedMs > recycleAfterMs) endThread();
      finish((task) => (data.failed ? task.reject(new Error(data.failed)) : task.resolve(data.outcome)));
    };
    thread.onerror = (event) => {
      if (worker === thread) failAll(new Error(`the detector's thread failed: ${event.message}`));
    };
    thread.postMessage({ task: next.task });
  };
  const finish = (settle: (task: Waiting) => void) => {
    cancelWatch();
    const done = running;
    running = null;
    if (done) settle(done);
    startNext();
  };
  const endThread = () => {
    worker?.terminate();
    worker = null;
  };
  const failAll = (error: Error) => {
    endThread();
    for (const { reject } of waiting.splice(0)) reject(error);
    finish((task) => task.reject(error));
  };
  return {
    run(task) {
      if (waiting.length + (running ? 1 : 0) >= MAX_WAITING) return Promise.reject(new QueueFull());
      return new Promise((resolve, reject) => {
        waiting.push({ task, resolve, reject });
        startNext();
      });
    },
    stop: () => failAll(new Error("the detector is stopping")),
  };
}
