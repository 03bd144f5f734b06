// From data or a failure to a Response: one envelope, one error object, two projections.
import { JsonText } from "../contract/define.ts";
import { errorBody, Failure } from "../contract/errors.ts";
import { DeadlineError } from "../lib/deadline.ts";
import { PoolFull, TaskEnded } from "../lib/pool/index.ts";
import { capFailure } from "../platform/caps/index.ts";
import { isDiskFull, isStoreAway } from "../platform/store-health/index.ts";

/** The body of a success. */
export function envelope(data: unknown): string {
  return data instanceof JsonText ? data.enveloped : `{"success":true,"data":${JSON.stringify(data)}}`;
}

export function failureBody(failure: Failure, requestId: string, docsUrl: string): string {
  return JSON.stringify({ success: false, error: errorBody(failure, requestId, docsUrl) });
}

/** RFC 9457: the same members at top level. */
export function problemBody(envelopeText: string): string {
  return JSON.stringify(JSON.parse(envelopeText).error);
}

export type Accepts = "json" | "problem" | "nothing";

/** What the caller can read; `produced` is the route's own media type when it is not JSON. */
export function readAccept(accept: string | undefined, produced: string | undefined): Accepts {
  if (accept === undefined || accept === "" || accept.includes("*/*") || accept.includes("application/json"))
    return "json";
  let best: Accepts = "nothing";
  for (const part of accept.split(",")) {
    const [type, ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    if (parameters.some((p) => /^q=0(\.0+)?$/.test(p))) continue;
    if (type === "application/problem+json") best = "problem";
    else if (
      type === "application/*" ||
      type === "*/*" ||
      type === "application/json" ||
      (produced && matches(type, produced))
    )
      return "json";
  }
  return best;
}

function matches(asked: string, produced: string): boolean {
  return asked === produced || asked === `${produced.split("/")[0]}/*`;
}

/** Anything that was thrown becomes a Failure; what we did not expect is an internal_error and is logged by the gate. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const capped = capFailure(error);
  if (capped) return capped;
  if (error instanceof PoolFull) {
    const headers = { "Retry-After": String(error.retryAfterS) };
    return new Failure("overloaded", error.message, { headers, expected: true });
  }
  if (error instanceof TaskEnded) {
    return new Failure("payload_too_large", `This is too much work for one request: ${error.message}`, {
      hint: "Send less at once, or in a simpler form.",
    });
  }
  const options = { headers: { "Retry-After": "1" }, cause: error };
  if (isDiskFull(error)) {
    return new Failure("overloaded", "The disk of the store is full.", { ...options, headers: { "Retry-After": "5" } });
  }
  if (error instanceof DeadlineError) return new Failure("overloaded", "The store took too long.", options);
  if (isStoreAway(error)) return new Failure("overloaded", "The store cannot be reached right now.", options);
  return new Failure("internal_error", "Something went wrong on our side.", { cause: error });
}
