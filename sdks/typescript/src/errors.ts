// Everything a call can fail with. One class per kind of failure; no class decides whether to retry.

import type { ErrorCode } from "./generated/types.ts";

/** One fault of one field. */
export interface Fault {
  pointer: string;
  code: string;
  detail: string;
  hint: string;
}

/** The parent of every error of this library. */
export class ActionConnectorError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The service answered, and refused. */
export class ApiError extends ActionConnectorError {
  readonly status: number;
  /** Stable and made for programs, e.g. `pickup_time_in_past`; null when the answer was not the service's own. */
  readonly code: ErrorCode | null;
  readonly title: string | null;
  readonly detail: string;
  /** What to do about it. */
  readonly hint: string | null;
  readonly requestId: string | null;
  /** What the service says about trying again; null when it says nothing. */
  readonly retryable: boolean | null;
  /** How long the service asks to wait; null when it does not say. */
  readonly retryAfterMs: number | null;
  readonly errors: Fault[];
  readonly headers: Headers;
  /** The whole error object, with members that only some codes have. */
  readonly body: Record<string, unknown> | null;

  constructor(status: number, headers: Headers, body: Record<string, unknown> | null, retryAfterMs: number | null) {
    const text = (name: string) => (typeof body?.[name] === "string" ? (body[name] as string) : null);
    const detail = text("detail") ?? `The service answered with status ${status}.`;
    const hint = text("hint");
    const said = hint ? `${/[.!?]$/.test(detail) ? detail : `${detail}.`} ${hint}` : detail;
    super(`${status}${text("code") ? ` ${text("code")}` : ""}: ${said}`);
    this.status = status;
    this.code = text("code");
    this.title = text("title");
    this.detail = detail;
    this.hint = hint;
    this.requestId = text("request_id") ?? headers.get("x-request-id");
    this.retryable = typeof body?.retryable === "boolean" ? body.retryable : null;
    this.retryAfterMs = retryAfterMs;
    this.errors = Array.isArray(body?.errors) ? (body.errors as Fault[]) : [];
    this.headers = headers;
    this.body = body;
  }
}

export class BadRequestError extends ApiError {}
export class AuthenticationError extends ApiError {}
export class PermissionDeniedError extends ApiError {}
export class NotFoundError extends ApiError {}
export class ConflictError extends ApiError {}
export class UnprocessableError extends ApiError {}
export class RateLimitError extends ApiError {}
export class ServerError extends ApiError {}

/** The service could not be reached, or its answer was cut short. */
export class ConnectionError extends ActionConnectorError {}
/** An attempt, or all of them together, took too long. */
export class TimeoutError extends ConnectionError {}
/** The caller's signal ended the call. */
export class CanceledError extends ActionConnectorError {}
/** A webhook that must not be trusted. */
export class WebhookVerificationError extends ActionConnectorError {}

const byStatus: Record<number, typeof ApiError> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  422: UnprocessableError,
  429: RateLimitError,
};

export function apiError(status: number, headers: Headers, text: string, retryAfterMs: number | null): ApiError {
  const body = readError(text);
  const Kind = byStatus[status] ?? (status >= 500 ? ServerError : ApiError);
  return new Kind(status, headers, body, retryAfterMs);
}

/** The error object of the envelope, of a bare problem document, or null. */
function readError(text: string): Record<string, unknown> | null {
  try {
    const parsed = JSON.parse(text);
    const error = parsed?.error ?? parsed;
    return error && typeof error === "object" ? error : null;
  } catch {
    return null;
  }
}
