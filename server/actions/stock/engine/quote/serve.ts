// What serving adds to a built quote: the market's state now, the age of the data, and whether that is too old.
// The unchanging part is serialised once, so a cached answer is a few string joins.
import type { MarketCalendar, MarketState } from "../calendar/index.ts";
import type { Built } from "./build.ts";
import { fromMillis, millisOf } from "./instant.ts";
import type { CacheKind, Quote } from "./model.ts";

const REALTIME_LIMIT_MS = 60_000;
const DELAY_ALLOWANCE_MS = 120_000;

export interface Freshness {
  age_ms: number | null;
  stale: boolean;
  stale_after_ms: number | null;
  stale_reason: string | null;
}

/** Old enough to say so? In a closed market the last session's price is not stale, however many hours pass. */
export function freshnessOf(quote: Built, state: MarketState | null, now: number): Freshness {
  const { as_of } = quote.data;
  return freshnessAt(quote, as_of === null ? null : millisOf(as_of), state, now);
}

const fresh = (age_ms: number | null): Freshness => ({
  age_ms,
  stale: false,
  stale_after_ms: null,
  stale_reason: null,
});

function freshnessAt(quote: Built, at: number | null, state: MarketState | null, now: number): Freshness {
  const { delivery, delay_seconds } = quote.data;
  if (delivery === "replay") return fresh(at === null ? null : Math.max(0, now - at));
  if (at === null) return { age_ms: null, stale: true, stale_after_ms: null, stale_reason: "no_time" };
  const age_ms = Math.max(0, now - at);
  if (state && state.state !== "regular") {
    const since = state.open_at !== null && state.open_at <= now ? state.open_at : null;
    const stale = since !== null && at < since && state.state !== "pre";
    return stale ? { age_ms, stale, stale_after_ms: null, stale_reason: "before_last_session" } : fresh(age_ms);
  }
  if (delivery === "end_of_day") return fresh(age_ms);
  const limit = delivery === "delayed" ? (delay_seconds ?? 900) * 1000 + DELAY_ALLOWANCE_MS : REALTIME_LIMIT_MS;
  const stale = age_ms > limit;
  return { age_ms, stale, stale_after_ms: limit, stale_reason: stale ? "older_than_limit" : null };
}

/** What is served because every source failed is stale by definition. */
const freshnessAs = (cache: CacheKind, f: Freshness): Freshness =>
  cache === "stale_if_error" ? { ...f, stale: true, stale_reason: "source_failed" } : f;

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
  const { regular, data, actions, warnings, ...rest } = built;
  const state = calendar?.stateAt(now) ?? null;
  const last =
    session === "regular" ? regular : session === "extended" && built.last?.session === "regular" ? null : built.last;
  return {
    ...rest,
    requested,
    last,
    market: marketOf(calendar, now),
    data: { ...data, served_at: fromMillis(now), ...freshnessAs(cache, freshnessOf(built, state, now)), cache },
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

/** One cached quote, with its unchanging JSON made once and the market's part once per phase. */
export class ServedQuote {
  readonly built: Built;
  readonly calendar: MarketCalendar | null;
  readonly #head: string;
  readonly #dataHead: string;
  readonly #tail: string;
  readonly #asOfMs: number | null;
  #state: MarketState | null = null;
  #minute = NaN;
  #requested = "";
  /** Everything up to the time of serving, in one piece: for the name it was last asked by. */
  #prefix = "";

  constructor(built: Built, calendar: MarketCalendar | null) {
    this.built = built;
    this.calendar = calendar;
    const { regular: _, data, actions, warnings, ...rest } = built;
    this.#head = `${plainJson(rest).slice(0, -1)},"requested":`;
    this.#dataHead = `,"data":${plainJson(data).slice(0, -1)},"served_at":"`;
    this.#tail = `"},"actions":${plainJson(actions)},"warnings":${plainJson(warnings)}}`;
    this.#asOfMs = data.as_of === null ? null : millisOf(data.as_of);
  }

  json(requestedJson: string, now: number, nowText: string, cache: CacheKind): string {
    const minute = Math.floor(now / 60_000);
    if (minute !== this.#minute || requestedJson !== this.#requested) this.#prepare(requestedJson, minute, now);
    const f = freshnessAs(cache, freshnessAt(this.built, this.#asOfMs, this.#state, now));
    const reason = f.stale_reason === null ? "null" : `"${f.stale_reason}"`;
    const age = `","age_ms":${f.age_ms},"stale":${f.stale},"stale_after_ms":${f.stale_after_ms},"stale_reason":${reason}`;
    return `${this.#prefix}${nowText}${age},"cache":"${cache}${this.#tail}`;
  }

  /** The market's part holds for the minute: every phase begins on a whole one. */
  #prepare(requestedJson: string, minute: number, now: number): void {
    const market = plainJson(marketOf(this.calendar, now));
    this.#state = this.calendar?.stateAt(now) ?? null;
    this.#minute = minute;
    this.#requested = requestedJson;
    this.#prefix = `${this.#head}${requestedJson},"market":${market}${this.#dataHead}`;
    // Looking at a letter makes one piece of the parts, once instead of at every answer.
    this.#prefix.charCodeAt(0);
  }
}
