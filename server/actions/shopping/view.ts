// What callers see of a tracker: rows turned into the contract's shapes. No store, no decisions.
import { add, compare, divide, multiply, percentChange, round, trim } from "../../lib/decimal.ts";
import { SECOND_MS, formatTime } from "../../lib/time.ts";
import { toIso } from "../../store/db.ts";
import type { Tracked } from "./contract/index.ts";
import { type Point, changeBetween, statisticsOf } from "./engine/history/statistics.ts";
import { toMinor, withDecimals } from "./engine/page/amounts.ts";
import { conditionOf } from "./engine/page/context.ts";
import { WARNINGS, reasonOf } from "./engine/page/explain.ts";
import type { ExtractedPage } from "./engine/page/result.ts";
import { stockByName } from "./engine/page/stock.ts";
import { demoInterval, formatDuration } from "./engine/schedule/interval.ts";
import { type HistoryOptions, decimalsFor, viewHistory, viewStatistics } from "./history.ts";
import type { TrackerState, TrackerStatus } from "./machine.ts";
import type { Settings } from "./settings.ts";
import type { PageRow, TrackerRow } from "./store/index.ts";

export interface ViewOptions extends HistoryOptions {
  include: readonly string[];
}
export const PLAIN_VIEW: ViewOptions = { historyDays: 90, history: "changes", include: [] };

type Check = Tracked["check"];
type Price = Pick<TrackerState, "amount" | "currency" | "listAmount">;

export function viewTracker(
  tracker: TrackerRow,
  page: PageRow,
  points: readonly Point[],
  nowMs: number,
  options: ViewOptions,
): Tracked {
  const { machine, result } = tracker.state;
  const stats = statisticsOf(points, nowMs);
  return {
    id: tracker.id,
    url: page.url,
    status: machine.status,
    ...viewResult(result, machine, tracker.settings),
    availability: { ...viewAvailability(result), status: machine.availability as Tracked["availability"]["status"] },
    change: viewChange(machine),
    stats: stats && viewStatistics(stats, machine.currency, page.checks),
    history: viewHistory(points, nowMs, options),
    ...viewExtras(result, machine.status, options),
    settings: viewSettings(tracker.settings, tracker.variant || null),
    warnings: warningsOf(result, tracker.settings),
    alerts: viewAlerts(tracker.settings),
    check: viewCheck(tracker, page, options),
    tags: tracker.tags,
    simulated: page.simulated,
    created_at: formatTime(tracker.createdMs),
  };
}

/** A tracker that was not kept: its page answered 404 at the first check. */
export function viewMissingPage(view: Tracked): Tracked {
  return {
    ...view,
    id: null,
    status: "gone",
    created_at: null,
    warnings: [
      {
        code: "page_not_found",
        detail: `The page answers ${view.check.http_status} at its first check, so it is not tracked.`,
        hint: "Check the address, then track it again",
      },
    ],
    check: { ...view.check, next_check_at: null },
  };
}

export interface SingleView {
  url: string;
  simulated: boolean;
  settings: Settings;
  variant: string | null;
  result: ExtractedPage | null;
  status: TrackerStatus;
  httpStatus: number | null;
  bytes: number | null;
  error: string | null;
  nowMs: number;
}

/** A single check: nothing is stored, so there is no history. */
export function viewSingleCheck(single: SingleView, options: ViewOptions): Tracked {
  const { result, settings, status } = single;
  const price: Price = {
    amount: result?.price?.amount ?? null,
    currency: result?.price?.currency ?? null,
    listAmount: result?.price?.listAmount ?? null,
  };
  return {
    id: null,
    url: single.url,
    status,
    ...viewResult(result, price, settings),
    availability: viewAvailability(result),
    change: null,
    stats: null,
    history: [],
    ...viewExtras(result, status, options),
    settings: viewSettings(settings, single.variant),
    warnings: warningsOf(result, settings),
    alerts: viewAlerts(settings),
    check: {
      last_checked_at: formatTime(single.nowMs),
      last_changed_at: null,
      next_check_at: null,
      interval_s: 0,
      ...viewMethod(result, options),
      http_status: single.httpStatus,
      not_modified: false,
      bytes: single.bytes,
      duration_ms: null,
      robots: null,
      consecutive_failures: 0,
      error: single.error ?? reasonOf(status, result, single.variant, single.httpStatus),
    },
    tags: [],
    simulated: single.simulated,
    created_at: null,
  };
}

function viewChange(machine: TrackerState): Tracked["change"] {
  const { previous, amount } = machine;
  if (previous === null || amount === null) return null;
  return { ...changeBetween(previous, amount), previous, at: toIso(machine.changedAtMs) };
}

function viewResult(
  result: ExtractedPage | null,
  price: Price,
  settings: Settings,
): Pick<Tracked, "canonical_url" | "product" | "price"> {
  return {
    canonical_url: result?.canonicalUrl ?? null,
    product: result && viewProduct(result.product),
    price: price.amount === null ? null : viewPrice(price.amount, price, result?.price ?? null, settings),
  };
}

