// The state machine of a price level. step() is pure and total.
import { absolute, add, compare, multiply, negate, subtract, type Decimal } from "../../lib/decimal.ts";

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

function placeOf(terms: LevelTerms, seen: Observation): Place | null {
  if (terms.above !== null) return beside(seen.price, terms.above, terms.hysteresis ?? multiply(terms.above, "0.001"));
  if (terms.below !== null)
    return beside(negate(seen.price), negate(terms.below), terms.hysteresis ?? multiply(terms.below, "0.001"));
  if (terms.percent === null || seen.changePercent === null) return null;
  const margin = terms.hysteresis ?? multiply(absolute(terms.percent), "0.1");
  return terms.percent.startsWith("-")
    ? beside(negate(seen.changePercent), negate(terms.percent), margin)
    : beside(seen.changePercent, terms.percent, margin);
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
