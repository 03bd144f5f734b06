// Units of time, and ISO 8601 UTC in and out. A time without a zone is refused; a zero fraction is not printed.

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const SHAPE = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?([Zz]|[+-]\d\d:\d\d)$/;

/** Milliseconds since the epoch, or null when the text is not a real instant with a zone. */
export function parseTime(text: string): number | null {
  const match = SHAPE.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  if (
    +month < 1 ||
    +month > 12 ||
    +day < 1 ||
    +day > daysIn(+year, +month) ||
    +hour > 23 ||
    +minute > 59 ||
    +second > 59
  ) {
    return null;
  }
  const ms = fraction ? Math.floor(Number(`0.${fraction}`) * 1000) : 0;
  const date = new Date(0);
  date.setUTCFullYear(+year, +month - 1, +day);
  date.setUTCHours(+hour, +minute, +second, ms);
  return date.getTime() - offsetMs(zone);
}

/** Days that were written lately: times come in runs, and a date costs ten times what its hours cost. */
const DAYS = new Map<number, string>();
const TWO_DIGITS = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, "0"));

function dateOf(day: number): string {
  let text = DAYS.get(day);
  if (text === undefined) {
    text = new Date(day * DAY_MS).toISOString().slice(0, -14);
    if (DAYS.size >= 1000) DAYS.clear();
    DAYS.set(day, text);
  }
  return text;
}

/** The second that was written last at each of these places: the times of one answer, and of answers that follow, are close. */
const SECONDS = Array.from({ length: 128 }, () => ({ second: NaN, text: "" }));

function secondText(second: number): string {
  const place = SECONDS[second & 127];
  if (place.second === second) return place.text;
  const day = Math.floor(second / 86_400);
  const inDay = second - day * 86_400;
  const hour = Math.floor(inDay / 3600);
  place.text = `${dateOf(day)}T${TWO_DIGITS[hour]}:${TWO_DIGITS[Math.floor(inDay / 60) % 60]}:${TWO_DIGITS[inDay % 60]}`;
  place.second = second;
  return place.text;
}

/** `2026-12-01T15:00:00Z`, with a fraction only when there is one. */
export function formatTime(ms: number): string {
  const whole = Math.trunc(ms);
  const second = Math.floor(whole / 1000);
  const fraction = whole - second * 1000;
  if (fraction === 0) return `${secondText(second)}Z`;
  return `${secondText(second)}.${fraction < 10 ? "00" : fraction < 100 ? "0" : ""}${fraction}Z`;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function offsetMs(zone: string): number {
  if (zone === "Z" || zone === "z") return 0;
  const sign = zone[0] === "-" ? -1 : 1;
  return sign * (+zone.slice(1, 3) * 60 + +zone.slice(4, 6)) * MINUTE_MS;
}
