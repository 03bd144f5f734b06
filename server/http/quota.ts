// How a quota shows: the headers of every authenticated answer, and the two ways of being over one.
import type { Caller, Plan } from "../contract/define.ts";
import { Failure } from "../contract/errors.ts";
import type { Verdict } from "../platform/limits/index.ts";
import { quotas, windowSeconds } from "../platform/plans/index.ts";

export const badKeysPerMinute = 20;

const policies = Object.fromEntries(
  Object.entries(quotas).map(([plan, q]) => [plan, `"${plan}";q=${q};w=${windowSeconds}`]),
);

const fixed = (plan: Plan) => ({ "RateLimit-Policy": policies[plan], "X-RateLimit-Limit": String(quotas[plan]) });

const moving = (plan: Plan, { remaining, resetMs }: Verdict, now: number) => ({
  RateLimit: `"${plan}";r=${remaining};t=${Math.ceil(resetMs / 1000)}`,
  "X-RateLimit-Remaining": String(remaining),
  "X-RateLimit-Reset": String(Math.ceil((now + resetMs) / 1000)),
});

export function quotaHeaders({ plan }: Caller, verdict: Verdict, now: number): Record<string, string> {
  return { ...fixed(plan), ...moving(plan, verdict, now) };
}

/**
 * The headers of one kind of answer with the quota of whoever asked, in one object per plan that is used again and
 * again: a Response copies what it is given, and changing four in place and copying costs half of building ten.
 */
export function createQuotaHeaders(common: Record<string, string>) {
  const of = (plan: Plan) => new Headers({ ...common, ...fixed(plan), ...moving(plan, nothing, 0) });
  const perPlan: Record<Plan, Headers> = { free: of("free"), plus: of("plus"), max: of("max") };
  return ({ plan }: Caller, verdict: Verdict, now: number): Headers => {
    const headers = perPlan[plan];
    const values = moving(plan, verdict, now);
    headers.set("RateLimit", values.RateLimit);
    headers.set("X-RateLimit-Remaining", values["X-RateLimit-Remaining"]);
    headers.set("X-RateLimit-Reset", values["X-RateLimit-Reset"]);
    return headers;
  };
}

const nothing: Verdict = { admitted: true, remaining: 0, resetMs: 0 };

const retryHeaders = ({ resetMs }: Verdict) => ({
  "Retry-After": String(Math.max(1, Math.ceil(resetMs / 1000))),
  "Retry-After-Ms": String(Math.max(1, Math.ceil(resetMs))),
});

export function overQuota(caller: Caller, verdict: Verdict): Failure {
  const detail = `The ${caller.plan} plan allows ${quotas[caller.plan]} requests in any ${windowSeconds} seconds.`;
  const headers = retryHeaders(verdict);
  return new Failure("rate_limit_exceeded", detail, {
    headers,
    mend: `Wait ${headers["Retry-After"]} s, or move to a larger plan.`,
    extra: { violated_policies: [caller.plan], retry_after: Number(headers["Retry-After"]) },
  });
}

export function tooManyAttempts(verdict: Verdict): Failure {
  return new Failure(
    "auth_attempts_exceeded",
    `More than ${badKeysPerMinute} bad keys came from this address within a minute.`,
    { headers: retryHeaders(verdict) },
  );
}
