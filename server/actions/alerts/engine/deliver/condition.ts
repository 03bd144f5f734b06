// A threshold on a number that arrives repeatedly: fires once on entering, and again only after the value has clearly
// left, so that a value that oscillates around the threshold fires once.
import { absolute, add, compare, multiply, toDecimal } from "../../../../lib/decimal.ts";

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
    const fires = last !== null && compare(last, value) !== 0 && (state.armed || condition.rearm === "always");
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
  const side = compare(value, limit);
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
  const side = compare(value, edge);
  return up ? side >= 0 : side <= 0;
}

/** limit + |limit| × share. */
function shifted(limit: string, share: number): string {
  return add(limit, multiply(absolute(limit), toDecimal(share)!));
}
