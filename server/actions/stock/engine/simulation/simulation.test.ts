// The simulated market: plausible prices of well-known securities, complete quotes at any hour, ranges that contain the day.
import { describe, expect, test } from "bun:test";
import { compare, divide } from "../../../../lib/decimal.ts";
import { openCalendars } from "../calendar/index.ts";
import { NO_MARKET } from "../symbols/instrument.ts";
import { LISTED_INSTRUMENTS } from "../symbols/seed.ts";
import { simulateQuote } from "./market.ts";

const calendars = openCalendars();
const OPEN = Date.parse("2026-11-03T15:30:00Z");
const SUNDAY = Date.parse("2026-11-15T12:00:00Z");
const quoteOf = (symbol: string, now: number) => {
  const instrument = LISTED_INSTRUMENTS.find((i) => i.symbol === symbol)!;
  return simulateQuote(instrument, instrument.mic === NO_MARKET ? null : calendars.get(instrument.mic), now);
};

describe("simulated market", () => {
  test("what people try first exists, at a price of the right size", () => {
    for (const symbol of ["GME", "COIN", "PLTR", "UBER", "TLT", "TSLA", "AAPL", "SPY", "BTC-USD", "EUR/USD", "^GSPC"]) {
      const around = LISTED_INSTRUMENTS.find((i) => i.symbol === symbol)!.simulatedAround!;
      const ratio = divide(quoteOf(symbol, OPEN).trade!.price, around, 2);
      expect([symbol, compare(ratio, "0.6") > 0 && compare(ratio, "1.6") < 0]).toEqual([symbol, true]);
    }
  });

  test("two classes of one company move together", () => {
    const ratio = divide(quoteOf("GOOG", OPEN).trade!.price, quoteOf("GOOGL", OPEN).trade!.price, 3);
    expect(compare(ratio, "0.99") > 0 && compare(ratio, "1.02") < 0).toBe(true);
  });

  test("every listed security has bid, ask, average and the range of a year, open or closed", () => {
    for (const now of [OPEN, SUNDAY]) {
      for (const { symbol, mic } of LISTED_INSTRUMENTS) {
        const calendar = mic === NO_MARKET ? null : calendars.get(mic);
        const instrument = LISTED_INSTRUMENTS.find((i) => i.symbol === symbol && i.mic === mic)!;
        const { bid, ask, day, range52w, trade } = simulateQuote(instrument, calendar, now);
        expect(compare(bid!.price, ask!.price)).toBe(-1);
        expect(compare(range52w!.low, day.low!) <= 0 && compare(range52w!.high, day.high!) >= 0).toBe(true);
        expect(compare(day.low!, trade!.price) <= 0 && compare(day.high!, trade!.price) >= 0).toBe(true);
        expect(compare(day.low!, day.vwap!) <= 0 && compare(day.high!, day.vwap!) >= 0).toBe(true);
      }
    }
  });

  test("a pair trades on Sunday too", () => {
    expect(quoteOf("BTC-USD", SUNDAY).trade!.at! > "2026-11-15T11:59:50Z").toBe(true);
  });
});
