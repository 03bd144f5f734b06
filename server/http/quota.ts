// How a quota shows: the headers of every authenticated answer, and the two ways of being over one.
import type { Caller, Plan } from "../contract/define.ts";
import { Failure } from "../contract/errors.ts";
import type { Verdict } from "../platform/limits/index.ts";
import { QUOTAS, WINDOW_SECONDS } from "../platform/plans/index.ts";

export const BAD_KEYS_PER_MINUTE = 20;

const POLICIES = Object.fromEntries(
  Object.entries(QUOTAS).map(([plan, q]) => [plan, `"${plan}";q=${q};w=${WINDOW_SECONDS}`]),
);

export function quotaHeaders({ plan }: Caller, verdict: Verdict, now: number): Record<string, string> {
  return {
    "RateLimit-Policy": POLICIES[plan],
    RateLimit: rateLimit(plan, verdict),
    "X-RateLimit-Limit": String(QUOTAS[plan]),
    "X-RateLimit-Remaining": String(verdict.remaining),
    "X-RateLimit-Reset": String(resetSecond(verdict, now)),
  };
}

const rateLimit = (plan: Plan, { remaining, resetMs }: Verdict) =>
  `"${plan}";r=${remaining};t=${Math.ceil(resetMs / 1000)}`;
const resetSecond = ({ resetMs }: Verdict, now: number) => Math.ceil((now + resetMs) / 1000);

/** The headers of a plain success to one plan, used again and again; a Response copies what it is given. */
export class QuotaHeaders {
  readonly headers: Headers;
  readonly #plan: Plan;
  #reset = Number.NaN;

  constructor(plan: Plan, common: Record<string, string>) {
    this.#plan = plan;
    const quota = { "RateLimit-Policy": POLICIES[plan], "X-RateLimit-Limit": String(QUOTAS[plan]) };
    // Those that change come first: a header is looked for from the front.
    const changing = { "X-Request-Id": "", "X-RateLimit-Remaining": "", RateLimit: "", "X-RateLimit-Reset": "" };
    this.headers = new Headers({ ...changing, ...common, ...quota });
    this.show({ admitted: true, remaining: 0, resetMs: 0 }, 0, "");
  }

  /** Changing in place and copying costs half of building ten headers anew. */
  show(verdict: Verdict, now: number, requestId: string): Headers {
    const { headers } = this;
    headers.set("X-Request-Id", requestId);
    headers.set("RateLimit", rateLimit(this.#plan, verdict));
    headers.set("X-RateLimit-Remaining", String(verdict.remaining));
    const reset = resetSecond(verdict, now);
    if (reset !== this.#reset) headers.set("X-RateLimit-Reset", String((this.#reset = reset)));
    return headers;
  }
}

const retryHeaders = ({ resetMs }: Verdict) => ({
  "Retry-After": String(Math.max(1, Math.ceil(resetMs / 1000))),
  "Retry-After-Ms": String(Math.max(1, Math.ceil(resetMs))),
});

export function overQuota(caller: Caller, verdict: Verdict): Failure {
  const detail = `The ${caller.plan} plan allows ${QUOTAS[caller.plan]} requests in any ${WINDOW_SECONDS} seconds.`;
  const headers = retryHeaders(verdict);
  return new Failure("rate_limit_exceeded", detail, {
    headers,
    hint: `Wait ${headers["Retry-After"]} s, or move to a larger plan.`,
    extra: { violated_policies: [caller.plan], retry_after: Number(headers["Retry-After"]) },
  });
}

export function tooManyVisits(verdict: Verdict, limit: number): Failure {
  const headers = retryHeaders(verdict);
  const detail = `More than ${limit} requests without a key came from this address within a minute.`;
  return new Failure("rate_limit_exceeded", detail, { headers, hint: `Wait ${headers["Retry-After"]} s.` });
}

export function tooManyAttempts(verdict: Verdict): Failure {
  return new Failure(
    "auth_attempts_exceeded",
    `More than ${BAD_KEYS_PER_MINUTE} bad keys came from this address within a minute.`,
    { headers: retryHeaders(verdict) },
  );
}
