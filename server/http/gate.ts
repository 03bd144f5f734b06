// The way of every request: who, how often, what; then the handler; then one answer with its headers.
// It translates and decides nothing of any action. A request that has nothing to wait for is answered in one turn.
import {
  Answer,
  type Call,
  type Caller,
  type Handler,
  type IdempotencyClaim,
  type Principal,
  type Quota,
  type Route,
} from "../contract/define.ts";
import { Failure } from "../contract/errors.ts";
import { type Bound, bindRoute } from "../contract/registry.ts";
import { Shape } from "../contract/shapes.ts";
import { chain } from "../lib/chain.ts";
import type { Pool } from "../lib/pool/index.ts";
import type { Seal } from "../lib/seal.ts";
import type { Idempotency } from "../platform/idempotency/index.ts";
import type { Authenticator } from "../platform/keys/index.ts";
import { type AdmissionDeps, createAdmission, refuseSize } from "./admission.ts";
import { envelope, readAccept } from "./answer.ts";
import { type RawBody, readBody, readJson } from "./body.ts";
import { createIdempotentRuns } from "./idempotency.ts";
import { Visit, type VisitDeps } from "./visit.ts";

export interface GateDeps extends VisitDeps, AdmissionDeps {
  idempotency: Idempotency;
  seal: Seal;
  pool: Pool;
  maxBodyBytes: number;
  /** Throws while nothing more may be stored. */
  refuseWrites(): void;
}

export type Serve = (request: Request, params: Record<string, string>) => Response | Promise<Response>;

export type Gate = ReturnType<typeof createGate>;

export function createGate(deps: GateDeps) {
  const { authenticator } = deps;
  const admission = createAdmission(deps);
  const idempotent = createIdempotentRuns(deps.idempotency, deps.seal);

  const { answer, routesInFlight } = createAnswering();

  /** From an admitted caller to the answer. */
  function proceed(visit: Visit, handler: Handler, caller: Caller, raw: RawBody, bind: () => Parts | Promise<Parts>) {
    const { route } = handler;
    const writes = route.method !== "GET" && route.scope !== null;
    if (writes && route.method !== "DELETE") deps.refuseWrites();
    const claim = writes ? idempotent.claimOf(visit, caller, route, raw.bytes) : null;
    const work = () => {
      const result = chain(bind(), (parts) =>
        handler.run(new Arrival({ visit, caller, raw, claim, route, authenticator }, parts)),
      );
      return chain(result, (made) => respond(visit, route, claim, made));
    };
    return claim ? idempotent.run(visit, claim, route, work) : work();
  }

  function respond(visit: Visit, route: Route, claim: IdempotencyClaim | null, result: unknown) {
    if (result instanceof Response) return visit.complete(result);
    const more = result instanceof Answer ? result.headers : null;
    const body = envelope(result instanceof Answer ? result.data : result);
    const status = route.status ?? 200;
    const response = visit.succeed(body, status, more);
    if (!claim || claim.written) return response;
    return idempotent.keepAnswer(visit, claim, route, status, body).then(() => response);
  }

  function run(visit: Visit, handler: Handler, bind: Bind, params: Record<string, string>) {
    const { route } = handler;
    refuseSize(visit);
    return chain(admission.admit(visit, route), (caller) => {
      if (readAccept(visit.headers.accept, route.produces) === "nothing") {
        throw new Failure("not_acceptable", "No accepted media type can be produced.");
      }
      const hasBody = route.body !== undefined || route.consumes !== undefined;
      const raw = hasBody ? readBody(visit.request, visit.headers, route, deps.maxBodyBytes) : NO_BODY;
      return chain(raw, (body) =>
        proceed(visit, handler, caller, body, () => bindParts(deps, visit.url, route, bind, params, body, caller)),
      );
    });
  }

  return {
    /** The routes that are being answered right now. */
    routesInFlight,
    /** The served form of one handler. */
    serve(given: Handler): Serve {
      const handler = { ...given, route: completed(given.route) };
      const { bind } = bindRoute(handler.route);
      return (request, params) => {
        const visit = new Visit(deps, request);
        return answer(visit, handler.route, () => run(visit, handler, bind, params));
      };
    },
    /** Who sends a request; wrong keys are counted, right ones are not. For drivers whose calls come back as REST requests. */
    identify: (request: Request) => admission.identify(new Visit(deps, request)),
    /** Counts one request against the key's quota; throws when none is left. */
    count: admission.count,
    /** An answer for what no route serves; a key that came along is still counted and shown its quota. */
    decline(request: Request, failure: Failure): Response | Promise<Response> {
      const visit = new Visit(deps, request);
      return answer(visit, UNROUTED, () => {
        refuseSize(visit);
        return chain(
          visit.headers.authorization ? admission.admitKey(visit, null) : admission.admitKeyless(visit),
          () => {
            throw failure;
          },
        );
      });
    },
  };
}

