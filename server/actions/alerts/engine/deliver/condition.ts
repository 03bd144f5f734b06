// A threshold on a number that comes in again and again: fires once on entering, and again only after the value has
// clearly left, so that a value trembling on the line wakes nobody twice.
import { compareDecimal, toDecimal } from "../query/decimal.ts";

export interface Condition {
  field: string;
  op: "lt" | "lte" | "gt" | "gte" | "eq" | "changed" | "crosses_above" | "crosses_below";
  /** Absent for `changed`. */
  value: string | null;
  rearm: "on_clear" | "never" | "always";
  /** A share of the threshold by which the value must have left before it can fire again. */
  hysteresis: number;
}

export interface ConditionState {
  armed: boolean;
  last: string | null;
}

export const freshCondition = (): ConditionState => ({ armed: true, last: null });

/** `given` is what the event carries; null changes nothing. `cleared` is true when it became armed again. */
export function stepCondition(
  condition: Condition,
  state: ConditionState,
  given: string | number | undefined,
): { fires: boolean; cleared: boolean; state: ConditionState } {
  const value = given === undefined ? null : toDecimal(given);
  if (value === null) return { fires: false, cleared: false, state };
  const { last } = state;
  if (condition.op === "changed") {
    const fires = last !== null && compareDecimal(last, value) !== 0 && (state.armed || condition.rearm === "always");
    return {
      fires,
      cleared: false,
      state: { armed: condition.rearm !== "never" || !fires ? state.armed : false, last: value },
    };
  }
  const inside = isInside(condition.op, value, condition.value!);
  const enters = condition.op.startsWith("crosses")
    ? last !== null && inside && !isInside(condition.op, last, condition.value!)
    : inside;
  const cleared = !state.armed && condition.rearm === "on_clear" && hasLeft(condition, value);
  const armed = state.armed || cleared || condition.rearm === "always";
  const fires = armed && enters;
  return { fires, cleared, state: { armed: fires ? condition.rearm === "always" : armed, last: value } };
}

function isInside(op: Condition["op"], value: string, limit: string): boolean {
  const side = compareDecimal(value, limit);
  switch (op) {
    case "lt":
    case "crosses_below":
      return side < 0;
    case "lte":
      return side <= 0;
    case "gt":
    case "crosses_above":
      return side > 0;
    case "gte":
      return side >= 0;
    default:
      return side === 0;
  }
}

function hasLeft(condition: Condition, value: string): boolean {
  const limit = condition.value!;
  if (isInside(condition.op, value, limit)) return false;
  if (condition.hysteresis === 0) return true;
  const up = condition.op === "lt" || condition.op === "lte" || condition.op === "crosses_below";
  if (condition.op === "eq") return true;
  const edge = shifted(limit, up ? condition.hysteresis : -condition.hysteresis);
  const side = compareDecimal(value, edge);
  return up ? side >= 0 : side <= 0;
}

/** limit + |limit| × share, exact: shares are read to six digits. */
function shifted(limit: string, share: number): string {
  const [whole, fraction = ""] = limit.replace(/^[+-]/, "").split(".");
  const negative = limit.startsWith("-");
  const magnitude = BigInt(whole + fraction || "0") * 1_000_000n;
  const delta =
    BigInt(whole + fraction || "0") * BigInt(Math.round(Math.abs(share) * 1_000_000)) * (share < 0 ? -1n : 1n);
  const total = (negative ? -magnitude : magnitude) + delta;
  const digits = (total < 0n ? -total : total).toString().padStart(fraction.length + 7, "0");
  const places = fraction.length + 6;
  return `${total < 0n ? "-" : ""}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}
