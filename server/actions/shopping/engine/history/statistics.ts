// Figures over a price history kept as change points: each amount is weighted by how long it was valid. Exact decimals,
// no floats.
import { add, compare, divide, multiply, percentChange, subtract, trim } from "../../../../lib/decimal.ts";

export interface Point {
  atMs: number;
  /** Null where the page had no price. */
  amount: string | null;
  listAmount: string | null;
  currency: string | null;
  availability: string;
}

export interface Statistics {
  sinceMs: number;
  changes: number;
  first: string | null;
  min: { amount: string; atMs: number } | null;
  max: { amount: string; atMs: number } | null;
  avg: string | null;
  median: string | null;
  p25: string | null;
  p75: string | null;
  /** The EU reference: the lowest price of the last 30 days. */
  lowest30d: string | null;
  lowest90d: string | null;
  isAllTimeLow: boolean;
  /** Which share of the time the price was at or below today's, in percent. */
  percentile: number | null;
  deal: "low" | "typical" | "high" | null;
  goodDeal: boolean;
  inStockPercent: number | null;
}

const DAY = 86_400_000;
/** Below five weeks nobody knows what is usual. */
const GOOD_DEAL_MIN_MS = 35 * DAY;
const IN_STOCK = new Set(["in_stock", "limited", "preorder", "backorder", "made_to_order"]);

export function statisticsOf(points: readonly Point[], nowMs: number): Statistics | null {
  const first = points[0];
  if (!first) return null;
  const currency = points.findLast((p) => p.amount !== null)?.currency ?? null;
  // A change of currency starts a new history: amounts of two currencies are not compared.
  const spans = spansOf(points, nowMs).filter((s) => s.amount !== null && s.currency === currency);
  const current = spans.at(-1)?.amount ?? null;
  const priced = points.filter((p) => p.amount !== null && p.currency === currency);
  const weights = weigh(spans);
  const min = extreme(spans, -1),
    max = extreme(spans, 1);
  const p25 = quantile(weights, 25),
    p75 = quantile(weights, 75);
  const stockMs = stockTime(points, nowMs);
  return {
    sinceMs: first.atMs,
    changes: Math.max(0, countChanges(priced)),
    first: priced[0]?.amount ?? null,
    min,
    max,
    avg: average(spans),
    median: quantile(weights, 50),
    p25,
    p75,
    lowest30d: lowestWithin(spans, nowMs, 30),
    lowest90d: lowestWithin(spans, nowMs, 90),
    isAllTimeLow: current !== null && min !== null && compare(current, min.amount) === 0,
    percentile: current === null ? null : shareBelow(weights, current),
    deal: current === null || p25 === null || p75 === null ? null : dealOf(current, p25, p75),
    goodDeal:
      current !== null &&
      min !== null &&
      nowMs - first.atMs >= GOOD_DEAL_MIN_MS &&
      compare(current, multiply(min.amount, "1.05")) <= 0 &&
      compare(min.amount, max!.amount) < 0,
    inStockPercent: stockMs,
  };
}

interface Span {
  fromMs: number;
  toMs: number;
  amount: string | null;
  currency: string | null;
}

function spansOf(points: readonly Point[], nowMs: number): Span[] {
  return points.map((p, i) => ({
    fromMs: p.atMs,
    toMs: Math.max(p.atMs, points[i + 1]?.atMs ?? Math.max(nowMs, p.atMs)),
    amount: p.amount,
    currency: p.currency,
  }));
}

/** Milliseconds by amount, cheapest first. A history of one instant still has weight. */
function weigh(spans: readonly Span[]): { amount: string; ms: number }[] {
  const by = new Map<string, number>();
  for (const span of spans) {
    const key = trim(span.amount!);
    by.set(key, (by.get(key) ?? 0) + Math.max(1, span.toMs - span.fromMs));
  }
  return [...by].map(([amount, ms]) => ({ amount, ms })).sort((a, b) => compare(a.amount, b.amount));
}

function quantile(weights: readonly { amount: string; ms: number }[], percent: number): string | null {
  const total = weights.reduce((sum, w) => sum + w.ms, 0);
  let seen = 0;
  for (const w of weights) {
    seen += w.ms;
    if (seen * 100 >= total * percent) return w.amount;
  }
  return null;
}

function shareBelow(weights: readonly { amount: string; ms: number }[], amount: string): number {
  const total = weights.reduce((sum, w) => sum + w.ms, 0);
  const below = weights.filter((w) => compare(w.amount, amount) <= 0).reduce((sum, w) => sum + w.ms, 0);
  return Math.round((below / total) * 1000) / 10;
}

function average(spans: readonly Span[]): string | null {
  if (spans.length === 0) return null;
  let sum = "0",
    total = 0;
  for (const span of spans) {
    const ms = Math.max(1, span.toMs - span.fromMs);
    sum = add(sum, multiply(span.amount!, String(ms)));
    total += ms;
  }
  return divide(sum, String(total), 4, "half-even");
}

function extreme(spans: readonly Span[], sign: 1 | -1): { amount: string; atMs: number } | null {
  let best: Span | null = null;
  for (const span of spans) if (best === null || compare(span.amount!, best.amount!) * sign > 0) best = span;
  return best && { amount: best.amount!, atMs: best.fromMs };
}

function lowestWithin(spans: readonly Span[], nowMs: number, days: number): string | null {
  return (
    extreme(
      spans.filter((s) => s.toMs >= nowMs - days * DAY),
      -1,
    )?.amount ?? null
  );
}

const countChanges = (priced: readonly Point[]): number =>
  priced.filter((p, i) => i > 0 && compare(p.amount!, priced[i - 1]!.amount!) !== 0).length;

function dealOf(current: string, p25: string, p75: string): "low" | "typical" | "high" {
  if (compare(p25, p75) === 0)
    return compare(current, p25) < 0 ? "low" : compare(current, p25) > 0 ? "high" : "typical";
  return compare(current, p25) <= 0 ? "low" : compare(current, p75) >= 0 ? "high" : "typical";
}

function stockTime(points: readonly Point[], nowMs: number): number | null {
  let known = 0,
    inStock = 0;
  points.forEach((p, i) => {
    if (p.availability === "unknown") return;
    const ms = Math.max(1, (points[i + 1]?.atMs ?? Math.max(nowMs, p.atMs)) - p.atMs);
    known += ms;
    if (IN_STOCK.has(p.availability)) inStock += ms;
  });
  return known === 0 ? null : Math.round((inStock / known) * 1000) / 10;
}

/** One value a day: the price at the end of each day (UTC), the current day included. */
export function dailyOf(points: readonly Point[], fromMs: number, nowMs: number): Point[] {
  const out: Point[] = [];
  let index = 0;
  let last: Point | null = null;
  for (let day = Math.floor(fromMs / DAY) * DAY; day <= nowMs; day += DAY) {
    const end = Math.min(day + DAY - 1, nowMs);
    while (index < points.length && points[index]!.atMs <= end) last = points[index++]!;
    if (last) out.push({ ...last, atMs: day });
  }
  return out;
}

/** The change between two amounts, for answers: sign, difference, percent to one place. */
export function changeBetween(
  previous: string,
  current: string,
): { direction: "up" | "down" | "none"; delta: string; percent: number | null } {
  const order = compare(current, previous);
  const percent = percentChange(previous, current, 1);
  return {
    direction: order > 0 ? "up" : order < 0 ? "down" : "none",
    delta: subtract(current, previous),
    percent: percent === null ? null : Number(percent),
  };
}
