// Statistics over change points: weighted by time, exact.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { type Point, changeBetween, dailyOf, statisticsOf } from "./statistics.ts";

const DAY = 86_400_000;
const at = (day: number, amount: string | null, availability = "in_stock", currency = "EUR"): Point => ({
  atMs: day * DAY,
  amount,
  listAmount: null,
  currency,
  availability,
});

test("an amount counts for as long as it stood", () => {
  const s = statisticsOf([at(0, "100"), at(9, "50")], 10 * DAY)!;
  expect(s).toMatchObject({
    avg: "95.0000",
    median: "100",
    p25: "100",
    p75: "100",
    changes: 1,
    isAllTimeLow: true,
    percentile: 10,
    deal: "low",
    lowest30d: "50",
  });
  expect(s.min).toEqual({ amount: "50", atMs: 9 * DAY });
});

test("the EU reference looks back 30 days, at what stood when they began too", () => {
  const s = statisticsOf([at(0, "80"), at(10, "100"), at(60, "90")], 70 * DAY)!;
  expect([s.lowest30d, s.lowest90d]).toEqual(["90", "80"]);
});

test("a good deal needs five weeks and a price within 5 % of the lowest", () => {
  expect(statisticsOf([at(0, "100"), at(20, "80"), at(33, "83")], 34 * DAY)!.goodDeal).toBe(false);
  expect(statisticsOf([at(0, "100"), at(20, "80"), at(33, "83")], 36 * DAY)!.goodDeal).toBe(true);
  expect(statisticsOf([at(0, "100"), at(20, "80"), at(33, "90")], 36 * DAY)!.goodDeal).toBe(false);
  expect(statisticsOf([at(0, "100")], 90 * DAY)!.goodDeal).toBe(false);
});

test("stock time, gaps in price and a change of currency", () => {
  const s = statisticsOf([at(0, "10"), at(5, null, "out_of_stock"), at(10, "12", "in_stock", "USD")], 20 * DAY)!;
  expect(s).toMatchObject({ inStockPercent: 75, first: "12", changes: 0 });
  expect(statisticsOf([], 1)).toBeNull();
});

test("days carry the last price forward", () => {
  expect(dailyOf([at(0.5, "10"), at(2.2, "12"), at(2.8, "11")], 0, 4.1 * DAY).map((p) => p.amount)).toEqual([
    "10",
    "10",
    "11",
    "11",
    "11",
  ]);
});

test("a change in words", () => {
  expect(changeBetween("1399.00", "1226.00")).toEqual({ direction: "down", delta: "-173.00", percent: -12.4 });
});

test("any history: min ≤ p25 ≤ median ≤ p75 ≤ max, and the average lies between", () => {
  const point = fc.record({ gap: fc.integer({ min: 1, max: 40 }), cents: fc.integer({ min: 1, max: 1_000_000 }) });
  fc.assert(
    fc.property(fc.array(point, { minLength: 1, maxLength: 30 }), (list) => {
      let day = 0;
      const points = list.map(({ gap, cents }) =>
        at((day += gap), `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`),
      );
      const s = statisticsOf(points, (day + 5) * DAY)!;
      const order = [s.min!.amount, s.p25!, s.median!, s.p75!, s.max!.amount].map(Number);
      expect(order).toEqual(order.toSorted((a, b) => a - b));
      expect(Number(s.avg)).toBeGreaterThanOrEqual(order[0]! - 0.001);
      expect(Number(s.avg)).toBeLessThanOrEqual(order[4]! + 0.001);
    }),
  );
});
