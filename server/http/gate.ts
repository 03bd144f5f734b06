// The way of every request: who, how often, what; then the handler; then one answer with its headers.
// It translates and decides nothing of any action.
import { createHash } from "node:crypto";
import type { Logger } from "pino";
import { Answer, type Call, type Caller, type Handler, type IdempotencyClaim, type Route } from "../contract/define.ts";
import { Failure } from "../contract/errors.ts";
import { type Bound, bindRoute } from "../contract/registry.ts";
import { Shape } from "../contract/shapes.ts";
import type { Clock } from "../lib/clock.ts";
import type { MakeId } from "../lib/id.ts";
import type { Seal } from "../lib/seal.ts";
import { type Idempotency, isStored, LostRace, readIdempotencyKey, type StoredAnswer } from "../platform/idempotency/index.ts";
import type { Authenticator, Principal } from "../platform/keys/index.ts";
import type { Limits, Verdict } from "../platform/limits/index.ts";
import { quotas } from "../platform/plans/index.ts";
import type { Usage } from "../platform/usage/index.ts";
import { envelope, failureBody, failureOf, problemBody, readAccept } from "./answer.ts";
import { type RawBody, readBody, readJson } from "./body.ts";
import type { Metrics } from "./metrics.ts";
import { addQuota, badKeysPerMinute, overQuota, tooManyAttempts } from "./quota.ts";

export interface GateDeps {
  clock: Clock;
  makeId: MakeId;
  log: Logger;
  authenticator: Authenticator;
  limits: Limits;
  usage: Usage;
  idempotency: Idempotency;
  metrics: Metrics;
  seal: Seal;
  maxBodyBytes: number;
  logRequests: "all" | "failures" | "none";
  docsUrl(): string;
  addressOf(request: Request): string;
}

type Bind = Bound["bind"];
export type Serve = (request: Request, params: Record<string, string>) => Promise<Response>;

/** One request on its way through the gate. */
interface Visit {
  request: Request;
  requestId: string;
  now: number;
  headers: Record<string, string>;
  address: string;
  principal: Principal | null;
  verdict: Verdict | null;
}

const sealedMark = "sealed:";
const mostHeaderBytes = 16_384;
const mostUrlLength = 8_192;

export type Gate = ReturnType<typeof createGate>;

