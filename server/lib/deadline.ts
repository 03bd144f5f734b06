// A bound on waiting for I/O that may never answer. It measures real time: what it guards against is real, too.
import { systemClock } from "./clock.ts";

export class DeadlineError extends Error {
  constructor(what: string, ms: number) {
    super(`${what} did not end within ${ms} ms`);
    this.name = "DeadlineError";
  }
}

/** The promise's outcome, or a DeadlineError. What was started goes on; only the waiting ends. */
export function within<T>(ms: number, what: string, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = systemClock.after(ms, () => reject(new DeadlineError(what, ms)));
    promise.then(resolve, reject).finally(stop);
  });
}
