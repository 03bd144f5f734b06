// When a delivery is tried, and what an answer means: pure functions, so that a test can walk 75 hours in a moment.
import type { Random } from "../../lib/random.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long each attempt waits after the one before it, as Standard Webhooks proposes. */
export const DELAYS_MS = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const;
export const MAX_ATTEMPTS = DELAYS_MS.length;
export const TIMEOUT_MS = 15 * second;
/** An endpoint that has failed for this long without one success is disabled. */
export const DISABLE_AFTER_MS = 5 * 24 * hour;
export const SECRET_OVERLAP_MS = 24 * hour;
/** Up to this share is added to every wait, so that many endpoints that broke together do not return together. */
export const JITTER = 0.1;
const LONGEST_RETRY_AFTER_MS = 24 * hour;
const LONGEST_THROTTLE_MS = 5 * minute;
/** From here on an endpoint is unwell, and its deliveries need not wait for each other. */
export const UNWELL_AFTER_FAILURES = 3;

/** What came of one POST. */
export interface Result {
  /** Milliseconds since the epoch when it was sent. */
  at: number;
  durationMs: number;
  status: number | null;
  error: string | null;
  retryAfterMs: number | null;
  /** The endpoint's own wish, in the answer's header `webhook-delivery`. */
  wish: "disable" | "abort-message" | null;
}

export interface Health {
  failingSince: number | null;
  /** Failures in a row. */
  failures: number;
  throttledUntil: number | null;
}

export interface Decision {
  outcome: "delivered" | "retrying" | "failed";
  /** When the next attempt is due; null when there is none. */
  nextAt: number | null;
  health: Health;
  disable: string | null;
}

/** The wait before attempt `attempt` (2 for the first retry), jitter included. */
export function delayBefore(attempt: number, random: Random): number {
  return Math.round(DELAYS_MS[attempt - 1] * (1 + JITTER * random.unit()));
}

/** What follows from the result of attempt number `attempt` (1 for the first). */
export function decide(result: Result, attempt: number, health: Health, random: Random): Decision {
  const { at, status, wish } = result;
  const gone =
    status === 410
      ? "The endpoint answered 410 Gone."
      : wish === "disable"
        ? "The endpoint asked to be disabled."
        : null;
  if (!gone && status !== null && status >= 200 && status < 300) {
    return {
      outcome: "delivered",
      nextAt: null,
      health: { failingSince: null, failures: 0, throttledUntil: null },
      disable: null,
    };
  }
  const failingSince = health.failingSince ?? at;
  const failures = health.failures + 1;
  const patience = result.retryAfterMs === null ? null : Math.min(result.retryAfterMs, LONGEST_RETRY_AFTER_MS);
  const throttled = isThrottle(status)
    ? at + (patience ?? Math.min(second * 2 ** Math.min(failures, 20), LONGEST_THROTTLE_MS))
    : null;
  const last = attempt >= MAX_ATTEMPTS || wish === "abort-message";
  const tooLong = at - failingSince >= DISABLE_AFTER_MS ? "The endpoint failed for 5 days." : null;
  const disable = gone ?? tooLong;
  const nextAt = last || disable ? null : at + Math.max(delayBefore(attempt + 1, random), patience ?? 0);
  return {
    outcome: nextAt === null ? "failed" : "retrying",
    nextAt,
    health: { failingSince, failures, throttledUntil: throttled ?? health.throttledUntil },
    disable,
  };
}

/** Answers that say "slower": the whole endpoint is left alone for a while, not just this event. */
function isThrottle(status: number | null): boolean {
  return status === 429 || status === 502 || status === 504;
}
