// Quotes, symbols and markets over HTTP, with a test key's simulated market.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Harness, startHarness } from "../../../../tests/harness.ts";

let app: Harness;
/** Tuesday, 10:00 in New York. */
const OPEN = Date.parse("2026-11-03T15:00:00Z");

beforeAll(async () => {
  app = await startHarness();
  app.clock.jump(OPEN);
});
afterAll(() => app.stop());

const ask = (body: unknown, key?: string) => app.call("POST", "/stock/quote", { body, ...(key ? { key } : {}) });

describe("POST /stock/quote", () => {
  test("200 with a simulated quote that says so everywhere", async () => {
    const reply = await ask({ symbol: "aapl" });
    expect(reply.status).toBe(200);
    expect(reply.headers.get("X-Data-Simulated")).toBe("true");
    const [{ ok, requested, quote }] = reply.body.data.results;
    expect([ok, requested, quote.id, quote.currency]).toEqual([true, "aapl", "AAPL:XNAS", "USD"]);
    expect(quote.data).toMatchObject({
      simulated: true,
      delivery: "simulated",
      label: "SIMULATED – not market data",
      stale: false,
    });
    expect(quote.market).toMatchObject({
      state: "regular",
      session_date: "2026-11-03",
      close_at: "2026-11-03T21:00:00Z",
    });
    expect(quote.previous_close.date).toBe("2026-11-02");
    expect(quote.change.basis_date).toBe("2026-11-02");
    expect(reply.body.data.summary).toEqual({ requested: 1, ok: 1, failed: 0, simulated: 1 });
  });

  test("200 keeps the order, answers every form, and one bad symbol spoils nothing", async () => {
    const list = ["BRK-B", "NOSUCHTHING", "VOD.L", "US0378331005", "SHOP", "!!", "ACNGONE", "BRK.B"];
    const { body } = await ask({ symbols: list });
    expect(body.data.results.map((r: any) => r.requested)).toEqual(list);
    expect(body.data.results.map((r: any) => (r.ok ? r.quote.id : r.error.code))).toEqual([
      "BRK.B:XNYS",
      "symbol_not_found",
      "VOD:XLON",
      "AAPL:XNAS",
      "symbol_ambiguous",
      "symbol_invalid",
      "delisted",
      "BRK.B:XNYS",
    ]);
    expect(body.data.results[4].error.candidates).toEqual(["SHOP:XNAS", "SHOP:XTSE"]);
    expect(body.data.results[2].quote).toMatchObject({ currency: "GBP", quoted_in: { code: "GBp", scale: "0.01" } });
    expect(body.data.summary).toEqual({ requested: 8, ok: 4, failed: 4, simulated: 4 });
  });

  test("200 from the cache within a second, from the market after it", async () => {
    const first = (await ask({ symbol: "ACNWILD" })).body.data.results[0].quote;
    const again = (await ask({ symbol: "ACNWILD" })).body.data.results[0].quote;
    expect([first.data.cache, again.data.cache]).toEqual(["miss", "hit"]);
    const fresh = (await ask({ symbol: "ACNWILD", max_age_ms: 0 })).body.data.results[0].quote;
    expect(fresh.data.cache).toBe("hit");
    await app.clock.advance(60_000);
    const later = (await ask({ symbol: "ACNWILD" })).body.data.results[0].quote;
    expect(later.data.cache).toBe("miss");
    expect(later.last.at > first.last.at).toBe(true);
  });

  test("200 for what people try first, and for pairs, indices and futures", async () => {
    const symbols = ["GME", "COIN", "PLTR", "UBER", "TLT", "$TSLA", "BTC-USD", "EURUSD=X", "^GSPC", "ES=F"];
    const { results } = (await ask({ symbols })).body.data;
    expect(results.map((r: any) => r.ok)).toEqual(symbols.map(() => true));
    expect(results.map((r: any) => r.quote.data.stale)).toEqual(symbols.map(() => false));
    expect(results[6].quote).toMatchObject({
      id: "BTC-USD",
      instrument: { type: "crypto", mic: null },
      currency: "USD",
    });
  });

  test("200 with only the asked fields, and the regular session", async () => {
    const { body } = await ask({ symbol: "MSFT", fields: ["last"], session: "regular" });
    expect(Object.keys(body.data.results[0].quote).sort()).toEqual([
      "currency",
      "data",
      "id",
      "last",
      "requested",
      "symbol",
    ]);
  });

  test("200 shared by callers of one millisecond, and never with another tenant's own price", async () => {
    const other = (await app.openAccount("free")).testKey;
    const body = { symbols: ["CAT", "DE"] };
    await ask(body);
    const first = await ask(body);
    expect((await ask(body, other)).body).toEqual(first.body);
    const at = new Date(app.clock.now()).toISOString();
    const ticks = [{ symbol: "CAT", seq: 1, at, price: "1.23" }];
    await app.call("POST", "/stock/ticks", { key: other, body: { currency: "USD", ticks } });
    const price = (reply: any) => reply.body.data.results[0].quote.last.price;
    expect(price(await ask(body, other))).toBe("1.23");
    expect(price(await ask(body))).toBe(price(first));
  });

  test("200 replayed byte for byte with an idempotency key", async () => {
    const headers = { "Idempotency-Key": "q1" };
    const first = await app.call("POST", "/stock/quote", { body: { symbol: "AAPL" }, headers });
    await app.clock.advance(5000);
    const again = await app.call("POST", "/stock/quote", { body: { symbol: "AAPL" }, headers });
    expect(again.text).toBe(first.text);
  });

  test("400 for neither or both of symbol and symbols, too many, and an unknown field", async () => {
    for (const body of [
      {},
      { symbol: "A", symbols: ["B"] },
      { symbols: [] },
      { symbols: Array(101).fill("A") },
      { symbol: "A", field: ["last"] },
    ]) {
      expect((await ask(body)).status).toBe(400);
    }
    const typo = await ask({ symbol: "A", fields: ["lst"] });
    expect(typo.body.error.errors[0].pointer).toBe("/fields/0");
  });

  test("404 when no symbol is known, with what was meant", async () => {
    const reply = await ask({ symbol: "AAPLX" });
    expect([reply.status, reply.body.error.code]).toEqual([404, "symbol_not_found"]);
    expect(reply.body.error.results[0].error.candidates).toContain("AAPL:XNAS");
  });

  test("422 for a symbol that is none, one that is two, and one that is only simulated", async () => {
    expect((await ask({ symbol: "??" })).body.error.code).toBe("symbol_invalid");
    const two = await ask({ symbol: "SHOP" });
    expect([two.status, two.body.error.code, two.body.error.hint]).toEqual([
      422,
      "symbol_ambiguous",
      "Did you mean SHOP:XNAS, SHOP:XTSE?",
    ]);
    const real = await ask({ symbol: "AAPL", require: "realtime" });
    expect([real.status, real.body.error.code, real.body.error.results[0].error.code]).toEqual([
      422,
      "requirement_not_met",
      "only_simulated",
    ]);
    expect((await ask({ symbol: "AAPL", allow_simulated: false })).status).toBe(422);
  });

  test("503 for a live key without a provider, naming the setting; never a simulated price", async () => {
    const reply = await ask({ symbols: ["AAPL", "MSFT"] }, app.account.liveKey);
    expect([reply.status, reply.body.error.code]).toEqual([503, "provider_not_configured"]);
    expect(reply.body.error.hint).toContain("CONNECTOR_STOCK_FINNHUB_TOKEN");
  });

  test("the market is closed at night and on a holiday, and the price stands still", async () => {
    const before = app.clock.now();
    app.clock.jump("2026-11-26T16:00:00Z");
    const holiday = (await ask({ symbol: "IBM" })).body.data.results[0].quote;
    expect(holiday.market).toMatchObject({
      state: "closed",
      reason: "holiday",
      holiday: "Thanksgiving Day",
      next_open_at: "2026-11-27T14:30:00Z",
    });
    expect(holiday.last.at).toBe("2026-11-25T21:00:00Z");
    expect(holiday.day).toMatchObject({ date: "2026-11-25", close: holiday.last.price });
    expect(holiday.data.stale).toBe(false);
    app.clock.jump(before);
  });
});

