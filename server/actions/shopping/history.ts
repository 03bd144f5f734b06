// A tracker's history as callers see it: points, statistics, CSV.
import { round } from "../../lib/decimal.ts";
import { DAY_MS, formatTime } from "../../lib/time.ts";
import type { Tracked } from "./contract/index.ts";
import { type Point, type Statistics, dailyOf } from "./engine/history/statistics.ts";
import { withDecimals } from "./engine/page/amounts.ts";
import { DECIMALS_OF } from "./engine/price/currencies.ts";

const DEFAULT_DECIMALS = 2;

export const decimalsFor = (currency: string | null): number =>
  (currency === null ? null : DECIMALS_OF.get(currency)) ?? DEFAULT_DECIMALS;

export interface HistoryOptions {
  historyDays: number;
  history: "changes" | "daily" | "none";
}

export function viewHistory(points: readonly Point[], nowMs: number, options: HistoryOptions): Tracked["history"] {
  if (options.history === "none") return [];
  const fromMs = nowMs - options.historyDays * DAY_MS;
  // The point that was valid when the window opens belongs to it.
  const start = Math.max(
    0,
    points.findLastIndex((p) => p.atMs <= fromMs),
  );
  const shown =
    options.history === "daily"
      ? dailyOf(points, Math.max(fromMs, points[0]?.atMs ?? fromMs), nowMs)
      : points.slice(start);
  return shown.map((p) => ({
    at: formatTime(p.atMs),
    amount: p.amount,
    list_amount: p.listAmount,
    currency: p.currency,
    availability: p.availability as Tracked["history"][number]["availability"],
  }));
}

/** Every amount has the decimals of its currency. What compares with the past is null until there is one. */
export function viewStatistics(
  stats: Statistics,
  currency: string | null,
  checks: number,
): NonNullable<Tracked["stats"]> {
  const decimals = decimalsFor(currency);
  const money = (amount: string | null) => (amount === null ? null : withDecimals(round(amount, decimals), decimals));
  const extreme = (e: { amount: string; atMs: number } | null) =>
    e && { amount: money(e.amount)!, at: formatTime(e.atMs) };
  const hasPast = stats.changes > 0;
  return {
    since: formatTime(stats.sinceMs),
    checks,
    changes: stats.changes,
    first: money(stats.first),
    min: extreme(stats.min),
    max: extreme(stats.max),
    avg: money(stats.avg),
    median: money(stats.median),
    p25: money(stats.p25),
    p75: money(stats.p75),
    lowest_30d: money(stats.lowest30d),
    lowest_90d: money(stats.lowest90d),
    is_all_time_low: hasPast ? stats.isAllTimeLow : null,
    percentile: hasPast ? stats.percentile : null,
    deal: hasPast ? stats.deal : null,
    good_deal: stats.goodDeal,
    in_stock_percent: stats.inStockPercent,
  };
}

/** RFC 4180, with a header line. */
export function historyCsv(items: Tracked["history"]): string {
  const line = (cells: (string | null)[]) =>
    `${cells.map((c) => (c === null ? "" : /[",\r\n]/.test(c) ? `"${c.replaceAll('"', '""')}"` : c)).join(",")}\r\n`;
  return (
    line(["at", "amount", "list_amount", "currency", "availability"]) +
    items.map((p) => line([p.at, p.amount, p.list_amount, p.currency, p.availability])).join("")
  );
}
