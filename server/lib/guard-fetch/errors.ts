// What can go wrong with an outgoing request, as one table. It never reveals what is behind a refused address.

export type GuardCode =
  | "invalid_url"
  | "target_not_allowed"
  | "upstream_unreachable"
  | "upstream_tls"
  | "upstream_timeout"
  | "upstream_protocol"
  | "too_large"
  | "too_many_redirects"
  | "backing_off"
  | "circuit_open"
  | "host_busy"
  | "aborted";

const RETRYABLE = new Set<GuardCode>([
  "upstream_unreachable",
  "upstream_timeout",
  "upstream_protocol",
  "backing_off",
  "circuit_open",
  "host_busy",
]);

const HINTS: Record<GuardCode, string> = {
  invalid_url: "Send an absolute http or https address, e.g. https://shop.example/item/1.",
  target_not_allowed:
    "Use a public address on port 80 or 443. The operator opens an address of this machine with CONNECTOR_ALLOW_LOOPBACK, a private network with CONNECTOR_ALLOW_NETWORKS.",
  upstream_unreachable: "Check that the address exists and answers, then try again.",
  upstream_tls: "Have the owner of the address correct its certificate.",
  upstream_timeout: "Try again later; the other side was too slow.",
  upstream_protocol: "The other side broke the HTTP protocol; try again later.",
  too_large: "The answer is larger than the limit for this kind of request.",
  too_many_redirects: "Use the final address.",
  backing_off: "The other side asked for patience; try again after the given time.",
  circuit_open: "The other side failed several times in a row; try again after the given time.",
  host_busy: "Too many requests wait for this host; try again later.",
  aborted: "The caller gave up.",
};

/** Every failure of a guarded request. `detail` is safe to show; `cause` is for the log alone. */
export class GuardError extends Error {
  readonly code: GuardCode;
  readonly detail: string;
  readonly hint: string;
  readonly retryable: boolean;
  /** How long the host should be left alone, where that is known. */
  readonly retryAfterMs: number | null;

  constructor(code: GuardCode, detail: string, options: { cause?: unknown; retryAfterMs?: number } = {}) {
    super(`${code}: ${detail}`, { cause: options.cause });
    this.name = "GuardError";
    this.code = code;
    this.detail = detail;
    this.hint = HINTS[code];
    this.retryable = RETRYABLE.has(code);
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
