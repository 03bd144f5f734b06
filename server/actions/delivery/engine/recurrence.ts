// When an order comes again: chosen days of the week at a local time, whatever daylight saving does. Pure.
import { DAY_MS } from "../../../lib/time.ts";

export interface Recurrence {
  days: readonly string[];
  /** Local time, `09:00`. */
  time: string;
  time_zone: string;
  until?: string;
}

const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const formats = new Map<string, Intl.DateTimeFormat>();

/** The first occurrence after an instant; null when there is none. */
export function nextOccurrence(recurrence: Recurrence, afterMs: number): number | null {
  const [hour, minute] = recurrence.time.split(":").map(Number);
  const until = recurrence.until ? Date.parse(recurrence.until) : Infinity;
  // Local midnights are counted as if they were UTC, so that a day is always a day.
  const today = Math.floor(asLocal(afterMs, recurrence.time_zone) / DAY_MS) * DAY_MS;
  for (let day = 0; day <= 8; day++) {
    const date = today + day * DAY_MS;
    if (!recurrence.days.includes(WEEKDAYS[new Date(date).getUTCDay()])) continue;
    const at = fromLocal(date + (hour * 60 + minute) * 60_000, recurrence.time_zone);
    if (at > afterMs) return at <= until ? at : null;
  }
  return null;
}

/** The wall clock of a zone, written as if it were UTC. */
function asLocal(ms: number, timeZone: string): number {
  const parts = formatOf(timeZone).formatToParts(ms);
  const get = (type: string) => Number(parts.find((part) => part.type === type)!.value);
  return Date.UTC(get("year"), get("month") - 1, get("day"), get("hour"), get("minute"), get("second"));
}

/** The instant at which the zone's clock shows this. A time that a change of clocks leaves out is an hour later. */
function fromLocal(local: number, timeZone: string): number {
  const first = local - (asLocal(local, timeZone) - local);
  return first - (asLocal(first, timeZone) - local);
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    const two = "2-digit" as const;
    const fields = { year: "numeric" as const, month: two, day: two, hour: two, minute: two, second: two };
    format = new Intl.DateTimeFormat("en-US", { ...fields, hourCycle: "h23", timeZone });
    formats.set(timeZone, format);
  }
  return format;
}
