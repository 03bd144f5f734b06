// What the answer of a webhook's endpoint means to the retry policy in lib/delivery-policy.ts. Pure.
import { decideNext, type ReceiverHealth, type SendDecision } from "../../lib/delivery-policy.ts";
import type { Random } from "../../lib/random.ts";
import { DAY_MS, SECOND_MS } from "../../lib/time.ts";

export const TIMEOUT_MS = 15 * SECOND_MS;
export const SECRET_OVERLAP_MS = DAY_MS;
/** From this many failures in a row on, deliveries to an endpoint need not wait for each other. */
export const UNHEALTHY_AFTER_FAILURES = 3;

/** What came of one POST. */
export interface Result {
  /** It was kept in the sandbox inbox instead of being sent. */
  inInbox: boolean;
  /** The beginning of the answer's body. */
  answerBody: string | null;
  /** Milliseconds since the epoch when it was sent. */
  atMs: number;
  durationMs: number;
  status: number | null;
  error: string | null;
  retryAfterMs: number | null;
  /** The endpoint's own wish, in the answer's header `webhook-delivery`. */
  wish: "disable" | "abort-message" | null;
}

/** What follows from the result of attempt number `attempt` (1 for the first). */
export function decide(result: Result, attempt: number, health: ReceiverHealth, random: Random): SendDecision {
  const { atMs, retryAfterMs, status, wish } = result;
  const gone =
    status === 410
      ? "The endpoint answered 410 Gone."
      : wish === "disable"
        ? "The endpoint asked to be disabled."
        : null;
  const accepted = result.inInbox || (status !== null && status >= 200 && status < 300);
  const throttled = status === 429 || status === 502 || status === 504;
  const outcome = accepted ? "accepted" : throttled ? "throttled" : "failed";
  return decideNext({ atMs, outcome, retryAfterMs, gone, abort: wish === "abort-message" }, attempt, health, random);
}
