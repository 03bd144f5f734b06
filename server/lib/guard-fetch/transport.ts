// Sends one request over a kept connection, or over a fresh one to an address that was looked up and checked for it.
import { lookup } from "node:dns/promises";
import type { Clock } from "../clock.ts";
import { type Call, wireMessage } from "./call.ts";
import { type Dial, systemDial } from "./connect.ts";
import { createConnections } from "./connections.ts";
import { GuardError } from "./errors.ts";
import { type Answer, type Exchange, exchange, type Limits, StaleConnection } from "./exchange.ts";
import type { Resolver, Target, TargetCheck } from "./target.ts";

export interface TransportOptions {
  clock: Clock;
  resolver?: Resolver;
  userAgent: string;
  ca?: string;
  dial?: Dial;
}

export interface SendOptions {
  idempotent?: boolean;
  skipBody?: boolean;
  signal?: AbortSignal;
}

export interface Bounds {
  limits: Limits;
  /** When the total time is over, redirects included, on the monotonic clock. */
  endMs: number;
}

const REPEATABLE = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);
const MAX_ADDRESSES = 3;

/** The machine's own resolver: the same path a connection would take, so nothing can differ between check and use. */
const systemResolver: Resolver = async (hostname) =>
  (await lookup(hostname, { all: true, order: "ipv4first" } as never as { all: true })).map((entry) => entry.address);

export function createTransport(options: TransportOptions, targets: TargetCheck) {
  const { clock, userAgent, ca } = options;
  const resolver = options.resolver ?? systemResolver;
  const connections = createConnections(clock, options.dial ?? systemDial);
  const addressesOf = (target: Target, ms: number) =>
    target.literal ? targets.resolve(target, resolver) : resolvedInTime(clock, ms, targets.resolve(target, resolver));

  /**
   * Sends on a kept connection, or on a fresh one to each checked address in turn until one accepts it. Only what may be sent
   * twice travels on a kept connection: if that one dies before the first byte of an answer, nobody knows whether the
   * request was received, so it is sent once more on a fresh one.
   */
  async function send(target: Target, call: Call, request: SendOptions, bounds: Bounds): Promise<Answer> {
    const repeatable = request.idempotent ?? REPEATABLE.has(call.method);
    const { hostname, port } = target;
    const tls = target.isSecure ? { hostname, ca } : null;
    const spec: Exchange = {
      method: call.method,
      message: wireMessage(target, call, userAgent, repeatable),
      limits: bounds.limits,
      endMs: bounds.endMs,
      skipBody: request.skipBody ?? false,
      mayKeep: repeatable,
      signal: request.signal,
    };
    const kept = repeatable ? connections.take(connections.keyOf({ port, tls }, hostname)) : null;
    if (kept) {
      try {
        return await exchange(clock, kept, spec, connections.giveBack);
      } catch (error) {
        if (!(error instanceof StaleConnection)) throw error;
      }
    }
    const checkedMs = clock.monotonic();
    const addresses = await addressesOf(target, bounds.limits.connectMs);
    let last: unknown;
    for (const address of addresses.slice(0, MAX_ADDRESSES)) {
      const fresh = connections.open({ address, port, tls }, hostname, checkedMs);
      try {
        return await exchange(clock, fresh, spec, connections.giveBack);
      } catch (error) {
        last = error;
        if (!(error instanceof GuardError) || error.code !== "upstream_unreachable" || !repeatable) break;
      }
    }
    throw last;
  }

  return { send, addressesOf, close: connections.close };
}

async function resolvedInTime(clock: Clock, ms: number, addresses: Promise<string[]>): Promise<string[]> {
  let stop = () => {};
  const late = new Promise<never>((_, reject) => {
    const detail = `The name was not resolved within ${ms} ms.`;
    stop = clock.after(ms, () => reject(new GuardError("upstream_timeout", detail)));
  });
  try {
    return await Promise.race([addresses, late]);
  } finally {
    stop();
  }
}
