// The time limits of one exchange, all on the given clock and on a single timer.
import type { Clock } from "../clock.ts";
import { GuardError } from "./errors.ts";

export interface TimeLimits {
  /** TCP and TLS together; looking up the name may take as long again. */
  connectMs: number;
  /** Between two pieces of the answer, the first one included. */
  idleMs: number;
  /** The whole exchange, redirects included. */
  totalMs: number;
}

export interface Watch {
  connected(): void;
  /** Something came. */
  touch(): void;
  stop(): void;
}

/** Calls `late` once, when the first of the limits has passed; `endMs` is the end of the total on the monotonic clock. */
export function watchTime(clock: Clock, limits: TimeLimits, endMs: number, late: (error: GuardError) => void): Watch {
  let isConnected = false;
  let phaseEndMs = clock.monotonic() + limits.connectMs;
  let timerMs = Infinity;
  let stopTimer = () => {};

  /** The timer may come too early, since a touch does not move it; then it is set again. */
  function arm(): void {
    timerMs = Math.min(phaseEndMs, endMs);
    stopTimer = clock.after(Math.max(0, Math.ceil(timerMs - clock.monotonic())), look);
  }

  function look(): void {
    const nowMs = clock.monotonic();
    const { connectMs, idleMs, totalMs } = limits;
    if (nowMs >= endMs) late(timeout("The answer was not complete", totalMs));
    else if (nowMs < phaseEndMs) arm();
    else late(isConnected ? timeout("Nothing was received", idleMs) : timeout("No connection was made", connectMs));
  }

  function touch(): void {
    phaseEndMs = clock.monotonic() + limits.idleMs;
  }

  arm();
  return {
    touch,
    stop: () => stopTimer(),
    connected() {
      isConnected = true;
      touch();
      if (phaseEndMs >= timerMs) return;
      stopTimer();
      arm();
    },
  };
}

function timeout(what: string, ms: number): GuardError {
  return new GuardError("upstream_timeout", `${what} within ${ms} ms.`);
}
