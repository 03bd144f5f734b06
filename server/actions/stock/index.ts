// Stock, as the rest of the service may see it: what is built once, and which handler answers which route.
import { handle, type Call } from "../../contract/define.ts";
import { Failure } from "../../contract/errors.ts";
import type { GuardFetch } from "../../lib/guard-fetch/index.ts";
import { openSseStream } from "../../lib/sse-stream.ts";
import { type Module, type Platform, readPage } from "../../platform/platform.ts";
import * as contract from "./contract.ts";
import { readClosures } from "./engine/calendar/closures.ts";
import { openCalendars, type Override } from "./engine/calendar/index.ts";
import { Chain } from "./engine/desk/chain.ts";
import { Desk } from "./engine/desk/desk.ts";
import type { QuoteSource, Wanted } from "./engine/desk/source.ts";
import type { ServedQuote } from "./engine/quote/serve.ts";
import { readSymbol, writeSymbol, type Convention } from "./engine/symbols/conventions.ts";
import { idOf, type Instrument } from "./engine/symbols/directory.ts";
import { venueOf } from "./engine/symbols/venues.ts";
import { createLevelRoutes } from "./cases/levels.ts";
import { createBooks } from "./live/books.ts";
import { createFeeder } from "./live/feeders.ts";
import { createHub } from "./live/hub.ts";
import { createLevels } from "./live/levels.ts";
import { readMarket, viewMarket } from "./cases/markets.ts";
import { openProviders, type ProviderSettings } from "./providers/index.ts";
import { simulated } from "./providers/simulated.ts";
import { createSecurities } from "./cases/securities.ts";
import { createQuotes, SETTINGS_HINT, type World } from "./service.ts";
import { createStore } from "./store.ts";
import { takeTicks } from "./cases/ticks.ts";

export interface StockOptions {
  providers: ProviderSettings;
  fetch: GuardFetch["fetch"];
  /** The operator's file of ad-hoc closures as text, read again every minute. */
  closures(): string;
  timeoutMs: number;
  hedgeMs: number;
}

const MAX_STREAM_SYMBOLS = 50;
const REFRESH_MS = 60_000;

