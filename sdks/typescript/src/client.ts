// The client: reads its settings and holds the namespaces. Keeps the key where printing cannot reach it.
import type { Call } from "./call.ts";
import { ActionConnectorError } from "./errors.ts";
import { Namespaces } from "./generated/resources.ts";
import { createLog, type LogLevel, type WriteLine } from "./log.ts";
import { environment } from "./platform.ts";
import type { QuotaSnapshot } from "./quota.ts";
import { type Fetch, type RequestOptions, type Runtime, systemRuntime, Transport } from "./transport.ts";

export interface ClientOptions {
  /** ACTION_CONNECTOR_API_KEY unless given. */
  apiKey?: string;
  /** ACTION_CONNECTOR_BASE_URL unless given; with or without the trailing /api/v1. */
  baseUrl?: string;
  /** Milliseconds for one attempt; 60,000 unless given. */
  timeoutMs?: number;
  /** Milliseconds for a whole call, retries and waits included; 300,000 unless given. */
  totalTimeoutMs?: number;
  /** 2 unless given. */
  maxRetries?: number;
  /** Waits for the quota instead of being refused. */
  pacing?: boolean;
  /** Sent with every request. */
  headers?: Record<string, string>;
  fetch?: Fetch;
  /** Milliseconds of silence after which a stream reconnects; 45,000 unless given (the service beats every 15,000). */
  streamIdleTimeoutMs?: number;
  /** Failed connections in a row after which a stream gives up; 8 unless given. */
  streamMaxReconnects?: number;
  /** Milliseconds before a stream reconnects; what the service asks for unless given. */
  streamReconnectDelayMs?: number;
  /** Which attempts are logged, a line each; ACTION_CONNECTOR_LOG (off, error, info) unless given. */
  logLevel?: LogLevel;
  /** Where those lines go; console.error unless given. */
  log?: WriteLine;
  /** For tests: time, chance, warnings. */
  runtime?: Partial<Runtime>;
}

export class ActionConnector extends Namespaces {
  readonly baseUrl: string;
  readonly #transport: Transport;
  readonly #shown: string;

  constructor(options: ClientOptions = {}) {
    const apiKey = options.apiKey ?? environment("ACTION_CONNECTOR_API_KEY");
    if (!apiKey) throw new ActionConnectorError("No API key. Pass apiKey, or set ACTION_CONNECTOR_API_KEY.");
    if (!/^[\x21-\x7e]+$/.test(apiKey))
      throw new ActionConnectorError("The API key holds characters that no key has; was it copied with a line break?");
    const baseUrl = wholeBase(options.baseUrl ?? environment("ACTION_CONNECTOR_BASE_URL"));
    const transport = new Transport({
      apiKey,
      baseUrl,
      timeoutMs: options.timeoutMs ?? 60_000,
      totalTimeoutMs: options.totalTimeoutMs ?? 300_000,
      maxRetries: options.maxRetries ?? 2,
      pacing: options.pacing ?? false,
      headers: options.headers ?? {},
      fetch: options.fetch ?? ((url, init) => fetch(url, init)),
      streamIdleTimeoutMs: options.streamIdleTimeoutMs ?? 45_000,
      streamMaxReconnects: options.streamMaxReconnects ?? 8,
      streamReconnectDelayMs: options.streamReconnectDelayMs ?? null,
      log: createLog(options.logLevel, options.log),
      runtime: { ...systemRuntime, ...options.runtime },
    });
    super(transport);
    this.baseUrl = baseUrl;
    this.#transport = transport;
    this.#shown = `ActionConnector { baseUrl: ${JSON.stringify(baseUrl)}, apiKey: ${JSON.stringify(redact(apiKey))} }`;
  }

  /** What was left of the quota after the last answer; null before the first. */
  get quota(): QuotaSnapshot | null {
    return this.#transport.quota.snapshot;
  }

  /** Any call of the service, also one this version has no method for; the answer is given as it came. */
  request(
    request: { method: string; path: string; query?: object; body?: unknown },
    options?: RequestOptions,
  ): Call<Response> {
    const { method, path, query, body } = request;
    return this.#transport.raw({ id: `${method} ${path}`, verb: method, path, query, body }, options);
  }

  override toString(): string {
    return this.#shown;
  }

  toJSON(): object {
    return { baseUrl: this.baseUrl };
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.#shown;
  }
}

const redact = (key: string) => (key.length > 20 ? `${key.slice(0, 9)}…${key.slice(-4)}` : "…");

/** Accepts the address of the service, or the same with /v1 or /api/v1. */
function wholeBase(given: string | undefined): string {
  if (!given)
    throw new ActionConnectorError("No address of the service. Pass baseUrl, or set ACTION_CONNECTOR_BASE_URL.");
  const base = given.replace(/\/+$/, "");
  if (!/^https?:\/\/[^/?#]+/.test(base) || /[?#]/.test(base))
    throw new ActionConnectorError(
      `The base address must begin with http:// or https:// and have no query: ${JSON.stringify(given)}`,
    );
  return /\/v\d+$/.test(base) ? base : `${base}/api/v1`;
}
