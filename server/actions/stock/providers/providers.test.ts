// Every provider against a local server with its documented shape, and every trap it is known for.
import { expect, test } from "bun:test";
import { alpaca } from "./alpaca.ts";
import { securityFor, conforms, openBench, type Candidate } from "./conformance.ts";
import { finnhub } from "./finnhub.ts";
import { parseExact } from "./http.ts";
import { massive } from "./massive.ts";
import { twelveData } from "./twelve-data.ts";

const asked = (url: URL, name: string) => (url.searchParams.get(name) ?? "").split(",");
const json = (text: string) => new Response(text, { headers: { "Content-Type": "application/json" } });

const snapshot = (p: number) => ({
  latestTrade: { t: "2026-11-03T15:29:58.448432206Z", x: "V", p, s: 200, c: ["@"], i: 39884, z: "C" },
  latestQuote: {
    t: "2026-11-03T15:29:59.547942Z",
    ax: "V",
    ap: p + 0.01,
    as: 2,
    bx: "V",
    bp: 0,
    bs: 0,
    c: ["R"],
    z: "C",
  },
  dailyBar: { t: "2026-11-03T05:00:00Z", o: 268.1, h: 272, l: 267.9, c: p, v: 1200, n: 30, vw: 270.1 },
  prevDailyBar: { t: "2026-11-02T05:00:00Z", o: 1, h: 2, l: 1, c: 269.05, v: 9, n: 1, vw: 1.5 },
});

const ALPACA: Candidate = {
  name: "alpaca",
  known: { symbol: "BRK-B", key: "BRK.B:XNYS", price: "271.3" },
  unknown: "ZZZZ",
  open: (deps) => alpaca({ key: "sesame-key", secret: "sesame-secret", feed: "iex" }, deps),
  answer: (_r, url) =>
    Response.json(
      Object.fromEntries(
        asked(url, "symbols")
          .filter((s) => s === "BRK.B" || s === "AAPL")
          .map((s) => [s, snapshot(271.3)]),
      ),
    ),
};
conforms(ALPACA, (bench) => {
  test("nanoseconds are kept, the daily bar's date is New York's, a bid of zero is no bid, IEX is said to be one venue", async () => {
    const quote = await bench.quote("BRK.B");
    expect(quote.last).toMatchObject({ at: "2026-11-03T15:29:58.448432206Z", session: "regular", size: 200 });
    expect(quote).toMatchObject({
      bid: null,
      mid: null,
      day: { date: "2026-11-03", close: null },
      previous_close: { price: "269.05", date: "2026-11-02" },
    });
    expect(quote.change).toEqual({
      amount: "2.25",
      percent: "0.8363",
      basis: "previous_close",
      basis_date: "2026-11-02",
    });
    expect(quote.data).toMatchObject({
      feed: "iex",
      coverage: "single_venue",
      label: "Real-time, IEX only",
      as_of: "2026-11-03T15:29:59.547942Z",
    });
    expect(bench.requests.at(-1)!.url).toContain("symbols=BRK.B&feed=iex");
  });

  test("after the close the last trade is the extended one and the day keeps its change", async () => {
    bench.clock.jump("2026-11-03T22:30:00Z");
    const late = openBench({
      ...ALPACA,
      now: "2026-11-03T22:30:00Z",
      answer: () =>
        Response.json({
          AAPL: { ...snapshot(271.3), latestTrade: { t: "2026-11-03T22:10:00Z", p: 273, s: 1, x: "V", c: [] } },
        }),
    });
    const quote = await late.quote("AAPL");
    expect(quote.extended).toMatchObject({
      session: "post",
      price: "273",
      amount: "1.7",
      percent: "0.6266",
      basis: "last_regular_close",
    });
    expect(quote.last).toMatchObject({ session: "post", price: "273" });
    expect(quote.change).toMatchObject({ amount: "2.25", basis_date: "2026-11-02" });
    expect(quote.day.close).toBe("271.3");
    late.stop();
  });
});

