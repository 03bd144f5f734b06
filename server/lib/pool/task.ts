// How a piece of work for the pool is declared: which function of which module, and its bounds.

export interface Task<Input, Output> {
  /** The address of the module that exports the function; a thread loads it on first use. */
  module: string;
  /** The name of the exported function. */
  name: string;
  /** The same function, for inputs small enough to stay on the calling thread. */
  run(input: Input): Output | Promise<Output>;
  /** Inputs up to this size take at most about a millisecond, whatever they hold: they never leave the calling thread. */
  inlineSize: number;
  /** Larger inputs are refused before anything is done. */
  maxSize: number;
  /** A task that takes longer is ended together with its thread. */
  maxMs: number;
}

/** Why a task did not end by itself. */
export type EndReason = "time" | "memory" | "size" | "thread";

/** The pool has no room: for this account, or at all. Trying again later helps. */
export class PoolFull extends Error {
  readonly retryAfterS = 2;
}

/** The task passed one of its bounds and was ended. Trying again does not help. */
export class TaskEnded extends Error {
  readonly reason: EndReason;

  constructor(reason: EndReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** What a thread is sent. */
export interface ThreadRequest {
  module: string;
  name: string;
  input: unknown;
}

/** What a thread answers; `heapBytes` is the size of its own heap afterwards. */
export type ThreadReply = { output: unknown; heapBytes: number } | { failed: string; heapBytes: number };