describe("GET /stock/symbols", () => {
  test("200 by symbol in any form and by name, in pages", async () => {
    const found = (await app.call("GET", "/stock/symbols?q=brk-b")).body.data;
    expect(found.items[0]).toMatchObject({
      id: "BRK.B:XNYS",
      forms: { act: "BRK.B", cqs: "BRK.B", nasdaq: "BRK.B", dash: "BRK-B" },
    });
    const first = (await app.call("GET", "/stock/symbols?q=a&limit=2")).body.data;
    expect([first.items.length, first.has_more]).toEqual([2, true]);
    const second = (await app.call("GET", `/stock/symbols?q=a&limit=2&cursor=${first.next_cursor}`)).body.data;
    expect(second.items[0].id).not.toBe(first.items[0].id);
    expect((await app.call("GET", "/stock/symbols?q=no+such+company")).body.data.items).toEqual([]);
    for (const q of ["US0378331005", "aple"])
      expect((await app.call("GET", `/stock/symbols?q=${q}`)).body.data.items[0].id).toBe("AAPL:XNAS");
  });

  test("400 without a query, and for another list's cursor", async () => {
    expect((await app.call("GET", "/stock/symbols")).status).toBe(400);
    expect((await app.call("GET", "/stock/symbols?q=a&cursor=zzz")).body.error.code).toBe("invalid_cursor");
  });
});