function viewProduct(product: ExtractedPage["product"]): NonNullable<Tracked["product"]> {
  const { variant } = product;
  return {
    name: product.name,
    brand: product.brand,
    image: product.image,
    sku: product.sku,
    mpn: product.mpn,
    gtin: product.gtin,
    gtin_valid: product.gtinValid,
    condition: product.condition,
    seller: product.seller,
    rating: product.rating ?? null,
    group_id: product.groupId,
    variant: variant && { id: variant.id, options: variant.options, selected_by: variant.selectedBy },
  };
}

function viewPrice(
  amount: string,
  { currency, listAmount }: Price,
  read: ExtractedPage["price"],
  settings: Settings,
): NonNullable<Tracked["price"]> {
  const decimals = decimalsFor(currency);
  const minor = toMinor(amount, decimals);
  const discount = listAmount ? percentChange(listAmount, amount, 1) : null;
  const unit =
    settings.unit_quantity && compare(settings.unit_quantity, "0") > 0
      ? { amount: trim(divide(amount, settings.unit_quantity, Math.max(decimals, 2) + 2)), per: "unit" }
      : (read?.unit ?? null);
  return {
    amount,
    kind: read?.kind ?? "price",
    currency,
    currency_source: read?.currencySource ?? null,
    minor: minor <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(minor) : null,
    exponent: decimals,
    list_amount: listAmount,
    list_type: read?.listType ?? null,
    discount_percent: discount === null ? null : -Number(discount),
    low: read?.low ?? amount,
    high: read?.high ?? amount,
    shipping: read?.shipping ?? null,
    total: totalOf(amount, read?.shipping ?? null, settings.extra_cost, decimals),
    tax_included: read?.taxIncluded ?? null,
    coupon: read?.coupon ?? null,
    unit,
    valid_until: read?.validUntil ?? null,
    raw: read?.raw ?? null,
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

function viewAvailability(result: ExtractedPage | null): Tracked["availability"] {
  const read = result?.availability;
  return {
    status: read?.status ?? "unknown",
    purchasable: read?.purchasable ?? null,
    quantity: read?.quantity ?? null,
    available_from: read?.availableFrom ?? null,
    schema_org: read?.schemaOrg ?? null,
    raw: read?.raw ?? null,
    source: read?.source ?? null,
  };
}

function viewExtras(
  result: ExtractedPage | null,
  status: string,
  { include }: ViewOptions,
): Pick<Tracked, "offers" | "variants"> {
  const unclear = status === "variant_not_found" || (status === "ambiguous" && (result?.variants.length ?? 0) > 0);
  return {
    ...(include.includes("offers") ? { offers: (result?.offers ?? []).map(viewOffer) } : {}),
    ...(include.includes("variants") || unclear ? { variants: result?.variants ?? [] } : {}),
  };
}

const viewOffer = (offer: ExtractedPage["offers"][number]): NonNullable<Tracked["offers"]>[number] => ({
  amount: offer.amount,
  currency: offer.currency,
  availability: stockByName(offer.availability)?.status ?? "unknown",
  condition: conditionOf(offer.condition),
  seller: offer.seller,
  sku: offer.sku,
  url: offer.url,
});

const viewAlerts = (settings: Settings): Tracked["alerts"] => ({
  on: settings.alert_on,
  target_price: settings.target_price,
  drop_percent: settings.drop_percent,
  min_price: settings.min_price,
  max_price: settings.max_price,
  threshold_base: settings.threshold_base,
});

const viewSettings = (settings: Settings, variant: string | null): Tracked["settings"] => ({
  variant,
  interval: formatDuration(settings.interval_s * SECOND_MS),
  selector: settings.selector,
  condition: settings.condition,
  seller: settings.seller,
  currency: settings.currency,
  locale: settings.locale,
  unit_quantity: settings.unit_quantity,
  extra_cost: settings.extra_cost,
});

const warningsOf = (result: ExtractedPage | null, settings: Settings): Tracked["warnings"] =>
  (result?.warnings ?? []).map((code) => ({ code, ...WARNINGS[code](settings) }));

/** Readings of an earlier version know neither the text nor the place. */
const PLACELESS = { text: null, context: null, selector: null };

const viewMethod = (
  result: ExtractedPage | null,
  { include }: ViewOptions,
): Pick<Check, "method" | "confidence" | "candidates"> => ({
  method: result?.method ?? null,
  confidence: result?.confidence ?? null,
  ...(include.includes("candidates")
    ? { candidates: (result?.candidates ?? []).map((c) => ({ ...PLACELESS, ...c })) }
    : {}),
});

function viewCheck({ settings, state, variant }: TrackerRow, page: PageRow, options: ViewOptions): Check {
  const { machine, result } = state;
  const askedMs = settings.interval_s * SECOND_MS;
  return {
    last_checked_at: toIso(page.checkedMs),
    last_changed_at: toIso(machine.changedAtMs),
    next_check_at: formatTime(page.dueMs),
    interval_s: (page.simulated ? demoInterval(page.checks, askedMs) : askedMs) / SECOND_MS,
    ...viewMethod(result, options),
    http_status: page.httpStatus,
    not_modified: page.notModified,
    bytes: page.bytes,
    duration_ms: page.durationMs,
    robots: page.robots as Check["robots"],
    consecutive_failures: machine.failures,
    error: page.error ?? reasonOf(machine.failure ?? machine.status, result, variant || null, page.httpStatus),
  };
}
