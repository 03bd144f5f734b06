// When a digest is due and how long quiet hours last, in the reader's time zone, across clock changes.
import { DAY_MS } from "../../../../lib/time.ts";
import { minutesOf, onDay, wallAt } from "./zone.ts";

export interface Digest {
  every: "hour" | "day" | "week";
  /** "HH:MM" for day and week; for hour the minutes alone count. */
  at: string;
  timezone: string;
  /** For week; 0 is Sunday. */
  weekday: number;
  maxItems: number;
  sendEmpty: boolean;
}

export interface QuietHours {
  /** 0 is Sunday; the day on which the window begins. Empty means every day. */
  days: number[];
  from: string;
  to: string;
  timezone: string;
}

const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** ["mon-fri", "sun"] as numbers, or null when a word is none of ours. */
export function readDays(words: readonly string[]): number[] | null {
  const days = new Set<number>();
  for (const word of words) {
    const [from, to = from] = word
      .toLowerCase()
      .split("-")
      .map((d) => DAYS.indexOf(d.slice(0, 3)));
    if (from < 0 || to < 0) return null;
    for (let d = from; ; d = (d + 1) % 7) {
      days.add(d);
      if (d === to) break;
    }
  }
  return [...days].sort();
}

/** The first digest time after `at`. */
export function nextDigest(digest: Digest, at: number): number {
  if (digest.every === "hour") {
    const minute = minutesOf(digest.at) % 60;
    const hour = Math.floor(at / 3_600_000) * 3_600_000;
    return hour + minute * 60_000 > at ? hour + minute * 60_000 : hour + 3_600_000 + minute * 60_000;
  }
  for (let days = 0; days <= 8; days++) {
    const due = onDay(digest.timezone, at, days, digest.at);
    if (due > at && (digest.every === "day" || wallAt(digest.timezone, due).weekday === digest.weekday)) return due;
  }
  return at + 7 * DAY_MS;
}

/** The end of the quiet time that `at` falls in, following windows that touch; null when it is not quiet. */
export function quietUntil(windows: readonly QuietHours[], at: number): number | null {
  let until: number | null = null;
  for (let steps = 0; steps < 64; steps++) {
    const end = windows.reduce<number | null>((latest, w) => {
      const e = windowEnd(w, until ?? at);
      return e !== null && (latest === null || e > latest) ? e : latest;
    }, null);
    if (end === null) return until;
    until = end;
  }
  return until;
}

/** A window from 22:00 to 07:00 ends on the next day; one with both ends equal lasts a whole day. */
function windowEnd(window: QuietHours, at: number): number | null {
  const overnight = minutesOf(window.to) <= minutesOf(window.from);
  for (const began of [0, -1]) {
    const start = onDay(window.timezone, at, began, window.from);
    const end = onDay(window.timezone, at, began + (overnight ? 1 : 0), window.to);
    const day = wallAt(window.timezone, start).weekday;
    if (start <= at && at < end && (window.days.length === 0 || window.days.includes(day))) return end;
  }
  return null;
}
