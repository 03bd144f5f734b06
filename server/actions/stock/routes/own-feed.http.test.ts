// The own feed beside a provider: it comes first while it is fresh, gives way when it is stale, and never sets the future.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Harness, startHarness } from "../../../../tests/harness.ts";

let app: Harness;
/** Tuesday, 10:30 in New York. */
const OPEN = Date.parse("2026-11-03T15:30:00Z");
const iso = (ms: number) => new Date(ms).toISOString();

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch(request) {
    const symbols = (new URL(request.url).searchParams.get("symbols") ?? "").split(",");
    const trade = { t: iso(app.clock.now() - 1000), x: "V", p: 25, s: 100, c: [] };
    const bar = { t: "2026-11-03T05:00:00Z", o: 24, h: 26, l: 24, c: 25, v: 10, n: 1, vw: 25 };
    return Response.json(
      Object.fromEntries(symbols.map((s) => [s, { latestTrade: trade, dailyBar: bar, prevDailyBar: bar }])),
    );
  },
});

beforeAll(async () => {
  app = await startHarness({
    config: {
      STOCK_COUNTRY: "us",
      // No list of providers: a key alone is enough.
      STOCK_ALPACA_KEY: "k",
      STOCK_ALPACA_SECRET: "s",
      STOCK_PROVIDER_URLS: [`alpaca=http://127.0.0.1:${server.port}`],
      ALLOW_LOOPBACK: [`127.0.0.1:${server.port}`],
    },
  });
  app.clock.jump(OPEN);
});
afterAll(async () => {
  await app.stop();
  server.stop(true);
});

/**
 * A live question waits 2 ms of the owned clock for others to share its call. A round trip to the store in between: a clock that
 * ran on with every turn would be seconds ahead on a busy machine, and no quote fresh any more.
 */
async function ask(body: object, key = app.account.liveKey) {
  let done = false;
  const reply = app.call("POST", "/stock/quote", { key, body }).finally(() => (done = true));
  while (!done) {
    await app.clock.advance(2);
    await app.service.platform.db.sql`select 1`;
  }
  return reply;
}
const push = (ticks: object[], key = app.account.liveKey) =>
  app.call("POST", "/stock/ticks", { key, body: { currency: "USD", ticks } });

describe("callers that ask alike at one moment", () => {
  const body = { symbol: "NVDA" };
  const priceFor = async (key: string) => (await ask(body, key)).body.data.results[0].quote.last?.price;

  test("get the same answer, but for those with a feed of their own and those of the other mode", async () => {
    const [one, other, fed] = [await app.openAccount(), await app.openAccount(), await app.openAccount()];
    const tick = { symbol: "NVDA", price: 99.5, seq: 1, at: iso(app.clock.now()) };
    await push([tick], fed.liveKey);
    await ask(body, one.liveKey);
    const asked = [one, fed, other].map((a) => app.call("POST", "/stock/quote", { key: a.liveKey, body }));
    const [first, own, second] = (await Promise.all(asked)).map((reply) => reply.body.data);
    expect(second).toEqual(first);
    expect(first.results[0].quote.last.price).toBe("25");
    expect(own.results[0].quote.last.price).toBe("99.5");
    const simulated = await ask(body, one.testKey);
    expect(simulated.body.data.summary.simulated).toBe(1);
    expect(await priceFor(other.liveKey)).toBe("25");
  });

  test("a feed that begins is in the next answer, also at the same moment", async () => {
    const { liveKey } = await app.openAccount();
    await ask(body, liveKey);
    const before = await app.call("POST", "/stock/quote", { key: liveKey, body });
    await push([{ symbol: "NVDA", price: 98.5, seq: 1, at: iso(app.clock.now()) }], liveKey);
    const after = await app.call("POST", "/stock/quote", { key: liveKey, body });
    expect([before, after].map((r) => r.body.data.results[0].quote.last.price)).toEqual(["25", "98.5"]);
  });
});

describe("POST /stock/ticks", () => {
  test("400 names the field that is meant by another word, and shows it", async () => {
    const tick = { ticker: "NVDA", seq: 1, at: iso(app.clock.now()), price: 25 };
    const { body } = await push([tick]);
    const { hint } = body.error.errors.find((fault: any) => fault.pointer === "/ticks/0/ticker");
    expect(hint).toBe('Did you mean "symbol"? Send e.g. "symbol":"AAPL"');
  });

  test("400 when every tick is refused, with every fault of each", async () => {
    const reply = await push([{ symbol: "MSFT", price: 512.5 }]);
    expect([reply.status, reply.body.error.code]).toEqual([400, "validation_failed"]);
    expect(reply.body.error.errors.map((e: any) => e.pointer)).toEqual(["/ticks/0/seq", "/ticks/0/at"]);
    expect(reply.body.error.hint).toBe('Send e.g. "seq":1');
  });

  test("200 refuses a tick from the future; the price stays", async () => {
    const now = app.clock.now();
    const reply = await push([
      { symbol: "AAPL", seq: 1, at: iso(now), price: "271.00" },
      { symbol: "AAPL", seq: 2, at: iso(now + 365 * 86_400_000), price: "999" },
      { symbol: "AAPL", seq: 3, at: iso(now + 30_000), price: "271.50" },
    ]);
    expect(reply.body.data).toMatchObject({ accepted: 2, rejected: 1 });
    expect(reply.body.data.errors).toMatchObject([{ index: 1, field: "at" }]);
    const { quote } = (await ask({ symbol: "AAPL" })).body.data.results[0];
    expect(quote.last.price).toBe("271.50");
    expect(quote.data.source).toBe("ticks");
  });
});

