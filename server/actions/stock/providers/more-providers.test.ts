// Tiingo and Yahoo against a local server with its documented shape, and every trap it is known for.
import { describe, expect, test } from "bun:test";
import { isFailure } from "../engine/upstream/source.ts";
import { conforms, openBench, securityFor } from "./conformance.ts";
import { openProviders, providerFaults, unusedProviders } from "./index.ts";
import { tiingo } from "./tiingo.ts";
import { yahoo } from "./yahoo.ts";

const asked = (url: URL, name: string) => (url.searchParams.get(name) ?? "").split(",");

let entitled = true;
conforms(
  {
    name: "tiingo",
    known: { symbol: "BRK.B", key: "BRK.B:XNYS", price: "412.36" },
    unknown: "ZZZZ",
    open: (deps) => tiingo({ token: "sesame" }, deps),
    answer: (_r, url) =>
      Response.json(
        asked(url, "tickers")
          .filter((t) => t === "brk-b")
          .map(() => ({
            ticker: "BRK-B",
            timestamp: "2026-11-03T10:29:58.1-05:00",
            quoteTimestamp: "2026-11-03T10:29:58.148256843-05:00",
            lastSaleTimestamp: entitled ? "2026-11-03T10:29:57.5-05:00" : null,
            last: entitled ? 412.36 : null,
            lastSize: entitled ? 10 : null,
            tngoLast: 412.3,
            prevClose: 410,
            open: 411,
            high: 413,
            low: 409.5,
            mid: null,
            volume: 1234,
            bidSize: null,
            bidPrice: null,
            askSize: null,
            askPrice: null,
          })),
      ),
  },
  (bench) => {
    test("tngoLast is never shown as a trade, and null sides after hours are normal", async () => {
      const quote = await bench.quote("BRK.B");
      expect(quote).toMatchObject({
        last: { at: "2026-11-03T15:29:57.5Z" },
        bid: null,
        ask: null,
        data: { feed: "iex", coverage: "single_venue" },
      });
      entitled = false;
      const poor = await bench.quote("BRK.B");
      expect([poor.last, poor.previous_close?.price]).toEqual([null, "410"]);
      entitled = true;
    });
  },
);

