// The cache under load: one call for many callers, the fewest batches, failover, circuits, hedges, stale answers.
import { describe, expect, test } from "bun:test";
import { ManualClock } from "../../../../lib/clock.ts";
import { openCalendars } from "../calendar/index.ts";
import { emptyDraft, type Draft } from "../quote/model.ts";
import { Bucket, HedgeBudget } from "./bucket.ts";
import { Chain } from "./chain.ts";
import { Circuit } from "./circuit.ts";
import { QuoteCache, ttlMs } from "./quote-cache.ts";
import { quoteFailure, SourceError, type FetchResults, type QuoteSource, type Security } from "./source.ts";

const calendars = openCalendars();
const START = "2026-11-03T15:30:00Z";
const want = (symbol: string): Security => ({
  key: `${symbol}:XNYS`,
  symbol,
  mic: "XNYS",
  reading: null,
  type: null,
  instrument: null,
});
const draft = (symbol: string, source: string, price = "10.00"): Draft => ({
  ...emptyDraft(symbol, source),
  quotedIn: "USD",
  trade: { price, size: 1, at: "2026-11-03T15:29:59Z", venue: null, conditions: [] },
});

interface Fake extends QuoteSource {
  calls: string[][];
  reply(fetch: QuoteSource["fetch"]): void;
}

function fake(name: string, more: Partial<QuoteSource> = {}): Fake {
  const calls: string[][] = [];
  let answer: QuoteSource["fetch"] = async (list) =>
    new Map(list.map((security) => [security.key, draft(security.symbol, name)])) as FetchResults;
  return {
    name,
    batchMax: 100,
    metered: false,
    delivery: "realtime",
    limit: null,
    covers: () => true,
    ...more,
    calls,
    reply: (fetch) => void (answer = fetch),
    fetch(list, signal) {
      calls.push(list.map((security) => security.symbol));
      return answer(list, signal);
    },
  };
}

function open(sources: QuoteSource[], options: { timeoutMs?: number; hedgeMs?: number } = {}) {
  const clock = new ManualClock(START);
  const chain = new Chain(sources, { clock, timeoutMs: 1000, hedgeMs: 100, ...options });
  const cache = new QuoteCache({
    clock,
    calendars,
    batchMax: chain.batchMax,
    fetch: (security) => chain.fetch(security),
  });
  return { clock, chain, cache };
}

const settle = async <T>(clock: ManualClock, promise: Promise<T>, ms = 10): Promise<T> => {
  await clock.advance(ms);
  return promise;
};

describe("single flight and batches", () => {
  test("1,000 concurrent cold requests for one symbol make exactly 1 upstream call", async () => {
    const source = fake("a");
    const { clock, cache } = open([source]);
    const all = Array.from({ length: 1000 }, () => cache.get(want("AAPL")));
    const answers = await settle(clock, Promise.all(all));
    expect(source.calls).toEqual([["AAPL"]]);
    expect(answers.every((a) => a.ok)).toBe(true);
    expect(answers.filter((a) => a.ok && a.cache === "miss").length).toBe(1);
  });

  test("100 requests of 20 overlapping symbols make the fewest batches", async () => {
    for (const [batchMax, expected] of [
      [100, 2],
      [50, 3],
    ] as const) {
      const source = fake("a", { batchMax });
      const { clock, cache } = open([source]);
      const all = Array.from({ length: 100 }, (_, r) =>
        Array.from({ length: 20 }, (_, i) => cache.get(want(`S${r + i}`))),
      ).flat();
      await settle(clock, Promise.all(all));
      const unique = new Set(Array.from({ length: 119 }, (_, i) => `S${i}`));
      expect(new Set(source.calls.flat())).toEqual(unique);
      expect(source.calls.length).toBe(expected);
      expect(source.calls.length).toBe(Math.ceil(unique.size / batchMax));
    }
  });

  test("one caller's abort does not abort the others", async () => {
    const source = fake("a");
    const { clock, cache } = open([source]);
    const controls = Array.from({ length: 999 }, () => new AbortController());
    const leaving = controls.map((c) => cache.get(want("AAPL"), Infinity, c.signal).catch(() => "gone"));
    const staying = cache.get(want("AAPL"));
    controls.forEach((c) => c.abort());
    expect((await settle(clock, staying)).ok).toBe(true);
    expect(await Promise.all(leaving)).toEqual(Array(999).fill("gone"));
    expect(source.calls.length).toBe(1);
  });

  test("one bad symbol never fails a batch, and is not asked again for a minute", async () => {
    const source = fake("a");
    source.reply(
      async (list) =>
        new Map(
          list
            .filter((security) => security.symbol !== "BAD")
            .map((security) => [security.key, draft(security.symbol, "a")]),
        ) as FetchResults,
    );
    const { clock, cache } = open([source]);
    const [good, bad] = await settle(clock, Promise.all([cache.get(want("GOOD")), cache.get(want("BAD"))]));
    expect([good.ok, bad.ok ? "" : bad.failure.code]).toEqual([true, "symbol_not_found"]);
    await cache.get(want("BAD"));
    expect(source.calls.length).toBe(1);
    await clock.advance(61_000);
    await settle(clock, cache.get(want("BAD")));
    expect(source.calls.length).toBe(2);
  });
});

