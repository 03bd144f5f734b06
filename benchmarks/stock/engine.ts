// The stock engine beside bare limits, in one process: calendar, ticks, cached reads, a hanging primary.
import { marketCalendar, openCalendars } from "../../server/actions/stock/engine/calendar/index.ts";
import { Chain } from "../../server/actions/stock/engine/upstream/chain.ts";
import { QuoteCache } from "../../server/actions/stock/engine/upstream/quote-cache.ts";
import type { FetchResults, QuoteSource, Security } from "../../server/actions/stock/engine/upstream/source.ts";
import { Book } from "../../server/actions/stock/engine/feed/book.ts";
import { readTick } from "../../server/actions/stock/engine/feed/tick.ts";
import { simulateQuote } from "../../server/actions/stock/engine/simulation/market.ts";
import { LISTED_INSTRUMENTS } from "../../server/actions/stock/engine/symbols/seed.ts";
import { systemClock } from "../../server/lib/clock.ts";
import { seededRandom } from "../../server/lib/random.ts";
import { median } from "../lib/process.ts";

const time = (work: () => void): number => {
  const start = performance.now();
  work();
  return performance.now() - start;
};

/** Many short alternating rounds, so that a busy neighbour meets both; the median of bare time divided by ours. */
function compare(rounds: number, bare: () => void, ours: () => void) {
  const ratios: number[] = [];
  const times: number[] = [];
  for (let i = -5; i < rounds * 8; i++) {
    const b = time(bare);
    const o = time(ours);
    if (i < 0) continue;
    ratios.push(b / o);
    times.push(o);
  }
  return { ratio: median(ratios), ms: median(times) };
}

export function measureCalendar(rounds: number) {
  const calendar = marketCalendar("XNYS")!;
  const from = Date.UTC(2000, 0, 2);
  const to = Date.UTC(2027, 0, 1);
  calendar.stateAt(from);
  calendar.stateAt(to);
  const edges = Float64Array.from(
    calendar
      .sessions("2000-01-01", "2027-12-31")
      .flatMap((s) => [s.open - 19_800_000, s.open, s.close, s.close + 14_400_000]),
  );
  const random = seededRandom(1);
  const asked = Float64Array.from({ length: 50_000 }, () => from + random.unit() * (to - from));
  let sink = 0;
  const bare = () => {
    for (const t of asked) {
      let low = 0;
      let high = edges.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >>> 1;
        if (edges[middle] <= t) low = middle;
        else high = middle - 1;
      }
      sink += low & 3;
    }
  };
  const phase = compare(rounds, bare, () => {
    for (const t of asked) sink += calendar.phaseAt(t).length;
  });
  const whole = compare(rounds, bare, () => {
    for (const t of asked) sink += calendar.stateAt(t).state.length;
  });
  const building = time(() => {
    const fresh = openCalendars();
    for (const mic of fresh.main().slice(0, 30)) fresh.get(mic)!.sessions("1990-01-01", "2028-12-31");
  });
  return {
    phase_to_bare_search: phase.ratio,
    full_state_to_bare_search: whole.ratio,
    phase_ns: (phase.ms / asked.length) * 1e6,
    build_30_calendars_ms: building,
    sink: sink > 0,
  };
}

export function measureTicks(rounds: number) {
  const calendar = marketCalendar("XNAS");
  const count = 10_000;
  const start = Date.parse("2026-11-03T14:30:00Z");
  const lines = Array.from({ length: count }, (_, i) =>
    JSON.stringify(
      i % 3 === 0
        ? {
            type: "quote",
            symbol: `S${i % 100}`,
            seq: i,
            at: new Date(start + i * 100).toISOString(),
            bid: `${100 + (i % 90)}.25`,
            bid_size: 100,
            ask: `${100 + (i % 90)}.27`,
            ask_size: 300,
          }
        : {
            type: "trade",
            symbol: `S${i % 100}`,
            seq: i,
            at: new Date(start + i * 100).toISOString(),
            price: `${100 + (i % 90)}.26`,
            size: 100,
            venue: "XNAS",
          },
    ),
  );
  let sink = 0;
  const parse = () => {
    for (const line of lines) sink += JSON.parse(line).seq;
  };
  const now = systemClock.now();
  const ingest = () => {
    const books = new Map<string, Book>();
    for (const line of lines) {
      const tick = readTick(JSON.parse(line));
      if (Array.isArray(tick)) throw new Error(tick[0].detail);
      let book = books.get(tick.symbol);
      if (!book) books.set(tick.symbol, (book = new Book(tick.symbol)));
      if (book.apply(tick, calendar, now) === "applied") sink++;
    }
  };
  const { ratio, ms } = compare(rounds, parse, ingest);
  return { to_json_parse: ratio, ticks_per_second: Math.round((count / ms) * 1000), sink: sink > 0 };
}

