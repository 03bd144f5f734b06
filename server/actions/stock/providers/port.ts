// What every provider of quotes offers the cache, and what it is given. One file a party; all pass conformance.ts.
import type { Clock } from "../../../lib/clock.ts";
import type { GuardFetch } from "../../../lib/guard-fetch/index.ts";
import type { QuoteSource, Security } from "../engine/upstream/source.ts";
import type { Draft } from "../engine/quote/model.ts";

export interface ProviderDeps {
  fetch: GuardFetch["fetch"];
  clock: Clock;
  /** Instead of the provider's public address: a proxy, or a server of a test. */
  baseUrl?: string;
  streamUrl?: string;
}

/** A live connection that many readers share. */
export interface StreamSource {
  subscribe(security: Security): void;
  unsubscribe(security: Security): void;
  close(): void;
}

export interface StreamHandlers {
  onDraft(security: Security, draft: Draft): void;
  /** The connection was lost or fell silent: what it fed is no longer fresh. */
  onSilence(securities: Security[]): void;
  /** Whether silence is suspicious now: a market of these securities is in its regular session. */
  expectsData(securities: Security[]): boolean;
  log(message: string): void;
}

export interface Provider {
  source: QuoteSource;
  openStream?(handlers: StreamHandlers): StreamSource;
}

/** Assets that are no shares; most feeds of shares do not know them. */
const ASSETS = new Set<string | null>(["crypto", "forex", "index", "future", "option"]);

export const isShare = (security: Security): boolean => !ASSETS.has(security.type) && !security.instrument?.fictional;

const US_MICS = new Set(["XNYS", "XNAS", "XASE", "ARCX", "BATS", "IEXG", "OTCM"]);

/** A security of the United States: what the American feeds cover. */
export const isAmerican = (security: Security): boolean =>
  security.reading !== null && (security.mic === null || US_MICS.has(security.mic)) && !security.instrument?.fictional;
