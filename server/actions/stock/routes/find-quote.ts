// Finds the quote of one symbol: the caller's own feed while it is fresh, else the quote cache of the caller's mode.
import type { Mode } from "../../../contract/define.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { Books } from "../background/books.ts";
import type { CacheKind } from "../engine/quote/model.ts";
import type { ServedQuote } from "../engine/quote/serve.ts";
import type { CacheAnswer, QuoteCache } from "../engine/upstream/quote-cache.ts";
import { quoteFailure, type QuoteFailure, type Security } from "../engine/upstream/source.ts";
import type { Securities } from "../securities.ts";

export const SETTINGS_HINT =
  "Set a provider's key, e.g. CONNECTOR_STOCK_FINNHUB_TOKEN (see `connector help config`), push your own feed to POST /stock/ticks, or use a test key.";

/** Where the quotes of one mode come from. */
export interface QuoteBackend {
  cache: QuoteCache;
  /** Names of the sources behind it; none means that nothing can be asked. */
  sources: string[];
}

export interface QuoteDeps {
  clock: Clock;
  securities: Securities;
  books: Books;
  backends: Record<Mode, QuoteBackend>;
}

/** Who asks, and what the quote must satisfy. */
export interface QuoteTerms {
  tenantId: number;
  mode: Mode;
  /** Where a symbol without a market is meant to trade: a MIC, a market's name or a country. */
  place?: string;
  maxAgeMs?: number;
  require?: "any" | "delayed" | "realtime";
  allowSimulated?: boolean;
  /** A function, since a request's signal is made when it is read, and that costs more than a cached quote. */
  signal?(): AbortSignal;
}

export type QuoteResult =
  | { requested: string; ok: true; quote: ServedQuote; cache: CacheKind }
  | { requested: string; ok: false; failure: QuoteFailure };

/** Synchronous when the quote is at hand, which is what makes a cached answer fast. */
export function findQuote(deps: QuoteDeps, requested: string, terms: QuoteTerms): QuoteResult | Promise<QuoteResult> {
  const found = deps.securities.find(requested, terms.place);
  if (!found.ok) return { requested, ok: false, failure: found.failure };
  const { security } = found;
  const own = deps.books.find(terms.tenantId, security.key);
  if (own && suffices(own, terms, deps.clock.now()))
    return meet({ requested, ok: true, quote: own, cache: "stream" }, terms, deps.clock);
  const asked = askBackend(deps, requested, security, terms);
  const decide = (result: QuoteResult) =>
    meet(own ? better(requested, own, result, deps.clock) : result, terms, deps.clock);
  return asked instanceof Promise ? asked.then(decide) : decide(asked);
}

/** Whether the own feed answers the question; a stale one must not hide a provider that works. */
function suffices(own: ServedQuote, { maxAgeMs = Infinity, require = "any" }: QuoteTerms, now: number): boolean {
  const { stale, age_ms } = own.freshness(now, "stream");
  return !stale && (age_ms ?? 0) <= maxAgeMs && delivers(own, require);
}

/** A fresh quote of a provider replaces a stale one of the own feed; a made-up one never does. */
function better(requested: string, own: ServedQuote, result: QuoteResult, clock: Clock): QuoteResult {
  const isBetter =
    result.ok && !result.quote.built.data.simulated && !result.quote.freshness(clock.now(), result.cache).stale;
  return isBetter ? result : { requested, ok: true, quote: own, cache: "stream" };
}

function askBackend(
  { clock, backends, securities }: QuoteDeps,
  requested: string,
  security: Security,
  { mode, maxAgeMs, signal }: QuoteTerms,
): QuoteResult | Promise<QuoteResult> {
  const { cache, sources } = backends[mode];
  const failed = (failure: QuoteFailure): QuoteResult => ({ requested, ok: false, failure });
  if (sources.length === 0)
    return failed(quoteFailure("no_data", "No provider is configured, and your own feed has not sent this symbol."));
  if (mode === "live" && security.instrument?.fictional)
    return failed(quoteFailure("symbol_not_found", `${security.symbol} is made up and exists with test keys only.`));
  const entry = cache.fresh(security.key, clock.now(), maxAgeMs);
  if (entry) return { requested, ok: true, quote: entry.served, cache: entry.streamed ? "stream" : "hit" };
  return cache
    .get(security, maxAgeMs, signal?.())
    .then((answer) =>
      answer.ok
        ? { requested, ok: true, quote: answer.entry.served, cache: answer.cache }
        : failed(withCandidates(answer, security, securities)),
    );
}

function withCandidates(
  { failure }: CacheAnswer & { ok: false },
  security: Security,
  securities: Securities,
): QuoteFailure {
  if (failure.code !== "symbol_not_found" || failure.candidates.length > 0) return failure;
  const near = securities
    .search(security.symbol, 5)
    .concat(securities.search(security.symbol.slice(0, 4), 5))
    .map((i) => `${i.symbol}:${i.mic}`)
    .filter((id) => id !== security.key);
  return { ...failure, candidates: [...new Set(near)].slice(0, 5) };
}

const ENOUGH = {
  any: () => true,
  delayed: (delivery: string) => delivery === "realtime" || delivery === "delayed",
  realtime: (delivery: string) => delivery === "realtime",
};

const delivers = (quote: ServedQuote, require: keyof typeof ENOUGH): boolean =>
  ENOUGH[require](quote.built.data.delivery);

/** A quote that is less than was asked for is an error, never a silent substitute. */
function meet(result: QuoteResult, { require = "any", allowSimulated = true }: QuoteTerms, clock: Clock): QuoteResult {
  if (!result.ok || (require === "any" && allowSimulated)) return result;
  const { delivery, simulated } = result.quote.built.data;
  const refuse = (code: "only_simulated" | "only_delayed" | "only_stale", message: string): QuoteResult => ({
    requested: result.requested,
    ok: false,
    failure: quoteFailure(code, message),
  });
  if (simulated && (!allowSimulated || require !== "any"))
    return refuse("only_simulated", "There is only a simulated price, which was not accepted.");
  if (!delivers(result.quote, require)) return refuse("only_delayed", `There is only a price of the kind ${delivery}.`);
  const { stale, stale_reason } = result.quote.freshness(clock.now(), result.cache);
  if (require !== "any" && stale)
    return refuse("only_stale", `The newest price is stale (${stale_reason}), which is not ${require}.`);
  return result;
}
