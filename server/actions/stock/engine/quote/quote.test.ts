// The quote: nothing invented, units resolved, the change ours, staleness by the hour, and both ways to serve it equal.
import { describe, expect, test } from "bun:test";
import { marketCalendar, openCalendars } from "../calendar/index.ts";
import { simulateQuote } from "../simulation/market.ts";
import { LISTED_INSTRUMENTS } from "../symbols/seed.ts";
import { buildQuote } from "./build.ts";
import { compareInstants, fromUnixNanos, fromUnixSeconds, instantOf, newest } from "./instant.ts";
import { emptyDraft, type Draft } from "./model.ts";
import { freshnessOf, ServedQuote, serveQuote } from "./serve.ts";
import { unitOf } from "./units.ts";

const calendar = marketCalendar("XNYS");
const trade = (price: string, at: string | null = "2026-11-03T15:29:59Z") => ({
  price,
  size: 1,
  at,
  venue: null,
  conditions: [],
});
const build = (more: Partial<Draft>, mic = "XNYS") => {
  const built = buildQuote(
    { ...emptyDraft("A", "s"), quotedIn: "USD", trade: trade("10.00"), ...more },
    {
      instrument: null,
      mic,
      calendar: marketCalendar(mic),
      receivedAt: newest("2026-11-03T15:30:00Z", more.trade?.at, more.extended?.at)!,
    },
  );
  if (!built.ok) throw new Error(built.code);
  return built.quote;
};
const NOW = Date.parse("2026-11-03T15:30:00Z");

describe("instants", () => {
  test("keep every digit, know their order, and zero is no time", () => {
    expect(fromUnixNanos("1651251948407646487")).toBe("2022-04-29T17:05:48.407646487Z");
    expect(fromUnixSeconds(0)).toBeNull();
    expect(instantOf("2026-11-03T10:29:58.148256843-05:00")).toBe("2026-11-03T15:29:58.148256843Z");
    expect(instantOf("2026-11-03T15:00:00.000Z")).toBe("2026-11-03T15:00:00Z");
    expect(instantOf("2026-11-03 15:00")).toBeNull();
    expect(compareInstants("2026-11-03T15:00:00Z", "2026-11-03T15:00:00.000000001Z")).toBe(-1);
    expect(compareInstants("2026-11-03T15:00:00.5Z", "2026-11-03T15:00:00.500Z")).toBe(0);
    expect(newest(null, "2026-11-03T15:00:00.1Z", "2026-11-03T15:00:00.09Z")).toBe("2026-11-03T15:00:00.1Z");
  });
});

describe("units", () => {
  test("case matters: GBp is pence, GBP is pounds", () => {
    expect(unitOf("GBp")).toMatchObject({ currency: "GBP", quoted_in: { code: "GBp", scale: "0.01" } });
    expect(unitOf("GBP")).toMatchObject({ currency: "GBP", quoted_in: { scale: "1" } });
    expect([unitOf("ZAc")?.currency, unitOf("ILA")?.currency, unitOf("eur")]).toEqual(["ZAR", "ILS", null]);
    const pence = build(
      { quotedIn: "GBp", trade: trade("308.8"), previousClose: { price: "315.2", date: "2026-11-02", adjusted: null } },
      "XLON",
    );
    expect(pence).toMatchObject({
      currency: "GBP",
      last: { price: "3.088" },
      change: { amount: "-0.064", percent: "-2.0305" },
    });
  });
});

describe("null rules", () => {
  test("zero is unknown, last is never filled from elsewhere, no price at all is no quote", () => {
    const quote = build({
      trade: null,
      bid: { price: "0", size: 5, at: null, venue: null },
      day: { ...emptyDraft("", "").day, close: "9.00", open: "0.00", date: "2026-11-02" },
    });
    expect(quote).toMatchObject({ last: null, bid: null, mid: null, day: { open: null, close: "9.00" } });
    expect(
      buildQuote(emptyDraft("A", "s"), { instrument: null, mic: null, calendar: null, receivedAt: "" }),
    ).toMatchObject({ ok: false, code: "no_data" });
  });

  test("a crossed market keeps both sides and loses the middle", () => {
    const quote = build({
      bid: { price: "10.02", size: 1, at: null, venue: null },
      ask: { price: "10.01", size: 1, at: null, venue: null },
    });
    expect([quote.mid, quote.spread, quote.warnings.length]).toEqual([null, null, 1]);
  });

  test("no change without a date; the date is the session before; another one is said aloud; a hundredfold jump too", () => {
    expect(build({ previousClose: { price: "9.00", date: null, adjusted: null } }).change).toMatchObject({
      amount: "1.00",
      percent: "11.1111",
      basis_date: "2026-11-02",
    });
    const unknown = buildQuote(
      { ...emptyDraft("A", "s"), trade: trade("10"), previousClose: { price: "9", date: null, adjusted: null } },
      { instrument: null, mic: null, calendar: null, receivedAt: "" },
    );
    expect(unknown.ok && unknown.quote.change).toBeNull();
    expect(build({ previousClose: { price: "9.00", date: "2026-10-30", adjusted: null } }).warnings[0]).toContain(
      "not of the session before (2026-11-02)",
    );
    expect(build({ previousClose: { price: "0.10", date: "2026-11-02", adjusted: null } }).warnings.join()).toContain(
      "hundred times",
    );
  });

  test("before the open the change is still that of the last session", () => {
    const pre = build({
      trade: trade("12.00", "2026-11-04T13:00:00Z"),
      day: { ...emptyDraft("", "").day, date: "2026-11-03", close: "11.00" },
      previousClose: { price: "10.00", date: "2026-11-02", adjusted: false },
    });
    expect(pre).toMatchObject({
      last: { session: "pre", price: "12.00" },
      change: { amount: "1.00", basis_date: "2026-11-02" },
      extended: { session: "pre", amount: "1.00", percent: "9.0909" },
    });
  });
});

