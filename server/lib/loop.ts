// One background loop: runs on a timer and when woken, one run at a time, and once more if woken meanwhile.
import type { Clock } from "./clock.ts";

export interface LoopOptions {
  clock: Clock;
  /** How often it runs by itself; null when it runs only when woken. */
  everyMs: number | null;
  /** Does everything that is due. The signal aborts when the loop stops. */
  run(signal: AbortSignal): void | Promise<void>;
  /** A failed run ends here; the next one is tried as usual. */
  onError(error: unknown): void;
}

export interface Loop {
  /** Runs now, or once more after the run under way. */
  wake(): void;
  /** Resolves when a run that began after this call has ended. */
  settle(): Promise<void>;
  /** Starts the timer and the first run. */
  start(): void;
  /** Ends the timer, aborts the signal and waits for the run under way. Nothing runs until the next start. */
  stop(): Promise<void>;
}

export function createLoop({ clock, everyMs, run, onError }: LoopOptions): Loop {
  let running: Promise<void> | null = null;
  let again = false;
  let stopTimer = () => {};
  let stopping = new AbortController();

  async function runUntilDone(): Promise<void> {
    while (again && !stopping.signal.aborted) {
      again = false;
      try {
        // Waits at least one turn even when `run` throws at once, so that `running` is set before it is cleared.
        await (async () => run(stopping.signal))();
      } catch (error) {
        onError(error);
      }
    }
    running = null;
  }

  function wake(): void {
    again = true;
    if (!stopping.signal.aborted) running ??= runUntilDone();
  }

  return {
    wake,
    async settle() {
      wake();
      await running;
    },
    start() {
      stopTimer();
      if (stopping.signal.aborted) stopping = new AbortController();
      if (everyMs !== null) stopTimer = clock.every(everyMs, wake);
      wake();
    },
    async stop() {
      stopTimer();
      stopping.abort(new Error("stopping"));
      await running;
    },
  };
}

/** Lets everybody else have a turn of the event loop: for long work that must stay on this thread. */
export const nextTurn = (): Promise<void> => new Promise((go) => setImmediate(go));

/** The same for work that several callers may have at once: only one of them goes on in each turn. */
export function createTurns(): () => Promise<void> {
  let last = Promise.resolve();
  return () => (last = last.then(nextTurn));
}
