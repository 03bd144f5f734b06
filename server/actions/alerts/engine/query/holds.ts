// Compares a number with a limit in exact decimals: binary rounding never decides whether an alert fires.
import { compare, type Decimal } from "../../../../lib/decimal.ts";
import type { NumberOp } from "./ast.ts";

export function holds(op: NumberOp, value: Decimal, limit: Decimal): boolean {
  const side = compare(value, limit);
  switch (op) {
    case "lt":
      return side < 0;
    case "lte":
      return side <= 0;
    case "gt":
      return side > 0;
    case "gte":
      return side >= 0;
    case "eq":
      return side === 0;
    case "ne":
      return side !== 0;
  }
}
