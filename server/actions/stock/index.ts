// Stock, wired: what is built once, and how the parts are handed to each other.
import type { Mode } from "../../contract/define.ts";
import type { Clock } from "../../lib/clock.ts";
import type { GuardFetch } from "../../lib/guard-fetch/index.ts";
import { createLoop } from "../../lib/loop.ts";
import { MINUTE_MS } from "../../lib/time.ts";
import type { Module, Platform } from "../../platform/platform.ts";
import type { Breaker } from "../../platform/accounts/operator/providers/index.ts";
import { createBooks } from "./background/books.ts";
import { createFeeder } from "./background/feeders.ts";
import { createHub } from "./background/hub.ts";
import { createLevelWatcher } from "./background/level-watcher.ts";
import { readClosures } from "./engine/calendar/closures.ts";
import { openCalendars, type Calendars, type Override } from "./engine/calendar/index.ts";
import { simulateQuote } from "./engine/simulation/market.ts";
import { venuesIn } from "./engine/symbols/venues.ts";
import { Chain } from "./engine/upstream/chain.ts";
import { QuoteCache } from "./engine/upstream/quote-cache.ts";
import type { QuoteSource, Security } from "./engine/upstream/source.ts";
import {
  knownProviders,
  openProviders,
  providerFaults,
  unusedProviders,
  type ProviderSettings,
} from "./providers/index.ts";
import { simulated } from "./providers/simulated.ts";
import { findQuote, type QuoteBackend, type QuoteDeps } from "./routes/find-quote.ts";
import { levelRoutes } from "./routes/levels.ts";
import { marketRoutes } from "./routes/markets.ts";
import { quoteRoutes } from "./routes/quotes.ts";
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
  /** The country whose line is meant when a symbol is listed in several; null to refuse such a symbol. */
  country: string | null;
  timeoutMs: number;
  hedgeMs: number;
}

/** How long live questions wait for others to share their call; the simulated market answers at once. */
const BATCH_WINDOW_MS: Record<Mode, number> = { live: 2, test: 0 };

export function createStock(platform: Platform, options: StockOptions): Module {
  const { clock, log } = platform;
  const calendars = openCalendars(closuresOf(options));
  const securities = createSecurities({ country: options.country });
  const store = createStore(platform.db);
  const providers = openProviders(options.providers, { fetch: options.fetch, clock });
  const sources = providers.map((p) => p.source);
  const parts = { ...options, clock, calendars, record: platform.providers.record };
  const simulation = [simulated(clock, calendars)];
  const backends = { test: openBackend("test", parts, simulation), live: openBackend("live", parts, sources) };
  listProviders(platform, options, backends.live);
  const books = createBooks({ store, clock, log, calendars, securityOf: securities.of });
  const quotes: QuoteDeps = { clock, securities, books, backends };
  const hub = createHub(clock);
  const watcher = createLevelWatcher({
    store,
    clock,
    log,
    makeId: platform.makeId,
    async currentQuote({ tenantId, mode, key }) {
      await books.ready(tenantId);
      const found = await findQuote(quotes, key, { tenantId, mode });
      return found.ok ? found.quote : null;
    },
  });
  const feeders = { test: openFeeder("test"), live: openFeeder("live") };
  const refreshing = createLoop({
    clock,
    everyMs: MINUTE_MS,
    run: refresh,
    onError: (error) => log.warn({ error: String(error) }, "the directory of securities could not be read again"),
  });

  function openFeeder(mode: Mode) {
    return createFeeder({
      clock,
      calendars,
      cache: backends[mode].cache,
      providers: mode === "live" ? providers : [],
      publish(key, quote) {
        hub.publish(`${mode}|${key}`, quote);
        void watcher.checkMode(mode, key, quote);
      },
      publishFailure: (key, failure) => hub.publishFailure(`${mode}|${key}`, key, failure),
      log: (message) => log.warn(message),
    });
  }

  async function refresh(): Promise<void> {
    securities.use(await store.instruments());
    calendars.use(closuresOf(options));
  }

  return {
    handlers: [
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
      ...streamRoutes({ clock, quotes, hub, feeders }),
      ...levelRoutes({ platform, store, watcher, securities, quotes }),
    ],
    async start() {
      warnOfUnused(options, log);
      await refresh();
      prepareMarkets(calendars, clock.now());
      refreshing.start();
      books.start();
      watcher.start();
    },
    async settle() {
      await refreshing.settle();
      await books.settle();
      await watcher.settle();
    },
    drain: hub.closeAll,
    async stop() {
      await Promise.all([refreshing.stop(), watcher.stop(), feeders.test.stop(), feeders.live.stop()]);
      await books.stop();
    },
  };
}

/** The markets that most are asked about first: their tables take up to a tenth of a second, and nobody waits for it yet. */
const FIRST_MARKETS = ["XNAS", "XNYS"];

function prepareMarkets(calendars: Calendars, now: number): void {
  for (const mic of FIRST_MARKETS) simulateQuote({ symbol: "ACNCALM", mic, quotedIn: "USD" }, calendars.get(mic), now);
}

function warnOfUnused({ providers }: StockOptions, log: Platform["log"]): void {
  for (const name of unusedProviders(providers))
    log.warn(`${name} has its key but is not in CONNECTOR_STOCK_PROVIDERS, so it is not asked. Hint: add it.`);
}

/** Everybody who could be asked, with what sets them up and how their breaker stands. */
function listProviders({ providers }: Platform, options: StockOptions, { breakerOf }: WatchedBackend): void {
  for (const known of knownProviders(options.providers))
    providers.list({ action: "stock", kind: "quotes", ...known }, () => breakerOf(known.name));
}

interface BackendDeps {
  clock: Clock;
  calendars: Calendars;
  timeoutMs: number;
  hedgeMs: number;
  /** How a call of a source went; null for a success. */
  record(source: string, error: string | null): void;
}

type WatchedBackend = QuoteBackend & { breakerOf(source: string): Breaker };

function openBackend(mode: Mode, deps: BackendDeps, sources: QuoteSource[]): WatchedBackend {
  const { clock, calendars, timeoutMs, hedgeMs, record } = deps;
  const chain = new Chain(sources, {
    clock,
    timeoutMs,
    hedgeMs,
    onCall: (source, outcome) => record(source, outcome === "ok" ? null : outcome.replace("_", " ")),
  });
  const windowMs = BATCH_WINDOW_MS[mode];
  const fetch = (list: Security[]) => chain.fetch(list);
  return {
    cache: new QuoteCache({ clock, calendars, batchMax: chain.batchMax, windowMs, fetch }),
    sources: chain.names,
    breakerOf: (source) => chain.health().find((one) => one.source === source)?.state ?? "closed",
  };
}

/** What is wrong with the operator's settings, each with what to do; empty when nothing is. */
export function stockFaults(options: StockOptions): string[] {
  const faults = providerFaults(options.providers);
  if (options.country && venuesIn(options.country).length === 0)
    faults.push(`CONNECTOR_STOCK_COUNTRY is "${options.country}", which has no market here. Hint: write e.g. US.`);
  try {
    closuresOf(options);
  } catch (error) {
    faults.push((error as Error).message);
  }
  return faults;
}

function closuresOf(options: Pick<StockOptions, "closures">): Override[] {
  try {
    return readClosures(options.closures());
  } catch (error) {
    throw new Error(`CONNECTOR_STOCK_CLOSURES: ${(error as Error).message}. Hint: correct the file.`);
  }
}
