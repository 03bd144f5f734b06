// The only reader of time. Everything else is handed a Clock, so that a test owns it and never sleeps.

import { readFileSync } from "node:fs";

export interface Clock {
  /** Milliseconds since the Unix epoch. May jump when the machine's clock is set. */
  now(): number;
  /** Milliseconds that never go back; only differences mean anything. */
  monotonic(): number;
  /** Calls back once after `delayMs`; the returned function cancels. */
  after(delayMs: number, callback: () => void): () => void;
  /** Calls back every `periodMs` until the returned function is called. */
  every(periodMs: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
  every(periodMs, callback) {
    const timer = setInterval(callback, periodMs);
    return () => clearInterval(timer);
  },
};

/** A reading can only come too late, so the best of a few is taken. */
const UPTIME_STEPS = 5;

/**
 * What to add to `systemClock.monotonic()` so that all processes of one machine agree, to about a tenth of a millisecond. Linux
 * alone: its uptime moves in steps of 10 ms, so the moment of a step is exact.
 */
export function systemUptimeOffsetMs(): number {
  const read = () => Number(readFileSync("/proc/uptime", "utf8").split(" ")[0]) * 1000;
  let best = -Infinity;
  let last = read();
  for (let steps = 0; steps < UPTIME_STEPS; ) {
    const uptimeMs = read();
    if (uptimeMs === last) continue;
    best = Math.max(best, uptimeMs - performance.now());
    last = uptimeMs;
    steps++;
  }
  return best;
}

/** Resolves after `delayMs` on the given clock, or rejects when the signal aborts. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const cancel = clock.after(delayMs, () => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    });
    const onAbort = () => {
      cancel();
      reject(signal!.reason);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

interface Timer {
  at: number;
  order: number;
  periodMs: number | null;
  callback: () => void;
}

/** A clock that stands still until a test moves it; timers fire in order, inside `advance`. */
export class ManualClock implements Clock {
  #now: number;
  #elapsed = 0;
  #order = 0;
  #timers = new Set<Timer>();

  constructor(start: number | string = "2026-01-01T00:00:00Z") {
    this.#now = typeof start === "string" ? Date.parse(start) : start;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#elapsed;
  }

  after(delayMs: number, callback: () => void): () => void {
    return this.#add(delayMs, null, callback);
  }

  every(periodMs: number, callback: () => void): () => void {
    return this.#add(periodMs, periodMs, callback);
  }

  /** Moves time forward, firing what falls due; microtasks run between timers. */
  async advance(ms: number): Promise<void> {
    const end = this.#elapsed + ms;
    for (;;) {
      const due = [...this.#timers].filter((t) => t.at <= end).sort((a, b) => a.at - b.at || a.order - b.order)[0];
      if (!due) break;
      this.#move(due.at - this.#elapsed);
      if (due.periodMs === null) this.#timers.delete(due);
      else due.at += due.periodMs;
      due.callback();
      await Promise.resolve();
    }
    this.#move(end - this.#elapsed);
  }

  /** Sets the wall clock without firing timers, as when an operator or NTP steps it. */
  jump(to: number | string): void {
    this.#now = typeof to === "string" ? Date.parse(to) : to;
  }

  #move(ms: number): void {
    this.#now += ms;
    this.#elapsed += ms;
  }

  #add(delayMs: number, periodMs: number | null, callback: () => void): () => void {
    const timer: Timer = { at: this.#elapsed + Math.max(0, delayMs), order: this.#order++, periodMs, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }
}
