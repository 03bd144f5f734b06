// The state of one security as reported by a user's own feed. Safe against repeats, disorder, corrections and cancels.
import { add, compare, isZero, type Decimal } from "../../../../lib/decimal.ts";
import { DAY_MS, MINUTE_MS } from "../../../../lib/time.ts";
import type { MarketCalendar } from "../calendar/index.ts";
import { compareInstants, MAX_AHEAD_MS } from "../quote/instant.ts";
import { emptyDraft, EMPTY_DAY, type Day, type Draft, type Size } from "../quote/model.ts";
import { SequenceWindow } from "./sequence.ts";
import { addSizes, sizeOf } from "./size.ts";
import type { FeedTerms } from "./terms.ts";
import type { Tick } from "./tick.ts";

export type { FeedTerms } from "./terms.ts";

export type Applied = "applied" | "duplicate" | "too_old" | "too_new" | "unknown_trade";

/** How many trades can be corrected unless there is less room; up to twice as many are kept. */
export const MAX_CORRECTABLE = 512;

/** A trade is kept as the tick that brought it. */
type Trade = Pick<Tick, "seq" | "at" | "atMs" | "venue" | "conditions" | "size"> & { price: Decimal; regular: boolean };

/** The totals of trades that are no longer kept one by one. */
interface Settled {
  open: Decimal | null;
  openAt: string | null;
  high: Decimal | null;
  low: Decimal | null;
  volume: Decimal;
  trades: number;
}

export class Book {
  readonly symbol: string;
  #correctable = MAX_CORRECTABLE;
  #sequence = new SequenceWindow();
  #receivedMs: number | null = null;
  #trades: Trade[] = [];
  #settled: Settled = emptySettled();
  #last: Trade | null = null;
  #day: Day = { ...EMPTY_DAY };
  #dayFrom = -Infinity;
  #dayTo = -Infinity;
  #open = -Infinity;
  #close = Infinity;
  #previous: { price: Decimal; date: string; official: boolean } | null = null;
  #quoted: Tick | null = null;
  #trading: Draft["trading"] = null;

  constructor(symbol: string) {
    this.symbol = symbol;
  }

  /** `now` is our clock: a feed whose clock runs ahead must not set a price that later ticks cannot replace. */
  apply(tick: Tick, calendar: MarketCalendar | null, now: number): Applied {
    if (tick.atMs > now + MAX_AHEAD_MS) return "too_new";
    const noted = this.#sequence.note(tick.seq);
    if (noted !== "applied") return noted;
    this.#receivedMs = now;
    switch (tick.type) {
      case "trade":
        return this.#trade(tick, calendar);
      case "quote":
        return this.#quote(tick);
      case "status":
        this.#trading = { status: tick.status!, code: null, reason: tick.reason ?? null, since: tick.at };
        return "applied";
      case "close":
        return this.#officialClose(tick, calendar);
      default:
        return this.#amend(tick);
    }
  }

