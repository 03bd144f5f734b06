// Exact arithmetic on decimal strings ("-12.50"). Owns the text form of money; refuses floats, exponents and guesses.
// Short operands run on scaled safe integers, long ones on bigint; both give the same text.

/** `^-?(0|[1-9]\d*)(\.\d+)?$`: no exponent, no plus sign, no leading zeros. */
export type Decimal = string;

/** What to do with the digits that do not fit. Money is rounded half-even unless someone says otherwise. */
export type Rounding = "half-even" | "half-up" | "down" | "up" | "floor" | "ceil";

const PATTERN = /^-?(0|[1-9]\d*)(\.\d+)?$/;
const POWERS = Array.from({ length: 16 }, (_, i) => 10 ** i);
const SAFE = Number.MAX_SAFE_INTEGER;
const WIDE_POWERS: bigint[] = [];
/** 10^n, remembered: raising a bigint costs more than the arithmetic it is for. */
const wideTen = (n: number): bigint => (WIDE_POWERS[n] ??= 10n ** BigInt(n));

class DecimalError extends Error {}

export function isDecimal(text: unknown): text is Decimal {
  return typeof text === "string" && PATTERN.test(text);
}

/** Reads untidy but unambiguous text ("+1.50", "007", ".5", "1e-3") into a decimal; null when it is not a number. */
export function toDecimal(value: unknown): Decimal | null {
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number") return Number.isFinite(value) ? expand(String(value)) : null;
  if (typeof value !== "string") return null;
  const text = value.trim();
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(text) ? expand(text) : null;
}

function expand(text: string): Decimal {
  const negative = text.startsWith("-");
  const [mantissa, exponent] = text.replace(/^[+-]/, "").toLowerCase().split("e");
  const [whole, fraction = ""] = mantissa.split(".");
  const shift = exponent ? Number(exponent) : 0;
  return place(BigInt(whole + fraction || "0"), fraction.length - shift, negative);
}

function place(magnitude: bigint, scale: number, negative: boolean): Decimal {
  if (scale <= 0) return sign((magnitude * wideTen(-scale)).toString(), negative);
  const digits = magnitude.toString().padStart(scale + 1, "0");
  return sign(`${digits.slice(0, -scale)}.${digits.slice(-scale)}`, negative);
}

const sign = (text: string, negative: boolean) => (negative && /[1-9]/.test(text) ? `-${text}` : text);

/** Digits after the point. */
function scaleOf(a: Decimal): number {
  const dot = a.indexOf(".");
  return dot < 0 ? 0 : a.length - dot - 1;
}

function check(a: Decimal): void {
  if (!PATTERN.test(a)) throw new DecimalError(`"${a}" is not a decimal`);
}

/** The whole number behind a short decimal at the given scale, or NaN when it would leave the safe range. */
function scaled(a: Decimal, scale: number): number {
  if (a.length > 16) return NaN;
  let value = 0;
  let places = -1;
  let i = a.charCodeAt(0) === 45 ? 1 : 0;
  if (i === a.length) check(a);
  for (; i < a.length; i++) {
    const code = a.charCodeAt(i);
    if (code === 46 && places < 0 && i + 1 < a.length) places = 0;
    else if (code >= 48 && code <= 57) {
      value = value * 10 + (code - 48);
      if (places >= 0) places++;
    } else throw new DecimalError(`"${a}" is not a decimal`);
  }
  const lift = scale - Math.max(0, places);
  if (lift > 15) return NaN;
  value *= POWERS[lift];
  if (value > SAFE) return NaN;
  return a.charCodeAt(0) === 45 ? -value : value;
}

function wide(a: Decimal, scale: number): bigint {
  check(a);
  return BigInt(a.replace(".", "")) * wideTen(scale - scaleOf(a));
}

