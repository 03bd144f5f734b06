// What callers see of a tracker: rows and history turned into the contract's shapes. No store, no decisions.
import { add, compare, divide, multiply, percentChange, round, trim } from "../../lib/decimal.ts";
import { formatTime } from "../../lib/time.ts";
import type { Tracked } from "./contract/index.ts";
import { type Point, changeBetween, dailyOf, statisticsOf } from "./engine/history/statistics.ts";
import { toMinor, withDecimals } from "./engine/page/amounts.ts";
import type { ExtractedPage } from "./engine/page/result.ts";
import { decimalsOf } from "./engine/price/currencies.ts";
import type { TrackerState } from "./machine.ts";
import type { Settings } from "./settings.ts";
import type { PageRow, TrackerRow } from "./store.ts";

export interface ViewOptions {
  historyDays: number;
  history: "changes" | "daily" | "none";
  include: readonly string[];
}
export const PLAIN_VIEW: ViewOptions = { historyDays: 90, history: "changes", include: [] };
const DAY = 86_400_000;

export function viewTracker(
  tracker: TrackerRow,
  page: PageRow,
  points: readonly Point[],
  now: number,
  options: ViewOptions,
): Tracked {
  const { machine, result } = tracker.state;
  const stats = statisticsOf(points, now);
  return {
    id: tracker.id,
    url: page.url,
    canonical_url: result?.canonicalUrl ?? null,
    status: machine.status,
    product: result ? productView(result) : null,
    price: machine.amount === null ? null : priceView(machine, result, tracker.settings),
    availability: { ...availabilityView(result), status: machine.availability as Tracked["availability"]["status"] },
    change:
      machine.previous === null || machine.amount === null
        ? null
        : {
            ...changeBetween(machine.previous, machine.amount),
            previous: machine.previous,
            at: timeOr(machine.changedAtMs),
          },
    stats: stats && statsView(stats, page.checks),
    history: historyView(points, now, options),
    ...extras(result, options),
    alerts: alertsView(tracker.settings),
    check: checkView(page, result, tracker.settings, machine, options),
    tags: tracker.tags,
    simulated: page.simulated,
    created_at: formatTime(tracker.created_at.getTime()),
  };
}

/** A single look: nothing is stored, so there is no history. */
export function viewGlance(
  url: string,
  result: ExtractedPage | null,
  settings: Settings,
  now: number,
  simulated: boolean,
  seen: { state: Tracked["status"]; status: number | null; bytes: number | null; error: string | null },
  options: ViewOptions,
): Tracked {
  const price = result?.price ?? null;
  const machine = {
    amount: price?.amount ?? null,
    currency: price?.currency ?? null,
    listAmount: price?.listAmount ?? null,
  } as TrackerState;
  return {
    id: null,
    url,
    canonical_url: result?.canonicalUrl ?? null,
    status: seen.state,
    product: result ? productView(result) : null,
    price: price === null ? null : priceView(machine, result, settings),
    availability: availabilityView(result),
    change: null,
    stats: null,
    history: [],
    ...extras(result, options),
    alerts: alertsView(settings),
    check: {
      last_checked_at: formatTime(now),
      last_changed_at: null,
      next_check_at: null,
      interval_s: 0,
      method: result?.method ?? null,
      confidence: result?.confidence ?? null,
      ...(options.include.includes("candidates") ? { candidates: result?.candidates ?? [] } : {}),
      http_status: seen.status,
      not_modified: false,
      bytes: seen.bytes,
      duration_ms: null,
      robots: null,
      consecutive_failures: 0,
      error: seen.error,
    },
    tags: [],
    simulated,
    created_at: null,
  };
}

const timeOr = (ms: number | null): string | null => (ms === null ? null : formatTime(ms));

function productView(result: ExtractedPage): NonNullable<Tracked["product"]> {
  const p = result.product;
  return {
    name: p.name,
    brand: p.brand,
    image: p.image,
    sku: p.sku,
    mpn: p.mpn,
    gtin: p.gtin,
    gtin_valid: p.gtinValid,
    condition: p.condition,
    seller: p.seller,
    group_id: p.groupId,
    variant: p.variant && { id: p.variant.id, options: p.variant.options, selected_by: p.variant.selectedBy },
  };
}