function createAnswering() {
  /** How many requests of each route wait for something. */
  const inFlight = new Map<string, number>();

  /** Whatever `work` does, now or later, the visit ends with one answer that was counted. */
  function answer(visit: Visit, route: Route, work: () => Response | Promise<Response>): Response | Promise<Response> {
    const refuse = (error: unknown) => visit.refuse(error, route);
    try {
      const response = work();
      if (!(response instanceof Promise)) return visit.close(response, route);
      inFlight.set(route.id, (inFlight.get(route.id) ?? 0) + 1);
      const close = (settled: Response) => {
        inFlight.set(route.id, inFlight.get(route.id)! - 1);
        return visit.close(settled, route);
      };
      return response.then(close, (error) => close(refuse(error)));
    } catch (error) {
      return visit.close(refuse(error), route);
    }
  }

  const routesInFlight = () => [...inFlight].flatMap(([id, count]) => (count > 0 ? [id] : []));
  return { answer, routesInFlight };
}

interface ArrivalParts {
  visit: Visit;
  caller: Caller;
  raw: RawBody;
  claim: IdempotencyClaim | null;
  route: Route;
  authenticator: Authenticator;
}

/** A request as its handler sees it. */
class Arrival implements Call {
  readonly params: any;
  readonly query: any;
  readonly body: any;
  readonly caller: Caller;
  readonly raw: RawBody;
  readonly idempotency: IdempotencyClaim | null;
  readonly request: Request;
  readonly requestId: string;
  readonly now: number;
  readonly userAgent: string | null;
  readonly #parts: ArrivalParts;

  constructor(parts: ArrivalParts, bound: Parts) {
    const { visit } = parts;
    this.params = bound.params;
    this.query = bound.query;
    this.body = bound.body;
    this.caller = parts.caller;
    this.raw = parts.raw;
    this.idempotency = parts.claim;
    this.request = visit.request;
    this.requestId = visit.requestId;
    this.now = visit.now;
    this.userAgent = visit.headers["user-agent"] ?? null;
    this.#parts = parts;
  }

  get clientAddress(): string {
    return this.#parts.visit.address;
  }

  get principal(): Principal {
    return present(this.#parts.visit.principal);
  }

  get quota(): Quota {
    return present(this.#parts.visit.verdict);
  }

  whileAdmitted(onLost: () => void): () => void {
    const { visit, route, authenticator } = this.#parts;
    if (!visit.principal) return () => {};
    return authenticator.watch(visit.principal, { scope: route.scope, address: visit.address, onLost });
  }
}

function present<T>(value: T | null): T {
  if (value === null) throw new Error("A route without a scope has no caller.");
  return value;
}

type Bind = Bound["bind"];
type Parts = ReturnType<Bind>;

/** The three parts of a request, bound to their shapes; a body of another media type stays raw for its handler. */
function bindParts(
  { pool }: GateDeps,
  url: string,
  route: Route,
  bind: Bind,
  params: Record<string, string>,
  raw: RawBody,
  { tenantId }: Caller,
): Parts | Promise<Parts> {
  const question = url.indexOf("?");
  const query = question < 0 ? null : new URLSearchParams(url.slice(question + 1));
  if (route.consumes?.includes(raw.contentType)) return { ...bind(params, query, undefined, true), body: undefined };
  if (!route.body) return bind(params, query, undefined);
  return chain(readJson(raw, route, pool, tenantId), (value) => bind(params, query, value));
}

/** A write that declares no body takes none, or an empty object; anything else in it is refused by name. */
function completed(route: Route): Route {
  if (route.method === "GET" || route.scope === null || route.body || route.consumes) return route;
  return { ...route, body: Shape({}), bodyOptional: true };
}

const NO_BODY: RawBody = { contentType: "", bytes: new Uint8Array(0) };
const UNROUTED = { id: "none", scope: null } as Route;