function formatNumber(value: number, scale: number): Decimal {
  const magnitude = Math.abs(value);
  const minus = value < 0 ? "-" : "";
  if (scale === 0) return minus + magnitude;
  const digits = String(magnitude).padStart(scale + 1, "0");
  return `${minus}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

function formatWide(value: bigint, scale: number): Decimal {
  return value < 0n ? place(-value, scale, true) : place(value, scale, false);
}

/** Exact sum; keeps the larger number of decimal places. */
export function add(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(scaleOf(a), scaleOf(b));
  const sum = scaled(a, scale) + scaled(b, scale);
  if (Math.abs(sum) <= SAFE) return formatNumber(sum, scale);
  return formatWide(wide(a, scale) + wide(b, scale), scale);
}

/** Exact difference; keeps the larger number of decimal places. */
export function subtract(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(scaleOf(a), scaleOf(b));
  const difference = scaled(a, scale) - scaled(b, scale);
  if (Math.abs(difference) <= SAFE) return formatNumber(difference, scale);
  return formatWide(wide(a, scale) - wide(b, scale), scale);
}

/** Exact product; its places are the sum of both. */
export function multiply(a: Decimal, b: Decimal): Decimal {
  const scale = scaleOf(a) + scaleOf(b);
  const product = scaled(a, scaleOf(a)) * scaled(b, scaleOf(b));
  if (Math.abs(product) <= SAFE) return formatNumber(product, scale);
  return formatWide(wide(a, scaleOf(a)) * wide(b, scaleOf(b)), scale);
}

/** a / b to `places` digits. Throws on division by zero. */
export function divide(a: Decimal, b: Decimal, places: number, rounding: Rounding = "half-even"): Decimal {
  const scale = Math.max(scaleOf(a), scaleOf(b));
  if (isZero(b)) throw new DecimalError("division by zero");
  return (
    numberRatio(scaled(a, scale), scaled(b, scale), places, rounding) ??
    bigRatio(wide(a, scale), wide(b, scale), places, rounding)
  );
}

/** null when an intermediate value would leave the safe range: then bigint must do it. */
function numberRatio(top: number, bottom: number, places: number, rounding: Rounding = "half-even"): Decimal | null {
  const over = places <= 15 ? top * POWERS[places] : NaN;
  if (!(Math.abs(over) <= SAFE) || bottom !== bottom) return null;
  const rest = over % bottom;
  const quotient = (over - rest) / bottom;
  const negative = over < 0 !== bottom < 0;
  const half = Math.abs(rest) - (Math.abs(bottom) - Math.abs(rest));
  const up = goesUp(half, rest === 0, quotient % 2 !== 0, negative, rounding);
  return formatNumber(quotient + (up ? (negative ? -1 : 1) : 0), places);
}

function bigRatio(top: bigint, bottom: bigint, places: number, rounding: Rounding): Decimal {
  const over = top * wideTen(places);
  const rest = over % bottom;
  const quotient = over / bottom;
  const negative = over < 0n !== bottom < 0n;
  const half = (rest < 0n ? -rest : rest) * 2n - (bottom < 0n ? -bottom : bottom);
  const up = goesUp(half < 0n ? -1 : half > 0n ? 1 : 0, rest === 0n, quotient % 2n !== 0n, negative, rounding);
  return formatWide(quotient + (up ? (negative ? -1n : 1n) : 0n), places);
}

/** Whether the magnitude grows by one: `half` is the sign of twice the rest minus the divisor. */
function goesUp(half: number, exact: boolean, odd: boolean, negative: boolean, rounding: Rounding): boolean {
  if (exact || rounding === "down") return false;
  if (rounding === "up") return true;
  if (rounding === "floor") return negative;
  if (rounding === "ceil") return !negative;
  return half > 0 || (half === 0 && (rounding === "half-up" || odd));
}

/** To exactly `places` digits: "1.005" at 2 is "1.00" (half-even), "1" at 2 is "1.00". */
export function round(a: Decimal, places: number, rounding: Rounding = "half-even"): Decimal {
  return divide(a, "1", places, rounding);
}

/** -1, 0 or 1 by value: "1.50" equals "1.5". */
export function compare(a: Decimal, b: Decimal): -1 | 0 | 1 {
  const scale = Math.max(scaleOf(a), scaleOf(b));
  const difference = scaled(a, scale) - scaled(b, scale);
  if (difference === difference) return difference < 0 ? -1 : difference > 0 ? 1 : 0;
  const exact = wide(a, scale) - wide(b, scale);
  return exact < 0n ? -1 : exact > 0n ? 1 : 0;
}

export const equals = (a: Decimal, b: Decimal): boolean => compare(a, b) === 0;

export function isZero(a: Decimal): boolean {
  check(a);
  return !/[1-9]/.test(a);
}

export function negate(a: Decimal): Decimal {
  check(a);
  return a.startsWith("-") ? a.slice(1) : sign(a, true);
}

export const absolute = (a: Decimal): Decimal => (a.startsWith("-") ? negate(a) : a);

/** The same value without trailing zeros: "1.500" is "1.5", "2.0" is "2". */
export function trim(a: Decimal): Decimal {
  if (!a.includes(".")) return a === "-0" ? "0" : a;
  const short = a.replace(/\.?0+$/, "");
  return short === "-0" ? "0" : short;
}

/** Moves the point: shift("308.8", -2) is "3.088", the pounds behind a price in pence. */
export function shift(a: Decimal, tens: number): Decimal {
  check(a);
  return formatWide(BigInt(a.replace(".", "")), scaleOf(a) - tens);
}

/** 100 × (to − from) / from in percent points; null when `from` is zero. */
export function percentChange(from: Decimal, to: Decimal, places = 4): Decimal | null {
  if (isZero(from)) return null;
  const scale = Math.max(scaleOf(from), scaleOf(to));
  const base = scaled(from, scale);
  const difference = (scaled(to, scale) - base) * 100;
  if (Math.abs(difference) <= SAFE) return numberRatio(difference, base, places) ?? wideRatio(from, to, scale, places);
  return wideRatio(from, to, scale, places);
}

const wideRatio = (from: Decimal, to: Decimal, scale: number, places: number): Decimal =>
  bigRatio((wide(to, scale) - wide(from, scale)) * 100n, wide(from, scale), places, "half-even");
