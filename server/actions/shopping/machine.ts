// A tracker's life: one reading in, the next state and what happened out. Pure and total; it knows no page and no table.
import { compare, multiply, percentChange } from "../../lib/decimal.ts";

export type TrackerStatus =
  | "pending"
  | "ok"
  | "stale"
  | "blocked"
  | "gone"
  | "no_price"
  | "ambiguous"
  | "not_a_product"
  | "robots_disallowed"
  | "error";
export type FailureKind = "blocked" | "gone" | "no_price" | "not_a_product" | "robots_disallowed" | "error";

export interface TrackerState {
  status: TrackerStatus;
  amount: string | null;
  listAmount: string | null;
  currency: string | null;
  availability: string;
  /** A reading too strange to be believed at once. */
  doubt: { amount: string; currency: string | null; availability: string } | null;
  first: string | null;
  lowest: string | null;
  highest: string | null;
  previous: string | null;
  /** What the last alert told; the base of thresholds. */
  alerted: string | null;
  targetMet: boolean;
  changedAtMs: number | null;
  failures: number;
  failure: FailureKind | null;
}

export interface AlertRules {
  on: readonly string[];
  targetPrice: string | null;
  dropPercent: number | null;
  minPrice: string | null;
  maxPrice: string | null;
  thresholdBase: "last_alert" | "previous" | "first";
}

export type Reading =
  | {
      kind: "ok";
      amount: string;
      listAmount: string | null;
      currency: string | null;
      availability: string;
      sure: boolean;
    }
  | { kind: "unchanged" }
  | { kind: "failed"; failure: FailureKind };

export type Happening =
  | { type: "price_changed"; previous: string | null; amount: string; triggers: string[] }
  | { type: "availability_changed"; previous: string; availability: string; triggers: string[] }
  | { type: "target_reached"; amount: string; target: string }
  | { type: "gone" }
  | { type: "unreadable"; failure: FailureKind };

export interface Step {
  state: TrackerState;
  happened: Happening[];
  changed: boolean;
}

export const newTracker: TrackerState = {
  status: "pending",
  amount: null,
  listAmount: null,
  currency: null,
  availability: "unknown",
  doubt: null,
  first: null,
  lowest: null,
  highest: null,
  previous: null,
  alerted: null,
  targetMet: false,
  changedAtMs: null,
  failures: 0,
  failure: null,
};

/** A fall of more than 60 % is believed at the second equal reading. */
const STEEP = "0.4";
/** 404 three times is gone; other failures are told once, at the third. */
const STRIKES = 3;
const BUYABLE = new Set(["in_stock", "limited", "preorder", "backorder", "made_to_order"]);

export function step(state: TrackerState, reading: Reading, rules: AlertRules, nowMs: number): Step {
  switch (reading.kind) {
    case "unchanged":
      return unchanged(state, rules, nowMs);
    case "failed":
      return failed(state, reading.failure);
    case "ok":
      return read(state, reading, rules, nowMs);
  }
}

/** The page is the one we read last: a price that was doubted then has now been read twice. */
function unchanged(state: TrackerState, rules: AlertRules, nowMs: number): Step {
  if (state.doubt) return read(state, { kind: "ok", ...state.doubt, listAmount: null, sure: true }, rules, nowMs);
  const status = state.amount === null ? state.status : state.status === "ambiguous" ? "ambiguous" : "ok";
  return { state: { ...state, status, failures: 0, failure: null }, happened: [], changed: false };
}

function failed(state: TrackerState, failure: FailureKind): Step {
  const failures = state.failure === failure ? state.failures + 1 : 1;
  const told = failures === STRIKES;
  const final = failure === "gone" ? failures >= STRIKES : failure === "robots_disallowed" || failure === "blocked";
  const status: TrackerStatus = final || state.amount === null ? failure : "stale";
  const happened: Happening[] = !told
    ? []
    : failure === "gone"
      ? [{ type: "gone" }]
      : [{ type: "unreadable", failure }];
  return { state: { ...state, status, failures, failure }, happened, changed: false };
}

