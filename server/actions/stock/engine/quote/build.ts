// From a source's draft to the part of a quote that does not change with time: units, sessions, change, label.
// Nothing is filled in from something else: unknown stays null, and what does not fit becomes a warning.
import {
  absolute,
  add,
  compare,
  divide,
  isZero,
  multiply,
  percentChange,
  subtract,
  trim,
  type Decimal,
} from "../../../../lib/decimal.ts";
import type { MarketCalendar } from "../calendar/index.ts";
import type { Instrument } from "../symbols/instrument.ts";
import { NO_MARKET } from "../symbols/instrument.ts";
import { venueOf } from "../symbols/venues.ts";
import { MAX_AHEAD_MS, millisOf, newest } from "./instant.ts";
import type { Draft, PreviousClose, Quote, SessionName, Side, Trade } from "./model.ts";
import { toMajor, unitOf, type Unit } from "./units.ts";

/** Everything but what serving adds: the market's state and the age of the data. */
export type Built = Omit<Quote, "requested" | "market" | "data"> & {
  regular: Quote["last"];
  /** Whether `day.close` is the exchange's close, not the last trade that was seen. */
  officialClose: boolean;
  data: Omit<Quote["data"], "served_at" | "age_ms" | "stale" | "stale_after_ms" | "stale_reason" | "cache">;
};

export interface BuildContext {
  instrument: Instrument | null;
  mic: string | null;
  calendar: MarketCalendar | null;
  receivedAt: string;
  /** For tests and replays the session is decided at the data's own time; live data needs only this too. */
  priceUnit?: "major" | "quoted";
}

export type BuildFailure = { ok: false; code: "no_data" | "delisted"; message: string };

export function buildQuote(given: Draft, context: BuildContext): { ok: true; quote: Built } | BuildFailure {
  const draft = withoutFuture(given, millisOf(context.receivedAt));
  if (draft.trading?.status === "delisted")
    return { ok: false, code: "delisted", message: `${draft.symbol} is no longer listed.` };
  const warnings = [...draft.warnings];
  const listed = context.instrument?.mic;
  const mic = draft.mic ?? context.mic ?? (listed && listed !== NO_MARKET ? listed : null);
  const unit = findUnit(draft, context, mic, warnings);
  const scale = context.priceUnit === "quoted" ? null : unit;
  const price = (p: Decimal | null): Decimal | null => (p === null || isZero(p) ? null : scale ? toMajor(p, scale) : p);
  const trades = splitSessions(draft, context.calendar);
  const regular = tradeOf(trades.regular, "regular", price);
  const extendedTrade = trades.extended && tradeOf(trades.extended.trade, trades.extended.session, price);
  const last = pickLatest(regular, extendedTrade);
  const bid = sideOf(draft.bid, price);
  const ask = sideOf(draft.ask, price);
  const day = dayOf(draft, price, trades.regular, context.calendar);
  const previous = previousOf(draft, price, day.date, context.calendar, warnings);
  if (!last && !bid && !ask && !day.close && !previous) {
    return { ok: false, code: "no_data", message: `${draft.source} has no price for ${draft.symbol}.` };
  }
  const two = bothSides(bid, ask, warnings);
  const regularClose = lastRegularClose(draft, regular, day, previous, context.calendar);
  const change = changeOf(regular?.price ?? day.close, previous, warnings);
  crossCheck(draft, context, warnings);
  const asOf = newest(last?.at, bid?.at, ask?.at);
  if (asOf === null) warnings.push("The source gave no time for this price.");
  return {
    ok: true,
    quote: {
      symbol: draft.symbol,
      id: mic ? `${draft.symbol}:${mic}` : draft.symbol,
      instrument: describeInstrument(draft, context, mic),
      currency: unit?.currency ?? null,
      quoted_in: unit?.quoted_in ?? null,
      last,
      regular,
      officialClose: draft.day.close !== null && !draft.closeIsTrade,
      bid,
      ask,
      ...two,
      day,
      previous_close: previous,
      change,
      extended: extendedTrade && extendedOf(extendedTrade, regularClose),
      range_52w: draft.range52w && { low: price(draft.range52w.low)!, high: price(draft.range52w.high)! },
      trading: draft.trading ?? { status: "unknown", code: null, reason: null, since: null },
      data: {
        source: draft.source,
        feed: draft.feed,
        coverage: draft.coverage,
        delivery: draft.delivery,
        delay_seconds: draft.delaySeconds,
        simulated: draft.delivery === "simulated",
        label: labelOf(draft, day.date),
        attribution: draft.attribution,
        as_of: asOf,
        received_at: context.receivedAt,
        sequence: draft.sequence,
      },
      actions: draft.actions,
      warnings,
    },
  };
}