describe("POST /stock/quote", () => {
  test("200 from the provider when the own feed is stale or older than max_age_ms", async () => {
    await push([{ symbol: "GME", seq: 1, at: "2025-01-02T15:30:00Z", price: "1.11" }]);
    for (const body of [
      { symbol: "GME" },
      { symbol: "GME", require: "realtime" },
      { symbol: "GME", max_age_ms: 1000 },
    ]) {
      const { quote } = (await ask(body)).body.data.results[0];
      expect([quote.last.price, quote.data.source, quote.data.stale]).toEqual(["25", "alpaca", false]);
    }
    await push([{ symbol: "GME", seq: 2, at: iso(app.clock.now() - 10_000), price: "2.22" }]);
    expect((await ask({ symbol: "GME" })).body.data.results[0].quote.last.price).toBe("2.22");
    expect((await ask({ symbol: "GME", max_age_ms: 5000 })).body.data.results[0].quote.last.price).toBe("25");
  });

  test("422 when nothing but a stale price is there and realtime is required; a made-up price never replaces a real one", async () => {
    const key = app.key;
    await push([{ symbol: "IBM", seq: 1, at: iso(app.clock.now() - 120_000), price: "300.00" }], key);
    const { quote } = (await ask({ symbol: "IBM" }, key)).body.data.results[0];
    expect(quote).toMatchObject({ last: { price: "300.00" }, data: { stale: true, simulated: false } });
    expect(quote.data.label).toBe("Out of date (Real-time)");
    const reply = await ask({ symbol: "IBM", require: "realtime" }, key);
    expect([reply.status, reply.body.error.results[0].error.code]).toEqual([422, "only_stale"]);
  });

  test("200 stale over the weekend when the feed died in mid-session, until an official close comes", async () => {
    const key = app.key;
    const before = app.clock.now();
    app.clock.jump("2026-11-13T15:30:10Z");
    await push([{ symbol: "KO", seq: 1, at: "2026-11-13T15:30:00Z", price: "70.00" }], key);
    app.clock.jump("2026-11-15T12:00:00Z");
    const dead = (await ask({ symbol: "KO" }, key)).body.data.results[0].quote;
    expect(dead.data).toMatchObject({ stale: true, stale_reason: "feed_ended_before_close" });
    await push([{ type: "close", symbol: "KO", seq: 2, at: "2026-11-13T21:00:00Z", price: "70.50" }], key);
    const closed = (await ask({ symbol: "KO" }, key)).body.data.results[0].quote;
    expect(closed).toMatchObject({ day: { close: "70.50" }, data: { stale: false } });
    app.clock.jump(before);
  });

  test("200 says when the previous close is only the last trade the feed sent", async () => {
    const key = app.key;
    const before = app.clock.now();
    app.clock.jump("2026-11-13T15:30:10Z");
    await push([{ symbol: "PEP", seq: 1, at: "2026-11-13T15:30:00Z", price: "140.00" }], key);
    app.clock.jump("2026-11-16T15:30:10Z");
    await push([{ symbol: "PEP", seq: 2, at: "2026-11-16T15:30:00Z", price: "141.00" }], key);
    const { quote } = (await ask({ symbol: "PEP" }, key)).body.data.results[0];
    expect(quote.change).toMatchObject({ amount: "1.00", basis_date: "2026-11-13" });
    expect(quote.warnings).toEqual([
      "previous_close is the last trade the feed sent on 2026-11-13: it has sent no official close.",
    ]);
    app.clock.jump(before);
  });

  test("200 by country and market: the caller's word, then the operator's setting", async () => {
    const id = async (body: object) => (await ask(body, app.key)).body.data.results[0].quote.id;
    expect(await id({ symbol: "SHEL" })).toBe("SHEL:XNYS");
    expect(await id({ symbol: "SHEL", country: "gb" })).toBe("SHEL:XLON");
    expect(await id({ symbol: "SHEL", mic: "lse" })).toBe("SHEL:XLON");
    expect((await ask({ symbol: "SHEL" })).body.data.results[0].quote.data.source).toBe("alpaca");
    expect((await ask({ symbol: "SHEL", mic: "nowhere" }, app.key)).status).toBe(422);
  });
});

describe("DELETE /stock/ticks", () => {
  test("200 forgets the own feed here and in the store, and its sequence starts anew; 404, 422 otherwise", async () => {
    const key = app.key;
    await push([{ symbol: "DELT", seq: 7, at: iso(app.clock.now()), price: "9.00" }], key);
    const gone = await app.call("DELETE", "/stock/ticks?symbol=DELT", { key });
    expect([gone.status, gone.body.data.instrument]).toEqual([200, "DELT"]);
    expect((await ask({ symbol: "DELT" }, key)).status).toBe(404);
    expect((await app.service.platform.db.sql`select 1 from stock_books where key = 'DELT'`).length).toBe(0);
    const again = await push([{ symbol: "DELT", seq: 1, at: iso(app.clock.now()), price: "8.00" }], key);
    expect(again.body.data.accepted).toBe(1);
    expect((await app.call("DELETE", "/stock/ticks?symbol=NONE", { key })).status).toBe(404);
    expect((await app.call("DELETE", "/stock/ticks?symbol=%3F%3F", { key })).status).toBe(422);
  });
});
