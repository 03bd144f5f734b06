// The way of every request: who, how often, what; then the handler; then one answer with its headers.
// It translates and decides nothing of any action. A request that has nothing to wait for is answered in one turn.
import {
  Answer,
  JsonText,
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
import { createKnownBodies, type KnownBodies } from "./known-bodies.ts";
import type { Metrics } from "./metrics.ts";
import { type Counted, Visit, type VisitDeps } from "./visit.ts";

export interface GateDeps extends VisitDeps, AdmissionDeps {
  metrics: Metrics;
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

  const unrouted = openLane({ route: UNROUTED, run: () => null }, deps.metrics);
  const lanes = [unrouted];

  /** From an admitted caller to the answer. */
  function proceed(visit: Visit, lane: Lane, caller: Caller, params: Params, raw: RawBody) {
    const { route } = lane;
    const claim = lane.writes ? idempotent.claimOf(visit, caller, route, raw.bytes) : null;
    // What only reads stores its answer when a retry shall get the same.
    if (lane.stores || (claim && route.method !== "DELETE")) deps.refuseWrites();
    if (!claim) return perform(visit, lane, caller, params, raw, null);
    return idempotent.run(visit, claim, route, () => perform(visit, lane, caller, params, raw, claim));
  }

  function perform(
    visit: Visit,
    lane: Lane,
    caller: Caller,
    params: Params,
    raw: RawBody,
    claim: IdempotencyClaim | null,
  ): Response | Promise<Response> {
    const { route } = lane;
    const result = chain(bindParts(deps.pool, visit.url, lane, params, raw, caller), (parts) =>
      lane.handler.run(new Arrival(visit, caller, raw, claim, route, authenticator, parts)),
    );
    return chain(result, (made) => respond(visit, route, claim, made));
  }

  function respond(visit: Visit, route: Route, claim: IdempotencyClaim | null, result: unknown) {
    if (result instanceof Response) return visit.complete(result);
    const more = result instanceof Answer ? result.headers : null;
    const data = result instanceof Answer ? result.data : result;
    const body = envelope(data);
    const status = route.status ?? 200;
    const response = visit.succeed(body, status, more, data instanceof JsonText ? data : null);
    if (!claim || claim.written) return response;
    return idempotent.keepAnswer(visit, claim, route, status, body).then(() => response);
  }

  function run(visit: Visit, lane: Lane, params: Params): Response | Promise<Response> {
    const { route } = lane;
    refuseSize(visit);
    return chain(admission.admit(visit, route), (caller) => {
      if (readAccept(visit.headers.accept, route.produces) === "nothing") {
        throw new Failure("not_acceptable", "No accepted media type can be produced.");
      }
      if (!lane.takesBody) return proceed(visit, lane, caller, params, NO_BODY);
      return readBody(visit.request, visit.headers, route, deps.maxBodyBytes, (body) =>
        proceed(visit, lane, caller, params, body),
      );
    });
  }

  return {
    /** The routes that are being answered right now. */
    routesInFlight: () => lanes.flatMap(({ route, waiting }) => (waiting > 0 ? [route.id] : [])),
    /** The served form of one handler. */
    serve(given: Handler): Serve {
      const lane = openLane({ ...given, route: completed(given.route) }, deps.metrics);
      lanes.push(lane);
      return (request, params) => {
        const visit = new Visit(deps, request);
        return answer(visit, lane, () => run(visit, lane, params));
      };
    },
    /** Who sends a request; wrong keys are counted, right ones are not. For drivers whose calls come back as REST requests. */
    identify: (request: Request) => admission.identify(new Visit(deps, request)),
    /** Counts one request against the key's quota; throws when none is left. */
    count: admission.count,
    /** An answer for what no route serves; a key that came along is still counted and shown its quota. */
    decline(request: Request, failure: Failure): Response | Promise<Response> {
      const visit = new Visit(deps, request);
      return answer(visit, unrouted, () => {
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

/** What is known of one route before any request comes. */
interface Lane extends Counted {
  handler: Handler;
  bind: Bind;
  takesBody: boolean;
  /** Whether it may be sent with an idempotency key. */
  writes: boolean;
  /** Whether it takes room on the disk. */
  stores: boolean;
  knownBodies: KnownBodies | null;
  /** How many of its requests wait for something. */
  waiting: number;
}

function openLane(handler: Handler, metrics: Metrics): Lane {
  const { route } = handler;
  const writes = route.method !== "GET" && route.scope !== null;
  return {
    handler,
    route,
    bind: bindRoute(route).bind,
    takesBody: route.body !== undefined || route.consumes !== undefined,
    writes,
    stores: writes && route.method !== "DELETE" && !route.scope!.endsWith(":read"),
    knownBodies: route.repeatedBodies ? createKnownBodies() : null,
    observe: metrics.observerOf(route.id),
    waiting: 0,
  };
}

/** Whatever `work` does, now or later, the visit ends with one answer that was counted. */
function answer(visit: Visit, lane: Lane, work: () => Response | Promise<Response>): Response | Promise<Response> {
  try {
    const response = work();
    if (!(response instanceof Promise)) return visit.close(response, lane);
    lane.waiting++;
    const close = (settled: Response) => {
      lane.waiting--;
      return visit.close(settled, lane);
    };
    return response.then(close, (error) => close(visit.refuse(error, lane.route)));
  } catch (error) {
    return visit.close(visit.refuse(error, lane.route), lane);
  }
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
  readonly #visit: Visit;
  readonly #route: Route;
  readonly #authenticator: Authenticator;

  constructor(
    visit: Visit,
    caller: Caller,
    raw: RawBody,
    claim: IdempotencyClaim | null,
    route: Route,
    authenticator: Authenticator,
    { params, query, body }: Parts,
  ) {
    this.params = params;
    this.query = query;
    this.body = body;
    this.caller = caller;
    this.raw = raw;
    this.idempotency = claim;
    this.request = visit.request;
    this.requestId = visit.requestId;
    this.now = visit.now;
    this.#visit = visit;
    this.#route = route;
    this.#authenticator = authenticator;
  }

  get userAgent(): string | null {
    return this.#visit.headers["user-agent"] ?? null;
  }

  get clientAddress(): string {
    return this.#visit.address;
  }

  get principal(): Principal {
    return present(this.#visit.principal);
  }

  get quota(): Quota {
    return present(this.#visit.verdict);
  }

  whileAdmitted(onLost: () => void): () => void {
    const { principal, address } = this.#visit;
    if (!principal) return () => {};
    return this.#authenticator.watch(principal, { scope: this.#route.scope, address, onLost });
  }
}

function present<T>(value: T | null): T {
  if (value === null) throw new Error("A route without a scope has no caller.");
  return value;
}

type Bind = Bound["bind"];
type Parts = ReturnType<Bind>;
type Params = Record<string, string>;

/** The three parts of a request, bound to their shapes; a body of another media type stays raw for its handler. */
function bindParts(
  pool: Pool,
  url: string,
  { route, bind, knownBodies }: Lane,
  params: Params,
  raw: RawBody,
  { tenantId }: Caller,
): Parts | Promise<Parts> {
  const question = url.indexOf("?");
  const query = question < 0 ? null : new URLSearchParams(url.slice(question + 1));
  if (route.consumes?.includes(raw.contentType)) return { ...bind(params, query, undefined, true), body: undefined };
  if (!route.body) return bind(params, query, undefined);
  const read = () => chain(readJson(raw, route, pool, tenantId), (value) => bind(params, query, value));
  return knownBodies && query === null ? knownBodies.find(raw.bytes, read) : read();
}

/** A write that declares no body takes none, or an empty object; anything else in it is refused by name. */
function completed(route: Route): Route {
  if (route.method === "GET" || route.scope === null || route.body || route.consumes) return route;
  return { ...route, body: Shape({}), bodyOptional: true };
}

const NO_BODY: RawBody = { contentType: "", bytes: new Uint8Array(0) };
const UNROUTED = { id: "none", scope: null } as Route;
