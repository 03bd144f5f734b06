// Small readers that every adapter needs: a provider's number, size, side and bar as what we mean by them. 0 is unknown.
import { isZero, toDecimal, type Decimal } from "../../../lib/decimal.ts";
import type { Day, Side, Size } from "../engine/quote/model.ts";

/** A price; zero, negative and rubbish are unknown. */
export function price(value: unknown): Decimal | null {
  const decimal = toDecimal(value);
  return decimal === null || isZero(decimal) || decimal.startsWith("-") ? null : decimal;
}

/** A float32 on its way through JSON ("315.4158" for 315.42): rounded to the places the source says it has. */
export function hinted(value: unknown, places: unknown): Decimal | null {
  if (typeof value !== "number" || typeof places !== "number") return price(value);
  const wide = Math.min(8, Math.max(places, Math.abs(value) < 1 ? 4 : places));
  const tidy = Number(value.toPrecision(7));
  return price(Number(tidy.toFixed(Math.max(wide, 4))));
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