let crumb = "Abc./dEf1";
let badCrumbs = 0;
const YAHOO: Record<string, any> = {
  "BRK-B": {
    symbol: "BRK-B",
    quoteType: "EQUITY",
    currency: "USD",
    priceHint: 2,
    regularMarketPrice: 244.6,
    regularMarketChange: 3.0700073,
    regularMarketPreviousClose: 241.53,
    regularMarketTime: Date.parse("2026-11-03T15:29:00Z") / 1000,
    regularMarketDayHigh: 245.18,
    bid: 244.6,
    ask: 244.66,
    bidSize: 2,
    askSize: 3,
    marketState: "REGULAR",
    exchangeDataDelayedBy: 0,
    quoteSourceName: "Nasdaq Real Time Price",
    longName: "Berkshire",
  },
  "VOD.L": {
    symbol: "VOD.L",
    quoteType: "EQUITY",
    currency: "GBp",
    priceHint: 2,
    regularMarketPrice: 308.8,
    regularMarketPreviousClose: 315.2,
    regularMarketDayHigh: 315.4158,
    regularMarketTime: Date.parse("2026-11-03T15:14:00Z") / 1000,
    marketState: "REGULAR",
    exchangeDataDelayedBy: 15,
    quoteSourceName: "Delayed Quote",
    marketCap: 2554603520,
  },
  AAPL: { symbol: "AAPL", quoteType: "NONE", tradeable: false },
};
conforms(
  {
    name: "yahoo",
    known: { symbol: "BRK.B", key: "BRK.B:XNYS", price: "244.6" },
    unknown: "ZZZZ",
    open: (deps) => yahoo({}, deps),
    answer: (request, url) => {
      if (url.pathname === "/cookie")
        return new Response("", {
          status: 404,
          headers: { "Set-Cookie": "A3=d=AQAB; Expires=Wed, 03 Nov 2027 10:00:00 GMT; Path=/; HttpOnly" },
        });
      if (url.pathname === "/v1/test/getcrumb") return new Response(crumb);
      expect(request.headers.get("cookie")).toBe("A3=d=AQAB");
      if (badCrumbs-- > 0)
        return Response.json(
          { finance: { result: null, error: { code: "Unauthorized", description: "Invalid Crumb" } } },
          { status: 401 },
        );
      return Response.json({
        quoteResponse: { result: asked(url, "symbols").flatMap((s) => YAHOO[s] ?? []), error: null },
      });
    },
  },
  (bench) => {
    test("float noise goes, pence become pounds, delays are said, sizes of unknown unit are left out, NONE is delisted", async () => {
      const quote = await bench.quote("BRK.B");
      expect(quote).toMatchObject({
        change: { amount: "3.07", percent: "1.2711" },
        bid: { price: "244.6", size: null },
        data: { delivery: "realtime" },
      });
      expect(quote.warnings[0]).toContain("not an official source");
      const pence = await bench.quote("VOD.L");
      expect(pence).toMatchObject({
        currency: "GBP",
        last: { price: "3.088" },
        change: { amount: "-0.064" },
        data: { delivery: "delayed", delay_seconds: 900, label: "Delayed 15 min" },
      });
      expect((await bench.fetch("AAPL")).get("AAPL:XNAS")).toMatchObject({ code: "delisted" });
    });

    test("coins, currencies, indices and futures are asked for by Yahoo's names", async () => {
      for (const [typed, name] of [
        ["BTC/USD", "BTC-USD"],
        ["EUR/USD", "EURUSD=X"],
        ["^GSPC", "^GSPC"],
        ["ES=F", "ES=F"],
      ]) {
        await bench.fetch(typed);
        expect(new URL(bench.requests.at(-1)!.url).searchParams.get("symbols")).toBe(name);
      }
    });

    test("an expired crumb is fetched anew once, and words are never kept as a crumb", async () => {
      badCrumbs = 1;
      expect((await bench.quote("BRK.B")).last?.price).toBe("244.6");
      const fresh = openBench({
        name: "yahoo",
        known: { symbol: "", key: "", price: "" },
        unknown: "",
        open: (deps) => yahoo({}, deps),
        answer: (_r, url) =>
          url.pathname === "/cookie"
            ? new Response("", { headers: { "Set-Cookie": "A1=x; Path=/" } })
            : new Response("Too Many Requests"),
      });
      await expect(fresh.fetch("BRK.B")).rejects.toMatchObject({ kind: "rate_limited" });
      fresh.stop();
      crumb = "Abc./dEf1";
    });
  },
);

describe("settings", () => {
  const none = {
    order: [],
    alpaca: { key: null, secret: null, feed: "iex" as const },
    finnhubToken: null,
    twelveData: { key: null, delaySeconds: -1 },
    massive: { key: null, plan: "starter" as const },
    tiingoToken: null,
    yahooAccepted: false,
    urls: [],
  };
  const open = (more: object) => () =>
    openProviders({ ...none, ...more }, { fetch: (() => {}) as any, clock: null as any });

  const faults = (more: object) => providerFaults({ ...none, ...more });

  test("a provider without its key names the setting; an unknown or former name says what to write", () => {
    expect(faults({ order: ["alpaca"] })).toHaveLength(2);
    expect(faults({ order: ["alpaca"] })[0]).toContain("CONNECTOR_STOCK_ALPACA_KEY is not set");
    expect(faults({ order: ["yahoo"] })[0]).toContain("STOCK_YAHOO_UNOFFICIAL=true");
    expect(faults({ order: ["nope"] })[0]).toContain("none of alpaca");
    expect(faults({ order: ["polygon"] })).toEqual([
      "CONNECTOR_STOCK_PROVIDERS names polygon, which is called massive here. Hint: write massive, and set CONNECTOR_STOCK_MASSIVE_KEY.",
    ]);
  });

  test("a key alone is enough; a list decides the order, and what it leaves out is known", () => {
    const keys = { finnhubToken: "f", massive: { key: "m", plan: "starter" } };
    expect(open(keys)().map((p) => p.source.name)).toEqual(["finnhub", "massive"]);
    expect(unusedProviders({ ...none, ...keys, order: ["massive"] } as any)).toEqual(["finnhub"]);
    expect(unusedProviders({ ...none, ...keys } as any)).toEqual([]);
    const list = open({ order: ["tiingo", "finnhub"], tiingoToken: "t", finnhubToken: "f" })();
    expect(list.map((p) => p.source.name)).toEqual(["tiingo", "finnhub"]);
    expect(list[0].source.covers(securityFor("VOD.L"))).toBe(false);
    expect(isFailure({ retryable: true } as any)).toBe(true);
  });
});
