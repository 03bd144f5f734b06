// How a quota shows: the headers of every authenticated answer, and the two ways of being over one.
import type { Caller } from "../contract/define.ts";
import { Failure } from "../contract/errors.ts";
import type { Verdict } from "../platform/limits/index.ts";
import { quotas, windowSeconds } from "../platform/plans/index.ts";

export const badKeysPerMinute = 20;

const policies = Object.fromEntries(
  Object.entries(quotas).map(([plan, q]) => [plan, `"${plan}";q=${q};w=${windowSeconds}`]),
);

export function addQuota(headers: Record<string, string>, caller: Caller, verdict: Verdict, now: number): void {
  const seconds = Math.ceil(verdict.resetMs / 1000);
  headers["RateLimit-Policy"] = policies[caller.plan];
  headers["RateLimit"] = `"${caller.plan}";r=${verdict.remaining};t=${seconds}`;
  headers["X-RateLimit-Limit"] = String(quotas[caller.plan]);
  headers["X-RateLimit-Remaining"] = String(verdict.remaining);
  headers["X-RateLimit-Reset"] = String(Math.ceil((now + verdict.resetMs) / 1000));
}

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
