// The way of every request: headers, attempts, timeouts, retries, pacing. Knows no route.
import { Call, type WithResponse } from "./call.ts";
import { ActionConnectorError, apiError, CanceledError, ConnectionError, TimeoutError } from "./errors.ts";
import { type Log, logAttempt } from "./log.ts";
import { PageCall, type PageData } from "./page.ts";
import { isBrowser, sleep, userAgent, warn, webcrypto } from "./platform.ts";
import { QuotaTracker } from "./quota.ts";
import { isRetryable, readRetryAfter, retryWait } from "./retry.ts";
import { type Connection, EventStream } from "./stream.ts";

/** What a single call may set for itself. */
export interface RequestOptions {
  /** Made anew for every write unless given; the same across its retries. */
  idempotencyKey?: string;
  /** Milliseconds for one attempt. */
  timeoutMs?: number;
  /** Milliseconds for the whole call, waits included. */
  totalTimeoutMs?: number;
  maxRetries?: number;
  signal?: AbortSignal;
  headers?: Record<string, string>;
  /** Media type of a body that is not JSON. */
  contentType?: string;
  /** Streams: go on behind this event. */
  lastEventId?: string;
  /** Streams: called when the stream is open, at first or again. No event after that is missed. */
  onReady?(): void;
}

/** What of fetch is used; runtimes add members of their own to theirs. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface TransportSettings {
  baseUrl: string;
  apiKey: string;
  timeoutMs: number;
  totalTimeoutMs: number;
  maxRetries: number;
  pacing: boolean;
  headers: Record<string, string>;
  fetch: Fetch;
  streamIdleTimeoutMs: number;
  streamMaxReconnects: number;
  streamReconnectDelayMs: number | null;
  log: Log;
  runtime: Runtime;
}

/** Time, chance and warnings: replaced in tests. */
export interface Runtime {
  now(): number;
  sleep(ms: number, signal?: AbortSignal | null): Promise<void>;
  random(): number;
  warn(message: string): void;
}

export const systemRuntime: Runtime = { now: () => Date.now(), sleep, random: () => Math.random(), warn };

/** One request, before it is sent. */
export interface Spec {
  id: string;
  verb: string;
  path: string;
  query?: object;
  body?: unknown;
  contentType?: string;
}

let deprecationTold = false;

export class Transport {
  readonly quota = new QuotaTracker();
  readonly #settings: TransportSettings;

  constructor(settings: TransportSettings) {
    this.#settings = settings;
  }

