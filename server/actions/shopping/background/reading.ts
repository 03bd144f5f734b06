// From one fetch to each tracker's reading. No store, no clock.
import type { Account, Pool } from "../../../lib/pool/index.ts";
import type { ExtractedPage } from "../engine/page/result.ts";
import type { PlatformProduct } from "../engine/product/platform.ts";
import type { Reading } from "../machine.ts";
import type { PageAnswer } from "../providers/port.ts";
import type { PageRow, TrackerRow } from "../store/index.ts";
import { parsePage } from "./parse.ts";

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

/** Extractions of one page by what was asked for: trackers that ask for the same share one. */
export type Extractions = Map<string, ExtractedPage>;

/** The key of an extraction for which nothing special was asked. */
const PLAIN_KEY = '["",null,null,null,null,null]';

const keyOf = ({ variant, settings }: TrackerRow): string =>
  JSON.stringify([variant, settings.selector, settings.condition, settings.seller, settings.currency, settings.locale]);

/** What the page says for this tracker; null while nothing was extracted for it. */
export const extractionOf = (tracker: TrackerRow, extractions: Extractions): ExtractedPage | null =>
  extractions.get(keyOf(tracker)) ?? null;

/** The extraction for which nothing special is asked. */
export async function extractPlain(
  pool: Pool,
  answer: PageAnswer,
  url: string,
  extractions: Extractions,
  account: Account,
): Promise<ExtractedPage> {
  const { body: bytes, status, contentType } = answer;
  const plain = await parsePage(pool, { bytes, url, status, contentType }, account);
  extractions.set(PLAIN_KEY, plain);
  return plain;
}

/** Whether the page's bytes say something for this tracker that is not known yet. */
function needsReading({ state: { machine, result } }: TrackerRow, { same }: Fetched): boolean {
  return !(same && result && machine.failure === null);
}

/** Every extraction that these trackers need and that is not there yet. */
export async function extractFor(
  pool: Pool,
  trackers: TrackerRow[],
  fetched: Fetched,
  url: string,
  extractions: Extractions,
  account: Account,
): Promise<void> {
  const { answer } = fetched;
  if (!answer || answer.notModified || isGone(answer) || answer.status >= 500) return;
  for (const tracker of trackers) {
    if (!needsReading(tracker, fetched) || extractions.has(keyOf(tracker))) continue;
    const { selector, condition, seller, currency, locale } = tracker.settings;
    const asked = { variant: tracker.variant || null, selector, condition, seller, currency, locale };
    const { body: bytes, status, contentType } = answer;
    extractions.set(keyOf(tracker), await parsePage(pool, { bytes, url, status, contentType, ...asked }, account));
  }
}

const isGone = ({ status }: PageAnswer): boolean => status === 404 || status === 410;

/** The reading for one tracker; null when nothing was extracted for it, because it came while the page was being read. */
export function readingOf(
  tracker: TrackerRow,
  fetched: Fetched,
  page: PageRow,
  extractions: Extractions,
): Reading | null {
  const { answer } = fetched;
  const { machine } = tracker.state;
  if (!answer) return { kind: "failed", failure: fetched.failure!.kind };
  if (isGone(answer)) return { kind: "failed", failure: "gone" };
  if (!needsReading(tracker, fetched)) return { kind: "unchanged" };
  // Nothing new came, and nothing could be read before: the reason is still the same.
  if (answer.notModified) return { kind: "failed", failure: machine.failure ?? "no_price" };
  if (answer.status >= 500) return { kind: "failed", failure: "error" };
  const extracted = extractionOf(tracker, extractions);
  if (!extracted) return null;
  if (extracted.price === null && fetched.platform?.amount) return platformReading(fetched.platform, tracker, page);
  if (extracted.price === null) {
    const { status } = extracted;
    return { kind: "failed", failure: status === "ok" || status === "ambiguous" ? "no_price" : status };
  }
  return {
    kind: "ok",
    amount: extracted.price.amount,
    listAmount: extracted.price.listAmount,
    currency: extracted.price.currency,
    availability: extracted.availability.status,
    sure: extracted.status === "ok",
  };
}

/** The JSON of some platforms names no currency: the caller's hint or the price known before does. */
function platformReading(product: PlatformProduct, tracker: TrackerRow, page: PageRow): Reading {
  const asked = tracker.variant || new URL(page.url).searchParams.get("variant");
  const variant = product.variants.find((v) => asked && (v.id === asked || v.sku === asked || v.title === asked));
  if (tracker.variant && !variant) return { kind: "failed", failure: "variant_not_found" };
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
