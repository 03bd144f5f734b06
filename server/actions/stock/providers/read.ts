// Small readers that every adapter needs: a provider's number, size, side and bar as what we mean by them. 0 is unknown.
import { isZero, round, toDecimal, trim, type Decimal } from "../../../lib/decimal.ts";
import type { Day, Side, Size } from "../engine/quote/model.ts";

/** A price; zero, negative and rubbish are unknown. */
export function price(value: unknown): Decimal | null {
  const decimal = toDecimal(value);
  return decimal === null || isZero(decimal) || decimal.startsWith("-") ? null : decimal;
}

/** A float32 on its way through JSON (3.0700073 for 3.07) has about seven true digits: rounded to the places it can mean. */
export function hinted(value: unknown, places: unknown): Decimal | null {
  const exact = price(value);
  if (exact === null || typeof value !== "number" || typeof places !== "number") return exact;
  const whole = exact.indexOf(".") < 0 ? exact.length : exact.indexOf(".");
  return trim(round(exact, Math.max(Math.min(places, 8), Math.min(4, 7 - whole))));
}

export function size(value: unknown): Size | null {
  if (typeof value === "number")
    return value >= 0 && Number.isFinite(value) ? (Number.isSafeInteger(value) ? value : toDecimal(value)) : null;
  if (typeof value !== "string") return null;
  const decimal = toDecimal(value);
  if (decimal === null || decimal.startsWith("-")) return null;
  const number = Number(decimal);
  return Number.isSafeInteger(number) && !decimal.includes(".") ? number : decimal;
}

/** A side of the book; without a price there is no size either. */
export function side(priceValue: unknown, sizeValue: unknown, at: string | null, venue: unknown = null): Side | null {
  const value = price(priceValue);
  return value === null ? null : { price: value, size: size(sizeValue), at, venue: text(venue) };
}

export const text = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value : typeof value === "number" ? String(value) : null;

/** A bar of the short-lettered kind {o,h,l,c,v,vw,n}; the close only when the session has ended. */
export function bar(raw: any, date: string | null, ended: boolean): Day {
  return {
    date,
    open: price(raw?.o),
    high: price(raw?.h),
    low: price(raw?.l),
    close: ended ? price(raw?.c) : null,
    volume: size(raw?.v) || null,
    vwap: price(raw?.vw),
    trades: typeof raw?.n === "number" && raw.n > 0 ? raw.n : null,
  };
}

const newYork = new Intl.DateTimeFormat("en-CA", {
  timeZone: "America/New_York",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
});
/** The date in New York of an instant: a daily bar stamped 04:00Z is that day's. */
export const newYorkDate = (instant: string | null): string | null =>
  instant ? newYork.format(new Date(instant)) : null;