  call<T>(spec: Spec, options?: RequestOptions): Call<T> {
    return new Call(this.#json<T>(spec, options));
  }

  page<T>(spec: Spec, options?: RequestOptions): PageCall<T> {
    const next = (cursor: string) => this.page<T>({ ...spec, query: { ...spec.query, cursor } }, options);
    return new PageCall(this.#json<PageData<T>>(spec, options), next);
  }

  raw(spec: Spec, options?: RequestOptions): Call<Response> {
    return new Call(
      this.#send(spec, options, "*/*", async (response) => response.arrayBuffer()).then(({ response, read }) => ({
        data: new Response(read, { status: response.status, headers: response.headers }),
        response,
        requestId: response.headers.get("x-request-id"),
      })),
    );
  }

  stream<T>(spec: Spec, options: RequestOptions = {}): EventStream<T> {
    const { runtime, streamIdleTimeoutMs, streamMaxReconnects, streamReconnectDelayMs } = this.#settings;
    return new EventStream<T>({
      connect: (lastEventId) => this.#connect(spec, options, lastEventId),
      sleep: runtime.sleep,
      idleTimeoutMs: streamIdleTimeoutMs,
      reconnectDelayMs: streamReconnectDelayMs,
      maxReconnects: options.maxRetries ?? streamMaxReconnects,
      signal: options.signal ?? null,
      lastEventId: options.lastEventId ?? "",
      onReady: options.onReady,
    });
  }

  async #json<T>(spec: Spec, options?: RequestOptions): Promise<WithResponse<T>> {
    const { response, read } = await this.#send(spec, options, "application/json", async (answer) =>
      parseAnswer(await answer.text()),
    );
    return { data: (read as { data: T }).data, response, requestId: response.headers.get("x-request-id") };
  }

  async #connect(spec: Spec, options: RequestOptions, lastEventId: string): Promise<Connection> {
    const headers = { ...options.headers, ...(lastEventId ? { "Last-Event-ID": lastEventId } : {}) };
    const maxRetries = options.maxRetries ?? this.#settings.streamMaxReconnects;
    const { response, abort } = await this.#send(spec, { ...options, headers, maxRetries }, "text/event-stream", null);
    return { response, abort };
  }

  /** Tries until it is answered, refused for good, or out of retries or time. */
  async #send<R>(
    spec: Spec,
    options: RequestOptions = {},
    accept: string,
    read: ((response: Response) => Promise<R>) | null,
  ) {
    const { runtime, maxRetries, totalTimeoutMs } = this.#settings;
    const most = options.maxRetries ?? maxRetries;
    const deadline = runtime.now() + (options.totalTimeoutMs ?? totalTimeoutMs);
    const request = await this.#prepare(spec, options, accept);
    for (let retry = 0; ; retry++) {
      if (retry > 0 && !isBrowser) request.headers.set("X-Retry-Count", String(retry));
      await this.#pace(deadline, options.signal);
      try {
        return await this.#attempt(spec, request, options, deadline, read);
      } catch (error) {
        const wait = retry < most && isRetryable(error) ? retryWait(error, retry, runtime.random) : null;
        if (wait === null || runtime.now() + wait >= deadline) throw error;
        await runtime.sleep(wait, options.signal);
        if (options.signal?.aborted) throw new CanceledError("The call was canceled.", { cause: error });
      }
    }
  }

  async #prepare(spec: Spec, options: RequestOptions, accept: string) {
    const { baseUrl, apiKey, headers: always } = this.#settings;
    const headers = new Headers({ ...always, Accept: accept, Authorization: `Bearer ${apiKey}` });
    if (!isBrowser) headers.set("User-Agent", userAgent());
    const isRaw = typeof spec.body === "string" || spec.body instanceof Uint8Array;
    if (spec.body !== undefined)
      headers.set("Content-Type", isRaw ? (spec.contentType ?? "text/plain") : "application/json");
    if (spec.verb !== "GET") headers.set("Idempotency-Key", options.idempotencyKey ?? (await webcrypto()).randomUUID());
    for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
    const body = isRaw ? (spec.body as BodyInit) : spec.body === undefined ? undefined : JSON.stringify(spec.body);
    return { url: baseUrl + spec.path + search(spec.query), method: spec.verb, headers, body };
  }

  async #attempt<R>(
    spec: Spec,
    request: RequestInit & { url: string },
    options: RequestOptions,
    deadline: number,
    read: ((response: Response) => Promise<R>) | null,
  ) {
    const { runtime, timeoutMs, fetch, log } = this.#settings;
    const started = runtime.now();
    const ending = new AbortController();
    const cancel = () => ending.abort();
    let late = false;
    const limit = Math.min(options.timeoutMs ?? timeoutMs, deadline - runtime.now());
    const timer = setTimeout(
      () => {
        late = true;
        cancel();
      },
      Math.max(0, limit),
    );
    if (options.signal?.aborted) cancel();
    options.signal?.addEventListener("abort", cancel);
    let headers: Headers | null = null;
    let status: number | null = null;
    let failure = "";
    try {
      const { url, ...init } = request;
      const response = await fetch(url, { ...init, signal: ending.signal, redirect: "manual" });
      headers = response.headers;
      status = response.status;
      this.#tellDeprecation(spec, headers);
      if (!response.ok)
        throw apiError(response.status, headers, await response.text(), readRetryAfter(headers, runtime.now()));
      return { response, abort: cancel, read: (read ? await read(response) : undefined) as R };
    } catch (error) {
      failure = (error as { code?: string })?.code ?? (error as Error)?.name ?? "failed";
      if (options.signal?.aborted) throw new CanceledError("The call was canceled.", { cause: error });
      if (late) throw new TimeoutError(`No whole answer within ${Math.round(limit)} ms.`, { cause: error });
      if (error instanceof ActionConnectorError) throw error;
      throw new ConnectionError(`${spec.verb} ${spec.path} could not be completed: ${(error as Error)?.message}`, {
        cause: error,
      });
    } finally {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", cancel);
      this.quota.answered(headers, runtime.now());
      const id = headers?.get("x-request-id") ?? "";
      logAttempt(log, `${spec.verb} ${spec.path}`, status, runtime.now() - started, [id, failure]);
    }
  }

  /** Counts the request, after waiting for the quota when pacing is on. */
  async #pace(deadline: number, signal?: AbortSignal): Promise<void> {
    const { pacing, runtime } = this.#settings;
    for (;;) {
      if (signal?.aborted) throw new CanceledError("The call was canceled.");
      const wait = this.quota.reserve(runtime.now(), pacing);
      if (wait === 0) return;
      if (runtime.now() + wait >= deadline)
        throw new TimeoutError(`The quota frees in ${wait} ms, later than this call may take.`);
      await runtime.sleep(wait, signal);
    }
  }

  #tellDeprecation({ id }: Spec, headers: Headers): void {
    if (deprecationTold || !headers.has("deprecation")) return;
    deprecationTold = true;
    const sunset = headers.get("sunset");
    const link = /<([^>]+)>[^,]*rel="?(?:deprecation|sunset)"?/.exec(headers.get("link") ?? "")?.[1];
    this.#settings.runtime.warn(
      `Action Connector: ${id} is deprecated${sunset ? ` and ends on ${sunset}` : ""}.${link ? ` See ${link}` : ""}`,
    );
  }
}

/** A success that is no envelope was not sent by the service: something on the way cut or replaced it. */
function parseAnswer(text: string): unknown {
  try {
    const parsed = JSON.parse(text);
    if (parsed && typeof parsed === "object" && "data" in parsed) return parsed;
  } catch {
    // Falls through to the same error.
  }
  throw new ConnectionError("The answer is not whole.");
}

/** One path segment, encoded; an empty one or dots would address something else. */
export function segment(name: string, value: string): string {
  if (typeof value !== "string" || value === "" || value === "." || value === "..")
    throw new TypeError(`${name} must be a non-empty string.`);
  return encodeURIComponent(value);
}

function search(query: object | undefined): string {
  const pairs = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null);
  const encoded = pairs.map(
    ([name, value]) =>
      `${encodeURIComponent(name)}=${encodeURIComponent(Array.isArray(value) ? value.map(plainText).join(",") : plainText(value))}`,
  );
  return encoded.length > 0 ? `?${encoded.join("&")}` : "";
}

const plainText = (value: unknown) => (value instanceof Date ? value.toISOString() : String(value));
