// When a message is tried again, and how a channel fares. Pure; the waits are those Standard Webhooks proposes.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DELAYS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
const FAILING_AFTER = 5;
const DISABLED_AFTER = 5 * 24 * HOUR;

export interface Tried {
  /** Attempts made, this one included. */
  attempts: number;
  /** The channel's failures in a row before this one. */
  failures: number;
  failingSince: number | null;
}

export interface Fate {
  status: "delivered" | "retrying" | "dead";
  nextAt: number | null;
  health: "active" | "failing";
  failures: number;
  failingSince: number | null;
  /** Why the channel is to be disabled, or null. */
  disable: string | null;
}

export function afterSending(
  tried: Tried,
  result: { ok: boolean; retryAfterMs: number | null; gone: boolean },
  now: number,
  chance: number,
): Fate {
  if (result.ok)
    return { status: "delivered", nextAt: null, health: "active", failures: 0, failingSince: null, disable: null };
  const failures = tried.failures + 1;
  const failingSince = tried.failingSince ?? now;
  const tooLong = now - failingSince >= DISABLED_AFTER;
  const disable = result.gone
    ? "The receiver asked not to be told again."
    : tooLong
      ? "It failed for five days."
      : null;
  const delay = DELAYS[tried.attempts - 1];
  const health = failures >= FAILING_AFTER ? "failing" : "active";
  if (disable !== null || delay === undefined)
    return { status: "dead", nextAt: null, health, failures, failingSince, disable };
  const wait = Math.max(delay * (1 + 0.1 * chance), Math.min(result.retryAfterMs ?? 0, 24 * HOUR));
  return { status: "retrying", nextAt: Math.round(now + wait), health, failures, failingSince, disable };
}