/** A price from the future is no price: it would hide every real one until its time has come. */
function withoutFuture(draft: Draft, now: number): Draft {
  const isAhead = (part: { at: string | null } | null) => part?.at != null && millisOf(part.at) > now + MAX_AHEAD_MS;
  const ahead = (["trade", "extended", "bid", "ask"] as const).filter((name) => isAhead(draft[name]));
  if (ahead.length === 0) return draft;
  return {
    ...draft,
    ...Object.fromEntries(ahead.map((name) => [name, null])),
    warnings: [...draft.warnings, `Left out, since its time lies in the future: ${ahead.join(", ")}.`],
  };
}

/** The market's state is ours to say; a source that sees it otherwise is named. */
function crossCheck(draft: Draft, { calendar, receivedAt }: BuildContext, warnings: string[]): void {
  if (!draft.sourceState || !calendar) return;
  const ours = calendar.phaseAt(millisOf(receivedAt));
  if (ours === "break" || ours === "auction" || (draft.sourceState === "regular") === (ours === "regular")) return;
  warnings.push(`${draft.source} says that the market is ${draft.sourceState}; by our calendar it is ${ours}.`);
}

function findUnit(draft: Draft, context: BuildContext, mic: string | null, warnings: string[]): Unit | null {
  const given = draft.quotedIn ?? context.instrument?.quotedIn ?? null;
  if (given) {
    const unit = unitOf(given);
    if (!unit) warnings.push(`The currency code "${given}" is not known; prices are left as quoted.`);
    return unit;
  }
  const hint = mic ? venueOf(mic)?.quotedIn : undefined;
  if (!hint) return null;
  warnings.push(`The source named no currency; ${hint} is what most lines of ${mic} are quoted in.`);
  return unitOf(hint);
}

/** Which of the trades belong to the regular session, by their time and the calendar. */
function splitSessions(draft: Draft, calendar: MarketCalendar | null) {
  const session = sessionAt(draft.trade?.at ?? null, calendar);
  const regular = session === null || session === "regular" ? draft.trade : null;
  const own = draft.trade && session && session !== "regular" ? { trade: draft.trade, session } : null;
  const apart = draft.extended && { trade: draft.extended as Trade, session: draft.extended.session };
  return { regular, extended: own ?? apart };
}

/** null when there is no time or no calendar to tell. The closing print is stamped with the close itself. */
export function sessionAt(at: string | null, calendar: MarketCalendar | null): SessionName | null {
  if (!at || !calendar) return null;
  const { state, close_at } = calendar.stateAt(millisOf(at));
  if (state === "post" && millisOf(at) === close_at) return "regular";
  return state === "pre" || state === "post" || state === "overnight" ? state : "regular";
}

const tradeOf = (
  t: Trade | null,
  session: SessionName,
  price: (p: Decimal | null) => Decimal | null,
): Quote["last"] => {
  const value = t && price(t.price);
  return value ? { price: value, size: t!.size, at: t!.at, venue: t!.venue, conditions: t!.conditions, session } : null;
};

const sideOf = (s: Side | null, price: (p: Decimal | null) => Decimal | null): Side | null => {
  const value = s && price(s.price);
  return value ? { price: value, size: s!.size, at: s!.at, venue: s!.venue } : null;
};

function pickLatest(regular: Quote["last"], extended: Quote["last"]): Quote["last"] {
  if (!regular || !extended) return regular ?? extended;
  return newest(regular.at, extended.at) === extended.at && extended.at !== regular.at ? extended : regular;
}

function dayOf(
  draft: Draft,
  price: (p: Decimal | null) => Decimal | null,
  regular: Trade | null,
  calendar: MarketCalendar | null,
) {
  const d = draft.day;
  const date = d.date ?? (regular?.at && calendar ? calendar.stateAt(millisOf(regular.at)).session_date : null);
  return {
    ...d,
    date,
    open: price(d.open),
    high: price(d.high),
    low: price(d.low),
    close: price(d.close),
    vwap: price(d.vwap),
  };
}

