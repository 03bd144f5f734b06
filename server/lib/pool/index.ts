// The one pool of threads for work on foreign bytes. Every task has a deadline, a bound of size and a bound of memory; accounts
// take turns; what finds no room is refused at once.
import type { Clock } from "../clock.ts";
import { type Account, FairQueue } from "./fair-queue.ts";
import { PoolFull, type Task, TaskEnded, type ThreadReply, type ThreadRequest } from "./task.ts";
import { openThread, type Thread } from "./thread.ts";

export { type Account, FairQueue } from "./fair-queue.ts";
export { PoolFull, type Task, TaskEnded } from "./task.ts";
export { openThread, type Thread } from "./thread.ts";

/** About ten seconds of ordinary tasks for one account: who sends more is better served by trying again. */
const MAX_WAITING_PER_ACCOUNT = 32;
const MAX_WAITING = 256;
const MAX_WAIT_MS = 10_000;
/** How often the memory of the process is looked at while a task runs. */
const WATCH_MS = 50;
/** By how much the process may grow while tasks run; past it the longest running one is ended. */
const MAX_GROWTH_BYTES = 400 * 1_048_576;
/** A thread whose heap stayed larger than this after a task is replaced. */
const MAX_IDLE_HEAP_BYTES = 160 * 1_048_576;
const SCRIPT = new URL("./worker.ts", import.meta.url).href;

export interface PoolOptions {
  clock: Clock;
  /** How many threads at most; each is started when it is first needed. */
  threads: number;
  /** Resident memory of the process in bytes. */
  readMemory?(): number;
  maxWaitingPerAccount?: number;
  maxWaiting?: number;
}

export interface RunOptions {
  /** Whose work it is. */
  account: Account;
  /** The size of the input: bytes, or characters. */
  size: number;
  /** Buffers to hand over instead of copying; the caller cannot use them afterwards. */
  transfer?: ArrayBuffer[];
}

export interface Pool {
  /** The task's output; rejects with PoolFull, TaskEnded, or what the task itself threw. */
  run<Input, Output>(task: Task<Input, Output>, input: Input, options: RunOptions): Promise<Output>;
  /** For the metrics. */
  standing(): PoolStanding;
  stop(): void;
}

export interface PoolStanding {
  threads: number;
  running: number;
  waiting: number;
  ended: number;
  refused: number;
}

interface Waiting {
  task: Task<unknown, unknown>;
  input: unknown;
  options: RunOptions;
  sinceMs: number;
  resolve(output: unknown): void;
  reject(error: Error): void;
}

interface Slot {
  thread: Thread;
  running: Waiting | null;
  startedMs: number;
  cancelDeadline(): void;
}

export function createPool(options: PoolOptions): Pool {
  const pool = new ThreadPool(options);
  return {
    run: (task, input, how) => runOrHandOver(pool, task, input, how),
    standing: () => pool.standing(),
    stop: () => pool.stop(),
  };
}

async function runOrHandOver<I, O>(pool: ThreadPool, task: Task<I, O>, input: I, options: RunOptions): Promise<O> {
  const { size } = options;
  if (size > task.maxSize) throw new TaskEnded("size", `It is larger than ${task.maxSize}.`);
  if (size <= task.inlineSize) return task.run(input);
  return (await pool.enqueue(task as Task<unknown, unknown>, input, options)) as O;
}

class ThreadPool {
  readonly #clock: Clock;
  readonly #maxThreads: number;
  /** One account never holds every thread, so that the next one never waits for a whole task of it. */
  readonly #maxPerAccount: number;
  readonly #readMemory: () => number;
  readonly #queue: FairQueue<Waiting>;
  readonly #slots = new Set<Slot>();
  #ended = 0;
  #refused = 0;
  #stopped = false;
  /** The least memory since the pool was last idle. */
  #floorBytes = Infinity;
  #stopWatch: (() => void) | null = null;

  constructor({ clock, threads, readMemory = residentBytes, maxWaitingPerAccount, maxWaiting }: PoolOptions) {
    this.#clock = clock;
    this.#maxThreads = threads;
    this.#maxPerAccount = Math.max(1, threads - 1);
    this.#readMemory = readMemory;
    this.#queue = new FairQueue(maxWaitingPerAccount ?? MAX_WAITING_PER_ACCOUNT, maxWaiting ?? MAX_WAITING);
  }

