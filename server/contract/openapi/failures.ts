// Refusals in the document: one example per error code, one response per status, and `default` for what any request may meet.
import type { Route } from "../define.ts";
import { type ErrorCode, type ErrorEntry, errors } from "../errors.ts";

/** May happen to any request before its route is known: the `default` response. */
const ANYWHERE: ErrorCode[] = [
  "not_acceptable",
  "uri_too_long",
  "headers_too_large",
  "payload_too_large",
  "unsupported_media_type",
  "method_not_allowed",
  "internal_error",
  "overloaded",
];

const STATUS_NAMES: Record<number, string> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  406: "NotAcceptable",
  409: "Conflict",
  410: "Gone",
  413: "PayloadTooLarge",
  414: "UriTooLong",
  415: "UnsupportedMediaType",
  422: "Unprocessable",
  429: "TooManyRequests",
  431: "HeadersTooLarge",
  500: "InternalError",
  502: "BadGateway",
  503: "Unavailable",
  504: "GatewayTimeout",
};

/** May happen to any request with a key. */
const WITH_KEY: ErrorCode[] = [
  "missing_api_key",
  "invalid_api_key",
  "expired_api_key",
  "revoked_api_key",
  "account_suspended",
  "insufficient_scope",
  "ip_not_allowed",
  "rate_limit_exceeded",
  "auth_attempts_exceeded",
];

/** May happen to any request that changes something. */
const WITH_BODY: ErrorCode[] = [
  "invalid_json",
  "payload_too_large",
  "unsupported_media_type",
  "idempotency_key_invalid",
  "idempotency_key_reused",
  "idempotency_in_progress",
];

const COMMON: ErrorCode[] = [...ANYWHERE, ...WITH_KEY, ...WITH_BODY, "validation_failed", "invalid_cursor"];

/** What may go wrong on a route; what nobody foresaw is the `default` response. */
export function errorsOf(route: Route): ErrorCode[] {
  const codes: ErrorCode[] = [...(route.errors ?? [])];
  if (route.mount === "root") return codes;
  codes.push("not_acceptable", "uri_too_long", "headers_too_large", "overloaded", "validation_failed");
  if (route.scope !== null) codes.push(...WITH_KEY);
  if (JSON.stringify(route.query ?? {}).includes('"cursor"')) codes.push("invalid_cursor");
  if (route.method !== "GET" && route.scope !== null) codes.push(...WITH_BODY);
  return [...new Set(codes)].sort();
}

/** The statuses a route declares: success and every error's. */
export function statusesOf(route: Route): number[] {
  const statuses = new Set<number>([route.status ?? 200, ...errorsOf(route).map((code) => errors[code].status)]);
  return [...statuses].sort((a, b) => a - b);
}

/** One response per status that some route declares for itself, and `default` for what may happen to any request. */
export function createFailures(routes: Route[]) {
  const statuses = [...new Set(routes.flatMap(ownStatuses))].sort((a, b) => a - b);
  const codesOf = (status: number) => usedCodes(routes).filter((code) => errors[code].status === status);
  const own = new Set(statuses.flatMap(codesOf));
  const anywhere = usedCodes(routes).filter((code) => COMMON.includes(code) || !own.has(code));
  const responses = Object.fromEntries([
    ...statuses.map((status) => [nameOf(status), response(phrase(nameOf(status)), codesOf(status), status)]),
    ["Default", response("What may happen to any request", anywhere, 0)],
  ]);
  return {
    /** The refusals of one route, by status. */
    of(route: Route): Record<string, unknown> {
      const refs = ownStatuses(route).map((status) => [status, refTo(nameOf(status))]);
      return { ...Object.fromEntries(refs), default: refTo("Default") };
    },
    responses: () => responses,
  };
}

/** 400 belongs to every route: any of them has a shape that can be missed. */
const ownStatuses = (route: Route): number[] =>
  [...new Set([400, ...ownCodes(route).map((code) => errors[code].status)])].sort();

/** What may go wrong on this route and not on every other. */
export const ownCodes = (route: Route): ErrorCode[] =>
  [...new Set(route.errors ?? [])].filter((code) => !COMMON.includes(code)).sort();

