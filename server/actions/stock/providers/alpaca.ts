// Alpaca: American stocks over REST snapshots and a WebSocket. IEX is one venue, SIP the whole market; we say which.
import { marketCalendar } from "../engine/calendar/index.ts";
import { quoteFailure, type FetchResults, type Security } from "../engine/upstream/source.ts";
import { instantOf } from "../engine/quote/instant.ts";
import type { Draft } from "../engine/quote/model.ts";
import { alpacaDraft, type AlpacaFeed, type AlpacaOptions } from "./alpaca-draft.ts";
import { openAlpacaStream } from "./alpaca-stream.ts";
import { askJson } from "./http.ts";
import { isAmerican, type Provider, type ProviderDeps } from "./port.ts";
import { bar, newYorkDate, price, side, size, text } from "./read.ts";

export function alpaca(options: AlpacaOptions, deps: ProviderDeps): Provider {
  const base = deps.baseUrl ?? "https://data.alpaca.markets";
  return {
    source: {
      name: "alpaca",
      batchMax: 100,
      metered: false,
      delivery: options.feed === "delayed_sip" ? "delayed" : "realtime",
      limit: { tokens: options.callsPerMinute ?? 200, perMs: 60_000, cost: () => 1 },
      covers: isAmerican,
      async fetch(securities, signal) {
        const url = new URL(`${base}/v2/stocks/snapshots`);
        url.searchParams.set("symbols", securities.map((security) => security.symbol).join(","));
        url.searchParams.set("feed", options.feed);
        const body = await askJson(deps, "Alpaca", url, {
          signal,
          headers: { "APCA-API-KEY-ID": options.key, "APCA-API-SECRET-KEY": options.secret },
        });
        return new Map(
          securities.map((security) => [
            security.key,
            readSnapshot(security, body?.[security.symbol], options.feed, deps.clock.now()),
          ]),
        ) as FetchResults;
      },
    },
    openStream: (handlers) => openAlpacaStream(options, deps, handlers),
  };
}

function readSnapshot(security: Security, raw: any, feed: AlpacaFeed, now: number) {
  if (!raw || typeof raw !== "object")
    return quoteFailure("symbol_not_found", `Alpaca does not know ${security.symbol}.`, { provider: "alpaca" });
  const trade = raw.latestTrade;
  const last = price(trade?.p);
  const quoteAt = instantOf(raw.latestQuote?.t);
  const dayDate = newYorkDate(instantOf(raw.dailyBar?.t));
  const session = dayDate ? marketCalendar("XNYS")!.session(dayDate) : null;
  const ended = session !== null && now >= session.close + (feed === "delayed_sip" ? 900_000 : 0);
  const previous = price(raw.prevDailyBar?.c);
  return {
    ...alpacaDraft(security, feed),
    trade: last
      ? { price: last, size: size(trade.s), at: instantOf(trade.t), venue: text(trade.x), conditions: trade.c ?? [] }
      : null,
    bid: side(raw.latestQuote?.bp, raw.latestQuote?.bs, quoteAt, raw.latestQuote?.bx),
    ask: side(raw.latestQuote?.ap, raw.latestQuote?.as, quoteAt, raw.latestQuote?.ax),
    day: bar(raw.dailyBar, dayDate, ended),
    previousClose: previous
      ? { price: previous, date: newYorkDate(instantOf(raw.prevDailyBar?.t)), adjusted: false }
      : null,
  } satisfies Draft;
}
