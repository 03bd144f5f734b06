// The quote cache: lifetimes by market state, one request in flight per symbol, stale answers when sources fail.
import type { Clock } from "../../../../lib/clock.ts";
import type { Calendars, MarketCalendar, Phase } from "../calendar/index.ts";
import { buildQuote } from "../quote/build.ts";
import { mergeDraft } from "../quote/merge.ts";
import { fromMillis } from "../quote/instant.ts";
import type { CacheKind, Delivery, Draft } from "../quote/model.ts";
import { ServedQuote } from "../quote/serve.ts";
import { Batcher } from "./batcher.ts";
import { isFailure, quoteFailure, type FetchResults, type QuoteFailure, type Security } from "./source.ts";

export interface Entry {
  served: ServedQuote;
  /** What the source said, for a stream's update to build on. */
  draft: Draft;
  fetchedAt: number;
  /** Until then it is answered without asking. */
  freshUntil: number;
  streamed: boolean;
}

export type CacheAnswer = { ok: true; entry: Entry; cache: CacheKind } | { ok: false; failure: QuoteFailure };

export interface QuoteCacheOptions {
  clock: Clock;
  calendars: Calendars;
  fetch(securities: Security[]): Promise<FetchResults>;
  batchMax: number;
  windowMs?: number;
  maxEntries?: number;
}

const STALE_IF_ERROR_MS = 15 * 60_000;
const NEGATIVE_MS = 60_000;
const ERROR_MS = 1000;
/** A socket that says nothing for this long in a regular session is not trusted any more. */
const STREAM_SILENCE_MS = 30_000;

/** How long an answer may be repeated without asking again. */
export function ttlMs(phase: Phase | "unknown", delivery: Delivery, untilOpenMs: number | null): number {
  if (delivery === "simulated") return 1000;
  if (phase === "regular") return delivery === "delayed" ? 15_000 : 1000;
  if (phase === "pre" || phase === "post" || phase === "overnight" || phase === "auction") return 5000;
  if (phase === "unknown") return 5000;
  return Math.max(1000, Math.min(15 * 60_000, (untilOpenMs ?? 0) - 5 * 60_000));
}

export class QuoteCache {
  readonly #entries = new Map<string, Entry>();
  readonly #failures = new Map<string, { failure: QuoteFailure; until: number }>();
  readonly #batcher: Batcher;
  #revision = 0;

  readonly options: QuoteCacheOptions;

  constructor(options: QuoteCacheOptions) {
    this.options = options;
    this.#batcher = new Batcher(options.clock, options.windowMs ?? 2, options.batchMax, options.fetch);
  }

  /** The cached quote if it may still be served; the cheap path. */
  fresh(key: string, now: number, maxAgeMs = Infinity): Entry | null {
    const entry = this.#entries.get(key);
    return entry && now < entry.freshUntil && now - entry.fetchedAt <= maxAgeMs ? entry : null;
  }

  async get(security: Security, maxAgeMs = Infinity, signal?: AbortSignal): Promise<CacheAnswer> {
    const now = this.options.clock.now();
    const entry = this.fresh(security.key, now, maxAgeMs);
    if (entry) return { ok: true, entry, cache: entry.streamed ? "stream" : "hit" };
    const known = this.#failures.get(security.key);
    if (known && now < known.until) return this.#fallBack(security.key, known.failure, now);
    const flight = this.#batcher.ask(security);
    const answer = await abortable(flight.promise, signal);
    return this.#take(security, answer, flight.joined);
  }

  /** A quote that a stream brought; it builds on what the same source said before. */
  put(security: Security, update: Draft): Entry | null {
    const now = this.options.clock.now();
    const calendar = this.#calendarOf(security, update);
    const draft = mergeDraft(this.#entries.get(security.key)?.draft ?? null, update, calendar);
    const built = buildQuote(draft, {
      instrument: security.instrument,
      mic: security.mic,
      calendar,
      receivedAt: fromMillis(now),
    });
    if (!built.ok) return null;
    const entry = {
      served: new ServedQuote(built.quote, calendar),
      draft,
      fetchedAt: now,
      freshUntil: now + STREAM_SILENCE_MS,
      streamed: true,
    };
    this.#keep(security.key, entry);
    return entry;
  }

  /** A stream fell silent: what it brought is asked for again at the next question. */
  expire(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry?.streamed) return;
    entry.freshUntil = -Infinity;
    this.#revision++;
  }

  forget(key: string): void {
    this.#revision++;
    this.#entries.delete(key);
    this.#failures.delete(key);
  }

  /** Changes with every quote that comes, goes or ends early: at one time and revision `fresh` always answers the same. */
  get revision(): number {
    return this.#revision;
  }

  get size(): number {
    return this.#entries.size;
  }

  #take(security: Security, answer: Draft | QuoteFailure, joined: boolean): CacheAnswer {
    const now = this.options.clock.now();
    const { key } = security;
    if (isFailure(answer)) return this.#fail(key, answer, now);
    const held = this.#entries.get(key);
    if (joined && held && held.fetchedAt === now) return { ok: true, entry: held, cache: "coalesced" };
    const calendar = this.#calendarOf(security, answer);
    const built = buildQuote(answer, {
      instrument: security.instrument,
      mic: security.mic,
      calendar,
      receivedAt: fromMillis(now),
    });
    if (!built.ok) return this.#fail(key, quoteFailure(built.code, built.message, { provider: answer.source }), now);
    const state = calendar?.stateAt(now) ?? null;
    const ttl = ttlMs(
      state?.state ?? "unknown",
      answer.delivery,
      state?.next_open_at ? state.next_open_at - now : null,
    );
    const entry = {
      served: new ServedQuote(built.quote, calendar),
      draft: answer,
      fetchedAt: now,
      freshUntil: now + ttl,
      streamed: false,
    };
    this.#keep(key, entry);
    this.#failures.delete(key);
    return { ok: true, entry, cache: joined ? "coalesced" : "miss" };
  }

  #fail(key: string, failure: QuoteFailure, now: number): CacheAnswer {
    const lasting = ["symbol_not_found", "delisted", "symbol_invalid"].includes(failure.code);
    this.#failures.set(key, { failure, until: now + (lasting ? NEGATIVE_MS : ERROR_MS) });
    if (this.#failures.size > 10_000) this.#failures.delete(this.#failures.keys().next().value!);
    return this.#fallBack(key, failure, now);
  }

  /** A source that fails is better answered with what we had, said to be old, than with nothing. */
  #fallBack(key: string, failure: QuoteFailure, now: number): CacheAnswer {
    const held = this.#entries.get(key);
    if (held && failure.retryable && now - held.fetchedAt <= STALE_IF_ERROR_MS)
      return { ok: true, entry: held, cache: "stale_if_error" };
    return { ok: false, failure };
  }

  #calendarOf(security: Security, draft: Draft): MarketCalendar | null {
    const mic = draft.mic ?? security.mic ?? security.instrument?.mic ?? null;
    return mic ? this.options.calendars.get(mic) : null;
  }

  #keep(key: string, entry: Entry): void {
    this.#revision++;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (this.#entries.size > (this.options.maxEntries ?? 20_000))
      this.#entries.delete(this.#entries.keys().next().value!);
  }
}

/** Leaves a shared promise alone and only stops waiting for it. */
function abortable<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
