// Tiingo IEX: one venue; prices are null without an IEX entitlement, and after hours that is normal.
import { quoteFailure, SourceError, type FetchResults, type Security } from "../engine/upstream/source.ts";
import { instantOf } from "../engine/quote/instant.ts";
import { emptyDraft, type Draft } from "../engine/quote/model.ts";
import { writeSymbol } from "../engine/symbols/conventions.ts";
import { askJson } from "./http.ts";
import { isAmerican, type Provider, type ProviderDeps } from "./port.ts";
import { price, side, size } from "./read.ts";

export interface TiingoOptions {
  token: string;
  /** About 50 on the free plan. */
  callsPerHour?: number;
}

const symbolFor = (security: Security): string =>
  ((security.reading && writeSymbol(security.reading, "dash")) ?? security.symbol).toLowerCase();

export function tiingo(options: TiingoOptions, deps: ProviderDeps): Provider {
  const base = deps.baseUrl ?? "https://api.tiingo.com";
  return {
    source: {
      name: "tiingo",
      batchMax: 100,
      metered: true,
      delivery: "realtime",
      limit: { tokens: options.callsPerHour ?? 50, perMs: 3_600_000, cost: () => 1 },
      covers: isAmerican,
      async fetch(securities, signal) {
        const url = new URL(`${base}/iex/`);
        url.searchParams.set("tickers", securities.map(symbolFor).join(","));
        const body = await askJson(deps, "Tiingo", url, {
          signal,
          headers: { Authorization: `Token ${options.token}` },
        });
        if (!Array.isArray(body))
          throw new SourceError("failed", `Tiingo answered: ${String(body?.detail ?? "not a list").slice(0, 120)}`);
        const bySymbol = new Map<string, any>(body.map((t) => [String(t?.ticker).toLowerCase(), t]));
        return new Map(
          securities.map((security) => [security.key, readLine(security, bySymbol.get(symbolFor(security)))]),
        ) as FetchResults;
      },
    },
  };
}

function readLine(security: Security, raw: any) {
  if (!raw) return quoteFailure("symbol_not_found", `Tiingo does not know ${security.symbol}.`, { provider: "tiingo" });
  const last = price(raw.last);
  const quoteAt = instantOf(raw.quoteTimestamp);
  const previous = price(raw.prevClose);
  // tngoLast is the last trade or the middle, as Tiingo chooses: not a trade, so it is never shown as one.
  if (!last && !price(raw.bidPrice) && !previous) {
    return quoteFailure("not_entitled", `Tiingo shows no prices of ${security.symbol} without an IEX entitlement.`, {
      provider: "tiingo",
    });
  }
  return {
    ...emptyDraft(security.symbol, "tiingo"),
    mic: security.mic,
    quotedIn: "USD",
    feed: "iex",
    coverage: "single_venue",
    delivery: "realtime",
    delaySeconds: 0,
    attribution: "IEX Real-Time Price",
    trade: last
      ? { price: last, size: size(raw.lastSize), at: instantOf(raw.lastSaleTimestamp), venue: "IEXG", conditions: [] }
      : null,
    bid: side(raw.bidPrice, raw.bidSize, quoteAt, "IEXG"),
    ask: side(raw.askPrice, raw.askSize, quoteAt, "IEXG"),
    day: {
      date: null,
      open: price(raw.open),
      high: price(raw.high),
      low: price(raw.low),
      close: null,
      volume: size(raw.volume) || null,
      vwap: null,
      trades: null,
    },
    previousClose: previous ? { price: previous, date: null, adjusted: null } : null,
    warnings: last
      ? ["The volume is of IEX alone until the close."]
      : ["No last trade: the plan lacks an IEX entitlement, or none was made."],
  } satisfies Draft;
}
