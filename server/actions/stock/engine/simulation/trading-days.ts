// The days of the simulated market, and where each begins on the price path: by a calendar, or around the clock.
import { DAY_MS } from "../../../../lib/time.ts";
import type { MarketCalendar } from "../calendar/index.ts";

export interface TradingDay {
  date: string;
  open: number;
  close: number;
  /** The trading minute on the price path at which the day begins. */
  start: number;
}

export interface TradingDays {
  minutesPerDay: number;
  /** The day that is on, else the last one. */
  current(now: number): TradingDay | null;
  previous(date: string): TradingDay | null;
}

const EPOCH_YEAR = 2015;
const MAX_STARTS = 1_000;
/** Trading minutes that a session takes up on the path, however long it was. */
const SESSION_MINUTES = 512;
const MINUTES_OF_A_DAY = 1440;

const CACHE = new WeakMap<MarketCalendar, TradingDays>();

export function tradingDaysOf(calendar: MarketCalendar): TradingDays {
  let days = CACHE.get(calendar);
  if (!days) CACHE.set(calendar, (days = openTradingDays(calendar)));
  return days;
}

function openTradingDays(calendar: MarketCalendar): TradingDays {
  const starts = new Map<string, number>();
  /** By the session's number since the epoch, so that the price goes on from day to day. */
  const startOf = (date: string): number => {
    let start = starts.get(date);
    if (start === undefined) {
      if (starts.size >= MAX_STARTS) starts.clear();
      starts.set(date, (start = calendar.sessionsSince(EPOCH_YEAR, date) * SESSION_MINUTES));
    }
    return start;
  };
  const dayOf = (session: { date: string; open: number; close: number } | null): TradingDay | null =>
    session && { date: session.date, open: session.open, close: session.close, start: startOf(session.date) };
  return {
    minutesPerDay: SESSION_MINUTES,
    current(now) {
      const { session_date } = calendar.stateAt(now);
      if (session_date === null) return null;
      const session = calendar.session(session_date);
      return dayOf(session && session.open <= now ? session : calendar.previousSession(session_date));
    },
    previous: (date) => dayOf(calendar.previousSession(date)),
  };
}

const EPOCH_DAY = Date.UTC(EPOCH_YEAR, 0, 1) / DAY_MS;

function utcDay(number: number): TradingDay {
  const open = number * DAY_MS;
  const date = new Date(open).toISOString().slice(0, 10);
  return { date, open, close: open + DAY_MS, start: (number - EPOCH_DAY) * MINUTES_OF_A_DAY };
}

/** Every day in UTC, from midnight to midnight. */
export const ALWAYS_OPEN: TradingDays = {
  minutesPerDay: MINUTES_OF_A_DAY,
  current: (now) => utcDay(Math.floor(now / DAY_MS)),
  previous: (date) => utcDay(Date.parse(`${date}T00:00:00Z`) / DAY_MS - 1),
};