/** The date is the source's, or the session before the day's; a different date becomes a warning. */
function previousOf(
  draft: Draft,
  price: (p: Decimal | null) => Decimal | null,
  dayDate: string | null,
  calendar: MarketCalendar | null,
  warnings: string[],
): PreviousClose | null {
  const given = draft.previousClose;
  const value = given && price(given.price);
  if (!value) return null;
  const expected = dayDate && calendar ? (calendar.previousSession(dayDate)?.date ?? null) : null;
  if (given.date && expected && given.date !== expected) {
    warnings.push(`The previous close is of ${given.date}, not of the session before (${expected}).`);
  }
  return { price: value, date: given.date ?? expected, adjusted: given.adjusted };
}

function changeOf(price: Decimal | null, previous: PreviousClose | null, warnings: string[]): Quote["change"] {
  if (!price || !previous?.date) return null;
  const percent = percentChange(previous.price, price);
  if (percent === null) return null;
  const factor =
    compare(price, previous.price) > 0 ? divide(price, previous.price, 2) : divide(previous.price, price, 2);
  if (compare(factor, "70") > 0 && compare(factor, "140") < 0) {
    warnings.push("The price is about a hundred times off the previous close: the source may have changed its unit.");
  }
  return { amount: subtract(price, previous.price), percent, basis: "previous_close", basis_date: previous.date };
}

/** What an extended-hours price is measured against: the close of the last regular session before it. */
function lastRegularClose(
  draft: Draft,
  regular: Quote["last"],
  day: Quote["day"],
  previous: PreviousClose | null,
  calendar: MarketCalendar | null,
): Decimal | null {
  const at = draft.extended?.at ?? draft.trade?.at ?? null;
  if (!at || !calendar) return day.close ?? regular?.price ?? null;
  const state = calendar.stateAt(millisOf(at));
  if (state.state === "pre" && day.date === state.session_date) return previous?.price ?? null;
  return day.close ?? regular?.price ?? null;
}

function extendedOf(trade: NonNullable<Quote["last"]>, close: Decimal | null): Quote["extended"] {
  return {
    session: trade.session as SessionName,
    price: trade.price,
    at: trade.at,
    amount: close && subtract(trade.price, close),
    percent: close && percentChange(close, trade.price),
    basis: "last_regular_close",
  };
}

function bothSides(bid: Side | null, ask: Side | null, warnings: string[]): Pick<Quote, "mid" | "spread"> {
  if (!bid || !ask) return { mid: null, spread: null };
  if (compare(bid.price, ask.price) > 0) {
    warnings.push("Bid is above ask: the market is crossed or the two sides are of different times.");
    return { mid: null, spread: null };
  }
  return { mid: trim(multiply(add(bid.price, ask.price), "0.5")), spread: absolute(subtract(ask.price, bid.price)) };
}

function describeInstrument(
  draft: Draft,
  { instrument, calendar }: BuildContext,
  mic: string | null,
): Quote["instrument"] {
  return {
    name: draft.name ?? instrument?.name ?? null,
    type: draft.type ?? instrument?.type ?? null,
    mic,
    operating_mic: (mic && venueOf(mic)?.operating) ?? null,
    figi: instrument?.figi ?? null,
    isin: instrument?.isin ?? null,
    country: instrument?.country ?? (mic ? (venueOf(mic)?.country ?? null) : null),
    timezone: calendar?.exchange.zone ?? null,
  };
}

/** The words that must stand beside the number wherever it is shown. */
function labelOf(draft: Pick<Draft, "delivery" | "delaySeconds" | "feed" | "coverage">, date: string | null): string {
  switch (draft.delivery) {
    case "simulated":
      return "SIMULATED – not market data";
    case "replay":
      return `Replay of ${date ?? "recorded data"}`;
    case "end_of_day":
      return `End of day ${date ?? ""}`.trim();
    case "delayed":
      return draft.delaySeconds ? `Delayed ${Math.round(draft.delaySeconds / 60)} min` : "Delayed";
    case "frozen":
      return "Frozen at the last close";
    default:
      return draft.coverage === "single_venue"
        ? `Real-time, ${(draft.feed ?? "one venue").toUpperCase()} only`
        : "Real-time";
  }
}