describe("cache", () => {
  test("answers from memory while fresh, asks after that, and honours max age", async () => {
    const source = fake("a");
    const { clock, cache } = open([source]);
    await settle(clock, cache.get(want("AAPL")));
    expect(await cache.get(want("AAPL"))).toMatchObject({ cache: "hit" });
    await clock.advance(10);
    expect(cache.fresh("AAPL:XNYS", clock.now(), 5)).toBeNull();
    await clock.advance(1001);
    await settle(clock, cache.get(want("AAPL")));
    expect(source.calls.length).toBe(2);
  });

  test("the time to live follows the market", () => {
    expect(ttlMs("regular", "realtime", null)).toBe(1000);
    expect(ttlMs("regular", "delayed", null)).toBe(15_000);
    expect(ttlMs("post", "realtime", null)).toBe(5000);
    expect(ttlMs("closed", "realtime", 3_600_000)).toBe(900_000);
    expect(ttlMs("closed", "realtime", 360_000)).toBe(60_000);
  });

  test("a source that fails is bridged with the last quote, flagged stale, for a quarter of an hour", async () => {
    const source = fake("a");
    const { clock, cache } = open([source]);
    await settle(clock, cache.get(want("AAPL")));
    source.reply(async () => {
      throw new SourceError("failed", "down");
    });
    await clock.advance(2000);
    const stale = await settle(clock, cache.get(want("AAPL")));
    expect(stale).toMatchObject({ ok: true, cache: "stale_if_error" });
    const text = stale.ok ? JSON.parse(stale.entry.served.json('"AAPL"', clock.now(), "now", "stale_if_error")) : null;
    expect(text.data).toMatchObject({ stale: true, stale_reason: "source_failed" });
    await clock.advance(16 * 60_000);
    expect((await settle(clock, cache.get(want("AAPL")))).ok).toBe(false);
  });

  test("a stream builds on the snapshot of its own source and never on another's", async () => {
    const source = fake("a");
    source.reply(
      async (list) =>
        new Map(
          list.map((security) => [
            security.key,
            {
              ...draft(security.symbol, "a"),
              previousClose: { price: "9.50", date: "2026-11-02", adjusted: false },
              day: { ...emptyDraft("", "").day, date: "2026-11-03", high: "10.50", low: "9.90", open: "10.00" },
            },
          ]),
        ) as FetchResults,
    );
    const { clock, cache } = open([source]);
    await settle(clock, cache.get(want("AAPL")));
    const update = {
      ...draft("AAPL", "a", "11.00"),
      trade: { price: "11.00", size: 1, at: "2026-11-03T15:30:01Z", venue: null, conditions: [] },
    };
    expect(cache.put(want("AAPL"), update)!.served.built).toMatchObject({
      last: { price: "11.00" },
      day: { high: "11.00" },
      change: { amount: "1.50" },
    });
    expect(cache.put(want("AAPL"), { ...update, source: "b" })!.served.built).toMatchObject({
      last: { price: "11.00" },
      change: null,
      previous_close: null,
    });
    expect(cache.fresh("AAPL:XNYS", clock.now())).not.toBeNull();
    cache.expire("AAPL:XNYS");
    expect(cache.fresh("AAPL:XNYS", clock.now())).toBeNull();
  });
});

