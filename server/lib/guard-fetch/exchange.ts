// One request and its answer over one checked connection, within limits of time and size.
// Follows nothing, retries nothing.
import { request as requestHttp } from "node:http";
import type { ClientRequest, IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import type { Clock } from "../clock.ts";
import type { createAgents, PinnedRequest } from "./connect.ts";
import { readBody } from "./decode.ts";
import { GuardError } from "./errors.ts";
import type { Target } from "./target.ts";

export interface Limits {
  /** Name, TCP and TLS together. */
  connectMs: number;
  /** Between two pieces of the answer, the first one included. */
  idleMs: number;
  /** The whole exchange, redirects included. */
  totalMs: number;
  headerBytes: number;
  wireBytes: number;
  decodedBytes: number;
  ratio: number;
}

export interface Exchange {
  target: Target;
  address: string;
  method: string;
  headers: Record<string, string>;
  /** Text travels in one packet with the headers. */
  body: string | Uint8Array | null;
  limits: Limits;
  reuse: boolean;
  skipBody: boolean;
  ca?: string;
  signal?: AbortSignal;
}

export interface Answer {
  status: number;
  headers: Headers;
  body: Uint8Array;
}

let onceCount = 0;

type Agents = ReturnType<typeof createAgents>;

export async function exchange(clock: Clock, agents: Agents, spec: Exchange): Promise<Answer> {
  const secure = spec.target.url.protocol === "https:";
  const options: PinnedRequest = {
    hostname: spec.target.hostname,
    port: spec.target.port,
    path: spec.target.url.pathname + spec.target.url.search,
    method: spec.method,
    headers: spec.headers,
    maxHeaderSize: spec.limits.headerBytes,
    agent: secure ? agents.https : agents.http,
    setHost: false,
    once: spec.reuse ? null : ++onceCount,
    pinned: {
      address: spec.address,
      port: spec.target.port,
      tls: secure ? { hostname: spec.target.hostname, ca: spec.ca } : null,
    },
  };
  const request = (secure ? requestHttps : requestHttp)(options);
  const watch = watchdog(clock, request, spec);
  let answered = false;
  try {
    const response = await answerOf(request, spec, watch);
    answered = true;
    if (spec.skipBody) return await skimBody(request, response, watch);
    const body = await readBody(touched(response, watch), response.headers["content-encoding"] ?? null, spec.limits);
    if (!response.complete) throw new GuardError("upstream_protocol", "The answer broke off half-way.");
    return { status: response.statusCode ?? 0, headers: headersOf(response), body };
  } catch (error) {
    request.destroy();
    throw watch.reason() ?? translate(error, answered, request.reusedSocket);
  } finally {
    watch.stop();
  }
}

function answerOf(request: ClientRequest, spec: Exchange, watch: Watchdog): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on("error", reject);
    request.on("socket", (socket) => {
      if (!socket.connecting) return watch.connected();
      socket.once(spec.target.url.protocol === "https:" ? "secureConnect" : "connect", watch.connected);
    });
    request.on("response", (response) => {
      response.on("error", () => {});
      watch.touch();
      resolve(response);
    });
    request.on("upgrade", (_, socket) => {
      socket.destroy();
      reject(new GuardError("upstream_protocol", "The other side tried to switch protocols."));
    });
    if (!spec.reuse) request.shouldKeepAlive = false;
    if (spec.body) request.end(spec.body);
    else request.end();
  });
}

const SKIM_BYTES = 65_536;
const KEPT_BYTES = 2_048;

/** Reads a short body to its end, so that the connection can be used again; hangs up on a long one. Keeps the beginning. */
function skimBody(request: ClientRequest, response: IncomingMessage, watch: Watchdog): Promise<Answer> {
  const kept: Uint8Array[] = [];
  return new Promise((resolve, reject) => {
    let bytes = 0;
    let done = false;
    const settle = () => {
      done = true;
      const body = Buffer.concat(kept).subarray(0, KEPT_BYTES);
      resolve({ status: response.statusCode ?? 0, headers: headersOf(response), body });
    };
    const broken = () => done || reject(new GuardError("upstream_protocol", "The answer broke off half-way."));
    response.on("data", (piece: Uint8Array) => {
      watch.touch();
      if (bytes < KEPT_BYTES) kept.push(piece.slice(0, KEPT_BYTES));
      bytes += piece.length;
      if (bytes <= SKIM_BYTES) return;
      settle();
      request.destroy();
    });
    response.on("end", () => (response.complete ? settle() : broken()));
    response.on("error", broken);
    response.on("close", broken);
  });
}

