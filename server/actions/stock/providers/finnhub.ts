// Finnhub: one symbol a call, all zeros for a symbol it does not know, trades alone over its WebSocket.
import { quoteFailure, SourceError, type FetchResults, type Security } from "../engine/upstream/source.ts";
import { marketCalendar } from "../engine/calendar/index.ts";
import { compareInstants, fromUnixMillis, fromUnixSeconds, millisOf } from "../engine/quote/instant.ts";
import { emptyDraft, type Draft } from "../engine/quote/model.ts";
import { writeSymbol } from "../engine/symbols/conventions.ts";
import { venueOf } from "../engine/symbols/venues.ts";
import { ask, refuse } from "./http.ts";
import {
  isAmerican,
  isShare,
  type Provider,
  type ProviderDeps,
  type StreamHandlers,
  type StreamSource,
} from "./port.ts";
import { price, size } from "./read.ts";
import { createStreamClient } from "./stream-client.ts";

export interface FinnhubOptions {
  token: string;
  callsPerMinute?: number;
}

/** BRK-B in America, VOD.L elsewhere. */
function symbolFor(security: Security): string {
  if (security.reading) return writeSymbol(security.reading, "dash") ?? security.symbol;
  const suffix = security.mic ? venueOf(security.mic)?.suffixes[0] : undefined;
  return suffix ? `${security.symbol}.${suffix}` : security.symbol;
}

export function finnhub(options: FinnhubOptions, deps: ProviderDeps): Provider {
  const base = deps.baseUrl ?? "https://finnhub.io";
  return {
    source: {
      name: "finnhub",
      batchMax: 1,
      metered: false,
      delivery: "realtime",
      limit: { tokens: options.callsPerMinute ?? 60, perMs: 60_000, cost: (n) => n },
      covers: isShare,
      async fetch([security], signal) {
        const url = new URL(`${base}/api/v1/quote`);
        url.searchParams.set("symbol", symbolFor(security));
        const reply = await ask(deps, "Finnhub", url, { signal, headers: { "X-Finnhub-Token": options.token } });
        if (reply.status === 403)
          return new Map([
            [
              security.key,
              quoteFailure("not_entitled", `Finnhub's plan does not cover ${security.symbol}.`, {
                provider: "finnhub",
              }),
            ],
          ]) as FetchResults;
        refuse(reply, "Finnhub");
        if (reply.body === undefined || reply.body.error)
          throw new SourceError("failed", "Finnhub answered 200 with an error inside.");
        return new Map([[security.key, readQuote(security, reply.body, deps.clock.now())]]) as FetchResults;
      },
    },
    openStream: (handlers) => openStream(options, deps, handlers),
  };
}

function draftFor(security: Security): Draft {
  const american = isAmerican(security);
  return {
    ...emptyDraft(security.symbol, "finnhub"),
    mic: security.mic,
    quotedIn: american ? "USD" : null,
    coverage: "unknown",
    delivery: "realtime",
    delaySeconds: american ? 0 : null,
  };
}

function readQuote(security: Security, raw: any, now: number) {
  const last = price(raw.c);
  if (!raw.t || last === null)
    return quoteFailure("symbol_not_found", `Finnhub has nothing for ${security.symbol} (it answers zeros).`, {
      provider: "finnhub",
    });
  const at = fromUnixSeconds(raw.t);
  const previous = price(raw.pc);
  const calendar = security.mic ? marketCalendar(security.mic) : isAmerican(security) ? marketCalendar("XNYS") : null;
  const state = at && calendar ? calendar.stateAt(millisOf(at)) : null;
  const ended = state?.close_at != null && now >= state.close_at;
  return {
    ...draftFor(security),
    trade: { price: last, size: null, at, venue: null, conditions: [] },
    day: {
      date: state?.session_date ?? null,
      open: price(raw.o),
      high: price(raw.h),
      low: price(raw.l),
      close: ended ? last : null,
      volume: null,
      vwap: null,
      trades: null,
    },
    previousClose: previous ? { price: previous, date: null, adjusted: null } : null,
  } satisfies Draft;
}

function openStream(options: FinnhubOptions, deps: ProviderDeps, handlers: StreamHandlers): StreamSource {
  const lines = new Map<string, Security>();
  const latest = new Map<string, string>();
  const client = createStreamClient({
    clock: deps.clock,
    expectsData: () => handlers.expectsData([...lines.values()]),
    onSilence: () => handlers.onSilence([...lines.values()]),
    log: (why) => handlers.log(`Finnhub: ${why}`),
    protocol: {
      url: () => `${deps.streamUrl ?? "wss://ws.finnhub.io"}?token=${encodeURIComponent(options.token)}`,
      hello: (_send, ready) => ready(),
      subscribe: (symbols, send) => symbols.forEach((symbol) => send({ type: "subscribe", symbol })),
      unsubscribe: (symbols, send) => symbols.forEach((symbol) => send({ type: "unsubscribe", symbol })),
      message(data, link) {
        const m = JSON.parse(data);
        if (m.type === "error") return link.fail(60_000, String(m.msg).slice(0, 100));
        if (m.type !== "trade" || !Array.isArray(m.data)) return;
        link.data();
        for (const t of m.data) trade(t);
      },
    },
  });

  function trade(t: any): void {
    const security = lines.get(t.s);
    const value = price(t.p);
    const at = fromUnixMillis(t.t);
    if (!security || !value || !at) return;
    const known = latest.get(t.s);
    if (known && compareInstants(known, at) > 0) return;
    latest.set(t.s, at);
    handlers.onDraft(security, {
      ...draftFor(security),
      trade: { price: value, size: size(t.v), at, venue: null, conditions: t.c ?? [] },
    });
  }

  return {
    subscribe(security) {
      lines.set(symbolFor(security), security);
      client.subscribe(symbolFor(security));
    },
    unsubscribe(security) {
      lines.delete(symbolFor(security));
      client.unsubscribe(symbolFor(security));
    },
    close: () => client.close(),
  };
}
