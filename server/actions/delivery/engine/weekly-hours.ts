// Weekly hours in local time: whether a moment lies in them, and how long they go on. Pure.
import { HOUR_MS } from "../../../lib/time.ts";
import { localTime } from "./eta/index.ts";

export interface HoursSpan {
  days: readonly string[];
  /** `09:00` */
  from: string;
  to: string;
}

/** As the local calendar counts them: Sunday is 0. */
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** The span that holds the moment, with the end as an instant; null outside of all spans. */
export function spanAt(hours: readonly HoursSpan[], timeZone: string, ms: number): { endMs: number } | null {
  const { hour, weekday } = localTime(ms, timeZone);
  for (const span of hours) {
    if (!span.days.includes(DAYS[weekday]) || hour < hourOf(span.from) || hour >= hourOf(span.to)) continue;
    return { endMs: Math.round(ms + (hourOf(span.to) - hour) * HOUR_MS) };
  }
  return null;
}

function hourOf(clock: string): number {
  const [hours, minutes] = clock.split(":").map(Number);
  return hours + minutes / 60;
}

const WEEK_STEPS = 7 * 24 * 4;
const STEP_MS = HOUR_MS / 4;

/** Now when it is open, or the next quarter of an hour that is; null when there is none within a week. */
export function nextOpening(hours: readonly HoursSpan[], timeZone: string, fromMs: number): number | null {
  if (spanAt(hours, timeZone, fromMs)) return fromMs;
  const first = Math.ceil(fromMs / STEP_MS) * STEP_MS;
  for (let i = 0; i <= WEEK_STEPS; i++) {
    if (spanAt(hours, timeZone, first + i * STEP_MS)) return first + i * STEP_MS;
  }
  return null;
}
