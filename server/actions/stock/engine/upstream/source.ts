// The port of a quote source, and how it fails. Adapters live in providers/.
import type { Draft, Delivery } from "../quote/model.ts";
import type { Reading } from "../symbols/conventions.ts";
import type { Instrument, InstrumentType } from "../symbols/instrument.ts";

/** One security as sources are asked for it. */
export interface Security {
  /** The cache key: "BRK.B:XNYS", or "BRK.B" when the market is not known. */
  key: string;
  symbol: string;
  mic: string | null;
  reading: Reading | null;
  instrument: Instrument | null;
  /** Known for assets that are no shares; null when only the directory knows. */
  type: InstrumentType | null;
}

export type FailureCode =
  | "symbol_not_found"
  | "symbol_ambiguous"
  | "symbol_invalid"
  | "delisted"
  | "no_data"
  | "not_entitled"
  | "only_delayed"
  | "only_simulated"
  | "only_stale"
  | "provider_error"
  | "rate_limited"
  | "timeout"
  | "circuit_open";

export interface QuoteFailure {
  code: FailureCode;
  message: string;
  retryable: boolean;
  retryAfterMs: number | null;
  candidates: string[];
  provider: string | null;
}

export const quoteFailure = (code: FailureCode, message: string, more: Partial<QuoteFailure> = {}): QuoteFailure => ({
  code,
  message,
  retryable: ["provider_error", "rate_limited", "timeout", "circuit_open"].includes(code),
  retryAfterMs: null,
  candidates: [],
  provider: null,
  ...more,
});

/** A whole call that failed, as opposed to one symbol of it. */
export class SourceError extends Error {
  readonly kind: "timeout" | "rate_limited" | "unauthorized" | "failed";
  readonly retryAfterMs: number | null;

  constructor(
    kind: "timeout" | "rate_limited" | "unauthorized" | "failed",
    message: string,
    retryAfterMs: number | null = null,
  ) {
    super(message);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

export type FetchResults = Map<string, Draft | QuoteFailure>;
export const isFailure = (x: Draft | QuoteFailure): x is QuoteFailure => "retryable" in x;

export interface QuoteSource {
  name: string;
  /** Symbols per call. */
  batchMax: number;
  delivery: Delivery;
  /** Calls cost money or scarce credits: never used to hedge. */
  metered: boolean;
  /** The published limit: `tokens` per `perMs`, and what one call costs. */
  limit: { tokens: number; perMs: number; cost(symbols: number): number } | null;
  covers(security: Security): boolean;
  /** One answer a symbol, by key. A symbol that is left out counts as not found. Throws SourceError for a failed call. */
  fetch(securities: Security[], signal: AbortSignal): Promise<FetchResults>;
}
