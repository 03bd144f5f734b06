// Massive (formerly Polygon.io): American stocks; zeros before the open, nanosecond times past 2^53, plans that hide parts.
import { marketCalendar } from "../engine/calendar/index.ts";
import { quoteFailure, SourceError, type FetchResults, type Security } from "../engine/upstream/source.ts";
import { fromUnixNanos, millisOf } from "../engine/quote/instant.ts";
import { emptyDraft, type Draft } from "../engine/quote/model.ts";
import { writeSymbol } from "../engine/symbols/conventions.ts";
import { askJson } from "./http.ts";
import { isAmerican, type Provider, type ProviderDeps } from "./port.ts";
import { bar, price, side, size, text } from "./read.ts";

export type MassivePlan = "starter" | "developer" | "advanced";

export interface MassiveOptions {
  key: string;
  plan: MassivePlan;
  callsPerMinute?: number;
}

const symbolFor = (security: Security): string =>
  (security.reading && writeSymbol(security.reading, "cqs")) ?? security.symbol;

export function massive(options: MassiveOptions, deps: ProviderDeps): Provider {
  const base = deps.baseUrl ?? "https://api.massive.com";
  const delayed = options.plan !== "advanced";
  return {
    source: {
      name: "massive",
      batchMax: 100,
      metered: false,
      delivery: delayed ? "delayed" : "realtime",
      limit: { tokens: options.callsPerMinute ?? 5000, perMs: 60_000, cost: () => 1 },
      covers: isAmerican,
      async fetch(securities, signal) {
        const url = new URL(`${base}/v2/snapshot/locale/us/markets/stocks/tickers`);
        url.searchParams.set("tickers", securities.map(symbolFor).join(","));
        const body = await askJson(deps, "Massive", url, {
          signal,
          headers: { Authorization: `Bearer ${options.key}` },
        });
        if (!Array.isArray(body?.tickers))
          throw new SourceError("failed", `Massive answered status ${String(body?.status ?? "unknown").slice(0, 40)}.`);
        const bySymbol = new Map<string, any>(body.tickers.map((t: any) => [t?.ticker, t]));
        return new Map(
          securities.map((security) => [
            security.key,
            readTicker(security, bySymbol.get(symbolFor(security)), delayed, deps.clock.now()),
          ]),
        ) as FetchResults;
      },
    },
  };
}

function readTicker(security: Security, raw: any, delayed: boolean, now: number) {
  if (!raw || raw.error)
    return quoteFailure("symbol_not_found", `Massive does not know ${security.symbol}.`, { provider: "massive" });
  const last = price(raw.lastTrade?.p);
  const at = fromUnixNanos(raw.lastTrade?.t);
  const quoteAt = fromUnixNanos(raw.lastQuote?.t);
  const previous = price(raw.prevDay?.c);
  const minute = price(raw.min?.c);
  const calendar = marketCalendar("XNYS")!;
  const seen = at ?? fromUnixNanos(raw.updated);
  const state = seen ? calendar.stateAt(millisOf(seen)) : null;
  const ended = state?.close_at != null && now - (delayed ? 900_000 : 0) >= state.close_at;
  // All zero between 03:30 and 04:00 in New York: the snapshot was cleared, which is not a price of nothing.
  if (!last && !minute && !price(raw.day?.c) && !previous) {
    return quoteFailure("no_data", `Massive has cleared its snapshot of ${security.symbol} for the new day.`, {
      provider: "massive",
      retryable: true,
    });
  }
  const hidden = last ? [] : ["This Massive plan does not show the last trade."];
  return {
    ...emptyDraft(security.symbol, "massive"),
    mic: security.mic,
    quotedIn: "USD",
    feed: "sip",
    coverage: "consolidated",
    delivery: delayed ? "delayed" : "realtime",
    delaySeconds: delayed ? 900 : 0,
    trade: last
      ? {
          price: last,
          size: size(raw.lastTrade.s),
          at,
          venue: text(raw.lastTrade.x),
          conditions: (raw.lastTrade.c ?? []).map(String),
        }
      : null,
    bid: side(raw.lastQuote?.p, raw.lastQuote?.s, quoteAt),
    ask: side(raw.lastQuote?.P, raw.lastQuote?.S, quoteAt),
    day: { ...bar(raw.day, state?.session_date ?? null, ended) },
    previousClose: previous ? { price: previous, date: null, adjusted: null } : null,
    warnings: hidden,
  } satisfies Draft;
}
