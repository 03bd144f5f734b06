// One request on its way: who it is, what it was admitted to, and how it is answered, counted and logged.
import type { Logger } from "pino";
import type { JsonText, Plan, Route } from "../contract/define.ts";
import type { Failure } from "../contract/errors.ts";
import type { Clock } from "../lib/clock.ts";
import type { MakeId } from "../lib/id.ts";
import type { KeyPrincipal } from "../platform/keys/index.ts";
import type { Verdict } from "../platform/limits/index.ts";
import { PLANS } from "../platform/plans/index.ts";
import type { RequestLog } from "../platform/usage/requests/index.ts";
import type { Usage } from "../platform/usage/index.ts";
import { failureBody, failureOf, problemBody, readAccept } from "./answer.ts";
import { packText } from "./compress.ts";
import type { Observe } from "./metrics.ts";
import { QuotaHeaders, quotaHeaders } from "./quota.ts";

export interface VisitDeps {
  clock: Clock;
  makeId: MakeId;
  log: Logger;
  usage: Usage;
  requests: RequestLog;
  logRequests: "all" | "failures" | "none";
  docsUrl(): string;
  addressOf(request: Request): string;
}

/** A route and what takes the answers to it. */
export interface Counted {
  route: Route;
  observe: Observe;
}

const COMMON = { "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store" };
const PLAIN = { "X-Request-Id": "", "Content-Type": "application/json", ...COMMON };
const BY_PLAN = Object.fromEntries(PLANS.map((plan) => [plan, new QuotaHeaders(plan, PLAIN)])) as Record<
  Plan,
  QuotaHeaders
>;

export class Visit {
  readonly request: Request;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  principal: KeyPrincipal | null = null;
  verdict: Verdict | null = null;
  /** The error code of a refusal. */
  code: string | null = null;
  /** By the monotonic clock. */
  readonly startedMs: number;
  readonly #deps: VisitDeps;

  constructor(deps: VisitDeps, request: Request) {
    this.#deps = deps;
    this.startedMs = deps.clock.monotonic();
    this.request = request;
    this.url = request.url;
    this.headers = (request.headers as unknown as { toJSON(): Record<string, string> }).toJSON();
    this.requestId = deps.makeId("req");
    this.now = deps.clock.now();
  }

  /** Asked for only where it matters: finding it costs as much as a small answer. */
  get address(): string {
    return this.#deps.addressOf(this.request);
  }

  /** The headers of every answer. */
  answerHeaders(problem = false): Record<string, string> {
    const headers: Record<string, string> = {
      "Content-Type": problem ? "application/problem+json" : "application/json",
      "X-Request-Id": this.requestId,
      ...COMMON,
    };
    if (this.verdict && this.principal)
      Object.assign(headers, quotaHeaders(this.principal.caller, this.verdict, this.now));
    return headers;
  }

  /** A success, with headers of its own if it has any; those are set on the answer, never on what all answers share. */
  succeed(body: string, status: number, more: Record<string, string> | null, shared: JsonText | null = null): Response {
    const headers =
      this.verdict && this.principal
        ? BY_PLAN[this.principal.caller.plan].show(this.verdict, this.now, this.requestId)
        : this.answerHeaders();
    const packed = packText(body, this.headers["accept-encoding"], shared);
    const response = new Response(packed ?? body, { status, headers });
    if (packed) {
      response.headers.set("Content-Encoding", "gzip");
      response.headers.set("Vary", "Accept-Encoding");
    }
    if (more) for (const name in more) response.headers.set(name, more[name]);
    return response;
  }

  /** A Response that a handler made itself, with what every answer carries. */
  complete(response: Response): Response {
    const { "Content-Type": _, ...headers } = this.answerHeaders();
    for (const [name, value] of Object.entries(headers)) {
      if (!response.headers.has(name)) response.headers.set(name, value);
    }
    return response;
  }

  /** The text of a refusal, as it is sent and as an idempotency record keeps it. */
  refusalText(failure: Failure): string {
    return failureBody(failure, this.requestId, this.#deps.docsUrl());
  }

  refuse(error: unknown, route: Route): Response {
    const failure = failureOf(error);
    this.code = failure.code;
    if (failure.status >= 500 && !isExpected(failure)) this.#logFailure(failure, route);
    const problem = this.wantsProblem;
    const body = this.refusalText(failure);
    const headers = { ...this.answerHeaders(problem), ...failure.options.headers };
    if (failure.status === 429) headers["X-Should-Retry"] = "true";
    return new Response(problem ? problemBody(body) : body, { status: failure.status, headers });
  }

  get wantsProblem(): boolean {
    return readAccept(this.headers.accept, undefined) === "problem";
  }

  /** Counts and logs the answer; a request that was not admitted is nobody's usage. */
  close(response: Response, { route, observe }: Counted): Response {
    const { usage, requests, clock, log, logRequests } = this.#deps;
    const { status } = response;
    const ms = clock.monotonic() - this.startedMs;
    observe(status, ms);
    if (this.principal) {
      const { caller } = this.principal;
      const { tenantId, keyId } = caller;
      if (this.verdict?.admitted) usage.count(caller, route.id, status, this.now);
      const { method } = this.request;
      const { requestId: id, now: atMs, url, code } = this;
      requests.note({ tenantId, id, atMs, method, url, status, code, durationMs: ms, keyId, route: route.id });
    }
    if (logRequests === "all") {
      log.info({ ...this.#names(route), status, ms: Math.round(ms * 10) / 10, key_id: this.principal?.caller.keyId });
    }
    return response;
  }

  #names(route: Route) {
    return { request_id: this.requestId, route: route.id, ...traceOf(this.headers.traceparent) };
  }

  #logFailure(failure: Failure, route: Route): void {
    const cause = failure.options.cause as Error | undefined;
    const fields = { ...this.#names(route), code: failure.code, error: redact(cause?.message), at: firstFrame(cause) };
    this.#deps.log.error(fields, failure.message);
  }
}

/** A provider that is not set up, or a state that is already in the log: the answer is enough. */
const isExpected = (failure: Failure) =>
  failure.code === "provider_not_configured" || failure.options.expected === true;

const redact = (text: string | undefined) => text?.replace(/acn_(live|test)_\w+/g, "acn_$1_…").slice(0, 500);

/** Where it broke, without the whole stack: enough to look, nothing to leak. */
function firstFrame(error: Error | undefined): string | undefined {
  return /\(?(?:file:\/\/)?\/[^\s)]*\/((?:server|node_modules)\/[^\s)]+)\)?/.exec(error?.stack ?? "")?.[1];
}

/** W3C trace context: the caller's trace id goes into our log lines. */
function traceOf(header: string | undefined): { trace_id?: string } {
  const match = /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/.exec(header ?? "");
  return match && !/^0+$/.test(match[1]) ? { trace_id: match[1] } : {};
}