conforms(
  {
    name: "finnhub",
    known: { symbol: "BRK.B", key: "BRK.B:XNYS", price: "149.7" },
    unknown: "ZZZZ",
    open: (deps) => finnhub({ token: "sesame" }, deps),
    answer: (request, url) => {
      expect(request.headers.get("x-finnhub-token")).toBe("sesame");
      if (url.searchParams.get("symbol") === "7203.T")
        return Response.json({ error: "You don't have access to this resource." }, { status: 403 });
      if (url.searchParams.get("symbol") !== "BRK-B")
        return Response.json({ c: 0, d: null, dp: null, h: 0, l: 0, o: 0, pc: 0, t: 0 });
      return Response.json({
        c: 149.7,
        d: -6.41,
        dp: -4.1061,
        h: 154.89,
        l: 149.2,
        o: 151.75,
        pc: 156.11,
        t: Date.parse("2026-11-03T15:29:00Z") / 1000,
      });
    },
  },
  (bench) => {
    test("all zeros are not found, the dash form is asked, seconds become a time, and the change is ours", async () => {
      const quote = await bench.quote("BRK.B");
      expect(quote).toMatchObject({
        last: { at: "2026-11-03T15:29:00Z" },
        change: { amount: "-6.41", percent: "-4.1061", basis_date: "2026-11-02" },
      });
      const answers = await bench.fetch("7203.T");
      expect(answers.get("7203:XTKS")).toMatchObject({ code: "not_entitled" });
    });
  },
);

const TWELVE = (symbol: string) => ({
  symbol,
  name: "Apple Inc",
  exchange: "NASDAQ",
  mic_code: "XNGS",
  currency: symbol === "VOD" ? "GBp" : "USD",
  datetime: "2026-11-03",
  timestamp: 1793716200,
  last_quote_at: Date.parse("2026-11-03T15:29:00Z") / 1000,
  open: "148.44000",
  high: "149.96001",
  low: "147.55000",
  close: "148.85001",
  volume: "67903927",
  previous_close: "149.32001",
  change: "-0.47",
  percent_change: "-0.3",
  is_market_open: true,
  fifty_two_week: { low: "103.10000", high: "157.25999" },
});
conforms(
  {
    name: "twelve_data",
    known: { symbol: "AAPL", key: "AAPL:XNAS", price: "148.85001" },
    unknown: "ZZZZ",
    open: (deps) => twelveData({ key: "sesame", delaySeconds: null }, deps),
    answer: (_r, url) => {
      const symbols = asked(url, "symbol");
      const one = (s: string) =>
        s === "ZZZZ" ? { code: 400, message: "**symbol** not found: ZZZZ", status: "error", meta: {} } : TWELVE(s);
      return Response.json(
        symbols.length === 1 ? one(symbols[0]) : Object.fromEntries(symbols.map((s) => [s, one(s)])),
      );
    },
  },
  (bench) => {
    test("coins and currencies by its names; futures are not its business", async () => {
      for (const [typed, name] of [
        ["BTC-USD", "BTC/USD"],
        ["EURUSD", "EUR/USD"],
        ["^GSPC", "SPX"],
      ]) {
        await bench.fetch(typed);
        expect(new URL(bench.requests.at(-1)!.url).searchParams.get("symbol")).toBe(name);
      }
      expect(bench.provider.source.covers(securityFor("ES=F"))).toBe(false);
    });

    test("strings stay as they are, pence become pounds, the bar's opening is not the time of the price", async () => {
      const quote = await bench.quote("VOD.L");
      expect(quote).toMatchObject({
        currency: "GBP",
        quoted_in: { code: "GBp", scale: "0.01" },
        last: { price: "1.4885001", at: "2026-11-03T15:29:00Z" },
      });
      expect(quote.change?.amount).toBe("-0.0047000");
      expect(bench.requests.at(-1)!.url).toContain("mic_code=XLON");
      expect(quote.warnings.join()).toContain("has not said how late");
    });

    test("an error inside a 200 for the whole call is a failure of the call", async () => {
      const poor = openBench({
        name: "twelve_data",
        known: { symbol: "AAPL", key: "", price: "" },
        unknown: "",
        open: (deps) => twelveData({ key: "k", delaySeconds: 0 }, deps),
        answer: () => Response.json({ code: 429, message: "You have run out of API credits", status: "error" }),
      });
      await expect(poor.fetch("AAPL", "MSFT")).rejects.toMatchObject({ kind: "rate_limited" });
      poor.stop();
    });
  },
);