function priceView(
  machine: TrackerState,
  result: ExtractedPage | null,
  settings: Settings,
): NonNullable<Tracked["price"]> {
  const amount = machine.amount!;
  const decimals = machine.currency ? (decimalsOf.get(machine.currency) ?? 2) : 2;
  const own = result?.price ?? null;
  const minor = toMinor(amount, decimals);
  const discount = machine.listAmount ? percentChange(machine.listAmount, amount, 1) : null;
  const total = totalOf(amount, own?.shipping ?? null, settings.extra_cost, decimals);
  const unit =
    settings.unit_quantity && compare(settings.unit_quantity, "0") > 0
      ? { amount: trim(divide(amount, settings.unit_quantity, Math.max(decimals, 2) + 2)), per: "unit" }
      : (own?.unit ?? null);
  return {
    amount,
    currency: machine.currency,
    currency_source: own?.currencySource ?? null,
    minor: minor <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(minor) : null,
    exponent: decimals,
    list_amount: machine.listAmount,
    list_type: own?.listType ?? null,
    discount_percent: discount === null ? null : -Number(discount),
    low: own?.low ?? amount,
    high: own?.high ?? amount,
    shipping: own?.shipping ?? null,
    total,
    tax_included: own?.taxIncluded ?? null,
    unit,
    valid_until: own?.validUntil ?? null,
    raw: own?.raw ?? null,
  };
}

/** Null where shipping is unknown and nothing was added: then the total is unknown too. */
function totalOf(amount: string, shipping: string | null, extra: string | null, decimals: number): string | null {
  if (shipping === null && extra === null) return null;
  const base = add(amount, shipping ?? "0");
  const cost =
    extra === null ? "0" : extra.endsWith("%") ? divide(multiply(amount, extra.slice(0, -1)), "100", decimals) : extra;
  return withDecimals(round(add(base, cost), decimals), decimals);
}

function availabilityView(result: ExtractedPage | null): Tracked["availability"] {
  const a = result?.availability;
  return a
    ? {
        status: a.status,
        purchasable: a.purchasable,
        quantity: a.quantity,
        available_from: a.availableFrom,
        schema_org: a.schemaOrg,
        raw: a.raw,
        source: a.source,
      }
    : {
        status: "unknown",
        purchasable: null,
        quantity: null,
        available_from: null,
        schema_org: null,
        raw: null,
        source: null,
      };
}

const extremeView = (e: { amount: string; atMs: number } | null) => e && { amount: e.amount, at: formatTime(e.atMs) };

function statsView(s: NonNullable<ReturnType<typeof statisticsOf>>, checks: number): NonNullable<Tracked["stats"]> {
  return {
    since: formatTime(s.sinceMs),
    checks,
    changes: s.changes,
    first: s.first,
    min: extremeView(s.min),
    max: extremeView(s.max),
    avg: s.avg,
    median: s.median,
    p25: s.p25,
    p75: s.p75,
    lowest_30d: s.lowest30d,
    lowest_90d: s.lowest90d,
    is_all_time_low: s.isAllTimeLow,
    percentile: s.percentile,
    deal: s.deal,
    good_deal: s.goodDeal,
    in_stock_percent: s.inStockPercent,
  };
}

export function historyView(
  points: readonly Point[],
  now: number,
  options: Pick<ViewOptions, "history" | "historyDays">,
): Tracked["history"] {
  if (options.history === "none") return [];
  const from = now - options.historyDays * DAY;
  // The point that stood when the window opens belongs to it.
  const start = Math.max(
    0,
    points.findLastIndex((p) => p.atMs <= from),
  );
  const shown =
    options.history === "daily" ? dailyOf(points, Math.max(from, points[0]?.atMs ?? from), now) : points.slice(start);
  return shown.map((p) => ({
    at: formatTime(p.atMs),
    amount: p.amount,
    list_amount: p.listAmount,
    currency: p.currency,
    availability: p.availability,
  }));
}

function extras(result: ExtractedPage | null, options: ViewOptions): Pick<Tracked, "offers" | "variants"> {
  return {
    ...(options.include.includes("offers")
      ? {
          offers: (result?.offers ?? []).map((o) => ({
            amount: o.amount,
            currency: o.currency,
            availability: o.availability,
            condition: o.condition,
            seller: o.seller,
            sku: o.sku,
            url: o.url,
          })),
        }
      : {}),
    ...(options.include.includes("variants") ? { variants: result?.variants ?? [] } : {}),
  };
}

const alertsView = (s: Settings): Tracked["alerts"] => ({
  on: s.alert_on,
  target_price: s.target_price,
  drop_percent: s.drop_percent,
  min_price: s.min_price,
  max_price: s.max_price,
  threshold_base: s.threshold_base,
});

function checkView(
  page: PageRow,
  result: ExtractedPage | null,
  settings: Settings,
  machine: TrackerState,
  options: ViewOptions,
): Tracked["check"] {
  return {
    last_checked_at: timeOr(page.checked_at?.getTime() ?? null),
    last_changed_at: timeOr(machine.changedAtMs),
    next_check_at: formatTime(page.due_at.getTime()),
    interval_s: settings.interval_s,
    method: result?.method ?? null,
    confidence: result?.confidence ?? null,
    ...(options.include.includes("candidates") ? { candidates: result?.candidates ?? [] } : {}),
    http_status: page.http_status,
    not_modified: page.not_modified,
    bytes: page.bytes,
    duration_ms: page.duration_ms,
    robots: page.robots,
    consecutive_failures: machine.failures,
    error: page.error,
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
