// What serving adds to a built quote: the market's state now, the age of the data, and whether that is too old.
// The unchanging part is serialised once, so a cached answer is a few string joins.
import { MINUTE_MS } from "../../../../lib/time.ts";
import type { MarketCalendar, MarketState } from "../calendar/index.ts";
import type { Built } from "./build.ts";
import { fromMillis, millisOf } from "./instant.ts";
import type { CacheKind, Quote } from "./model.ts";

const REALTIME_LIMIT_MS = 60_000;
const DELAY_ALLOWANCE_MS = 120_000;
/** data.source of a user's own feed. */
const OWN_FEED = "ticks";

export interface Freshness {
  age_ms: number | null;
  stale: boolean;
  stale_after_ms: number | null;
  stale_reason: string | null;
}

const fresh = (age_ms: number | null): Freshness => ({
  age_ms,
  stale: false,
  stale_after_ms: null,
  stale_reason: null,
});

/**
 * Old enough to say so? In a closed market the last session's price is not stale, however many hours pass,
 * unless it is of a feed that fell silent before the close.
 */
export function freshnessOf(quote: Built, state: MarketState | null, now: number): Freshness {
  const { as_of } = quote.data;
  return freshnessAt(quote, as_of === null ? null : millisOf(as_of), state, now);
}

function freshnessAt(quote: Built, at: number | null, state: MarketState | null, now: number): Freshness {
  const { delivery } = quote.data;
  if (delivery === "replay") return fresh(at === null ? null : Math.max(0, now - at));
  if (at === null) return { age_ms: null, stale: true, stale_after_ms: null, stale_reason: "no_time" };
  const age_ms = Math.max(0, now - at);
  const limitMs = limitOf(quote);
  if (state && state.state !== "regular") {
    const reason = staleWhenClosed(quote, at, state, now, limitMs);
    return reason ? { age_ms, stale: true, stale_after_ms: null, stale_reason: reason } : fresh(age_ms);
  }
  if (delivery === "end_of_day") return fresh(age_ms);
  const stale = age_ms > limitMs;
  return { age_ms, stale, stale_after_ms: limitMs, stale_reason: stale ? "older_than_limit" : null };
}

const limitOf = ({ data }: Built): number =>
  data.delivery === "delayed" ? (data.delay_seconds ?? 900) * 1000 + DELAY_ALLOWANCE_MS : REALTIME_LIMIT_MS;

/** Why a price is stale outside the regular session, or null. */
function staleWhenClosed(quote: Built, at: number, state: MarketState, now: number, limitMs: number): string | null {
  const { open_at, close_at } = state;
  if (open_at !== null && open_at <= now && at < open_at && state.state !== "pre") return "before_last_session";
  // A provider is asked after the close, so its last trade is the last one; an own feed may simply have stopped.
  const isOwnFeed = quote.data.source === OWN_FEED && quote.data.delivery !== "end_of_day";
  const ended = close_at !== null && close_at <= now && open_at !== null && at >= open_at;
  return isOwnFeed && ended && at < close_at - limitMs && !quote.officialClose ? "feed_ended_before_close" : null;
}

/** What is served because every source failed is stale by definition. */
const freshnessAs = (cache: CacheKind, f: Freshness): Freshness =>
  cache === "stale_if_error" ? { ...f, stale: true, stale_reason: "source_failed" } : f;

/** The words beside the number must not call old data real-time. */
const labelAs = (label: string, stale: boolean): string => (stale ? `Out of date (${label})` : label);

const iso = (t: number | null): string | null => (t === null ? null : fromMillis(t));

export function marketOf(calendar: MarketCalendar | null, now: number): Quote["market"] {
  if (!calendar) {
    return {
      state: "unknown",
      reason: null,
      holiday: null,
      session_date: null,
      open_at: null,
      close_at: null,
      next_open_at: null,
      calendar: null,
      calendar_known_until: null,
    };
  }
  const s = calendar.stateAt(now);
  return {
    state: s.state,
    reason: s.reason,
    holiday: s.holiday,
    session_date: s.session_date,
    open_at: iso(s.open_at),
    close_at: iso(s.close_at),
    next_open_at: iso(s.next_open_at),
    calendar: calendar.exchange.mic,
    calendar_known_until: calendar.knownUntil,
  };
}

