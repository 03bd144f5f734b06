// The one retry policy of everything that is sent to a receiver (webhooks, alert channels): when the next attempt is
// due, how healthy the receiver is, and when to give up. Pure, so that a test can walk 75 hours in a moment.
import type { Random } from "./random.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "./time.ts";

/** How long each attempt waits after the one before it, as Standard Webhooks proposes. */
export const DELAYS_MS = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const;
export const MAX_ATTEMPTS = DELAYS_MS.length;
/** A receiver that has failed for this long without one success is disabled. */
const DISABLE_AFTER_MS = 5 * DAY_MS;
/** Up to this share is added to every wait, so that many receivers that broke together do not return together. */
const JITTER = 0.1;
const MAX_RETRY_AFTER_MS = DAY_MS;
const MAX_THROTTLE_MS = 5 * MINUTE_MS;

/** What came of one attempt. */
export interface SendResult {
  /** Milliseconds since the epoch when it was sent. */
  atMs: number;
  /** `throttled` says "slower": the whole receiver is left alone for a while, not just this message. */
  outcome: "accepted" | "failed" | "throttled";
  /** The receiver's own Retry-After. */
  retryAfterMs: number | null;
  /** Why the receiver itself wants nothing more, or null. */
  gone: string | null;
  /** The receiver wants this one message no more. */
  abort?: boolean;
}

export interface ReceiverHealth {
  failingSinceMs: number | null;
  /** Failures in a row. */
  failures: number;
  throttledUntilMs: number | null;
}

export interface SendDecision {
  outcome: "delivered" | "retrying" | "failed";
  /** When the next attempt is due; null when there is none. */
  nextAtMs: number | null;
  health: ReceiverHealth;
  /** Why the receiver is to be disabled, or null. */
  disable: string | null;
}

export const HEALTHY: ReceiverHealth = { failingSinceMs: null, failures: 0, throttledUntilMs: null };

/** The wait before attempt `attempt` (2 for the first retry), jitter included. */
export function delayBefore(attempt: number, random: Random): number {
  return Math.round(DELAYS_MS[attempt - 1] * (1 + JITTER * random.unit()));
}

/** What follows from the result of attempt number `attempt` (1 for the first). */
export function decideNext(result: SendResult, attempt: number, health: ReceiverHealth, random: Random): SendDecision {
  const { atMs, outcome, gone } = result;
  if (outcome === "accepted" && gone === null) {
    return { outcome: "delivered", nextAtMs: null, health: HEALTHY, disable: null };
  }
  const failingSinceMs = health.failingSinceMs ?? atMs;
  const failures = health.failures + 1;
  const askedMs = result.retryAfterMs === null ? null : Math.min(result.retryAfterMs, MAX_RETRY_AFTER_MS);
  const backOffMs = Math.min(SECOND_MS * 2 ** Math.min(failures, 20), MAX_THROTTLE_MS);
  const throttledUntilMs = outcome === "throttled" ? atMs + (askedMs ?? backOffMs) : health.throttledUntilMs;
  const disable = gone ?? (atMs - failingSinceMs >= DISABLE_AFTER_MS ? "It failed for 5 days." : null);
  const last = attempt >= MAX_ATTEMPTS || result.abort === true || disable !== null;
  const nextAtMs = last ? null : atMs + Math.max(delayBefore(attempt + 1, random), askedMs ?? 0);
  return {
    outcome: nextAtMs === null ? "failed" : "retrying",
    nextAtMs,
    health: { failingSinceMs, failures, throttledUntilMs },
    disable,
  };
}
