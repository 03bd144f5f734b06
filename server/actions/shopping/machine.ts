// The state machine of a tracker: one reading in, the next state and the events out. Pure and total; it knows no page and no table.
import { compare, multiply, subtract } from "../../lib/decimal.ts";

export type TrackerStatus = "pending" | "ok" | "stale" | "ambiguous" | FailureKind;
export type FailureKind =
  | "blocked"
  | "gone"
  | "no_price"
  | "not_a_product"
  | "variant_not_found"
  | "robots_disallowed"
  | "error";

export interface TrackerState {
  status: TrackerStatus;
  amount: string | null;
  listAmount: string | null;
  currency: string | null;
  availability: string;
  /** A reading that is believed only when it is read a second time. */
  doubt: { amount: string; currency: string | null; availability: string } | null;
  first: string | null;
  lowest: string | null;
  highest: string | null;
  previous: string | null;
  /** The price of the last alert of any kind. */
  alerted: string | null;
  /** The highest price since the last fall that was alerted, and the lowest since the last rise. */
  peak?: string | null;
  trough?: string | null;
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
type PriceReading = Reading & { kind: "ok" };

export type TrackerEvent =
  | { type: "price_changed"; previous: string; amount: string; triggers: string[] }
  | { type: "availability_changed"; previous: string; availability: string; triggers: string[] }
  | { type: "target_reached"; amount: string; target: string }
  /** Everything that the tracker's rules set off in one reading. */
  | { type: "alert"; triggers: string[]; previous: string | null; amount: string; availability: string }
  | { type: "page_gone" }
  | { type: "check_failed"; failure: FailureKind };

export interface Step {
  state: TrackerState;
  events: TrackerEvent[];
  /** Whether the history gets a new point. */
  changed: boolean;
}

export const NEW_TRACKER: TrackerState = {
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
  peak: null,
  trough: null,
  targetMet: false,
  changedAtMs: null,
  failures: 0,
  failure: null,
};

/** A fall to less than this share of the price is believed at the second equal reading. */
const STEEP_FALL = "0.4";
/** 404 three times in a row is gone; other failures cause one event, at the third. */
const MAX_FAILURES = 3;
const BUYABLE = new Set(["in_stock", "limited", "preorder", "backorder", "made_to_order"]);
/** These are reported at once, even where an older price is known. */
const FINAL_FAILURES = new Set<FailureKind>(["robots_disallowed", "blocked", "variant_not_found"]);

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

/** The page is the one that was read last: a price that was doubted then has now been read twice. */
function unchanged(state: TrackerState, rules: AlertRules, nowMs: number): Step {
  if (state.doubt) return read(state, { kind: "ok", ...state.doubt, listAmount: null, sure: true }, rules, nowMs);
  const status = state.amount === null ? state.status : state.status === "ambiguous" ? "ambiguous" : "ok";
  return { state: { ...state, status, failures: 0, failure: null }, events: [], changed: false };
}

function failed(state: TrackerState, failure: FailureKind): Step {
  const failures = state.failure === failure ? state.failures + 1 : 1;
  const event: TrackerEvent = failure === "gone" ? { type: "page_gone" } : { type: "check_failed", failure };
  return {
    state: { ...state, status: statusAfter(state, failure, failures), failures, failure },
    events: failures === MAX_FAILURES ? [event] : [],
    changed: false,
  };
}

function statusAfter(state: TrackerState, failure: FailureKind, failures: number): TrackerStatus {
  if (failure === "gone" && failures < MAX_FAILURES) return state.amount === null ? "error" : "stale";
  return failure === "gone" || FINAL_FAILURES.has(failure) || state.amount === null ? failure : "stale";
}

function read(state: TrackerState, reading: PriceReading, rules: AlertRules, nowMs: number): Step {
  const availability = reading.availability === "unknown" ? state.availability : reading.availability;
  if (isStrange(state, reading) && !isSameDoubt(state, reading)) {
    const doubt = { amount: reading.amount, currency: reading.currency, availability };
    return { state: { ...state, status: "ok", doubt, failures: 0, failure: null }, events: [], changed: false };
  }
  const known = state.amount !== null;
  const sameCurrency = !known || state.currency === reading.currency;
  // Amounts of two currencies are never compared: another currency is a new beginning.
  const before = sameCurrency ? state : { ...state, ...beginningAt(reading.amount) };
  const priceMoved = known && (!sameCurrency || compare(state.amount!, reading.amount) !== 0);
  const stockMoved = known && state.availability !== "unknown" && availability !== state.availability;
  const listMoved = known && (state.listAmount ?? "") !== (reading.listAmount ?? "");
  const priceTriggers = !priceMoved
    ? []
    : sameCurrency
      ? triggersOfPrice(before, reading.amount, rules)
      : rules.on.filter((name) => name === "any_change");
  const next: TrackerState = {
    ...before,
    status: reading.sure ? "ok" : "ambiguous",
    amount: reading.amount,
    listAmount: reading.listAmount,
    currency: reading.currency,
    availability,
    doubt: null,
    first: before.first ?? reading.amount,
    previous: priceMoved ? state.amount : state.previous,
    lowest: lower(before.lowest, reading.amount),
    highest: higher(before.highest, reading.amount),
    changedAtMs: priceMoved || stockMoved ? nowMs : state.changedAtMs,
    failures: 0,
    failure: null,
    alerted: priceTriggers.length > 0 ? reading.amount : (before.alerted ?? reading.amount),
    ...extremesAfter(before, reading.amount, priceTriggers, rules),
    targetMet: rules.targetPrice !== null && compare(reading.amount, rules.targetPrice) <= 0,
  };
  const stockTriggers = stockMoved ? triggersOfStock(state.availability, availability, rules) : [];
  return {
    state: next,
    events: eventsOf(state, next, { priceMoved, stockMoved, priceTriggers, stockTriggers }, rules),
    changed: !known || priceMoved || listMoved || availability !== state.availability,
  };
}

const beginningAt = (amount: string) => ({
  first: amount,
  lowest: amount,
  highest: amount,
  alerted: amount,
  peak: amount,
  trough: amount,
});

interface Moves {
  priceMoved: boolean;
  stockMoved: boolean;
  priceTriggers: string[];
  stockTriggers: string[];
}

function eventsOf(before: TrackerState, after: TrackerState, moves: Moves, rules: AlertRules): TrackerEvent[] {
  const { amount, availability } = after;
  const events: TrackerEvent[] = [];
  const triggers = [...new Set([...moves.priceTriggers, ...moves.stockTriggers])];
  if (moves.priceMoved)
    events.push({
      type: "price_changed",
      previous: before.amount!,
      amount: amount!,
      triggers: moves.priceTriggers,
    });
  if (moves.stockMoved)
    events.push({
      type: "availability_changed",
      previous: before.availability,
      availability,
      triggers: moves.stockTriggers,
    });
  if (after.targetMet && !before.targetMet) {
    events.push({ type: "target_reached", amount: amount!, target: rules.targetPrice! });
    triggers.push("target_price");
  }
  if (triggers.length > 0)
    events.push({ type: "alert", triggers, previous: before.amount, amount: amount!, availability });
  return events;
}

function isStrange(state: TrackerState, reading: PriceReading): boolean {
  if (state.amount === null) return false;
  if (state.currency !== null && reading.currency !== state.currency) return true;
  return compare(reading.amount, multiply(state.amount, STEEP_FALL)) < 0;
}

const isSameDoubt = (state: TrackerState, reading: PriceReading): boolean =>
  state.doubt !== null &&
  state.doubt.currency === reading.currency &&
  compare(state.doubt.amount, reading.amount) === 0;

const lower = (a: string | null, b: string): string => (a === null || compare(b, a) < 0 ? b : a);
const higher = (a: string | null, b: string): string => (a === null || compare(b, a) > 0 ? b : a);

/**
 * The prices from which falls and rises are measured with `last_alert`. The peak starts anew at every alerted fall and climbs
 * with the price, so a slow creep is alerted in the end and a fall after a rise is a new fall. The trough mirrors it.
 */
function extremesAfter(
  before: TrackerState,
  amount: string,
  triggers: readonly string[],
  rules: AlertRules,
): Pick<TrackerState, "peak" | "trough"> {
  const startsAnew = (name: string) => !rules.on.includes(name) || triggers.includes(name);
  return {
    peak: startsAnew("price_drop") ? amount : higher(before.peak ?? before.amount, amount),
    trough: startsAnew("price_rise") ? amount : lower(before.trough ?? before.amount, amount),
  };
}

/** Which of the asked alerts this price sets off. */
function triggersOfPrice(state: TrackerState, amount: string, rules: AlertRules): string[] {
  const baseOr = (sinceAlert: string | null | undefined): string =>
    (rules.thresholdBase === "previous" ? state.amount : rules.thresholdBase === "first" ? state.first : sinceAlert) ??
    state.amount!;
  const movedFrom = (base: string): boolean => {
    if (rules.dropPercent === null) return true;
    const moved = compare(amount, base) < 0 ? subtract(base, amount) : subtract(amount, base);
    return compare(multiply(moved, "100"), multiply(base, rules.dropPercent.toFixed(6))) >= 0;
  };
  const peak = baseOr(state.peak);
  const trough = baseOr(state.trough);
  const isFall = compare(amount, state.amount!) < 0;
  const holds: Record<string, boolean> = {
    price_drop: isFall && compare(amount, peak) < 0 && movedFrom(peak),
    price_rise: !isFall && compare(amount, trough) > 0 && movedFrom(trough),
    any_change: movedFrom(baseOr(state.alerted)),
    new_low: state.lowest !== null && compare(amount, state.lowest) < 0,
    new_high: state.highest !== null && compare(amount, state.highest) > 0,
  };
  return isWithinBounds(amount, rules) ? rules.on.filter((name) => holds[name]) : [];
}

/** Only prices from min_price to max_price set off an alert. */
const isWithinBounds = (amount: string, rules: AlertRules): boolean =>
  (rules.minPrice === null || compare(amount, rules.minPrice) >= 0) &&
  (rules.maxPrice === null || compare(amount, rules.maxPrice) <= 0);

function triggersOfStock(before: string, after: string, rules: AlertRules): string[] {
  const wasBuyable = BUYABLE.has(before);
  const isBuyable = BUYABLE.has(after);
  const name = wasBuyable === isBuyable ? "any_change" : isBuyable ? "back_in_stock" : "out_of_stock";
  return rules.on.filter((asked) => asked === name || asked === "any_change");
}
