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
