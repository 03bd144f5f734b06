// What every provider of quotes offers the desk, and what it is given. One file a party; all pass conformance.ts.
import type { Clock } from "../../../lib/clock.ts";
import type { GuardFetch } from "../../../lib/guard-fetch/index.ts";
import type { QuoteSource, Wanted } from "../engine/desk/source.ts";
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
  subscribe(wanted: Wanted): void;
  unsubscribe(wanted: Wanted): void;
  close(): void;
}

export interface StreamHandlers {
  onDraft(wanted: Wanted, draft: Draft): void;
  /** The connection was lost or fell silent: what it fed is no longer fresh. */
  onSilence(wanted: Wanted[]): void;
  /** Whether silence is suspicious now: a market of these securities is in its regular session. */
  expectsData(wanted: Wanted[]): boolean;
  log(message: string): void;
}

export interface Provider {
  source: QuoteSource;
  openStream?(handlers: StreamHandlers): StreamSource;
}

const US_MICS = new Set(["XNYS", "XNAS", "XASE", "ARCX", "BATS", "IEXG", "OTCM"]);

/** A security of the United States: what the American feeds cover. */
export const isAmerican = (w: Wanted): boolean =>
  w.reading !== null && (w.mic === null || US_MICS.has(w.mic)) && !w.instrument?.fictional;
