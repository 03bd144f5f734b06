// When to try again, and after how long. Pure: time and chance are handed in.
import { ApiError, ConnectionError } from "./errors.ts";

const FIRST_MS = 500;
const MAX_MS = 8_000;
/** A longer wait than this is the caller's to decide. */
export const MAX_RETRY_AFTER_MS = 60_000;

export function isRetryable(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  if (!(error instanceof ApiError)) return false;
  const asked = error.headers.get("x-should-retry");
  if (asked === "true" || asked === "false") return asked === "true";
  if (error.retryable !== null) return error.retryable;
  return error.status === 408 || error.status === 429 || error.status >= 500;
}

/** Milliseconds before attempt `retry` + 1 (the first retry is 0), or null when the service asks for too long. */
export function retryWait(error: unknown, retry: number, random: () => number): number | null {
  const asked = error instanceof ApiError ? error.retryAfterMs : null;
  if (asked !== null) return asked <= MAX_RETRY_AFTER_MS ? asked : null;
  return Math.min(MAX_MS, FIRST_MS * 2 ** retry) * (1 - 0.25 * random());
}

/** `Retry-After-Ms`, else `Retry-After` in seconds or as a date, else null. */
export function readRetryAfter(headers: Headers, now: number): number | null {
  const ms = number(headers.get("retry-after-ms"));
  if (ms !== null) return ms;
  const given = headers.get("retry-after");
  const seconds = number(given);
  if (seconds !== null) return seconds * 1000;
  // Date.parse takes almost anything; an HTTP date begins with the name of a day.
  const date = given && /^[A-Z][a-z]{2,}, /.test(given) ? Date.parse(given) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

function number(text: string | null): number | null {
  return text !== null && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : null;
}