describe("GET /stock/markets", () => {
  test("200 lists markets with their state", async () => {
    const { items } = (await app.call("GET", "/stock/markets?limit=100&country=JP")).body.data;
    expect(items).toMatchObject([{ mic: "XTKS", timezone: "Asia/Tokyo", market: { state: "closed" } }]);
    expect((await app.call("GET", "/stock/markets?cursor=zzz")).status).toBe(400);
  });

  test("200 one market: early close, sessions and holidays of a span, at a given moment", async () => {
    const { data } = (
      await app.call("GET", "/stock/markets/XNAS?at=2026-11-27T18:30:00Z&from=2026-11-25&to=2026-11-30")
    ).body;
    expect(data).toMatchObject({
      mic: "XNAS",
      market: { state: "post", reason: "early_close" },
      next_close_at: "2026-11-30T21:00:00Z",
    });
    expect(data.sessions.map((s: any) => [s.date, s.close_at])).toEqual([
      ["2026-11-25", "2026-11-25T21:00:00Z"],
      ["2026-11-27", "2026-11-27T18:00:00Z"],
      ["2026-11-30", "2026-11-30T21:00:00Z"],
    ]);
    expect(data.holidays).toEqual([{ date: "2026-11-26", name: "Thanksgiving Day" }]);
  });

  test("200 by a usual name and in any case of letters", async () => {
    for (const name of ["NYSE", "nyse", "xnys"])
      expect((await app.call("GET", `/stock/markets/${name}`)).body.data.mic).toBe("XNYS");
    const { items } = (await app.call("GET", "/stock/markets?country=us&limit=100")).body.data;
    expect(items.length).toBeGreaterThan(0);
    expect((await app.call("GET", "/stock/markets/ZNYS")).body.error.hint).toContain("XNYS");
  });

  test("404 for a market we have no calendar of, 400 for a span that is none", async () => {
    expect((await app.call("GET", "/stock/markets/ZZZZ")).status).toBe(404);
    expect((await app.call("GET", "/stock/markets/SIMX")).status).toBe(404);
    for (const query of ["from=2026-02-30", "from=2026-01-02&to=2026-01-01", "from=2026-01-01&to=2028-01-01"]) {
      expect((await app.call("GET", `/stock/markets/XNYS?${query}`)).status).toBe(400);
    }
  });
});
