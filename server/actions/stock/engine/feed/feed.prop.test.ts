// A user's own feed: any order, any repetition, corrections and cancels end in the same book.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { compare } from "../../../../lib/decimal.ts";
import { marketCalendar } from "../calendar/index.ts";
import { Book, type FeedTerms } from "./book.ts";
import { readTick, type Tick } from "./tick.ts";

const calendar = marketCalendar("XNYS");
const terms: FeedTerms = { source: "t", currency: "USD", delivery: "realtime", delaySeconds: 0 };
const tick = (row: object): Tick => {
  const read = readTick(row);
  if (Array.isArray(read)) throw new Error(read[0].detail);
  return read;
};
const at = (s: number) => new Date(Date.parse("2026-11-03T15:00:00Z") + s * 1000).toISOString().replace(".000Z", "Z");
const shown = (book: Book) => {
  const { trade, day } = book.draft(terms);
  return { last: trade?.price, at: trade?.at, high: day.high, low: day.low, volume: day.volume, trades: day.trades };
};

describe("own feed", () => {
  test("shuffled and repeated trades give the same last, high, low and volume as in order", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 1, max: 900 })), {
          minLength: 1,
          maxLength: 60,
        }),
        fc.infiniteStream(fc.nat()),
        fc.array(fc.nat(), { maxLength: 20 }),
        (trades, order, repeats) => {
          const ticks = trades
            .map(([cents, size], i) =>
              tick({
                symbol: "A",
                seq: i,
                at: at(i),
                price: `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`,
                size,
              }),
            )
            .filter((t) => t.price !== "0.00");
          const plain = new Book("A");
          for (const t of ticks) plain.apply(t, calendar, Infinity);
          const keys = new Map(ticks.map((t) => [t, order.next().value]));
          const mixed = [...ticks].sort((a, b) => keys.get(a)! - keys.get(b)!);
          for (const r of repeats) mixed.push(mixed[r % Math.max(1, mixed.length)]);
          const book = new Book("A");
          let applied = 0;
          for (const t of mixed.filter(Boolean)) if (book.apply(t, calendar, Infinity) === "applied") applied++;
          expect(applied).toBe(ticks.length);
          expect(shown(book)).toEqual(shown(plain));
        },
      ),
      { seed: 20261115, numRuns: 300 },
    );
  });

  test("cancelling a trade equals never having had it; correcting equals having had the other one", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 100, max: 9999 }), { minLength: 2, maxLength: 40 }),
        fc.nat(),
        fc.integer({ min: 100, max: 9999 }),
        (cents, which, other) => {
          const index = which % cents.length;
          const row = (i: number, c: number) =>
            tick({
              symbol: "A",
              seq: i,
              at: at(i),
              price: `${(c / 100) | 0}.${String(c % 100).padStart(2, "0")}`,
              size: 10,
            });
          const all = new Book("A");
          const fixed = new Book("A");
          const without = new Book("A");
          const replaced = new Book("A");
          cents.forEach((c, i) => {
            all.apply(row(i, c), calendar, Infinity);
            fixed.apply(row(i, c), calendar, Infinity);
            if (i !== index) without.apply(row(i, c), calendar, Infinity);
            replaced.apply(row(i, i === index ? other : c), calendar, Infinity);
          });
          expect(
            all.apply(tick({ type: "cancel", symbol: "A", seq: 5000, at: at(100), of: index }), calendar, Infinity),
          ).toBe("applied");
          expect(shown(all)).toEqual(shown(without));
          fixed.apply(
            tick({
              type: "correction",
              symbol: "A",
              seq: 5000,
              at: at(100),
              of: index,
              price: row(0, other).price,
              size: 10,
            }),
            calendar,
            Infinity,
          );
          expect(shown(fixed)).toEqual(shown(replaced));
        },
      ),
      { seed: 7, numRuns: 300 },
    );
  });

  test("corrections still work after many trades, from what the forgotten ones amount to", () => {
    const book = new Book("A");
    for (let i = 0; i < 3000; i++)
      book.apply(
        tick({ symbol: "A", seq: i, at: at(i % 3000), price: String(100 + (i % 50)), size: 1 }),
        calendar,
        Infinity,
      );
    expect(book.apply(tick({ type: "cancel", symbol: "A", seq: 4000, at: at(3000), of: 10 }), calendar, Infinity)).toBe(
      "unknown_trade",
    );
    book.apply(tick({ type: "cancel", symbol: "A", seq: 4001, at: at(3000), of: 2999 }), calendar, Infinity);
    expect(shown(book)).toMatchObject({ high: "149", low: "100", volume: 2999, trades: 2999 });
  });

  test("a new session turns the last close into the previous close, and a late tick of yesterday changes nothing", () => {
    const book = new Book("A");
    book.apply(tick({ symbol: "A", seq: 1, at: "2026-11-03T15:00:00Z", price: "10", size: 1 }), calendar, Infinity);
    book.apply(tick({ symbol: "A", seq: 2, at: "2026-11-03T20:59:00Z", price: "11", size: 1 }), calendar, Infinity);
    book.apply(tick({ symbol: "A", seq: 3, at: "2026-11-03T22:00:00Z", price: "12", size: 1 }), calendar, Infinity);
    expect(book.draft(terms)).toMatchObject({ trade: { price: "12" }, day: { high: "11", close: "11" } });
    book.apply(tick({ symbol: "A", seq: 4, at: "2026-11-04T15:00:00Z", price: "13", size: 2 }), calendar, Infinity);
    book.apply(tick({ symbol: "A", seq: 5, at: "2026-11-03T15:30:00Z", price: "99", size: 2 }), calendar, Infinity);
    expect(book.draft(terms)).toMatchObject({
      trade: { price: "13" },
      day: { date: "2026-11-04", high: "13", volume: 2 },
      previousClose: { price: "11", date: "2026-11-03" },
    });
  });

  test("saved and loaded it goes on: numbers kept, repeats still known", () => {
    const book = new Book("A");
    for (let i = 0; i < 20; i++)
      book.apply(tick({ symbol: "A", seq: i, at: at(i), price: `${10 + i}.5`, size: 2.5 }), calendar, Infinity);
    const again = Book.load("A", JSON.parse(JSON.stringify(book.save())), calendar);
    expect(shown(again)).toEqual(shown(book));
    expect(again.apply(tick({ symbol: "A", seq: 19, at: at(19), price: "1", size: 1 }), calendar, Infinity)).toBe(
      "duplicate",
    );
    expect(again.apply(tick({ symbol: "A", seq: 20, at: at(20), price: "5.5", size: 1 }), calendar, Infinity)).toBe(
      "applied",
    );
    expect(shown(again)).toMatchObject({ last: "5.5", low: "5.5", high: "29.5", volume: 51 });
  });

  test("every bad tick is named, none throws", () => {
    const good = { symbol: "A", seq: 1, at: at(0), price: "1.00" };
    const bad: [object | null, string][] = [
      [null, "object"],
      [{ ...good, type: "buy" }, "type"],
      [{ ...good, symbol: "" }, "symbol"],
      [{ ...good, seq: -1 }, "seq"],
      [{ ...good, at: "2026-11-03 15:00" }, "at"],
      [{ ...good, price: 0 }, "price"],
      [{ ...good, price: "1e3" }, "price"],
      [{ ...good, size: -1 }, "size"],
      [{ ...good, prise: 1 }, "prise"],
      [{ ...good, type: "cancel" }, "of"],
      [{ ...good, type: "status", status: "odd" }, "status"],
      [{ ...good, type: "quote", bid: "x" }, "bid"],
    ];
    for (const [row, word] of bad) expect(JSON.stringify(readTick(row))).toContain(word);
    fc.assert(
      fc.property(fc.anything(), (x) => void readTick(x)),
      { seed: 3, numRuns: 500 },
    );
    expect(compare("1.00", "1")).toBe(0);
  });

  test("every fault of a tick is named at once", () => {
    const faults = readTick({ symbol: "MSFT", price: 512.5, prise: 1 }) as { field: string }[];
    expect(faults.map((f) => f.field)).toEqual(["seq", "at", "prise"]);
  });
});