describe("failover", () => {
  test("the next source answers what the first one does not know or cannot say", async () => {
    const first = fake("a", { covers: (security) => security.symbol !== "LON" });
    first.reply(
      async (list) =>
        new Map(
          list.map((security) => [
            security.key,
            security.symbol === "X" ? quoteFailure("not_entitled", "no") : draft(security.symbol, "a"),
          ]),
        ) as FetchResults,
    );
    const second = fake("b");
    const { clock, chain } = open([first, second]);
    const answers = await settle(clock, chain.fetch([want("AAPL"), want("X"), want("LON")]));
    expect([...answers.values()].map((a: any) => a.source)).toEqual(["a", "b", "b"]);
    expect(second.calls).toEqual([["X", "LON"]]);
  });

  test("all fail: the most telling reason wins over not found", async () => {
    const first = fake("a");
    first.reply(async () => {
      throw new SourceError("rate_limited", "slow down", 7000);
    });
    const second = fake("b");
    second.reply(async () => new Map());
    const { clock, chain } = open([first, second]);
    const [answer] = (await settle(clock, chain.fetch([want("AAPL")]))).values();
    expect(answer).toMatchObject({ code: "rate_limited", retryAfterMs: 7000, provider: "a" });
  });

  test("a published limit is never exceeded; the rest goes to the next source", async () => {
    const first = fake("a", { batchMax: 1, limit: { tokens: 2, perMs: 60_000, cost: () => 1 } });
    const second = fake("b");
    const { clock, chain } = open([first, second]);
    for (let i = 0; i < 5; i++) await settle(clock, chain.fetch([want(`S${i}`)]), 1);
    expect([first.calls.length, second.calls.length]).toEqual([2, 3]);
    await clock.advance(30_000);
    await settle(clock, chain.fetch([want("T")]), 1);
    expect(first.calls.length).toBe(3);
  });

  test("a hanging first source is hedged, then not asked any more", async () => {
    const first = fake("a");
    first.reply(() => new Promise(() => {}));
    const second = fake("b");
    const { clock, chain } = open([first, second]);
    for (let i = 0; i < 3; i++) {
      const call = chain.fetch([want(`S${i}`)]);
      const [answer] = (await settle(clock, call, 101)).values();
      expect((answer as any).source).toBe("b");
    }
    expect(chain.health()[0].state).toBe("open");
    await settle(clock, chain.fetch([want("S9")]), 1);
    expect(first.calls.length).toBe(3);
  });

  test("hedges stay within their budget and never go to a metered source", () => {
    const budget = new HedgeBudget(0.05, 2);
    expect([budget.spend(), budget.spend(), budget.spend()]).toEqual([true, true, false]);
    for (let i = 0; i < 20; i++) budget.earn();
    expect([budget.spend(), budget.spend()]).toEqual([true, false]);
  });

  test("a metered second source waits for the first one to fail", async () => {
    const first = fake("a");
    first.reply(() => new Promise(() => {}));
    const second = fake("b", { metered: true });
    const { clock, chain } = open([first, second]);
    const call = chain.fetch([want("S")]);
    await clock.advance(500);
    expect(second.calls.length).toBe(0);
    await clock.advance(600);
    expect(((await call).get("S:XNYS") as any).source).toBe("b");
  });
});

describe("circuit and bucket", () => {
  test("opens after 5 of 10, or 3 timeouts; half-open lets one probe through", () => {
    const circuit = new Circuit();
    for (let i = 0; i < 4; i++) circuit.failed("failed", 0);
    expect(circuit.state(0)).toBe("closed");
    circuit.failed("failed", 0);
    expect([circuit.state(0), circuit.admit(29_999), circuit.waitMs(10_000)]).toEqual(["open", false, 20_000]);
    expect([circuit.admit(30_000), circuit.admit(30_000)]).toEqual([true, false]);
    circuit.failed("failed", 30_000);
    expect(circuit.state(59_999)).toBe("open");
    expect(circuit.admit(60_000)).toBe(true);
    circuit.succeeded();
    expect(circuit.state(60_000)).toBe("closed");
  });

  test("a refused key stays refused for long; a limit only as long as it says", () => {
    const circuit = new Circuit();
    circuit.failed("unauthorized", 0);
    expect(circuit.state(599_999)).toBe("open");
    const limited = new Circuit();
    limited.failed("rate_limited", 0, 5000);
    expect([limited.state(4999), limited.state(5000)]).toEqual(["open", "half_open"]);
  });

  test("tokens come back evenly", () => {
    const bucket = new Bucket(60, 60_000, 0);
    for (let i = 0; i < 60; i++) expect(bucket.take(1, 0).ok).toBe(true);
    expect(bucket.take(1, 0)).toEqual({ ok: false, waitMs: 1000 });
    expect([bucket.take(1, 1000).ok, bucket.take(1, 1000).ok]).toEqual([true, false]);
  });
});
