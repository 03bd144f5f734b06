// Numbers of shares: whole ones as numbers, fractional or very large ones as text.
import { add, trim, type Decimal } from "../../../../lib/decimal.ts";
import type { Size } from "../quote/model.ts";

export const sizeOf = (given: Decimal): Size => {
  const text = trim(given);
  return text.includes(".") || text.length > 15 ? text : Number(text);
};

export function addSizes(a: Size | null, b: Size): Size {
  if (a === null) return b;
  if (typeof a === "number" && typeof b === "number" && Number.isSafeInteger(a + b)) return a + b;
  return sizeOf(add(String(a), String(b)));
}