const usedCodes = (routes: Route[]): ErrorCode[] => {
  const used = new Set<string>([...ANYWHERE, ...routes.flatMap(errorsOf)]);
  return (Object.keys(errors) as ErrorCode[]).filter((code) => used.has(code));
};

const nameOf = (status: number) => STATUS_NAMES[status] ?? `Status${status}`;
const refTo = (name: string) => ({ $ref: `#/components/responses/${name}` });
const phrase = (base: string) => base.replace(/(?<=[a-z])(?=[A-Z])/g, " ").replace(/ \w/g, (c) => c.toLowerCase());

function response(words: string, codes: ErrorCode[], status: number): unknown {
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]);
  return {
    description: `${words}.`,
    headers: Object.fromEntries(
      (HEADERS_OF[status] ?? ["X-Request-Id"]).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
    ),
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/ErrorResponse" },
        examples: Object.fromEntries(examples),
      },
      "application/problem+json": { schema: { $ref: "#/components/schemas/Error" } },
    },
  };
}

/** By status; 0 is `default`. */
const HEADERS_OF: Record<number, string[]> = {
  0: ["X-Request-Id", "RateLimit", "RateLimit-Policy", "Retry-After", "WWW-Authenticate"],
  403: ["X-Request-Id", "RateLimit"],
  429: ["X-Request-Id", "RateLimit", "Retry-After"],
  503: ["X-Request-Id", "Retry-After"],
};

/** One example for each error code that some route may answer with. */
export function errorExamples(routes: Route[]): Record<string, unknown> {
  return Object.fromEntries(
    usedCodes(routes).map((code) => {
      const { status, title, hint, retryable = false } = errors[code] as ErrorEntry;
      const error = {
        type: `/docs/errors#${code}`,
        title,
        status,
        code,
        detail: `${title}.`,
        hint,
        retryable,
        request_id: "req_01KB2M3N4P5Q6R7S8T9V0W1X2Y",
      };
      return [code, { value: { success: false, error } }];
    }),
  );
}

export const errorSchemas = {
  Error: {
    type: "object",
    description: "What went wrong, in the members of RFC 9457 and a few more.",
    required: ["type", "title", "status", "code", "detail", "hint", "retryable", "request_id"],
    properties: {
      type: { type: "string", description: "Address of the error's documentation." },
      title: { type: "string", description: "The kind of error in words." },
      status: { type: "integer", description: "The HTTP status." },
      code: {
        type: "string",
        enum: Object.keys(errors),
        description: "The kind of error; later versions may add more.",
      },
      detail: { type: "string", description: "What is wrong with this request." },
      hint: { type: "string", description: "What to do about it." },
      retryable: { type: "boolean", description: "Whether the same request may succeed later." },
      request_id: { type: "string", description: "The id of the request, for support." },
      errors: {
        type: "array",
        items: { $ref: "#/components/schemas/ErrorFault" },
        description: "Every fault of the request, for validation_failed.",
      },
    },
  },
  ErrorFault: {
    type: "object",
    description: "One fault of one field.",
    required: ["pointer", "code", "detail", "hint"],
    properties: {
      pointer: { type: "string", description: "JSON pointer of the field." },
      code: { type: "string", description: "The kind of fault." },
      detail: { type: "string", description: "What is wrong with the field." },
      hint: { type: "string", description: "What to send instead." },
    },
  },
  ServerSentEvent: {
    type: "object",
    description: "One event of a stream (text/event-stream).",
    properties: {
      id: { type: "string", description: "Its place in the stream; send it as Last-Event-ID to go on behind it." },
      event: { type: "string", description: "The type of the event." },
      data: { type: "string", description: "The event as JSON text." },
      retry: { type: "integer", description: "How many milliseconds to wait before a reconnection." },
    },
  },
  ErrorResponse: {
    type: "object",
    description: "A refusal.",
    required: ["success", "error"],
    properties: {
      success: { type: "boolean", const: false, description: "Always false." },
      error: { $ref: "#/components/schemas/Error" },
    },
  },
};
