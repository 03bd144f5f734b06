// Days as whole numbers since 1970-01-01, and the few calendar facts that rules need. No time zones, no clock.

/** Whole days since 1970-01-01. */
export type Day = number;

export const SUN = 0;
export const MON = 1;
export const TUE = 2;
export const WED = 3;
export const THU = 4;
export const FRI = 5;
export const SAT = 6;

const DAY_MS = 86_400_000;

export const dayOf = (year: number, month: number, date: number): Day => Date.UTC(year, month - 1, date) / DAY_MS;
export const dayOfText = (text: string): Day => dayOf(+text.slice(0, 4), +text.slice(5, 7), +text.slice(8, 10));
export const textOfDay = (day: Day): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
export const yearOfDay = (day: Day): number => new Date(day * DAY_MS).getUTCFullYear();
export const weekdayOf = (day: Day): number => (((day + 4) % 7) + 7) % 7;
export const isWeekend = (day: Day): boolean => weekdayOf(day) % 6 === 0;

/** The first given weekday on or after the day. */
export const onOrAfter = (day: Day, weekday: number): Day => day + ((weekday - weekdayOf(day) + 7) % 7);
/** The last given weekday on or before the day. */
const onOrBefore = (day: Day, weekday: number): Day => day - ((weekdayOf(day) - weekday + 7) % 7);

/** The nth weekday of a month; n = -1 is the last one. */
export function nthWeekday(year: number, month: number, weekday: number, n: number): Day {
  if (n > 0) return onOrAfter(dayOf(year, month, 1), weekday) + 7 * (n - 1);
  return onOrBefore(dayOf(year, month + 1, 0), weekday) + 7 * (n + 1);
}

/** Western Easter Sunday (the anonymous Gregorian computus). */
export function easterSunday(year: number): Day {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const month = Math.floor((h + l - 7 * m + 114) / 31);
  return dayOf(year, month, ((h + l - 7 * m + 114) % 31) + 1);
}

/** Orthodox Easter Sunday in the Gregorian calendar; right for 1900–2099. */
export function orthodoxEaster(year: number): Day {
  const d = (19 * (year % 19) + 15) % 30;
  const e = (2 * (year % 4) + 4 * (year % 7) - d + 34) % 7;
  const month = Math.floor((d + e + 114) / 31);
  return dayOf(year, month, ((d + e + 114) % 31) + 1) + 13;
}

/** Japan's vernal and autumnal equinox days, by the formula that holds 1980–2099. */
export function equinox(year: number, season: "spring" | "autumn"): Day {
  const drift = 0.242194 * (year - 1980) - Math.floor((year - 1980) / 4);
  return season === "spring"
    ? dayOf(year, 3, Math.floor(20.8431 + drift))
    : dayOf(year, 9, Math.floor(23.2488 + drift));
}

/** Qingming, the solar term at 15° of longitude seen from China; right for 2000–2099. */
export function qingming(year: number): Day {
  const y = year % 100;
  return dayOf(year, 4, Math.floor(y * 0.2422 + 4.81) - Math.floor(y / 4));
}
