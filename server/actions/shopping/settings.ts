// A tracker's settings: their defaults, and what a request changes of them.
import { Failure } from "../../contract/errors.ts";
import { parseSelector } from "./engine/page/select.ts";
import { INTERVAL_MAX_MS, INTERVAL_MIN_MS, parseDuration } from "./engine/schedule/interval.ts";

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

/** The settings that change how a page is read. */
const READING_SETTINGS = ["selector", "condition", "seller", "currency", "locale"];

/** Whether a request changes how the page is read. */
export const readsOtherwise = (asked: Record<string, unknown>): boolean =>
  READING_SETTINGS.some((name) => asked[name] !== undefined);

/** The settings that a request names; what it does not name stays as it is. */
export function changesOf(asked: Record<string, any>): Partial<Settings> {
  const out: Record<string, unknown> = {};
  for (const name of Object.keys(DEFAULT_SETTINGS)) if (asked[name] !== undefined) out[name] = asked[name];
  if (asked.interval !== undefined) {
    const ms = parseDuration(asked.interval);
    if (ms === null || ms < INTERVAL_MIN_MS || ms > INTERVAL_MAX_MS)
      throw fault("/interval", "range", "interval must be from 15m to 7d", "Send e.g. 6h");
    out.interval_s = ms / 1000;
  }
  if (typeof asked.selector === "string" && parseSelector(asked.selector) === null)
    throw fault(
      "/selector",
      "format",
      "selector uses something that is not understood",
      "Use tags, #ids, .classes, [attributes], blanks and >",
    );
  return out as Partial<Settings>;
}

export function fault(pointer: string, code: string, detail: string, hint: string): Failure {
  return new Failure("validation_failed", detail, { hint, errors: [{ pointer, code, detail, hint }] });
}
