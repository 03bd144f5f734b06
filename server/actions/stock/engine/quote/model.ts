// What a quote is. Draft: what a source said, mapped but not judged. Quote: what the service answers. Types only.
import type { Decimal } from "../../../../lib/decimal.ts";
import type { MarketState, Phase } from "../calendar/market.ts";
import type { InstrumentType } from "../symbols/instrument.ts";

export type SessionName = "pre" | "regular" | "post" | "overnight";
export type Coverage = "consolidated" | "single_venue" | "derived" | "unknown";
export type Delivery = "realtime" | "delayed" | "end_of_day" | "frozen" | "replay" | "simulated";
export type TradingStatus = "trading" | "halted" | "paused" | "suspended" | "delisted" | "unknown";
export type CacheKind = "hit" | "miss" | "stream" | "coalesced" | "stale_if_error";

/** Shares; text when fractional or past 2^53. */
export type Size = number | string;

export interface Trade {
  price: Decimal;
  size: Size | null;
  at: string | null;
  venue: string | null;
  conditions: string[];
}

export interface Side {
  price: Decimal;
  size: Size | null;
  at: string | null;
  venue: string | null;
}

export interface Day {
  date: string | null;
  open: Decimal | null;
  high: Decimal | null;
  low: Decimal | null;
  close: Decimal | null;
  volume: Size | null;
  vwap: Decimal | null;
  trades: number | null;
}

export interface PreviousClose {
  price: Decimal;
  date: string | null;
  adjusted: boolean | null;
}

export interface Draft {
  /** Canonical symbol this is about. */
  symbol: string;
  mic: string | null;
  name: string | null;
  type: InstrumentType | null;
  /** Currency code exactly as the source wrote it; null when it said none. */
  quotedIn: string | null;
  /** Latest trade of any session; which one is decided by its time and the calendar. */
  trade: Trade | null;
  /** A trade outside regular hours that the source reports apart. */
  extended: (Trade & { session: SessionName }) | null;
  bid: Side | null;
  ask: Side | null;
  day: Day;
  previousClose: PreviousClose | null;
  range52w: { low: Decimal; high: Decimal } | null;
  trading: { status: TradingStatus; code: string | null; reason: string | null; since: string | null } | null;
  source: string;
  feed: string | null;
  coverage: Coverage;
  delivery: Delivery;
  delaySeconds: number | null;
  attribution: string | null;
  /** Market state as the source sees it, only to cross-check ours. */
  sourceState: SessionName | "closed" | null;
  sequence: string | null;
  actions: { type: "split" | "dividend"; ex_date: string; ratio: string | null; amount: Decimal | null }[];
  warnings: string[];
  /** `day.close` is the last trade that was seen, for want of an official close. */
  closeIsTrade?: boolean;
}

export const EMPTY_DAY: Day = {
  date: null,
  open: null,
  high: null,
  low: null,
  close: null,
  volume: null,
  vwap: null,
  trades: null,
};

/** A draft with nothing in it, for an adapter to fill. */
export function emptyDraft(symbol: string, source: string): Draft {
  return {
    symbol,
    mic: null,
    name: null,
    type: null,
    quotedIn: null,
    trade: null,
    extended: null,
    bid: null,
    ask: null,
    day: { ...EMPTY_DAY },
    previousClose: null,
    range52w: null,
    trading: null,
    source,
    feed: null,
    coverage: "unknown",
    delivery: "realtime",
    delaySeconds: null,
    attribution: null,
    sourceState: null,
    sequence: null,
    actions: [],
    warnings: [],
  };
}

export interface Quote {
  symbol: string;
  id: string;
  requested: string;
  instrument: {
    name: string | null;
    type: InstrumentType | null;
    mic: string | null;
    operating_mic: string | null;
    figi: string | null;
    isin: string | null;
    country: string | null;
    timezone: string | null;
  };
  currency: string | null;
  quoted_in: { code: string; scale: string } | null;
  last: (Trade & { session: SessionName | null }) | null;
  bid: Side | null;
  ask: Side | null;
  mid: Decimal | null;
  spread: Decimal | null;
  day: Day;
  previous_close: PreviousClose | null;
  change: { amount: Decimal; percent: Decimal; basis: "previous_close"; basis_date: string } | null;
  extended: {
    session: SessionName;
    price: Decimal;
    at: string | null;
    amount: Decimal | null;
    percent: Decimal | null;
    basis: "last_regular_close";
  } | null;
  range_52w: { low: Decimal; high: Decimal } | null;
  market: {
    state: Phase | "unknown";
    reason: MarketState["reason"];
    holiday: string | null;
    session_date: string | null;
    open_at: string | null;
    close_at: string | null;
    next_open_at: string | null;
    calendar: string | null;
    calendar_known_until: string | null;
  };
  trading: { status: TradingStatus; code: string | null; reason: string | null; since: string | null };
  data: {
    source: string;
    feed: string | null;
    coverage: Coverage;
    delivery: Delivery;
    delay_seconds: number | null;
    simulated: boolean;
    label: string;
    attribution: string | null;
    as_of: string | null;
    received_at: string;
    sequence: string | null;
    served_at: string;
    age_ms: number | null;
    stale: boolean;
    stale_after_ms: number | null;
    stale_reason: string | null;
    cache: CacheKind;
  };
  actions: Draft["actions"];
  warnings: string[];
}
