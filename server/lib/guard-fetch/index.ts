// The one way out: every outgoing HTTP request of the service goes through here, so that none can be turned inward.
import type { Clock } from "../clock.ts";
import { systemRandom } from "../random.ts";
import type { Random } from "../random.ts";
import { firstCall, nextCall } from "./call.ts";
import { decodeText } from "./charset.ts";
import type { Dial } from "./connect.ts";
import { GuardError } from "./errors.ts";
import type { Answer, Limits } from "./exchange.ts";
import { createPacer, retryAfterMs } from "./pace.ts";
import type { Pace } from "./pace.ts";
import { createTargetCheck } from "./target.ts";
import { createTransport } from "./transport.ts";
import type { Resolver, Target, TargetPolicy } from "./target.ts";

export { GuardError } from "./errors.ts";
export type { GuardCode } from "./errors.ts";
export type { Dial } from "./connect.ts";
export type { Limits } from "./exchange.ts";
export type { Pace } from "./pace.ts";
export type { Resolver, TargetPolicy } from "./target.ts";
export { retryAfterMs } from "./pace.ts";

export interface GuardFetchOptions extends TargetPolicy {
  clock: Clock;
  random?: Random;
  resolver?: Resolver;
  /** Who we are and how to reach us, e.g. `ActionConnector/1.0 (+https://example.org/bot)`. */
  userAgent: string;
  limits?: Partial<Limits>;
  pace?: Partial<Pace>;
  /** Extra certificate authorities (PEM), for a private network. */
  ca?: string;
  dial?: Dial;
}

export interface GuardRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** How many redirects may be followed; 3 for GET and HEAD, 0 otherwise. With 0 the 3xx itself is the answer. */
  redirects?: number;
  limits?: Partial<Limits>;
  pace?: Partial<Pace>;
  /** `false` leaves out queueing, backing off and the circuit: for a caller with a schedule of its own. */
  polite?: boolean;
  /** May be sent twice: lets a POST use (and, when stale, replace) a kept-alive connection. */
  idempotent?: boolean;
  /** Status and headers matter: a body past 64 KiB is not an error; the first 2 KiB are kept as they came. */
  skipBody?: boolean;
  /** Validators of the copy the caller holds, sent verbatim. */
  conditional?: { etag?: string | null; lastModified?: string | null };
  signal?: AbortSignal;
}

export interface GuardResponse {
  status: number;
  headers: Headers;
  body: Uint8Array;
  /** The body as text in its own charset. */
  text(): string;
  finalUrl: string;
  /** 304 to a conditional request: the caller's copy is still right. */
  notModified: boolean;
  /** To be stored and sent next time as `conditional`. */
  validators: { etag: string | null; lastModified: string | null };
  /** What the other side asked for in `Retry-After`, if anything. */
  retryAfterMs: number | null;
}

export interface GuardFetch {
  fetch(url: string | URL, request?: GuardRequest): Promise<GuardResponse>;
  /** Refuses what the text of an address alone gives away; asks no name service. Throws a GuardError. */
  parse(url: string | URL): void;
  /** Refuses a target without connecting, names resolved: for the moment a user hands one in. Throws a GuardError. */
  check(url: string | URL): Promise<void>;
  close(): void;
}

const DEFAULT_LIMITS: Limits = {
  connectMs: 5_000,
  idleMs: 10_000,
  totalMs: 20_000,
  headerBytes: 32 * 1024,
  wireBytes: 5 * 1024 * 1024,
  decodedBytes: 20 * 1024 * 1024,
  ratio: 200,
};
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const DEFAULT_PACE: Pace = { concurrency: 2, gapMs: 250, queueMs: 60_000 };

export function createGuardFetch(options: GuardFetchOptions): GuardFetch {
  const { clock } = options;
  const targets = createTargetCheck(options);
  const transport = createTransport(options, targets);
  const ownLimits: Limits = { ...DEFAULT_LIMITS, ...options.limits };
  const pacer = createPacer(clock, options.random ?? systemRandom);

  async function fetch(url: string | URL, request: GuardRequest = {}): Promise<GuardResponse> {
    const limits: Limits = request.limits ? { ...ownLimits, ...request.limits } : ownLimits;
    const bounds = { limits, endMs: clock.monotonic() + limits.totalMs };
    let call = firstCall(url, request);
    const most = request.redirects ?? (call.method === "GET" || call.method === "HEAD" ? 3 : 0);
    let left = most;
    for (;;) {
      const target = targets.parse(call.url);
      const send = () => transport.send(target, call, request, bounds);
      const answer = await (request.polite === false ? send() : politely(target, request, send));
      const location = most > 0 && REDIRECTS.has(answer.status) ? answer.headers.get("location") : null;
      if (location === null) return respond(answer, target, clock.now());
      if (left === 0) throw new GuardError("too_many_redirects", "The address redirects too often.");
      left -= 1;
      call = nextCall(call, target, answer.status, location);
    }
  }

  async function politely(target: Target, request: GuardRequest, run: () => Promise<Answer>): Promise<Answer> {
    const key = target.url.host;
    const done = await pacer.turn(key, { ...DEFAULT_PACE, ...options.pace, ...request.pace }, request.signal);
    try {
      const answer = await run();
      const patience = retryAfterMs(answer.headers.get("retry-after"), clock.now());
      if (answer.status === 429 || answer.status === 503) pacer.backOff(key, patience);
      else if (answer.status >= 500) pacer.failed(key);
      else pacer.succeeded(key);
      return answer;
    } catch (error) {
      if (error instanceof GuardError && error.retryable) pacer.failed(key);
      throw error;
    } finally {
      done();
    }
  }

  async function check(url: string | URL): Promise<void> {
    await transport.addressesOf(targets.parse(url), ownLimits.connectMs);
  }

  return { fetch, parse: (url) => void targets.parse(url), check, close: transport.close };
}

function respond(answer: Answer, target: Target, now: number): GuardResponse {
  return {
    status: answer.status,
    headers: answer.headers,
    body: answer.body,
    text: () => decodeText(answer.body, answer.headers.get("content-type")),
    finalUrl: target.url.href,
    notModified: answer.status === 304,
    get validators() {
      return { etag: answer.headers.get("etag"), lastModified: answer.headers.get("last-modified") };
    },
    retryAfterMs: retryAfterMs(answer.headers.get("retry-after"), now),
  };
}
