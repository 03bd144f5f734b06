// The shape of one exchange's table: hours, holidays, early closes and one-off days, as data with effective dates.
import type { Rule } from "./rules.ts";

/** [effective from, open, close, break start, break end]; wall clock, "17:00-1" is the evening before. */
export type Hours = [from: string, open: string, close: string, breakStart?: string, breakEnd?: string];

/** A span of the day outside regular trading: [phase, from, to] by wall clock; "open" and "close" are the session's. */
export type Extra = [phase: "pre" | "post" | "overnight" | "auction", from: string, to: string];

export interface Exchange {
  mic: string;
  name: string;
  country: string;
  city: string;
  zone: string;
  /** ISO 4217 of most lines; a line may differ, so this is a hint and never an answer. */
  currency: string;
  /** Other MICs that keep exactly this calendar. */
  also?: string[];
  hours: Hours[];
  /** Trading weekdays from a date on; Monday to Friday where absent. */
  week?: [from: string, weekdays: number[]][];
  closed: Rule[];
  /** Closing time, then the days it holds on. */
  early?: [close: string, ...Rule[]][];
  /** Opening time, then the days it holds on. */
  late?: [open: string, ...Rule[]][];
  /** Single sessions with their own hours: "2000-11-15 10:00-16:00, …". Also makes a closed day a session. */
  special?: string;
  /** Sessions on days that would be closed, at the usual hours (notation of `dates`). */
  extra?: string;
  /** Phases around the regular session, where the tables are sure of them. */
  around?: Extra[];
  /** Served, but not claimed to equal every row of a given table; says why. */
  unclaimed?: string;
  /** Up to here the days were announced by the exchange or the state; later ones follow the rules. */
  knownUntil: string;
}