  #trade(tick: Tick, calendar: MarketCalendar | null): Applied {
    if (tick.atMs >= this.#dayTo || tick.atMs < this.#dayFrom) {
      if (!this.#turnDay(tick.atMs, calendar)) return "applied";
    }
    const regular = tick.atMs >= this.#open && tick.atMs <= this.#close;
    tick.regular = regular;
    const trade = tick as Trade;
    this.#trades.push(trade);
    if (this.#trades.length >= 2 * this.#correctable) this.#forget();
    if (!this.#last || !isBefore(trade, this.#last)) this.#last = trade;
    if (regular) this.#count(trade);
    return "applied";
  }

  /** Moves on to the session the trade belongs to; false for a trade of an earlier session, which changes nothing now. */
  #turnDay(atMs: number, calendar: MarketCalendar | null): boolean {
    const state = calendar?.stateAt(atMs);
    const date = state?.session_date ?? new Date(atMs).toISOString().slice(0, 10);
    if (atMs < this.#dayFrom) {
      if (date !== this.#day.date) return false;
      this.#dayFrom = atMs;
      return true;
    }
    if (this.#day.date !== null && this.#day.date !== date) {
      const official = this.#day.close !== null;
      const close = this.#day.close ?? this.#lastRegular()?.price ?? null;
      if (close) this.#previous = { price: close, date: this.#day.date, official };
      this.#trades = [];
      this.#settled = emptySettled();
    }
    if (this.#day.date !== date) this.#day = { ...EMPTY_DAY, date };
    const inside = state?.open_at != null && state.close_at != null;
    this.#open = inside ? state.open_at! : -Infinity;
    this.#close = inside ? state.close_at! : Infinity;
    this.#dayFrom = inside ? Math.min(state.open_at!, atMs) : Date.parse(`${date}T00:00:00Z`);
    this.#dayTo = inside
      ? Math.max(state.close_at! + 1, state.state === "regular" ? state.close_at! + 1 : nextTurn(atMs))
      : this.#dayFrom + DAY_MS;
    return true;
  }

  #count(trade: Trade): void {
    const day = this.#day;
    day.open ??= trade.price;
    if (day.high === null || compare(trade.price, day.high) > 0) day.high = trade.price;
    if (day.low === null || compare(trade.price, day.low) < 0) day.low = trade.price;
    if (trade.size != null) day.volume = addSizes(day.volume, trade.size);
    day.trades = (day.trades ?? 0) + 1;
  }

  /** Keeps so many trades for corrections from now on. */
  limit(correctable: number): void {
    this.#correctable = correctable;
    if (this.#trades.length >= 2 * correctable) this.#forget();
  }

  /** In large steps, so that the cost per trade is negligible. */
  #forget(): void {
    const old = this.#trades.length - this.#correctable;
    for (let i = 0; i < old; i++) this.#settle(this.#trades[i]);
    this.#trades = this.#trades.slice(old);
  }

  #settle(trade: Trade): void {
    if (!trade.regular) return;
    const s = this.#settled;
    if (s.openAt === null || compareInstants(trade.at, s.openAt) < 0) {
      s.open = trade.price;
      s.openAt = trade.at;
    }
    if (s.high === null || compare(trade.price, s.high) > 0) s.high = trade.price;
    if (s.low === null || compare(trade.price, s.low) < 0) s.low = trade.price;
    if (trade.size != null) s.volume = add(s.volume, String(trade.size));
    s.trades++;
  }

  /** Cancels or corrects a trade, then recomputes the day from the remaining trades. */
  #amend(tick: Tick): Applied {
    const index = this.#trades.findIndex((t) => t.seq === tick.of);
    if (index < 0) return "unknown_trade";
    if (tick.type === "cancel") this.#trades.splice(index, 1);
    else
      this.#trades[index] = { ...this.#trades[index], price: tick.price!, size: tick.size ?? this.#trades[index].size };
    const s = this.#settled;
    const { date, close, vwap } = this.#day;
    this.#day = {
      ...EMPTY_DAY,
      date,
      close,
      vwap,
      open: s.open,
      high: s.high,
      low: s.low,
      volume: isZero(s.volume) ? null : sizeOf(s.volume),
      trades: s.trades || null,
    };
    this.#last = null;
    for (const trade of this.#trades) {
      if (!this.#last || !isBefore(trade, this.#last)) this.#last = trade;
      if (trade.regular) this.#count(trade);
    }
    return "applied";
  }

  #quote(tick: Tick): Applied {
    if (this.#quoted === null || !isBefore(tick, this.#quoted)) this.#quoted = tick;
    return "applied";
  }

