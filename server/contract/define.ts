// How a route, an event and a handler are declared. A contract is data: this file holds no behaviour of the service.
import type { Static, TSchema } from "typebox";
import type { ErrorCode } from "./errors.ts";
import type { AnyObject } from "./shapes.ts";

export const SCOPES = [
  "delivery:write",
  "delivery:read",
  "shopping:read",
  "shopping:write",
  "stock:read",
  "stock:write",
  "alerts:write",
  "alerts:read",
  "detector:use",
  "events:read",
  "webhooks:write",
  "keys:write",
  "profile:read",
  "usage:read",
  "audit:read",
  "fleet:write",
  "admin",
] as const;
export type Scope = (typeof SCOPES)[number];
export type Mode = "live" | "test";
export type Plan = "free" | "plus" | "max";
export type Method = "GET" | "POST" | "PATCH" | "DELETE";

export interface Route<
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
  A extends TSchema = TSchema,
> {
  /** Namespace and method of the SDKs, and the name of the MCP tool: `delivery.schedule`. */
  id: string;
  method: Method;
  /** Under the mount, with parameters in braces: `/delivery/{id}`. */
  path: string;
  summary: string;
  description?: string;
  /** The scope a key needs; null when no key is needed at all. */
  scope: Scope | null;
  /** `api` answers under /api/v1 and /v1; `root` under / and outside the envelope. */
  mount?: "api" | "root";
  params?: P;
  query?: Q;
  body?: B;
  /** The shape of `data`; absent when the route answers no JSON. */
  answer?: A;
  /** The status of success; 200 unless said. */
  status?: 200 | 201 | 202;
  /** What may go wrong here beyond what may go wrong everywhere. */
  errors?: ErrorCode[];
  /** Media types of the body beyond application/json, which the handler reads raw from `call.raw`. */
  consumes?: string[];
  /** The media type of success, when it is not JSON. */
  produces?: string;
  maxBodyBytes?: number;
  /** The answer shows a secret once: an idempotency record keeps it encrypted. */
  secretAnswer?: true;
  /** Without a key and never limited per address: health probes. */
  unlimited?: true;
  /** A body may be left out altogether. */
  bodyOptional?: true;
  /** Without parameters, and callers send the same short bodies again and again: one that was checked is kept, so nobody changes it. */
  repeatedBodies?: true;
}

export const route = <
  P extends TSchema = AnyObject,
  Q extends TSchema = AnyObject,
  B extends TSchema = AnyObject,
  A extends TSchema = TSchema,
>(
  spec: Route<P, Q, B, A>,
): Route<P, Q, B, A> => spec;

export interface EventType {
  /** Past tense: `delivery.scheduled`. */
  type: string;
  summary: string;
  data: TSchema;
  /** Goes to webhooks alone: never in the list, the log or the stream, so nobody can ask for it there. */
  unlisted?: true;
}

/** Whose key it is. */
export interface Caller {
  accountId: string;
  tenantId: number;
  mode: Mode;
  plan: Plan;
  scopes: ReadonlySet<Scope>;
  keyId: string;
}

/** The key of a call and its account, as the gate found them. */
export interface Principal {
  caller: Caller;
  account: { name: string; email: string | null; createdMs: number };
  key: { name: string; prefix: string; expiresMs: number | null; ipAllowlist: string[] };
}

/** Where the caller's quota stands after this call was counted. */
export interface Quota {
  remaining: number;
  /** Milliseconds until the oldest counted request leaves the window. */
  resetMs: number;
}

/** Set when the request carries an Idempotency-Key; `platform/idempotency` writes it inside the effect's transaction. */
export interface IdempotencyClaim {
  tenantId: number;
  /** Tenant, method, path and key, hashed. */
  digest: string;
  fingerprint: string;
  /** The exact answer that a replay must give for this data. */
  render(data: unknown): { status: number; body: string };
  written: boolean;
}

export interface Call<P = any, Q = any, B = any> {
  params: P;
  query: Q;
  body: B;
  caller: Caller;
  requestId: string;
  /** Milliseconds since the epoch when the request arrived. */
  now: number;
  clientAddress: string;
  userAgent: string | null;
  idempotency: IdempotencyClaim | null;
  request: Request;
  /** The body as it came, for routes with `consumes`. */
  raw: { contentType: string; bytes: Uint8Array };
  /** Of a route with a scope; a route without one has neither. */
  readonly principal: Principal;
  readonly quota: Quota;
  /**
   * For answers that stay open: calls back once when this call would no longer be admitted, because its key was revoked,
   * has expired, or lost the scope or the address. The returned function ends the watch.
   */
  whileAdmitted(onLost: () => void): () => void;
}

type Of<S> = S extends TSchema ? Static<S> : never;

/** The call of one route, for a handler that is a function of its own: `call: CallOf<typeof schedule>`. */
export type CallOf<R> = R extends Route<infer P, infer Q, infer B, any> ? Call<Of<P>, Of<Q>, Of<B>> : never;

export interface Handler {
  route: Route<any, any, any, any>;
  run(call: Call): unknown;
}

type Result<T> = T | JsonText | Answer<T | JsonText> | Response;

/** Binds a handler to its route with the types of the contract. Return the data, an `answer`, or a whole Response. */
export function handle<P extends TSchema, Q extends TSchema, B extends TSchema, A extends TSchema>(
  to: Route<P, Q, B, A>,
  run: (call: Call<Of<P>, Of<Q>, Of<B>>) => Result<Of<A>> | Promise<Result<Of<A>>>,
): Handler {
  return { route: to, run };
}

/** Data with headers of its own, e.g. X-Data-Simulated. */
export class Answer<T = unknown> {
  readonly data: T;
  readonly headers: Record<string, string>;

  constructor(data: T, headers: Record<string, string>) {
    this.data = data;
    this.headers = headers;
  }
}

/** Data that is already written as JSON: for an answer assembled from prepared pieces. */
export class JsonText {
  readonly text: string;
  /** The whole body compressed, once a caller asked for that. */
  packed: Uint8Array<ArrayBuffer> | null = null;
  #enveloped: string | null = null;

  constructor(text: string) {
    this.text = text;
  }

  /** The whole body of a success, put together once however many callers get this very answer. */
  get enveloped(): string {
    if (this.#enveloped === null) {
      this.#enveloped = `{"success":true,"data":${this.text}}`;
      // Reading a character makes the parts one flat string, once instead of at every sending.
      this.#enveloped.charCodeAt(0);
    }
    return this.#enveloped;
  }
}
