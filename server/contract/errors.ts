// The one table of everything that can go wrong: code, status, title, hint. Documents, SDKs and tests read it.

export interface ErrorEntry {
  status: number;
  title: string;
  /** What the caller can do about it, unless the code that throws has a better hint. */
  hint: string;
  retryable?: true;
}

export const errors = {
  invalid_json: { status: 400, title: "Invalid JSON", hint: "Send one well-formed JSON object in UTF-8." },
  validation_failed: { status: 400, title: "Validation failed", hint: "Correct the fields listed in errors." },
  invalid_cursor: {
    status: 400,
    title: "Invalid cursor",
    hint: "Pass next_cursor from the previous page unchanged, with the same filters.",
  },
  idempotency_key_invalid: {
    status: 400,
    title: "Invalid idempotency key",
    hint: "Send 1 to 255 visible ASCII characters.",
  },
  missing_api_key: { status: 401, title: "API key missing", hint: "Send the header Authorization: Bearer <API_KEY>." },
  invalid_api_key: {
    status: 401,
    title: "API key not valid",
    hint: "Check that the key was copied whole, or make a new one.",
  },
  expired_api_key: {
    status: 401,
    title: "API key expired",
    hint: "Use a newer key, or make one with a later expires_at.",
  },
  revoked_api_key: { status: 401, title: "API key revoked", hint: "Use another key; a revoked one never works again." },
  account_suspended: {
    status: 403,
    title: "Account suspended",
    hint: "Ask the operator of this service why, and when it will be resumed.",
  },
  insufficient_scope: { status: 403, title: "Scope missing", hint: "Use a key that has the named scope." },
  ip_not_allowed: {
    status: 403,
    title: "Address not allowed",
    hint: "Call from an allowed address, or change the key's ip_allowlist.",
  },
  origin_not_allowed: {
    status: 403,
    title: "Origin not allowed",
    hint: "Call from a page of this service, or add the origin to CONNECTOR_CORS_ORIGINS.",
  },
  not_entitled: { status: 403, title: "Provider refused", hint: "Check the provider's key and plan in the settings." },
  plan_limit_reached: {
    status: 403,
    title: "Plan limit reached",
    hint: "Remove something you no longer need, or move to a larger plan.",
  },
  not_found: {
    status: 404,
    title: "Not found",
    hint: "Check the id and the mode of the key: live and test never see each other.",
  },
  symbol_not_found: { status: 404, title: "Symbol not found", hint: "Look it up with GET /stock/symbols?q=." },
  method_not_allowed: { status: 405, title: "Method not allowed", hint: "Use a method of the Allow header." },
  not_acceptable: {
    status: 406,
    title: "Not acceptable",
    hint: "Accept application/json, or leave the Accept header out.",
  },
  idempotency_in_progress: {
    status: 409,
    title: "Still in progress",
    hint: "Wait for Retry-After, then send the same request again.",
    retryable: true,
  },
  wrong_state: { status: 409, title: "Wrong state", hint: "Do one of the moves that are allowed now." },
  conflict: { status: 409, title: "Conflict", hint: "Read the current state, then decide again." },
  payload_too_large: { status: 413, title: "Payload too large", hint: "Send a smaller body." },
  uri_too_long: { status: 414, title: "URI too long", hint: "Shorten the address to 8,192 characters." },
  unsupported_media_type: {
    status: 415,
    title: "Unsupported media type",
    hint: "Send Content-Type: application/json.",
  },
  idempotency_key_reused: {
    status: 422,
    title: "Idempotency key reused",
    hint: "Use a new key for a new request, or send the original body.",
  },
  pickup_time_in_past: {
    status: 422,
    title: "Pickup time in the past",
    hint: "Ask for a time that is not more than 5 minutes ago.",
  },
  pickup_time_too_far: {
    status: 422,
    title: "Pickup time too far ahead",
    hint: "Ask for a time within the next 30 days.",
  },
  not_feasible: {
    status: 422,
    title: "Not feasible",
    hint: "Read reason, and change the places or the times.",
  },
  distance_too_long: { status: 422, title: "Distance too long", hint: "Choose a drop-off nearer to the pickup." },
  target_not_allowed: { status: 422, title: "Target not allowed", hint: "Use a public http or https address." },
  media_not_readable: {
    status: 422,
    title: "Image not readable",
    hint: "Send a whole PNG, JPEG or WebP file in base64.",
  },
  query_unbounded: { status: 422, title: "Query unbounded", hint: "Add at least one term that must be present." },
  symbol_invalid: { status: 422, title: "Symbol not valid", hint: "Send e.g. AAPL, BRK.B, VOD.L or an ISIN." },
  symbol_ambiguous: { status: 422, title: "Symbol ambiguous", hint: "Use one of the candidates." },
  requirement_not_met: {
    status: 422,
    title: "Only a lesser quote exists",
    hint: "Ask with require any, or set up a source that has it.",
  },
  rate_limit_exceeded: {
    status: 429,
    title: "Quota exceeded",
    hint: "Wait for Retry-After, or move to a larger plan.",
    retryable: true,
  },
  auth_attempts_exceeded: {
    status: 429,
    title: "Too many bad keys",
    hint: "Wait for Retry-After, and check the key.",
    retryable: true,
  },
  upstream_rate_limited: {
    status: 429,
    title: "Provider's limit reached",
    hint: "Wait for Retry-After, or add a provider.",
    retryable: true,
  },
  headers_too_large: { status: 431, title: "Headers too large", hint: "Keep all headers under 16 KiB together." },
  internal_error: {
    status: 500,
    title: "Internal error",
    hint: "Try again; if it stays, report the request id.",
    retryable: true,
  },
  upstream_error: { status: 502, title: "Provider failed", hint: "Try again later.", retryable: true },
  provider_not_configured: {
    status: 503,
    title: "Provider not configured",
    hint: "Set up a provider, or use a test key.",
  },
  overloaded: { status: 503, title: "Overloaded", hint: "Wait for Retry-After, then try again.", retryable: true },
  upstream_timeout: { status: 504, title: "Provider timed out", hint: "Try again later.", retryable: true },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errors;

/** One fault of one field; all faults of a request are reported together. */
export interface Fault {
  pointer: string;
  code: string;
  detail: string;
  hint: string;
}

/** The members that every error object has; a Failure cannot give them another meaning. */
type ProblemMember = "type" | "title" | "status" | "code" | "detail" | "hint" | "retryable" | "request_id" | "errors";

export interface FailureOptions {
  hint?: string;
  errors?: Fault[];
  headers?: Record<string, string>;
  /** Further members of the error object, e.g. `allowed` for wrong_state. */
  extra?: Record<string, unknown> & { [Member in ProblemMember]?: never };
  cause?: unknown;
  /** A state that is already in the log, e.g. a store that is away: no error line for each request. */
  expected?: true;
}

/** What a handler throws to refuse. `detail` is shown to the caller; `cause` is logged and never shown. */
export class Failure extends Error {
  readonly code: ErrorCode;
  readonly options: FailureOptions;

  constructor(code: ErrorCode, detail: string, options: FailureOptions = {}) {
    super(detail, { cause: options.cause });
    this.code = code;
    this.options = options;
  }

  get status(): number {
    return errors[this.code].status;
  }
}

/** The error object of an answer, in the order people read it. */
export function errorBody(failure: Failure, requestId: string, docsUrl: string): Record<string, unknown> {
  const entry: ErrorEntry = errors[failure.code];
  const own = {
    type: `${docsUrl}/errors#${failure.code}`,
    title: entry.title,
    status: entry.status,
    code: failure.code,
    detail: failure.message,
    hint: failure.options.hint ?? entry.hint,
    retryable: entry.retryable ?? false,
    request_id: requestId,
  };
  return {
    ...own,
    ...failure.options.extra,
    // Again, so that not even an untyped caller can overwrite what every client reads.
    ...own,
    ...(failure.options.errors ? { errors: failure.options.errors } : {}),
  };
}

/** The refusal of one field: where it is (a JSON pointer), what is wrong, and what to send instead. */
export function invalid(pointer: string, detail: string, hint: string, code = "invalid"): Failure {
  return invalidFields([{ pointer, code, detail, hint }]);
}

/** The refusal of several fields at once. */
export function invalidFields(faults: Fault[]): Failure {
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
  return new Failure("validation_failed", `${faults[0].detail}${more}`, { hint: faults[0].hint, errors: faults });
}
