// From one fetch to each tracker's reading, and from what happened to the events that tell it. No store, no clock.
import { percentChange } from "../../../lib/decimal.ts";
import { extractPage } from "../engine/page/extract.ts";
import type { ExtractedPage } from "../engine/page/result.ts";
import type { PlatformProduct } from "../engine/product/platform.ts";
import type { AlertRules, Happening, Reading } from "../machine.ts";
import type { PageAnswer } from "../providers/port.ts";
import type { Settings } from "../settings.ts";
import type { PageRow, TrackerRow } from "../store.ts";

/** What came of one fetch, before any tracker is looked at. */
export interface Fetched {
  answer: PageAnswer | null;
  failure: { kind: "robots_disallowed" | "error"; detail: string; retryAfterMs: number | null } | null;
  robots: string | null;
  tookMs: number;
  /** What the platform's own JSON says, where the page itself shows no price. */
  platform: PlatformProduct | null;
  hash: string | null;
  /** Whether the page is byte for byte the one read before. */
  same: boolean;
}

export const rulesOf = (s: Settings): AlertRules => ({
  on: s.alert_on,
  targetPrice: s.target_price,
  dropPercent: s.drop_percent,
  minPrice: s.min_price,
  maxPrice: s.max_price,
  thresholdBase: s.threshold_base,
});

export const optionsKey = (t: TrackerRow): string =>
  JSON.stringify([
    t.variant,
    t.settings.selector,
    t.settings.condition,
    t.settings.seller,
    t.settings.currency,
    t.settings.locale,
  ]);
/** Nothing asked for that changes how the page is read. */
export const isPlain = (t: TrackerRow): boolean => optionsKey(t) === PLAIN_KEY;

/** The reading for one tracker; trackers that ask for the same share one extraction. */
export function readingOf(
  tracker: TrackerRow,
  fetched: Fetched,
  same: boolean,
  results: Map<string, ExtractedPage>,
  page: PageRow,
): Reading {
  const { answer } = fetched;
  if (!answer) return { kind: "failed", failure: fetched.failure!.kind };
  if (same && tracker.state.result) return { kind: "unchanged" };
  if (answer.status === 404 || answer.status === 410) return { kind: "failed", failure: "gone" };
  if (answer.status >= 500 || answer.notModified) return { kind: "failed", failure: "error" };
  const key = optionsKey(tracker);
  let result = results.get(key);
  if (!result) {
    const { selector, condition, seller, currency, locale } = tracker.settings;
    result = extractPage({
      bytes: answer.body,
      url: page.url,
      status: answer.status,
      contentType: answer.contentType,
      variant: tracker.variant || null,
      selector,
      condition,
      seller,
      currency,
      locale,
    });
    results.set(key, result);
  }
  if (result.price === null && fetched.platform?.amount) return platformReading(fetched.platform, tracker, page);
  if (result.price === null)
    return {
      kind: "failed",
      failure: result.status === "ok" || result.status === "ambiguous" ? "no_price" : result.status,
    };
  return {
    kind: "ok",
    amount: result.price.amount,
    listAmount: result.price.listAmount,
    currency: result.price.currency,
    availability: result.availability.status,
    sure: result.status === "ok",
  };
}

/** The body names no currency on some platforms: the caller's hint or the price known before does. */
function platformReading(product: PlatformProduct, tracker: TrackerRow, page: PageRow): Reading {
  const asked = tracker.variant || new URL(page.url).searchParams.get("variant");
  const variant = product.variants.find((v) => asked && (v.id === asked || v.sku === asked));
  const inStock = variant ? variant.inStock : product.inStock;
  return {
    kind: "ok",
    amount: variant?.amount ?? product.amount!,
    listAmount: product.list,
    currency: product.currency ?? tracker.settings.currency ?? tracker.state.machine.currency,
    availability: inStock === null ? "unknown" : inStock ? "in_stock" : "out_of_stock",
    sure: true,
  };
}

/** The reading of someone who asked for nothing special; kept with the page. */
export function plainExtract(answer: PageAnswer, url: string): ExtractedPage {
  return extractPage({ bytes: answer.body, url, status: answer.status, contentType: answer.contentType });
}

export const PLAIN_KEY = '["",null,null,null,null,null]';

export function describe(h: Happening, tracker: TrackerRow, page: PageRow): { type: string; data: unknown } {
  const { machine, result } = tracker.state;
  const about = {
    tracker_id: tracker.id,
    url: page.url,
    name: result?.product.name ?? null,
    simulated: page.simulated,
  };
  switch (h.type) {
    case "price_changed": {
      const percent = h.previous === null ? null : percentChange(h.previous, h.amount, 1);
      return {
        type: "shopping.price_changed",
        data: {
          ...about,
          previous: h.previous,
          amount: h.amount,
          currency: machine.currency,
          percent: percent === null ? null : Number(percent),
          direction: percent?.startsWith("-") ? "down" : "up",
          triggers: h.triggers,
        },
      };
    }
    case "availability_changed":
      return {
        type: "shopping.availability_changed",
        data: {
          ...about,
          previous: h.previous,
          availability: h.availability,
          amount: machine.amount,
          currency: machine.currency,
          triggers: h.triggers,
        },
      };
    case "target_reached":
      return {
        type: "shopping.target_reached",
        data: { ...about, amount: h.amount, target: h.target, currency: machine.currency },
      };
    case "gone":
      return { type: "shopping.page_gone", data: about };
    case "unreadable":
      return { type: "shopping.check_failed", data: { ...about, reason: h.failure } };
  }
}