  standing(): PoolStanding {
    const running = [...this.#slots].filter((slot) => slot.running).length;
    const { size: threads } = this.#slots;
    return { threads, running, waiting: this.#queue.size, ended: this.#ended, refused: this.#refused };
  }

  enqueue(task: Task<unknown, unknown>, input: unknown, options: RunOptions): Promise<unknown> {
    if (this.#stopped) return Promise.reject(new PoolFull("The service is stopping."));
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { task, input, options, sinceMs: this.#clock.monotonic(), resolve, reject };
      if (this.#queue.push(options.account, waiting)) this.#startNext();
      else this.#refuse(waiting);
    });
  }

  stop(): void {
    this.#stopped = true;
    const error = new PoolFull("The service is stopping.");
    for (const slot of this.#slots) this.#close(slot)?.reject(error);
    for (const { reject } of this.#queue.takeAll()) reject(error);
    this.#watchWhileBusy();
  }

  #refuse(waiting: Waiting): void {
    this.#refused++;
    waiting.reject(new PoolFull("More work of this kind waits than can be done."));
  }

  #startNext(): void {
    for (;;) {
      const idle = [...this.#slots].find((slot) => !slot.running);
      if (!idle && this.#slots.size >= this.#maxThreads) break;
      const next = this.#queue.take((account) => this.#runningOf(account) < this.#maxPerAccount);
      if (!next) break;
      if (this.#clock.monotonic() - next.sinceMs > MAX_WAIT_MS) this.#refuse(next);
      else this.#start(idle ?? this.#open(), next);
    }
    this.#watchWhileBusy();
  }

  #runningOf(account: Account): number {
    let count = 0;
    for (const { running } of this.#slots) if (running?.options.account === account) count++;
    return count;
  }

  #open(): Slot {
    const slot: Slot = {
      thread: openThread<ThreadReply>({
        script: SCRIPT,
        onMessage: (reply) => this.#finish(slot, reply),
        onEnd: (why) => this.#endTask(slot, new TaskEnded("thread", `Its thread ended: ${why}`)),
      }),
      running: null,
      startedMs: 0,
      cancelDeadline() {},
    };
    this.#slots.add(slot);
    return slot;
  }

  #start(slot: Slot, next: Waiting): void {
    const { module, name, maxMs } = next.task;
    slot.running = next;
    slot.startedMs = this.#clock.monotonic();
    slot.cancelDeadline = this.#clock.after(maxMs, () =>
      this.#endTask(slot, new TaskEnded("time", `It took longer than ${maxMs} ms.`)),
    );
    slot.thread.post({ module, name, input: next.input } satisfies ThreadRequest, next.options.transfer);
  }

  #finish(slot: Slot, reply: ThreadReply): void {
    const done = slot.running;
    slot.cancelDeadline();
    slot.running = null;
    if (reply.heapBytes > MAX_IDLE_HEAP_BYTES) this.#close(slot);
    if ("failed" in reply) done?.reject(new Error(reply.failed));
    else done?.resolve(reply.output);
    this.#startNext();
  }

  /** Ends the thread with what it runs; the next task gets a new thread. */
  #endTask(slot: Slot, error: TaskEnded): void {
    this.#ended++;
    this.#close(slot)?.reject(error);
    this.#startNext();
  }

  #close(slot: Slot): Waiting | null {
    const { running } = slot;
    slot.cancelDeadline();
    slot.running = null;
    slot.thread.end();
    this.#slots.delete(slot);
    return running;
  }

  #watchWhileBusy(): void {
    const isBusy = [...this.#slots].some((slot) => slot.running);
    if (isBusy && !this.#stopWatch) {
      this.#floorBytes = Infinity;
      this.#stopWatch = this.#clock.every(WATCH_MS, () => this.#watchMemory());
    } else if (!isBusy) {
      this.#stopWatch?.();
      this.#stopWatch = null;
    }
  }

  /** No limit of memory can be set on a thread, so the growth of the whole process is held against the longest running task. */
  #watchMemory(): void {
    const bytes = this.#readMemory();
    this.#floorBytes = Math.min(this.#floorBytes, bytes);
    if (bytes - this.#floorBytes <= MAX_GROWTH_BYTES) return;
    const [longest] = [...this.#slots].filter((slot) => slot.running).sort((a, b) => a.startedMs - b.startedMs);
    this.#floorBytes = Infinity;
    if (longest) this.#endTask(longest, new TaskEnded("memory", "It needed too much memory."));
  }
}

const residentBytes = (): number => process.memoryUsage.rss();