export async function measureReads(rounds: number, redisPort: number | null) {
  const calendars = openCalendars();
  const instrument = LISTED_INSTRUMENTS[0];
  const security: Security = { key: "AAPL:XNAS", symbol: "AAPL", mic: "XNAS", reading: null, instrument, type: null };
  const cache = new QuoteCache({
    clock: systemClock,
    calendars,
    batchMax: 100,
    windowMs: 0,
    fetch: async (list) =>
      new Map(
        list.map((security) => [security.key, simulateQuote(instrument, calendars.get("XNAS")!, systemClock.now())]),
      ) as FetchResults,
  });
  await cache.get(security);
  const entry = cache.fresh(security.key, systemClock.now())!;
  const now = systemClock.now();
  const nowText = new Date(now).toISOString();
  let sink = 0;
  const read = () => {
    for (let i = 0; i < 100_000; i++) sink += cache.fresh(security.key, now) === entry ? 1 : 0;
  };
  const render = () => {
    for (let i = 0; i < 20_000; i++) sink += entry.served.json('"AAPL"', now, nowText, "hit").length;
  };
  for (let i = 0; i < 3; i++) {
    read();
    render();
  }
  const readNs = (median(Array.from({ length: rounds }, () => time(read))) / 100_000) * 1e6;
  const renderNs = (median(Array.from({ length: rounds }, () => time(render))) / 20_000) * 1e6;
  if (redisPort === null) return { read_ns: readNs, render_ns: renderNs, redis: "absent" };
  const client = new Bun.RedisClient(`redis://127.0.0.1:${redisPort}`);
  await client.set("q", entry.served.json('"AAPL"', now, nowText, "hit"));
  const each: number[] = [];
  for (let r = 0; r < rounds; r++) {
    const started = performance.now();
    for (let i = 0; i < 2000; i++) await client.get("q");
    each.push(((performance.now() - started) / 2000) * 1e6);
  }
  client.close();
  return {
    read_ns: readNs,
    render_ns: renderNs,
    redis_get_ns: median(each),
    read_to_redis_get: median(each) / readNs,
    render_to_redis_get: median(each) / renderNs,
    sink: sink > 0,
  };
}

export async function measureHedge(calls: number) {
  const hedgeMs = 60;
  const calendars = openCalendars();
  const instrument = LISTED_INSTRUMENTS[0];
  const latencies: number[] = [];
  const source = (name: string, fetch: QuoteSource["fetch"]): QuoteSource => ({
    name,
    batchMax: 100,
    metered: false,
    delivery: "realtime",
    limit: null,
    covers: () => true,
    fetch,
  });
  const answer = (list: Security[]) =>
    new Map(
      list.map((security) => [security.key, simulateQuote(instrument, calendars.get("XNAS")!, systemClock.now())]),
    ) as FetchResults;
  const secondary = source("secondary", async (list) => {
    const started = performance.now();
    await new Promise((go) => setTimeout(go, 20));
    latencies.push(performance.now() - started);
    return answer(list);
  });
  // The simulator's first answer builds calendars, which is not what is measured here.
  answer([{ key: "warm", symbol: "AAPL", mic: "XNAS", reading: null, instrument, type: null }]);
  const chain = new Chain([source("primary", () => new Promise(() => {})), secondary], {
    clock: systemClock,
    timeoutMs: 2000,
    hedgeMs,
  });
  const took: number[] = [];
  for (let i = 0; i < calls; i++) {
    const started = performance.now();
    await chain.fetch([{ key: `S${i}`, symbol: "AAPL", mic: "XNAS", reading: null, instrument, type: null }]);
    took.push(performance.now() - started);
  }
  took.sort((a, b) => a - b);
  const p99 = took[Math.floor(took.length * 0.99)];
  const limit = hedgeMs + 1.2 * median(latencies);
  return {
    p99_ms: p99,
    limit_ms: limit,
    within: p99 <= limit,
    median_ms: median(took),
    secondary_median_ms: median(latencies),
  };
}