  #side(price: Decimal | null | undefined, size: Size | null | undefined): Draft["bid"] {
    const { at, venue } = this.#quoted!;
    return price ? { price, size: size ?? null, at, venue: venue ?? null } : null;
  }

  #officialClose(tick: Tick, calendar: MarketCalendar | null): Applied {
    const date = tick.date ?? calendar?.stateAt(tick.atMs).session_date ?? tick.at.slice(0, 10);
    if (this.#day.date === null || date > this.#day.date) {
      this.#turnDay(tick.atMs, calendar);
      if (this.#day.date !== date) this.#day = { ...EMPTY_DAY, date };
    }
    if (this.#day.date === date) this.#day.close = tick.price!;
    else if (!this.#previous || date >= this.#previous.date)
      this.#previous = { price: tick.price!, date, official: true };
    return "applied";
  }

  #lastRegular(): Trade | null {
    let found: Trade | null = null;
    for (const t of this.#trades) if (t.regular && (!found || !isBefore(t, found))) found = t;
    return found;
  }

  /** When the last tick reached us; null when that is not known. */
  get receivedMs(): number | null {
    return this.#receivedMs;
  }

  draft(terms: FeedTerms): Draft {
    const last = this.#last;
    const regular = last && !last.regular ? this.#lastRegular() : null;
    return {
      ...emptyDraft(this.symbol, "ticks"),
      quotedIn: terms.currency,
      feed: terms.source,
      coverage: "unknown",
      delivery: terms.delivery,
      delaySeconds: terms.delaySeconds,
      trade: last && {
        price: last.price,
        size: last.size ?? null,
        at: last.at,
        venue: last.venue ?? null,
        conditions: last.conditions ?? [],
      },
      bid: this.#quoted && this.#side(this.#quoted.bid, this.#quoted.bid_size),
      ask: this.#quoted && this.#side(this.#quoted.ask, this.#quoted.ask_size),
      day: { ...this.#day, close: this.#day.close ?? (regular ? regular.price : null) },
      previousClose: this.#previous && { price: this.#previous.price, date: this.#previous.date, adjusted: false },
      trading: this.#trading,
      sequence: this.#sequence.top < 0 ? null : String(this.#sequence.top),
      closeIsTrade: regular !== null && this.#day.close === null,
      warnings: this.#warnings(regular !== null && this.#day.close === null),
    };
  }

  /** A trade that stands in for a close is said to. */
  #warnings(closeIsTrade: boolean): string[] {
    const warnings: string[] = [];
    if (closeIsTrade) warnings.push("day.close is the last regular trade: the feed has sent no official close.");
    if (this.#previous?.official === false)
      warnings.push(
        `previous_close is the last trade the feed sent on ${this.#previous.date}: it has sent no official close.`,
      );
    return warnings;
  }

  /** What survives a restart: the numbers, not the trades behind them. */
  save(): unknown {
    return {
      v: 1,
      top: this.#sequence.top,
      received: this.#receivedMs,
      last: this.#last,
      day: this.#day,
      previous: this.#previous,
      quoted: this.#quoted,
      trading: this.#trading,
    };
  }

  static load(symbol: string, saved: any, calendar: MarketCalendar | null): Book {
    const book = new Book(symbol);
    book.#sequence = SequenceWindow.seenUpTo(saved.top);
    book.#receivedMs = saved.received ?? null;
    book.#last = saved.last;
    book.#day = saved.day;
    book.#previous = saved.previous;
    book.#quoted = saved.quoted;
    book.#trading = saved.trading;
    const { day } = book;
    book.#settled = {
      open: day.open,
      openAt: day.open ? "0000-01-01T00:00:00Z" : null,
      high: day.high,
      low: day.low,
      volume: day.volume === null ? "0" : String(day.volume),
      trades: day.trades ?? 0,
    };
    if (book.#last) book.#turnDay(Date.parse(book.#last.at), calendar);
    return book;
  }

  get day(): Day {
    return this.#day;
  }
}

/** To the nanosecond, but only when the milliseconds are the same. */
const isBefore = (a: { at: string; atMs: number }, b: { at: string; atMs: number }): boolean =>
  a.atMs < b.atMs || (a.atMs === b.atMs && compareInstants(a.at, b.at) < 0);

const emptySettled = (): Settled => ({ open: null, openAt: null, high: null, low: null, volume: "0", trades: 0 });

/** Outside a session the calendar is consulted again within the minute. */
const nextTurn = (atMs: number): number => Math.floor(atMs / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