export function createGate(deps: GateDeps) {
  const { clock, limits, authenticator, idempotency } = deps;
  /** What the gate saw of a request, for the one handler that shows it (the profile). */
  const seen = new WeakMap<Request, Visit>();

  async function admit(visit: Visit, route: Route): Promise<Caller> {
    const key = authenticator.readHeader(visit.headers.authorization);
    visit.principal = authenticator.peek(key) ?? (await findKey(key, visit.address));
    const { caller } = visit.principal;
    authenticator.check(visit.principal, visit.now, visit.address);
    const counted = limits.admit(`t${caller.tenantId}`, quotas[caller.plan]);
    visit.verdict = counted instanceof Promise ? await counted : counted;
    if (!visit.verdict.admitted) throw overQuota(caller, visit.verdict);
    if (route.scope && !caller.scopes.has(route.scope)) {
      throw new Failure("insufficient_scope", `This key lacks the scope ${route.scope}.`, {
        headers: { "WWW-Authenticate": `Bearer realm="api", error="insufficient_scope", scope="${route.scope}"` },
        extra: { required_scope: route.scope },
      });
    }
    return caller;
  }

  /** A wrong key is counted against the address it came from; a right one never pays for its neighbours. */
  async function findKey(key: string, address: string): Promise<Principal> {
    try {
      return await authenticator.find(key);
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== "invalid_api_key") throw error;
      const standing = await limits.admit(`a${address}`, badKeysPerMinute);
      throw standing.admitted ? error : tooManyAttempts(standing);
    }
  }

  function open(request: Request): Visit {
    const headers = (request.headers as unknown as { toJSON(): Record<string, string> }).toJSON();
    const visit: Visit = {
      request, headers, requestId: deps.makeId("req"), now: clock.now(), address: deps.addressOf(request), principal: null, verdict: null,
    };
    return visit;
  }

  function refuseSize(visit: Visit): void {
    if (visit.request.url.length > mostUrlLength) throw new Failure("uri_too_long", `The address is longer than ${mostUrlLength} characters.`);
    let size = 0;
    for (const name in visit.headers) size += name.length + visit.headers[name].length;
    if (size > mostHeaderBytes) throw new Failure("headers_too_large", `The headers are larger than ${mostHeaderBytes} bytes together.`);
  }

  function claimOf(visit: Visit, caller: Caller, route: Route, bytes: Uint8Array): IdempotencyClaim | null {
    const header = visit.headers["idempotency-key"];
    if (header === undefined || route.method === "GET") return null;
    const { pathname, search } = new URL(visit.request.url);
    const path = pathname.replace(/^\/api\/v1\//, "/v1/");
    const sha = (text: string) => createHash("sha256").update(text);
    return {
      tenantId: caller.tenantId,
      digest: sha(`${caller.tenantId}\0${route.method}\0${path}\0${readIdempotencyKey(header)}`).digest("base64url"),
      fingerprint: sha(`${search}\0`).update(bytes).digest("base64url"),
      render: (data) => ({ status: route.status ?? 200, body: keep(route, envelope(data)) }),
      written: false,
    };
  }

  /** What an idempotency record keeps: the very text, sealed when it shows a secret. */
  const keep = (route: Route, body: string) => (route.secretAnswer ? sealedMark + deps.seal.seal(body, "answer") : body);
  const unkeep = (body: string) => (body.startsWith(sealedMark) ? deps.seal.open(body.slice(sealedMark.length), "answer") : body);

  /** Runs `work` once per claim, or replays what an earlier request with the same claim was answered. */
  async function once(visit: Visit, claim: IdempotencyClaim, route: Route, work: () => Promise<Response>): Promise<Response> {
    if (!idempotency.begin(claim.digest)) {
      throw new Failure("idempotency_in_progress", "A request with this idempotency key is still running.", { headers: { "Retry-After": "1" } });
    }
    try {
      const stored = await idempotency.find(claim.digest, visit.now);
      if (stored) return replay(visit, claim, stored);
      try {
        return await work();
      } catch (error) {
        if (error instanceof LostRace) {
          const winner = await idempotency.find(claim.digest, visit.now);
          if (winner) return replay(visit, claim, winner);
          throw new Failure("idempotency_in_progress", "A request with this idempotency key is still running.", { headers: { "Retry-After": "1" } });
        }
        const failure = failureOf(error);
        if (isStored(failure.status) && !failure.code.startsWith("idempotency_")) {
          const body = failureBody(failure, visit.requestId, deps.docsUrl());
          await idempotency.store(claim, { status: failure.status, body: keep(route, body) }, visit.now);
        }
        throw failure;
      }
    } finally {
      idempotency.end(claim.digest);
    }
  }

  function replay(visit: Visit, claim: IdempotencyClaim, stored: StoredAnswer): Response {
    if (stored.fingerprint !== claim.fingerprint) {
      throw new Failure("idempotency_key_reused", "This idempotency key was used with another body.");
    }
    const body = unkeep(stored.body);
    const problem = stored.status >= 400 && readAccept(visit.headers.accept, undefined) === "problem";
    const headers = { ...answerHeaders(visit, problem), "Idempotent-Replayed": "true" };
    return new Response(problem ? problemBody(body) : body, { status: stored.status, headers });
  }

  function answerHeaders(visit: Visit, problem = false): Record<string, string> {
    const headers: Record<string, string> = {
      "Content-Type": problem ? "application/problem+json" : "application/json",
      "X-Request-Id": visit.requestId,
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "no-store",
    };
    if (visit.verdict && visit.principal) addQuota(headers, visit.principal.caller, visit.verdict, visit.now);
    return headers;
  }

  async function run(visit: Visit, handler: Handler, bind: Bind, params: Record<string, string>): Promise<Response> {
    const { route } = handler;
    refuseSize(visit);
    const caller = route.scope === null ? nobody : await admit(visit, route);
    if (readAccept(visit.headers.accept, route.produces) === "nothing") {
      throw new Failure("not_acceptable", "No accepted media type can be produced.");
    }
    const hasBody = route.body !== undefined || route.consumes !== undefined;
    const raw = hasBody ? await readBody(visit.request, visit.headers, route, deps.maxBodyBytes) : noBody;
    const claim = route.method === "GET" || route.scope === null ? null : claimOf(visit, caller, route, raw.bytes);
    const work = async () => {
      const call: Call = {
        ...bindParts(visit.request.url, route, bind, params, raw), caller, raw, request: visit.request,
        requestId: visit.requestId, now: visit.now, clientAddress: visit.address,
        userAgent: visit.headers["user-agent"] ?? null, idempotency: claim,
      };
      const result = await handler.run(call);
      if (result instanceof Response) return withHeaders(result, visit);
      const data = result instanceof Answer ? result.data : result;
      const headers = answerHeaders(visit);
      if (result instanceof Answer) Object.assign(headers, result.headers);
      const body = envelope(data);
      const status = route.status ?? 200;
      if (claim && !claim.written) await idempotency.store(claim, { status, body: keep(route, body) }, visit.now);
      return new Response(body, { status, headers });
    };
    return claim ? once(visit, claim, route, work) : work();
  }

  function withHeaders(response: Response, visit: Visit): Response {
    const { "Content-Type": _, ...headers } = answerHeaders(visit);
    for (const [name, value] of Object.entries(headers)) {
      if (!response.headers.has(name)) response.headers.set(name, value);
    }
    return response;
  }

  function refuse(visit: Visit, error: unknown, route: Route | null): Response {
    const failure = failureOf(error);
    if (failure.status >= 500) logFailure(visit, failure, route);
    const problem = readAccept(visit.headers.accept, undefined) === "problem";
    const body = failureBody(failure, visit.requestId, deps.docsUrl());
    const headers = { ...answerHeaders(visit, problem), ...failure.options.headers };
    if (failure.status === 429) headers["X-Should-Retry"] = "true";
    return new Response(problem ? problemBody(body) : body, { status: failure.status, headers });
  }

  function logFailure(visit: Visit, failure: Failure, route: Route | null): void {
    const cause = failure.options.cause as Error | undefined;
    const trace = traceOf(visit.headers.traceparent);
    const fields = { request_id: visit.requestId, ...trace, route: route?.id, code: failure.code };
    deps.log.error({ ...fields, error: redact(cause?.message), at: firstFrame(cause) }, failure.message);
  }

  function close(visit: Visit, response: Response, routeId: string, startedMs: number): Response {
    const ms = clock.monotonic() - startedMs;
    deps.metrics.observe(routeId, response.status, ms);
    if (visit.principal && visit.verdict?.admitted) {
      deps.usage.count(visit.principal.caller.tenantId, visit.principal.caller.keyId, routeId, response.status, visit.now);
    }
    if (deps.logRequests === "all") {
      const trace = traceOf(visit.headers.traceparent);
      deps.log.info({ request_id: visit.requestId, ...trace, route: routeId, status: response.status, ms: Math.round(ms * 10) / 10, key_id: visit.principal?.caller.keyId });
    }
    return response;
  }

  return {
    /** The served form of one handler. */
    serve(given: Handler): Serve {
      const handler = { ...given, route: completed(given.route) };
      const { bind } = bindRoute(handler.route);
      return async (request, params) => {
        const startedMs = clock.monotonic();
        const visit = open(request);
        if (handler.route.id === "user.profile") seen.set(request, visit);
        let response: Response;
        try {
          response = await run(visit, handler, bind, params);
        } catch (error) {
          response = refuse(visit, error, handler.route);
        }
        return close(visit, response, handler.route.id, startedMs);
      };
    },
    /** An answer for what no route serves; a key that came along is still counted and shown its quota. */
    async decline(request: Request, failure: Failure): Promise<Response> {
      const startedMs = clock.monotonic();
      const visit = open(request);
      let response: Response;
      try {
        refuseSize(visit);
        if (visit.headers.authorization) await admit(visit, unrouted);
        throw failure;
      } catch (error) {
        response = refuse(visit, error, null);
      }
      return close(visit, response, "none", startedMs);
    },
    visitOf(request: Request): { principal: Principal; verdict: Verdict } {
      const visit = seen.get(request)!;
      return { principal: visit.principal!, verdict: visit.verdict! };
    },
  };
}

/** The three parts of a request, bound to their shapes; a body of another media type stays raw for its handler. */
function bindParts(url: string, route: Route, bind: Bind, params: Record<string, string>, raw: RawBody) {
  const question = url.indexOf("?");
  const query = question < 0 ? null : new URLSearchParams(url.slice(question + 1));
  if (route.consumes?.includes(raw.contentType)) return { ...bind(params, query, undefined, true), body: undefined };
  return bind(params, query, route.body ? readJson(raw, route) : undefined);
}

/** A write that declares no body takes none, or an empty object; anything else in it is refused by name. */
function completed(route: Route): Route {
  if (route.method === "GET" || route.scope === null || route.body || route.consumes) return route;
  return { ...route, body: Shape({}), bodyOptional: true };
}

const noBody = { contentType: "", bytes: new Uint8Array(0) };
const unrouted = { id: "none", scope: null } as Route;
const nobody: Caller = { accountId: "", tenantId: 0, mode: "test", plan: "free", scopes: new Set(), keyId: "" };

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
