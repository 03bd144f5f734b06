// Wall-clock time of a time zone at a given instant. Reads no clock.
import { HOUR_MS, MINUTE_MS } from "../../../../lib/time.ts";

const formats = new Map<string, Intl.DateTimeFormat>();
const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const WEEK_MS = 7 * 24 * HOUR_MS;
/** Zones change their offset at full quarters of an hour, so one look at the calendar serves the whole quarter. */
const QUARTER_MS = 15 * MINUTE_MS;
const MAX_QUARTERS = 5_000;
/** The epoch was a Thursday. */
const EPOCH_WEEKDAY_MS = 4 * 24 * HOUR_MS;

/** What a zone adds to UTC in a quarter, as milliseconds within a week; by zone, then by quarter. */
const offsets = new Map<string, Map<number, number>>();

export interface LocalTime {
  /** 0–24 with fraction. */
  hour: number;
  /** 0 Sunday … 6 Saturday. */
  weekday: number;
}

/** To the minute; falls back to UTC where the zone is unknown. */
export function localTime(atMs: number, timeZone: string | null): LocalTime {
  const inWeek = modulo(atMs + EPOCH_WEEKDAY_MS + offsetMs(Math.floor(atMs / QUARTER_MS), timeZone ?? "UTC"), WEEK_MS);
  const hours = Math.floor(inWeek / HOUR_MS);
  const minute = Math.floor((inWeek - hours * HOUR_MS) / MINUTE_MS);
  return { hour: (hours % 24) + minute / 60, weekday: Math.floor(hours / 24) };
}

function offsetMs(quarter: number, timeZone: string): number {
  let known = offsets.get(timeZone);
  if (!known || known.size > MAX_QUARTERS) offsets.set(timeZone, (known = new Map()));
  let offset = known.get(quarter);
  if (offset === undefined) known.set(quarter, (offset = readOffset(quarter * QUARTER_MS, timeZone)));
  return offset;
}

function readOffset(atMs: number, timeZone: string): number {
  const parts = formatOf(timeZone).formatToParts(atMs);
  const get = (type: string) => parts.find((p) => p.type === type)!.value;
  const days = WEEKDAYS.indexOf(get("weekday"));
  const localMs = (days * 24 + Number(get("hour"))) * HOUR_MS + Number(get("minute")) * MINUTE_MS;
  return modulo(localMs - modulo(atMs + EPOCH_WEEKDAY_MS, WEEK_MS), WEEK_MS);
}

const modulo = (n: number, by: number): number => ((n % by) + by) % by;

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    const options = { weekday: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
    try {
      format = new Intl.DateTimeFormat("en-US", { ...options, timeZone });
    } catch {
      format = new Intl.DateTimeFormat("en-US", { ...options, timeZone: "UTC" });
    }
    formats.set(timeZone, format);
  }
  return format;
}