test("a source that sees the market otherwise is named, and ours stands", () => {
  expect(build({ sourceState: "closed" }).warnings).toEqual([
    "s says that the market is closed; by our calendar it is regular.",
  ]);
  expect(build({ sourceState: "regular" }).warnings).toEqual([]);
});

test("the closing print is a regular trade, a second later it is not", () => {
  expect(build({ trade: trade("12.00", "2026-11-03T21:00:00Z") })).toMatchObject({
    last: { session: "regular" },
    extended: null,
  });
  expect(build({ trade: trade("12.00", "2026-11-03T21:00:01Z") }).last?.session).toBe("post");
});

describe("freshness", () => {
  const age = (at: string, now: string, more: Partial<Draft> = {}) =>
    freshnessOf(build({ trade: trade("1", at), ...more }), calendar!.stateAt(Date.parse(now)), Date.parse(now));
  test("a minute in a real-time session, the delay and two minutes for delayed data", () => {
    expect(age("2026-11-03T15:29:00Z", "2026-11-03T15:30:00Z").stale).toBe(false);
    expect(age("2026-11-03T15:28:59Z", "2026-11-03T15:30:00Z")).toMatchObject({
      stale: true,
      stale_reason: "older_than_limit",
      age_ms: 61_000,
    });
    expect(age("2026-11-03T15:14:00Z", "2026-11-03T15:30:00Z", { delivery: "delayed", delaySeconds: 900 }).stale).toBe(
      false,
    );
  });
  test("not stale over a weekend, stale when it is older than the last session", () => {
    expect(age("2026-11-06T20:59:59Z", "2026-11-08T12:00:00Z").stale).toBe(false);
    expect(age("2026-11-05T20:59:59Z", "2026-11-08T12:00:00Z")).toMatchObject({
      stale: true,
      stale_reason: "before_last_session",
    });
    expect(age(null as any, "2026-11-03T15:30:00Z")).toMatchObject({ stale: true, stale_reason: "no_time" });
    expect(age("2017-11-08T20:00:00Z", "2026-11-03T15:30:00Z", { delivery: "replay" }).stale).toBe(false);
  });
});

describe("serving", () => {
  test("the prepared text and the object say the same", () => {
    const calendars = openCalendars();
    for (const instrument of LISTED_INSTRUMENTS.slice(0, 40)) {
      const cal = calendars.get(instrument.mic)!;
      const built = buildQuote(simulateQuote(instrument, cal, NOW), {
        instrument,
        mic: instrument.mic,
        calendar: cal,
        receivedAt: "2026-11-03T15:30:00Z",
      });
      if (!built.ok) throw new Error(built.message);
      const served = new ServedQuote(built.quote, cal);
      expect(JSON.parse(served.json('"x"', NOW, "2026-11-03T15:30:00Z", "hit"))).toEqual(
        JSON.parse(JSON.stringify(serveQuote(built.quote, "x", cal, NOW, "hit"))),
      );
    }
  });
});

describe("simulated market", () => {
  test("the same anywhere, continuous, inside its day's range, and shut when the market is", () => {
    const instrument = { symbol: "AAPL", mic: "XNAS", quotedIn: "USD" };
    const cal = marketCalendar("XNAS")!;
    const at = (t: number) => simulateQuote(instrument, cal, t);
    expect(at(NOW)).toEqual(simulateQuote(instrument, openCalendars().get("XNAS")!, NOW));
    let before = Number(at(Date.parse("2026-11-03T14:30:00Z")).trade!.price);
    let high = 0;
    for (let t = Date.parse("2026-11-03T14:30:00Z"); t < Date.parse("2026-11-03T21:00:00Z"); t += 20_000) {
      const { trade: last, day } = at(t);
      const price = Number(last!.price);
      expect(Math.abs(price / before - 1)).toBeLessThan(0.01);
      expect(Number(day.high) >= price && Number(day.low) <= price && Number(day.high) >= high).toBe(true);
      high = Number(day.high);
      before = price;
    }
    const night = at(Date.parse("2026-11-04T03:00:00Z"));
    expect(night).toMatchObject({ trade: { at: "2026-11-03T21:00:00Z" }, delivery: "simulated" });
    expect(night.bid?.at).toBe("2026-11-03T21:00:00Z");
    expect(at(Date.parse("2026-11-04T15:00:00Z")).previousClose).toEqual({
      price: night.trade!.price,
      date: "2026-11-03",
      adjusted: false,
    });
  });
});