/** The whole quote as an object. */
export function serveQuote(
  built: Built,
  requested: string,
  calendar: MarketCalendar | null,
  now: number,
  cache: CacheKind,
  session: "auto" | "regular" | "extended" = "auto",
): Quote {
  const { regular, officialClose: _, data, actions, warnings, ...rest } = built;
  const freshness = freshnessAs(cache, freshnessOf(built, calendar?.stateAt(now) ?? null, now));
  const last =
    session === "regular" ? regular : session === "extended" && built.last?.session === "regular" ? null : built.last;
  return {
    ...rest,
    requested,
    last,
    market: marketOf(calendar, now),
    data: {
      ...data,
      label: labelAs(data.label, freshness.stale),
      served_at: fromMillis(now),
      ...freshness,
      cache,
    },
    actions,
    warnings,
  };
}

/**
 * JSON in ASCII: one letter beyond it would make the whole answer twice as wide in memory and slower to send.
 * What replaced such a letter is still held wide; only text that was read anew from bytes is narrow.
 */
function plainJson(value: unknown): string {
  const asEscape = (c: string) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const text = JSON.stringify(value).replace(/[\u0080-\uffff]/g, asEscape);
  return new TextDecoder().decode(new TextEncoder().encode(text));
}

/** One cached quote, with its unchanging JSON made once and the market's part once a minute. */
export class ServedQuote {
  readonly built: Built;
  readonly calendar: MarketCalendar | null;
  readonly #head: string;
  readonly #tail: string;
  readonly #asOfMs: number | null;
  #state: MarketState | null = null;
  #market = "";
  #minute = NaN;
  #requested = "";
  #stale = false;
  /** Everything up to the time of serving, in one piece: for the name and staleness it was last asked with. */
  #prefix = "";
  /** The last rendering, shared by all callers of one millisecond. */
  #text = "";
  #textAt = NaN;
  #textCache: CacheKind | null = null;

  constructor(built: Built, calendar: MarketCalendar | null) {
    this.built = built;
    this.calendar = calendar;
    const { regular: _regular, officialClose: _official, data, actions, warnings, ...rest } = built;
    this.#head = `${plainJson(rest).slice(0, -1)},"requested":`;
    this.#tail = `"},"actions":${plainJson(actions)},"warnings":${plainJson(warnings)}}`;
    this.#asOfMs = data.as_of === null ? null : millisOf(data.as_of);
  }

  freshness(now: number, cache: CacheKind): Freshness {
    const minute = Math.floor(now / MINUTE_MS);
    if (minute !== this.#minute) this.#turnMinute(minute, now);
    return freshnessAs(cache, freshnessAt(this.built, this.#asOfMs, this.#state, now));
  }

  json(requestedJson: string, now: number, nowText: string, cache: CacheKind): string {
    if (now === this.#textAt && cache === this.#textCache && requestedJson === this.#requested) return this.#text;
    const f = this.freshness(now, cache);
    if (requestedJson !== this.#requested || f.stale !== this.#stale || this.#prefix === "")
      this.#prepare(requestedJson, f.stale);
    const reason = f.stale_reason === null ? "null" : `"${f.stale_reason}"`;
    const age = `","age_ms":${f.age_ms},"stale":${f.stale},"stale_after_ms":${f.stale_after_ms},"stale_reason":${reason}`;
    this.#textAt = now;
    this.#textCache = cache;
    return (this.#text = `${this.#prefix}${nowText}${age},"cache":"${cache}${this.#tail}`);
  }

  /** The market's part holds for the minute: every phase begins on a whole one. */
  #turnMinute(minute: number, now: number): void {
    this.#state = this.calendar?.stateAt(now) ?? null;
    this.#market = plainJson(marketOf(this.calendar, now));
    this.#minute = minute;
    this.#prefix = "";
  }

  #prepare(requestedJson: string, stale: boolean): void {
    const { data } = this.built;
    const shown = plainJson({ ...data, label: labelAs(data.label, stale) });
    this.#requested = requestedJson;
    this.#stale = stale;
    this.#prefix = `${this.#head}${requestedJson},"market":${this.#market},"data":${shown.slice(0, -1)},"served_at":"`;
    // Reading a character makes the parts one flat string, once instead of at every answer.
    this.#prefix.charCodeAt(0);
  }
}
