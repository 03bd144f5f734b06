// The questions every provider must answer the same way, asked over real HTTP of a local server that speaks its shape.
import { afterAll, describe, expect, test } from "bun:test";
import { ManualClock, systemClock } from "../../../lib/clock.ts";
import { createGuardFetch } from "../../../lib/guard-fetch/index.ts";
import { openCalendars } from "../engine/calendar/index.ts";
import { isFailure, type SourceError, type Security } from "../engine/upstream/source.ts";
import { buildQuote, type Built } from "../engine/quote/build.ts";
import type { Draft } from "../engine/quote/model.ts";
import { createSecurities } from "../securities.ts";
import type { Provider, ProviderDeps } from "./port.ts";

export interface Bench {
  provider: Provider;
  clock: ManualClock;
  /** Makes the server misbehave until the next call of `serverState`. */
  serverState(name: ServerState): void;
  requests: Request[];
  fetch(...symbols: string[]): Promise<Map<string, Draft | { code: string; message: string }>>;
  quote(symbol: string): Promise<Built>;
}

export type ServerState = "healthy" | "unauthorized" | "limited" | "broken" | "html" | "silent";

export interface Candidate {
  name: string;
  /** A known American symbol as people type it, its price there, and one that is not known. */
  known: { symbol: string; key: string; price: string };
  unknown: string;
  open(deps: ProviderDeps): Provider;
  /** The server in good health. */
  answer(request: Request, url: URL): Response | Promise<Response>;
  now?: string;
}

const securities = createSecurities();
export const securityFor = (typed: string): Security => {
  const found = securities.find(typed);
  if (!found.ok) throw new Error(`${typed}: ${found.failure.message}`);
  return found.security;
};

export function openBench(candidate: Candidate): Bench & { stop(): void } {
  let serverState: ServerState = "healthy";
  const requests: Request[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      requests.push(request);
      if (serverState === "silent") return new Promise<Response>(() => {});
      if (serverState === "unauthorized") return Response.json({ message: "bad key", code: 401 }, { status: 401 });
      if (serverState === "limited")
        return new Response("Too Many Requests", { status: 429, headers: { "Retry-After": "7" } });
      if (serverState === "broken") return new Response("oops", { status: 500 });
      if (serverState === "html")
        return new Response("<html>maintenance</html>", { headers: { "Content-Type": "text/html" } });
      return candidate.answer(request, new URL(request.url));
    },
  });
  const guard = createGuardFetch({
    clock: systemClock,
    userAgent: "test",
    allowLoopback: [`127.0.0.1:${server.port}`],
  });
  const clock = new ManualClock(candidate.now ?? "2026-11-03T15:30:00Z");
  const provider = candidate.open({ fetch: guard.fetch, clock, baseUrl: `http://127.0.0.1:${server.port}` });
  const calendars = openCalendars();
  const fetchAll = async (...symbols: string[]) => {
    const asked = symbols.map(securityFor);
    const answers: Map<string, any> = new Map();
    for (let i = 0; i < asked.length; i += provider.source.batchMax) {
      const part = asked.slice(i, i + provider.source.batchMax);
      for (const [key, value] of await provider.source.fetch(part, AbortSignal.timeout(5000))) answers.set(key, value);
    }
    return answers;
  };
  return {
    provider,
    clock,
    requests,
    serverState: (name) => void (serverState = name),
    fetch: fetchAll,
    async quote(symbol) {
      const security = securityFor(symbol);
      const draft = (await fetchAll(symbol)).get(security.key)!;
      if (isFailure(draft)) throw new Error(draft.message);
      const mic = draft.mic ?? security.mic;
      const built = buildQuote(draft, {
        instrument: security.instrument,
        mic,
        calendar: mic ? calendars.get(mic) : null,
        receivedAt: new Date(clock.now()).toISOString(),
      });
      if (!built.ok) throw new Error(built.message);
      return built.quote;
    },
    stop() {
      server.stop(true);
      guard.close();
    },
  };
}

const kindOf = async (call: Promise<unknown>): Promise<SourceError> => {
  try {
    await call;
  } catch (error) {
    return error as SourceError;
  }
  throw new Error("the call did not fail");
};

/** Runs the suite, then the candidate's own traps on the same bench. */
export function conforms(candidate: Candidate, traps: (bench: Bench) => void): void {
  describe(candidate.name, () => {
    const bench = openBench(candidate);
    afterAll(() => bench.stop());
    const { known, unknown } = candidate;

    test("a known symbol: decimals, a time, a source, a kind, and a change of our own", async () => {
      bench.serverState("healthy");
      const quote = await bench.quote(known.symbol);
      expect(quote.last?.price ?? quote.bid?.price).toBe(known.price);
      expect(quote.id).toBe(known.key);
      expect(quote.currency).toMatch(/^[A-Z]{3}$/);
      expect(quote.data).toMatchObject({ source: candidate.name, simulated: false });
      expect(quote.data.label.length).toBeGreaterThan(3);
      expect(JSON.stringify(quote)).not.toMatch(/:(NaN|undefined)|"price":"0(\.0*)?"/);
      for (const value of [quote.last?.price, quote.change?.amount, quote.change?.percent])
        if (value) expect(value).toMatch(/^-?(0|[1-9]\d*)(\.\d+)?$/);
    });

    test("an unknown symbol is not found, never a price of zero, and spoils nothing", async () => {
      const answers = await bench.fetch(known.symbol, unknown);
      const bad = answers.get(securityFor(unknown).key) as any;
      expect(bad === undefined || ["symbol_not_found", "delisted"].includes(bad.code)).toBe(true);
      expect(isFailure(answers.get(known.key) as any)).toBe(false);
    });

    test("a refused key, a limit with its wait, a fault, a page instead of JSON, and silence are told apart", async () => {
      bench.serverState("unauthorized");
      expect((await kindOf(bench.fetch(known.symbol))).kind).toBe("unauthorized");
      bench.serverState("limited");
      const limited = await kindOf(bench.fetch(known.symbol));
      expect([limited.kind, limited.retryAfterMs]).toEqual(["rate_limited", 7000]);
      bench.serverState("broken");
      expect((await kindOf(bench.fetch(known.symbol))).kind).toBe("failed");
      bench.serverState("html");
      expect(["failed", "rate_limited"]).toContain((await kindOf(bench.fetch(known.symbol))).kind);
      bench.serverState("silent");
      const control = new AbortController();
      const call = bench.provider.source.fetch([securityFor(known.symbol)], control.signal);
      control.abort();
      expect((await kindOf(call)).kind).toBe("timeout");
      bench.serverState("healthy");
    });

    test("a published limit, and no key in any address", async () => {
      expect(bench.provider.source.limit!.cost(3)).toBeGreaterThan(0);
      expect(bench.requests.map((r) => r.url).filter((u) => /sesame/.test(u))).toEqual([]);
    });

    traps(bench);
  });
}