const TRADE = '"lastTrade":{"c":null,"i":"1","p":159.99,"s":200,"t":1793719798294080343,"x":12},';
const massiveTicker = (day: number, trade = true) =>
  [
    `{"ticker":"AAPL","day":{"c":${day},"h":${day},"l":${day},"o":${day},"v":0,"vw":${day}},`,
    '"lastQuote":{"P":159.99,"S":500,"p":159.98,"s":300,"t":1793719798407646487},',
    trade ? TRADE : "",
    '"min":{"av":1,"c":160.3,"h":1,"l":1,"o":1,"v":1,"vw":1,"t":1793719740000,"n":5},',
    '"prevDay":{"c":163.64,"h":1,"l":1,"o":1,"v":1,"vw":1},"todaysChange":-3.65,"todaysChangePerc":-2.231,',
    '"updated":1793719798294080343}',
  ].join("");
const CLEARED = [
  '{"ticker":"AAPL","day":{"c":0,"h":0,"l":0,"o":0,"v":0,"vw":0},"lastQuote":{"P":0,"S":0,"p":0,"s":0,"t":0},',
  '"lastTrade":{"p":0,"s":0,"t":0,"x":0},"min":{"c":0},"prevDay":{"c":0},"updated":0}',
].join("");
let massiveBody = massiveTicker(160.315);
conforms(
  {
    name: "massive",
    known: { symbol: "AAPL", key: "AAPL:XNAS", price: "159.99" },
    unknown: "ZZZZ",
    open: (deps) => massive({ key: "sesame", plan: "advanced" }, deps),
    answer: (request) => {
      expect(request.headers.get("authorization")).toBe("Bearer sesame");
      return json(`{"count":1,"status":"OK","request_id":"x","tickers":[${massiveBody}]}`);
    },
  },
  (bench) => {
    test("19-digit nanoseconds survive, zeros before the open are unknown, and the change does not follow todaysChange", async () => {
      const quote = await bench.quote("AAPL");
      expect(quote.last?.at).toBe("2026-11-03T15:29:58.294080343Z");
      expect(quote.change).toMatchObject({ amount: "-3.65", percent: "-2.2305" });
      massiveBody = massiveTicker(0);
      expect((await bench.quote("AAPL")).day).toMatchObject({ open: null, high: null, low: null, volume: null });
      massiveBody = massiveTicker(160.315, false);
      const plan = await bench.quote("AAPL");
      expect([plan.last, plan.warnings[0]]).toEqual([null, "This Massive plan does not show the last trade."]);
      massiveBody = CLEARED;
      const cleared = (await bench.fetch("AAPL")).get("AAPL:XNAS") as any;
      expect([cleared.code, cleared.retryable]).toEqual(["no_data", true]);
      massiveBody = massiveTicker(160.315);
    });

    test("numbers inside strings are left alone", () => {
      expect(
        parseExact('{"a":1651251948407646487,"b":"x 1651251948407646487, y","c":-12.5,"d":[12345678901234567890]}'),
      ).toEqual({
        a: "1651251948407646487",
        b: "x 1651251948407646487, y",
        c: -12.5,
        d: ["12345678901234567890"],
      });
    });
  },
);
