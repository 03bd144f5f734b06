// The log: JSON lines. A line that cannot be written is dropped and counted, so that logging never fails a request; a
// line that repeats is thinned out and counted.
import { writeSync } from "node:fs";
import pino, { type Logger } from "pino";
import { type Clock, systemClock } from "./clock.ts";
import { SECOND_MS } from "./time.ts";

const WINDOW_MS = 10 * SECOND_MS;
/** Lines with the same message in one window before the rest is only counted. */
const MAX_SAME = 5;
const MAX_MESSAGES = 1_000;

export interface LogOptions {
  level: string;
  /** Where lines go; standard error unless given. */
  write?(line: string): void;
  clock?: Clock;
}

export interface Log {
  log: Logger;
  /** Lines that could not be written. */
  dropped(): number;
}

export function createLog({ level, write = (line) => void writeSync(2, line), clock = systemClock }: LogOptions): Log {
  let dropped = 0;
  const destination = {
    write(line: string) {
      try {
        write(line);
      } catch {
        dropped += 1;
      }
    },
  };
  const thin = createThinning(clock);
  const hooks = {
    logMethod(this: Logger, args: unknown[], method: (...args: unknown[]) => void) {
      const message = args.find((arg) => typeof arg === "string") as string | undefined;
      const suppressed = message === undefined ? 0 : thin(message);
      if (suppressed === null) return;
      if (suppressed > 0 && typeof args[0] === "object") args[0] = { ...args[0], suppressed };
      method.apply(this, args);
    },
  };
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, hooks: hooks as never };
  return { log: pino(options, destination), dropped: () => dropped };
}

/** How many lines of this message were left out before this one; null when this one is to be left out, too. */
function createThinning(clock: Clock): (message: string) => number | null {
  const seen = new Map<string, { sinceMs: number; count: number }>();
  return (message) => {
    const now = clock.monotonic();
    const entry = seen.get(message);
    if (entry && now - entry.sinceMs < WINDOW_MS) {
      entry.count += 1;
      return entry.count > MAX_SAME ? null : 0;
    }
    if (seen.size >= MAX_MESSAGES) seen.clear();
    seen.set(message, { sinceMs: now, count: 1 });
    return entry ? Math.max(0, entry.count - MAX_SAME) : 0;
  };
}