export function createStock(platform: Platform, options: StockOptions): Module {
  const { clock, log } = platform;
  const calendars = openCalendars(closuresOf(options));
  const securities = createSecurities();
  const store = createStore(platform.db);
  const providers = openProviders(options.providers, { fetch: options.fetch, clock });
  const openWorld = (sources: QuoteSource[], windowMs: number): World => {
    const chain = new Chain(sources, { clock, timeoutMs: options.timeoutMs, hedgeMs: options.hedgeMs });
    const desk = new Desk({
      clock,
      calendars,
      batchMax: chain.batchMax,
      windowMs,
      fetch: (wanted) => chain.fetch(wanted),
    });
    return { desk, sources: chain.names };
  };
  const worlds = {
    test: openWorld([simulated(clock, calendars)], 0),
    live: openWorld(
      providers.map((p) => p.source),
      2,
    ),
  };
  const wantedOf = (symbol: string, mic: string | null): Wanted => {
    const found = securities.find(mic ? `${symbol}:${mic}` : symbol);
    return found.ok
      ? found.wanted
      : { key: mic ? `${symbol}:${mic}` : symbol, symbol, mic, reading: null, instrument: null };
  };
  const books = createBooks({ store, clock, log, calendars, wantedOf });
  const quotes = createQuotes({ clock, securities, books, worlds });
  const hub = createHub(clock);
  const levels = createLevels({
    store,
    clock,
    log,
    makeId: platform.makeId,
    async look(row) {
      await books.ready(row.tenantId);
      const own = books.find(row.tenantId, row.key);
      if (own) return own;
      const { desk, sources } = worlds[row.mode];
      if (sources.length === 0) return null;
      const answer = await desk.get(wantedOf(row.symbol, row.mic));
      return answer.ok ? answer.entry.served : null;
    },
  });
  const publisher = (mode: "live" | "test") => (key: string, quote: ServedQuote) => {
    hub.publish(`${mode}|${key}`, quote);
    void levels.checkWorld(mode, key, quote);
  };
  const feeders = {
    test: createFeeder({
      clock,
      calendars,
      desk: worlds.test.desk,
      providers: [],
      publish: publisher("test"),
      log: (m) => log.warn(m),
    }),
    live: createFeeder({
      clock,
      calendars,
      desk: worlds.live.desk,
      providers,
      publish: publisher("live"),
      log: (m) => log.warn(m),
    }),
  };
  let stopRefreshing = () => {};

  const refresh = async () => {
    securities.use(await store.instruments());
    calendars.use(closuresOf(options));
  };

  const handlers = [
    handle(contract.quote, (call) => quotes.answer(call) as any),
    handle(contract.symbols, (call) => {
      const { q } = call.query;
      return readPage(
        platform.cursors,
        `stock.symbols:${q}`,
        call.query,
        async (after, count) => {
          const offset = after === null ? 0 : Number(after);
          return securities
            .search(q, offset + count)
            .slice(offset)
            .map((instrument, i) => ({ instrument, position: String(offset + i + 1) }));
        },
        (row) => row.position,
        (row) => viewInstrument(row.instrument),
      );
    }),
    handle(contract.markets, (call) => {
      const { country } = call.query;
      const all = calendars
        .main()
        .map((mic) => calendars.get(mic)!)
        .filter((c) => !country || c.exchange.country === country);
      return readPage(
        platform.cursors,
        `stock.markets:${country ?? ""}`,
        call.query,
        async (after, count) => all.filter((c) => after === null || c.mic > after).slice(0, count),
        (c) => c.mic,
        (c) => viewMarket(c, call.now),
      );
    }),
    handle(contract.market, (call) => readMarket(calendars, call.params.mic, call.query, call.now)),
    handle(contract.ticks, (call) =>
      takeTicks(call, {
        books,
        securities,
        async onChange(tenantId, key, quote) {
          hub.publish(`t${tenantId}|${key}`, quote);
          await levels.check(tenantId, key, quote);
        },
      }),
    ),
    handle(contract.stream, (call) => openStream(call)),
    ...createLevelRoutes({ platform, store, levels, securities, quotes, worlds }),
  ];

  async function openStream(call: Call): Promise<Response> {
    const { tenantId, mode } = call.caller;
    const typed = [
      ...new Set(
        String(call.query.symbols)
          .split(",")
          .map((s) => s.trim())
          .filter(Boolean),
      ),
    ];
    if (typed.length === 0 || typed.length > MAX_STREAM_SYMBOLS)
      throw new Failure("symbol_invalid", `symbols must name 1 to ${MAX_STREAM_SYMBOLS} securities.`);
    await books.ready(tenantId);
    const wanted = typed.map((symbol) => {
      const found = securities.find(symbol);
      if (found.ok) return found.wanted;
      const { code, message, candidates } = found.failure;
      throw new Failure(
        code === "symbol_ambiguous" ? code : "symbol_invalid",
        message,
        candidates.length ? { hint: `Did you mean ${candidates.slice(0, 5).join(", ")}?` } : {},
      );
    });
    const own = wanted.filter((w) => books.find(tenantId, w.key) !== null);
    const asked = worlds[mode].sources.length > 0 ? wanted.filter((w) => !own.includes(w)) : [];
    if (asked.length === 0 && own.length === 0)
      throw new Failure("provider_not_configured", "No source of quotes is configured for live keys.", {
        hint: SETTINGS_HINT,
      });
    let leave = () => {};
    const stream = openSseStream({
      clock,
      signal: call.request.signal,
      onClose() {
        leave();
        for (const w of asked) feeders[mode].unsubscribe(w);
      },
    });
    if (mode === "test") stream.response.headers.set("X-Data-Simulated", String(asked.length > 0));
    const topics = [...wanted.map((w) => `t${tenantId}|${w.key}`), ...asked.map((w) => `${mode}|${w.key}`)];
    leave = hub.open(stream, topics, call.request.headers.get("last-event-id"));
    for (const w of own) hub.publish(`t${tenantId}|${w.key}`, books.find(tenantId, w.key)!);
    for (const w of asked) feeders[mode].subscribe(w);
    return stream.response;
  }

  return {
    handlers,
    async start() {
      await refresh();
      books.start();
      levels.start();
      stopRefreshing = clock.every(
        REFRESH_MS,
        () =>
          void refresh().catch((error) =>
            log.warn({ error: String(error) }, "the directory of securities could not be read again"),
          ),
      );
    },
    drain: () => hub.closeAll(),
    async stop() {
      stopRefreshing();
      levels.stop();
      feeders.test.close();
      feeders.live.close();
      await books.stop();
    },
  };
}

function closuresOf(options: StockOptions): Override[] {
  try {
    return readClosures(options.closures());
  } catch (error) {
    throw new Error(`CONNECTOR_STOCK_CLOSURES: ${(error as Error).message}. Hint: correct the file.`);
  }
}

function viewInstrument(i: Instrument) {
  const american = venueOf(i.mic)?.country === "US";
  const reading = american ? readSymbol(i.symbol, "canonical")[0] : undefined;
  const form = (convention: Convention) => (reading ? writeSymbol(reading, convention) : null);
  return {
    id: idOf(i),
    symbol: i.symbol,
    mic: i.mic,
    name: i.name,
    type: i.type,
    quoted_in: i.quotedIn,
    isin: i.isin,
    figi: i.figi,
    country: i.country,
    simulated_only: i.fictional ?? false,
    forms: { act: form("act"), cqs: form("cqs"), nasdaq: form("nasdaq"), dash: form("dash") },
  };
}
