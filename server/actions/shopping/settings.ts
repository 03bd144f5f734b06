// The settings of a tracker: their defaults, what a request changes of them, and which ones cannot work.
import { invalid } from "../../contract/errors.ts";
import { compare } from "../../lib/decimal.ts";
import { SECOND_MS } from "../../lib/time.ts";
import { parseSelector } from "./engine/page/select.ts";
import { DECIMALS_OF } from "./engine/price/currencies.ts";
import { INTERVAL_MAX_MS, INTERVAL_MIN_MS, parseDuration } from "./engine/schedule/interval.ts";
import type { AlertRules } from "./machine.ts";

/** Named as in the contract: they are stored as the caller sent them. */
export interface Settings {
  interval_s: number;
  target_price: string | null;
  drop_percent: number | null;
  min_price: string | null;
  max_price: string | null;
  alert_on: string[];
  threshold_base: "last_alert" | "previous" | "first";
  selector: string | null;
  unit_quantity: string | null;
  extra_cost: string | null;
  condition: string | null;
  seller: string | null;
  currency: string | null;
  locale: string | null;
}

export const DEFAULT_SETTINGS: Settings = {
  interval_s: 21_600,
  target_price: null,
  drop_percent: null,
  min_price: null,
  max_price: null,
  alert_on: ["price_drop", "back_in_stock"],
  threshold_base: "last_alert",
  selector: null,
  unit_quantity: null,
  extra_cost: null,
  condition: null,
  seller: null,
  currency: null,
  locale: null,
};

const NAMES = Object.keys(DEFAULT_SETTINGS);
/** The settings that change how a page is read. */
const READING_NAMES = ["selector", "condition", "seller", "currency", "locale"] as const;

type Asked = { [Name in keyof Settings]?: unknown } & {
  interval?: string;
  selector?: string | null;
  currency?: string | null;
};

/** Whether the page must be read again: what was read with other settings does not answer for these. */
export const changesReading = (before: Settings, after: Settings): boolean =>
  READING_NAMES.some((name) => before[name] !== after[name]);

/** What a request makes of the settings; what it does not name stays as it is. */
export function settingsAfter(before: Settings, asked: Asked): Settings {
  const named = NAMES.filter((name) => asked[name as keyof Settings] !== undefined);
  const after: Settings = {
    ...before,
    ...Object.fromEntries(named.map((name) => [name, asked[name as keyof Settings]])),
  };
  if (asked.interval !== undefined) after.interval_s = secondsOf(asked.interval);
  if (typeof asked.currency === "string") after.currency = knownCurrency(asked.currency);
  if (typeof asked.selector === "string") checkSelector(asked.selector);
  if (after.min_price !== null && after.max_price !== null && compare(after.min_price, after.max_price) > 0)
    throw invalid(
      "/min_price",
      `min_price ${after.min_price} is above max_price ${after.max_price}, so no price could set off an alert.`,
      `Send min_price "${after.max_price}" and max_price "${after.min_price}"`,
    );
  return after;
}

function secondsOf(interval: string): number {
  const ms = parseDuration(interval);
  if (ms === null || ms < INTERVAL_MIN_MS || ms > INTERVAL_MAX_MS)
    throw invalid("/interval", "interval must be from 15m to 7d", "Send e.g. 6h", "range");
  return ms / SECOND_MS;
}

function knownCurrency(code: string): string {
  const upper = code.toUpperCase();
  if (!DECIMALS_OF.has(upper))
    throw invalid("/currency", `currency ${code} is no ISO 4217 code`, "Send e.g. EUR", "unknown");
  return upper;
}

function checkSelector(selector: string): void {
  if (parseSelector(selector) === null)
    throw invalid(
      "/selector",
      "selector uses something that is not understood",
      "Use tags, #ids, .classes, [attributes], blanks and >",
      "format",
    );
}

export const rulesOf = (settings: Settings): AlertRules => ({
  on: settings.alert_on,
  targetPrice: settings.target_price,
  dropPercent: settings.drop_percent,
  minPrice: settings.min_price,
  maxPrice: settings.max_price,
  thresholdBase: settings.threshold_base,
});
