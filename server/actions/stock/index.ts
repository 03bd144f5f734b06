// Stock, wired: what is built once, and how the parts are handed to each other.
import type { GuardFetch } from "../../lib/guard-fetch/index.ts";
import type { Module, Platform } from "../../platform/platform.ts";
import { createBooks } from "./background/books.ts";
import { createFeeder } from "./background/feeders.ts";
import { createHub } from "./background/hub.ts";
import { createLevelWatcher } from "./background/level-watcher.ts";
import { readClosures } from "./engine/calendar/closures.ts";
import { openCalendars, type Override } from "./engine/calendar/index.ts";
import { Chain } from "./engine/upstream/chain.ts";
import { QuoteCache } from "./engine/upstream/quote-cache.ts";
import type { QuoteSource, Security } from "./engine/upstream/source.ts";
import type { ServedQuote } from "./engine/quote/serve.ts";
import { openProviders, type ProviderSettings } from "./providers/index.ts";
import { simulated } from "./providers/simulated.ts";
import { levelRoutes } from "./routes/levels.ts";
import { marketRoutes } from "./routes/markets.ts";
import { createQuotes, quoteRoutes, type QuoteBackend } from "./routes/quotes.ts";
import { streamRoutes } from "./routes/stream.ts";
import { symbolRoutes } from "./routes/symbols.ts";
import { tickRoutes } from "./routes/ticks.ts";
import { createSecurities } from "./securities.ts";
import { createStore } from "./store.ts";

export interface StockOptions {
  providers: ProviderSettings;
  fetch: GuardFetch["fetch"];
  /** The operator's file of ad-hoc closures as text, read again every minute. */
  closures(): string;
  timeoutMs: number;
  hedgeMs: number;
}

const REFRESH_MS = 60_000;

export function createStock(platform: Platform, options: StockOptions): Module {
  const { clock, log } = platform;
  const calendars = openCalendars(closuresOf(options));
  const securities = createSecurities();
  const store = createStore(platform.db);
  const providers = openProviders(options.providers, { fetch: options.fetch, clock });
  const openBackend = (sources: QuoteSource[], windowMs: number): QuoteBackend => {
    const chain = new Chain(sources, { clock, timeoutMs: options.timeoutMs, hedgeMs: options.hedgeMs });
    const cache = new QuoteCache({
      clock,
      calendars,
      batchMax: chain.batchMax,
      windowMs,
      fetch: (securities) => chain.fetch(securities),
    });
    return { cache, sources: chain.names };
  };
  const backends = {
    test: openBackend([simulated(clock, calendars)], 0),
    live: openBackend(
      providers.map((p) => p.source),
      2,
    ),
  };
  const securityOf = (symbol: string, mic: string | null): Security => {
    const found = securities.find(mic ? `${symbol}:${mic}` : symbol);
    return found.ok
      ? found.security
      : { key: mic ? `${symbol}:${mic}` : symbol, symbol, mic, reading: null, instrument: null };
  };
  const books = createBooks({ store, clock, log, calendars, securityOf });
  const quotes = createQuotes({ clock, securities, books, backends });
  const hub = createHub(clock);
  const watcher = createLevelWatcher({
    store,
    clock,
    log,
    makeId: platform.makeId,
    async currentQuote(row) {
      await books.ready(row.tenantId);
      const own = books.find(row.tenantId, row.key);
      if (own) return own;
      const { cache, sources } = backends[row.mode];
      if (sources.length === 0) return null;
      const answer = await cache.get(securityOf(row.symbol, row.mic));
      return answer.ok ? answer.entry.served : null;
    },
  });
  const publisher = (mode: "live" | "test") => (key: string, quote: ServedQuote) => {
    hub.publish(`${mode}|${key}`, quote);
    void watcher.checkMode(mode, key, quote);
  };
  const feeders = {
    test: createFeeder({
      clock,
      calendars,
      cache: backends.test.cache,
      providers: [],
      publish: publisher("test"),
      log: (m) => log.warn(m),
    }),
    live: createFeeder({
      clock,
      calendars,
      cache: backends.live.cache,
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
    ...quoteRoutes(quotes),
    ...symbolRoutes({ platform, securities }),
    ...marketRoutes({ platform, calendars }),
    ...tickRoutes({
      books,
      securities,
      async onChange(tenantId, key, quote) {
        hub.publish(`t${tenantId}|${key}`, quote);
        await watcher.check(tenantId, key, quote);
      },
    }),
    ...streamRoutes({ platform, securities, books, hub, backends, feeders }),
    ...levelRoutes({ platform, store, watcher, securities, quotes, backends }),
  ];

  return {
    handlers,
    async start() {
      await refresh();
      books.start();
      watcher.start();
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
      watcher.stop();
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
