// Minor units: an exchange may quote in pence, cents or agorot. The code is case-sensitive and is never upper-cased.
import { shift, type Decimal } from "../../../../lib/decimal.ts";

export interface Unit {
  /** ISO 4217. */
  currency: string;
  quoted_in: { code: string; scale: string };
  /** Powers of ten from the quoted unit to the major one. */
  tens: number;
}

const MINOR: Record<string, string> = {
  GBp: "GBP",
  GBX: "GBP",
  ZAc: "ZAR",
  ZAC: "ZAR",
  ILA: "ILS",
  ILa: "ILS",
  ILX: "ILS",
  USX: "USD",
  USc: "USD",
  EUc: "EUR",
  KWF: "KWD",
};

/** null when the code is no currency code that we can place. */
export function unitOf(code: string): Unit | null {
  const major = MINOR[code];
  const tens = code === "KWF" ? 3 : 2;
  if (major) return { currency: major, quoted_in: { code, scale: tens === 3 ? "0.001" : "0.01" }, tens };
  if (!/^[A-Z]{3}$/.test(code)) return null;
  return { currency: code, quoted_in: { code, scale: "1" }, tens: 0 };
}

export const toMajor = (price: Decimal, unit: Unit): Decimal => (unit.tens === 0 ? price : shift(price, -unit.tens));
