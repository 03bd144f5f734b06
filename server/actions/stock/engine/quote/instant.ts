// Points in time as text, kept to the precision of their source (nanoseconds where it has them). UTC, ending in Z.
import { MINUTE_MS } from "../../../../lib/time.ts";

/** How far a source's clock may be ahead of ours: what is stamped later is not believed. */
export const MAX_AHEAD_MS = MINUTE_MS;

const FORM = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9})\d*)?(Z|[+-]\d\d:?\d\d)$/;

/** Tidies an RFC 3339 time to UTC without losing digits of the second; null when it is not one. */
export function instantOf(text: unknown): string | null {
  const found = typeof text === "string" ? FORM.exec(text) : null;
  if (!found) return null;
  const [, whole, fraction, zone] = found;
  const base = zone === "Z" ? `${whole}Z` : offset(whole, zone);
  if (base === null || Number.isNaN(Date.parse(base))) return null;
  return join(base.slice(0, 19), fraction ?? "");
}

function offset(whole: string, zone: string): string | null {
  const ms = Date.parse(`${whole}${zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone}`);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

function join(whole: string, fraction: string): string {
  const digits = fraction.replace(/0+$/, "");
  return digits ? `${whole}.${digits}Z` : `${whole}Z`;
}

/** From Unix time in whole units of 10^-`digits` seconds, given as text or number (text when past 2^53). */
function fromUnix(value: unknown, digits: number): string | null {
  const text = typeof value === "number" ? (Number.isSafeInteger(value) ? String(value) : null) : value;
  if (typeof text !== "string" || !/^\d{1,19}$/.test(text) || /^0+$/.test(text)) return null;
  const padded = text.padStart(digits + 1, "0");
  const seconds = Number(digits ? padded.slice(0, -digits) : padded);
  if (seconds > 253_402_300_799) return null;
  return join(new Date(seconds * 1000).toISOString().slice(0, 19), digits ? padded.slice(-digits) : "");
}

/** Zero is "no time", never 1970. */
export const fromUnixSeconds = (value: unknown): string | null => fromUnix(value, 0);
export const fromUnixMillis = (value: unknown): string | null => fromUnix(value, 3);
export const fromUnixNanos = (value: unknown): string | null => fromUnix(value, 9);
export const fromMillis = (ms: number): string => {
  const text = new Date(ms).toISOString();
  return join(text.slice(0, 19), text.slice(20, 23));
};

export const millisOf = (instant: string): number =>
  Date.parse(instant.length > 24 ? `${instant.slice(0, 23)}Z` : instant);

/** -1, 0, 1 to the nanosecond. */
export function compareInstants(a: string, b: string): number {
  const left = a.slice(0, -1).padEnd(29, a.includes(".") ? "0" : " ");
  const right = b.slice(0, -1).padEnd(29, b.includes(".") ? "0" : " ");
  const x = left.slice(0, 19) + (a.includes(".") ? left.slice(19) : ".000000000");
  const y = right.slice(0, 19) + (b.includes(".") ? right.slice(19) : ".000000000");
  return x < y ? -1 : x > y ? 1 : 0;
}

export function newest(...instants: (string | null | undefined)[]): string | null {
  let best: string | null = null;
  for (const instant of instants) if (instant && (best === null || compareInstants(instant, best) > 0)) best = instant;
  return best;
}