function read(state: TrackerState, reading: Reading & { kind: "ok" }, rules: AlertRules, nowMs: number): Step {
  const availability = reading.availability === "unknown" ? state.availability : reading.availability;
  if (isStrange(state, reading) && !isSameDoubt(state, reading)) {
    const doubt = { amount: reading.amount, currency: reading.currency, availability };
    return { state: { ...state, status: "ok", doubt, failures: 0, failure: null }, happened: [], changed: false };
  }
  const known = state.amount !== null;
  const sameMoney = state.currency === reading.currency;
  const priceMoved = known && (!sameMoney || compare(state.amount!, reading.amount) !== 0);
  const stockMoved = known && state.availability !== "unknown" && availability !== state.availability;
  const next: TrackerState = {
    ...state,
    status: reading.sure ? "ok" : "ambiguous",
    amount: reading.amount,
    listAmount: reading.listAmount,
    currency: reading.currency,
    availability,
    doubt: null,
    first: state.first ?? reading.amount,
    previous: priceMoved ? state.amount : state.previous,
    lowest: sameMoney || !known ? lower(state.lowest, reading.amount) : reading.amount,
    highest: sameMoney || !known ? higher(state.highest, reading.amount) : reading.amount,
    changedAtMs: priceMoved || stockMoved ? nowMs : state.changedAtMs,
    failures: 0,
    failure: null,
    alerted: state.alerted ?? reading.amount,
    targetMet: rules.targetPrice !== null && compare(reading.amount, rules.targetPrice) <= 0,
  };
  const happened: Happening[] = [];
  if (priceMoved)
    happened.push({
      type: "price_changed",
      previous: state.amount,
      amount: reading.amount,
      triggers: priceTriggers(state, reading.amount, sameMoney, rules),
    });
  if (priceMoved && happened.some((h) => h.type === "price_changed" && h.triggers.length > 0))
    next.alerted = reading.amount;
  if (stockMoved)
    happened.push({
      type: "availability_changed",
      previous: state.availability,
      availability,
      triggers: stockTriggers(state.availability, availability, rules),
    });
  if (next.targetMet && !state.targetMet)
    happened.push({ type: "target_reached", amount: reading.amount, target: rules.targetPrice! });
  const listMoved = known && (state.listAmount ?? "") !== (reading.listAmount ?? "");
  return {
    state: next,
    happened,
    changed: !known || priceMoved || stockMoved || listMoved || (known && availability !== state.availability),
  };
}

function isStrange(state: TrackerState, reading: Reading & { kind: "ok" }): boolean {
  if (state.amount === null) return false;
  if (state.currency !== null && reading.currency !== state.currency) return true;
  return compare(reading.amount, multiply(state.amount, STEEP)) < 0;
}

const isSameDoubt = (state: TrackerState, reading: Reading & { kind: "ok" }): boolean =>
  state.doubt !== null &&
  state.doubt.currency === reading.currency &&
  compare(state.doubt.amount, reading.amount) === 0;

const lower = (a: string | null, b: string): string => (a === null || compare(b, a) < 0 ? b : a);
const higher = (a: string | null, b: string): string => (a === null || compare(b, a) > 0 ? b : a);

/** Which of the asked alerts this price sets off. Thresholds look at the last alert, so a slow creep is told in the end. */
function priceTriggers(state: TrackerState, amount: string, sameMoney: boolean, rules: AlertRules): string[] {
  if (!sameMoney) return rules.on.includes("any_change") ? ["any_change"] : [];
  const out: string[] = [];
  const asks = (name: string) => rules.on.includes(name);
  const base =
    (rules.thresholdBase === "previous"
      ? state.amount
      : rules.thresholdBase === "first"
        ? state.first
        : state.alerted) ?? state.amount!;
  const far = (percent: number) => {
    const moved = percentChange(base, amount, 4);
    return moved !== null && Math.abs(Number(moved)) >= percent;
  };
  const enough = rules.dropPercent === null || far(rules.dropPercent);
  const fell = compare(amount, base) < 0,
    rose = compare(amount, base) > 0;
  if (asks("price_drop") && fell && enough && withinBounds(amount, rules)) out.push("price_drop");
  if (asks("price_rise") && rose && enough && withinBounds(amount, rules)) out.push("price_rise");
  if (asks("any_change") && enough) out.push("any_change");
  if (asks("new_low") && state.lowest !== null && compare(amount, state.lowest) < 0) out.push("new_low");
  if (asks("new_high") && state.highest !== null && compare(amount, state.highest) > 0) out.push("new_high");
  return out;
}

/** With bounds only prices that leave them are told. */
function withinBounds(amount: string, rules: AlertRules): boolean {
  if (rules.minPrice === null && rules.maxPrice === null) return true;
  return (
    (rules.minPrice !== null && compare(amount, rules.minPrice) < 0) ||
    (rules.maxPrice !== null && compare(amount, rules.maxPrice) > 0)
  );
}

function stockTriggers(before: string, after: string, rules: AlertRules): string[] {
  const was = BUYABLE.has(before),
    is = BUYABLE.has(after);
  if (!was && is) return rules.on.includes("back_in_stock") ? ["back_in_stock"] : [];
  if (was && !is) return rules.on.includes("out_of_stock") ? ["out_of_stock"] : [];
  return rules.on.includes("any_change") ? ["any_change"] : [];
}