/** The answer's pieces as they come, with back-pressure. The stream's own iterator would close the pooled socket. */
async function* touched(response: IncomingMessage, watch: Watchdog): AsyncGenerator<Uint8Array> {
  const waiting: Uint8Array[] = [];
  let ended = false;
  let failure: unknown = null;
  let wake = () => {};
  response.on("data", (chunk: Uint8Array) => {
    watch.touch();
    waiting.push(chunk);
    response.pause();
    wake();
  });
  response.on("end", () => {
    ended = true;
    wake();
  });
  const fail = (error?: unknown) => {
    failure ??= error ?? new Error("closed");
    wake();
  };
  response.on("error", fail);
  response.on("close", () => fail());
  for (;;) {
    while (waiting.length > 0) yield waiting.shift()!;
    if (ended) return;
    if (failure) throw failure;
    const next = new Promise<void>((go) => (wake = go));
    response.resume();
    await next;
  }
}

interface Watchdog {
  connected(): void;
  touch(): void;
  stop(): void;
  reason(): GuardError | null;
}

/** Connect, idle and total time, all on the given clock; whichever ends first destroys the request. */
function watchdog(clock: Clock, request: ClientRequest, spec: Exchange): Watchdog {
  let reason: GuardError | null = null;
  const end = (error: GuardError) => {
    reason ??= error;
    request.destroy(reason);
  };
  const late = (what: string, ms: number) => () => end(new GuardError("upstream_timeout", `${what} within ${ms} ms.`));
  const { connectMs, idleMs, totalMs } = spec.limits;
  const startIdle = () => clock.after(idleMs, late("Nothing was received", idleMs));
  const stopTotal = clock.after(totalMs, late("The answer was not complete", totalMs));
  let stopPhase = clock.after(connectMs, late("No connection was made", connectMs));
  let touchedAt = clock.monotonic();
  const onAbort = () => end(new GuardError("aborted", "The request was given up.", { cause: spec.signal?.reason }));
  spec.signal?.addEventListener("abort", onAbort, { once: true });
  if (spec.signal?.aborted) onAbort();
  return {
    connected() {
      stopPhase();
      stopPhase = startIdle();
    },
    touch() {
      // Re-arming a timer for every packet is waste; a hundredth of the limit is close enough.
      if (clock.monotonic() - touchedAt < idleMs / 100) return;
      touchedAt = clock.monotonic();
      stopPhase();
      stopPhase = startIdle();
    },
    stop() {
      stopTotal();
      stopPhase();
      spec.signal?.removeEventListener("abort", onAbort);
    },
    reason: () => reason,
  };
}

function headersOf(response: IncomingMessage): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < response.rawHeaders.length; i += 2) {
    try {
      headers.append(response.rawHeaders[i], response.rawHeaders[i + 1]);
    } catch {
      // A header the standard forbids is no use to anybody.
    }
  }
  return headers;
}

/** A kept socket that the other side closed just as we used it: nothing was answered, a fresh one may be tried. */
export class StaleSocket extends GuardError {
  constructor(cause: unknown) {
    super("upstream_unreachable", "The other side closed the connection.", { cause });
  }
}

function translate(error: unknown, answered: boolean, reused: boolean): GuardError {
  if (error instanceof GuardError) return error;
  const { code = "" } = (error ?? {}) as { code?: string };
  if (code === "HPE_HEADER_OVERFLOW")
    return new GuardError("too_large", "The answer's headers are too large.", { cause: error });
  if (code.startsWith("HPE_"))
    return new GuardError("upstream_protocol", "The answer is not valid HTTP.", { cause: error });
  if (answered) return new GuardError("upstream_protocol", "The answer broke off half-way.", { cause: error });
  if (/CERT|TLS|SSL|SIGNED|ISSUER/i.test(code)) {
    return new GuardError("upstream_tls", "The certificate of the other side was not accepted.", { cause: error });
  }
  if (reused && (code === "ECONNRESET" || code === "EPIPE")) return new StaleSocket(error);
  return new GuardError("upstream_unreachable", "The other side could not be reached.", { cause: error });
}
