// Manners towards one host: how many at once, how far apart, when to leave it alone. Sends nothing itself.
import type { Clock } from "../clock.ts";
import type { Random } from "../random.ts";
import { GuardError } from "./errors.ts";

export interface Pace {
  /** Requests to one host at the same time. */
  concurrency: number;
  /** Milliseconds between the starts of two requests to one host. */
  gapMs: number;
  /** Longest wait for a turn. */
  queueMs: number;
}

const FAILURES_TO_OPEN = 5;
const FIRST_REST_MS = 30_000;
const LONGEST_REST_MS = 15 * 60_000;
const LONGEST_RETRY_AFTER_MS = 24 * 3_600_000;
const MAX_WAITING = 1000;
const FORGET_AFTER_MS = 10 * 60_000;

interface Host {
  active: number;
  waiting: Array<{ pace: Pace; go: () => void }>;
  nextStart: number;
  stopTimer: (() => void) | null;
  failures: number;
  rests: number;
  restUntil: number;
  restKind: "backing_off" | "circuit_open";
  probing: boolean;
  usedAt: number;
}

const FRESH: Omit<Host, "waiting"> = {
  active: 0,
  nextStart: 0,
  stopTimer: null,
  failures: 0,
  rests: 0,
  restUntil: 0,
  restKind: "backing_off",
  probing: false,
  usedAt: 0,
};

export function createPacer(clock: Clock, random: Random) {
  const hosts = new Map<string, Host>();

  /** Waits for a turn with this host; the returned function gives the turn back. Throws while the host rests. */
  async function turn(key: string, pace: Pace, signal?: AbortSignal): Promise<() => void> {
    const host = hostFor(key);
    mayCall(clock, key, host);
    if (host.waiting.length > 0 || !free(clock, host, pace)) await queue(clock, key, host, pace, signal);
    else start(clock, host, pace);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      host.active -= 1;
      host.probing = false;
      pump(clock, host);
    };
  }

  /** A host that answered 429 or 503 is left alone for as long as it said, or for a growing while. */
  function backOff(key: string, retryAfterMs: number | null): void {
    const host = hostFor(key);
    rest(
      clock,
      host,
      "backing_off",
      retryAfterMs === null ? restMs(random, host) : Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS),
    );
  }

  function failed(key: string): void {
    const host = hostFor(key);
    host.failures += 1;
    if (host.failures >= FAILURES_TO_OPEN) rest(clock, host, "circuit_open", restMs(random, host));
  }

  function succeeded(key: string): void {
    const host = hostFor(key);
    host.failures = 0;
    host.rests = 0;
  }

  function hostFor(key: string): Host {
    let host = hosts.get(key);
    if (!host) {
      forget();
      host = { ...FRESH, waiting: [] };
      hosts.set(key, host);
    }
    host.usedAt = clock.monotonic();
    return host;
  }

  /** Keeps the table from growing with every host ever seen. */
  function forget(): void {
    if (hosts.size < MAX_WAITING) return;
    const before = clock.monotonic() - FORGET_AFTER_MS;
    for (const [key, host] of hosts) {
      const idle = host.active === 0 && host.waiting.length === 0 && host.restUntil < clock.monotonic();
      if (idle && host.usedAt < before) hosts.delete(key);
    }
  }

  return { turn, backOff, failed, succeeded };
}

function mayCall(clock: Clock, key: string, host: Host): void {
  const left = host.restUntil - clock.monotonic();
  if (left > 0)
    throw new GuardError(host.restKind, `${key} is left alone for a while.`, { retryAfterMs: Math.ceil(left) });
  if (host.failures < FAILURES_TO_OPEN) return;
  // After its rest a broken host gets one request; the others wait for how that one ends.
  if (host.probing) throw new GuardError("circuit_open", `${key} is being tried again.`, { retryAfterMs: 1000 });
  host.probing = true;
}

function queue(clock: Clock, key: string, host: Host, pace: Pace, signal?: AbortSignal): Promise<void> {
  if (host.waiting.length >= MAX_WAITING) throw new GuardError("host_busy", `Too many requests wait for ${key}.`);
  return new Promise((resolve, reject) => {
    const leave = (error: GuardError) => {
      const at = host.waiting.indexOf(entry);
      if (at >= 0) host.waiting.splice(at, 1);
      done();
      reject(error);
    };
    const late = new GuardError("host_busy", `No turn with ${key} in ${pace.queueMs} ms.`);
    const stop = clock.after(pace.queueMs, () => leave(late));
    const onAbort = () => leave(new GuardError("aborted", "The request was given up."));
    const done = () => {
      stop();
      signal?.removeEventListener("abort", onAbort);
    };
    const entry = {
      pace,
      go() {
        done();
        resolve();
      },
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    host.waiting.push(entry);
    pump(clock, host);
  });
}

function free(clock: Clock, host: Host, pace: Pace): boolean {
  return host.active < pace.concurrency && clock.monotonic() >= host.nextStart;
}

function start(clock: Clock, host: Host, pace: Pace): void {
  host.active += 1;
  host.nextStart = clock.monotonic() + pace.gapMs;
}

function pump(clock: Clock, host: Host): void {
  while (host.waiting.length > 0 && free(clock, host, host.waiting[0].pace)) {
    const next = host.waiting.shift()!;
    start(clock, host, next.pace);
    next.go();
  }
  const wait = host.nextStart - clock.monotonic();
  if (host.waiting.length === 0 || wait <= 0 || host.stopTimer) return;
  host.stopTimer = clock.after(wait, () => {
    host.stopTimer = null;
    pump(clock, host);
  });
}

function restMs(random: Random, host: Host): number {
  const full = Math.min(FIRST_REST_MS * 2 ** host.rests, LONGEST_REST_MS);
  host.rests += 1;
  return Math.round(full * (0.75 + random.unit() / 2));
}

function rest(clock: Clock, host: Host, kind: Host["restKind"], ms: number): void {
  host.restKind = kind;
  host.restUntil = Math.max(host.restUntil, clock.monotonic() + ms);
}

/** Retry-After as milliseconds from now: delay-seconds or an HTTP date. Null when absent or unreadable. */
export function retryAfterMs(value: string | null, now: number): number | null {
  if (!value) return null;
  if (/^\s*\d{1,9}\s*$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) || !/[a-z]/i.test(value) ? null : Math.max(0, at - now);
}
