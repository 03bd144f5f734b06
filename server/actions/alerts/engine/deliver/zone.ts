// Wall-clock time in a time zone, in both directions, across gaps and repeated hours. Zone data is the runtime's.
import { DAY_MS } from "../../../../lib/time.ts";

export interface Wall {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number /** 0 is Sunday. */;
  weekday: number;
}

const FORMATS = new Map<string, Intl.DateTimeFormat>();

export function isZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = FORMATS.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    FORMATS.set(zone, format);
  }
  return format;
}

/** Milliseconds that the zone is ahead of UTC at this instant. */
function offsetAt(zone: string, at: number): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(at)) parts[type] = Number(value);
  const wall = Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second);
  return wall - Math.floor(at / 1000) * 1000;
}

export function wallAt(zone: string, at: number): Wall {
  const date = new Date(at + offsetAt(zone, at));
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    weekday: date.getUTCDay(),
  };
}

/**
 * The instant at which the zone's clocks show this. A time that happens twice is taken the first time; one that the
 * clocks jump over is as long after the jump as it would have been.
 */
export function instantOf(
  zone: string,
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
): number {
  const wall = Date.UTC(year, month - 1, day, hour, minute);
  const candidates = [wall - offsetAt(zone, wall - DAY_MS), wall - offsetAt(zone, wall + DAY_MS)].sort((a, b) => a - b);
  const exact = candidates.find((at) => at + offsetAt(zone, at) === wall);
  return exact ?? candidates[1];
}

/** Minutes of "HH:MM". */
export function minutesOf(time: string): number {
  const [hour, minute] = time.split(":").map(Number);
  return hour * 60 + minute;
}

/** The instant of "HH:MM" on the day `days` after the one that `at` falls on in the zone. */
export function onDay(zone: string, at: number, days: number, time: string): number {
  const { year, month, day } = wallAt(zone, at);
  const minutes = minutesOf(time);
  return instantOf(zone, year, month, day + days, Math.floor(minutes / 60), minutes % 60);
}

/** "15 Nov 2026, 08:00" as the reader's clocks show it. */
export function showTime(zone: string, at: number): string {
  const w = wallAt(zone, at);
  const two = (n: number) => String(n).padStart(2, "0");
  const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
  return `${w.day} ${months[w.month - 1]} ${w.year}, ${two(w.hour)}:${two(w.minute)}`;
}
