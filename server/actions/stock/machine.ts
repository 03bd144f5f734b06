// The state machine of a price level. step() is pure and total.
import { absolute, add, compare, multiply, negate, subtract, trim, type Decimal } from "../../lib/decimal.ts";

export type LevelState = "waiting" | "armed" | "beyond" | "done";

export interface LevelTerms {
  above: Decimal | null;
  below: Decimal | null;
  percent: Decimal | null;
  hysteresis: Decimal | null;
  repeat: boolean;
}

export interface Observation {
  price: Decimal;
  /** Needed for percent alone; null leaves the level as it is. */
  changePercent: Decimal | null;
}

export interface Step {
  state: LevelState;
  fired: boolean;
}

type Place = "near" | "band" | "far";

/** near → armed; far → fires when it was armed; the band between level and hysteresis changes nothing. */
const MOVES: Record<LevelState, Record<Place, LevelState | "fire">> = {
  waiting: { near: "armed", band: "armed", far: "beyond" },
  armed: { near: "armed", band: "armed", far: "fire" },
  beyond: { near: "armed", band: "beyond", far: "beyond" },
  done: { near: "done", band: "done", far: "done" },
};

export function step(state: LevelState, terms: LevelTerms, seen: Observation): Step {
  const place = placeOf(terms, seen);
  if (place === null) return { state, fired: false };
  const next = MOVES[state][place];
  if (next === "fire") return { state: terms.repeat ? "beyond" : "done", fired: true };
  return { state: next, fired: false };
}

/** The margin by which a value must come back: given, or 0.1 % of a price and a tenth of a percentage. */
const marginOf = ({ above, below, percent, hysteresis }: LevelTerms): Decimal =>
  hysteresis ?? (percent === null ? multiply((above ?? below)!, "0.001") : multiply(absolute(percent), "0.1"));

/** The value at which a level that is beyond can fire again. */
export function rearmPrice(terms: LevelTerms): Decimal {
  const threshold = (terms.above ?? terms.below ?? terms.percent)!;
  return trim(directionOf(terms) === "up" ? subtract(threshold, marginOf(terms)) : add(threshold, marginOf(terms)));
}

/** Which way the value moves when it crosses. */
export const directionOf = ({ below, percent }: LevelTerms): "up" | "down" =>
  below !== null || percent?.startsWith("-") ? "down" : "up";

function placeOf(terms: LevelTerms, seen: Observation): Place | null {
  const value = terms.percent === null ? seen.price : seen.changePercent;
  if (value === null) return null;
  const threshold = (terms.above ?? terms.below ?? terms.percent)!;
  return directionOf(terms) === "up"
    ? beside(value, threshold, marginOf(terms))
    : beside(negate(value), negate(threshold), marginOf(terms));
}

/** Where a rising value stands to its level. */
function beside(value: Decimal, level: Decimal, margin: Decimal): Place {
  if (compare(value, level) >= 0) return "far";
  return compare(add(value, margin), level) < 0
    ? "near"
    : compare(subtract(level, value), margin) === 0
      ? "near"
      : "band";
}
