// Watches the thread that answers requests: how long one turn of its event loop keeps everybody else waiting.
import { systemClock } from "./clock.ts";

/** A longer turn is reported. */
const SLOW_TURN_MS = 50;
const BEAT_MS = 20;

export interface Watchdog {
  /** The longest delay since this was last asked, in milliseconds. */
  takeMaxDelayMs(): number;
  stop(): void;
}

/** Measures real time: what it watches is real, too. `onSlow` is called once for each turn that took too long. */
export function startWatchdog(onSlow: (delayMs: number) => void): Watchdog {
  let expectedMs = systemClock.monotonic() + BEAT_MS;
  let maxMs = 0;
  const stop = systemClock.every(BEAT_MS, () => {
    const nowMs = systemClock.monotonic();
    const delayMs = nowMs - expectedMs;
    expectedMs = nowMs + BEAT_MS;
    if (delayMs > maxMs) maxMs = delayMs;
    if (delayMs > SLOW_TURN_MS) onSlow(delayMs);
  });
  return {
    takeMaxDelayMs() {
      const taken = Math.max(0, maxMs);
      maxMs = 0;
      return taken;
    },
    stop,
  };
}
