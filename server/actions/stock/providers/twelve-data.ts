// Twelve Data: the world's markets by MIC, decimals as strings, errors inside 200, one credit a symbol.
import { quoteFailure, SourceError, type FetchResults, type Security } from "../engine/upstream/source.ts";
import { fromUnixSeconds } from "../engine/quote/instant.ts";
import { emptyDraft, type Draft } from "../engine/quote/model.ts";
import { askJson } from "./http.ts";
import { isAmerican, isShare, type Provider, type ProviderDeps } from "./port.ts";
import { price, size, text } from "./read.ts";

export interface TwelveDataOptions {
  key: string;
  /** By the plan: null when the operator did not say how late its data is. */
  delaySeconds: number | null;
  creditsPerMinute?: number;
}

/** Its names of the indices it has. */
const INDICES: Record<string, string> = {
  "^GSPC": "SPX",
  "^DJI": "DJI",
  "^IXIC": "IXIC",
  "^NDX": "NDX",
  "^RUT": "RUT",
  "^VIX": "VIX",
};

/** BTC/USD for a coin, EUR/USD as it is; null for what Twelve Data does not have. */
function symbolFor(security: Security): string | null {
  if (isShare(security) || security.type === "forex") return security.symbol;
  if (security.type === "crypto") return security.symbol.replace("-", "/");
  return (security.type === "index" && INDICES[security.symbol]) || null;
}

export function twelveData(options: TwelveDataOptions, deps: ProviderDeps): Provider {
  const base = deps.baseUrl ?? "https://api.twelvedata.com";
  async function fetchGroup(
    securities: Security[],
    mic: string | null,
    signal: AbortSignal,
  ): Promise<[string, Draft | ReturnType<typeof quoteFailure>][]> {
    const url = new URL(`${base}/quote`);
    url.searchParams.set("symbol", securities.map(symbolFor).join(","));
    url.searchParams.set("interval", "1day");
    url.searchParams.set("timezone", "UTC");
    if (mic) url.searchParams.set("mic_code", mic);
    const body = await askJson(deps, "Twelve Data", url, {
      signal,
      headers: { Authorization: `apikey ${options.key}` },
    });
    // One symbol comes bare, several by name; a refused call is a 200 with an error for all.
    const whole = body?.status === "error" ? body : null;
    if (whole && !(securities.length === 1 && [400, 404].includes(whole.code))) refuseBody(whole);
    return securities.map((security) => [
      security.key,
      readQuote(security, securities.length === 1 ? body : body?.[symbolFor(security)!], options),
    ]);
  }
  return {
    source: {
      name: "twelve_data",
      batchMax: 120,
      metered: true,
      delivery: options.delaySeconds ? "delayed" : "realtime",
      limit: { tokens: options.creditsPerMinute ?? 8, perMs: 60_000, cost: (n) => n },
      covers: (security) => !security.instrument?.fictional && symbolFor(security) !== null,
      async fetch(securities, signal) {
        const groups = Map.groupBy(securities, (security) => (isAmerican(security) ? null : security.mic));
        const parts = await Promise.all([...groups].map(([mic, list]) => fetchGroup(list, mic, signal)));
        return new Map(parts.flat()) as FetchResults;
      },
    },
  };
}

function refuseBody(body: any): never {
  const message = `Twelve Data: ${String(body.message ?? "error").slice(0, 160)}`;
  if (body.code === 429) throw new SourceError("rate_limited", message, 60_000);
  if (body.code === 401 || body.code === 403) throw new SourceError("unauthorized", message);
  throw new SourceError("failed", message);
}

function readQuote(security: Security, raw: any, options: TwelveDataOptions) {
  const fail = (code: "symbol_not_found" | "not_entitled", message: string) =>
    quoteFailure(code, message, { provider: "twelve_data" });
  if (!raw || typeof raw !== "object") return fail("symbol_not_found", `Twelve Data does not know ${security.symbol}.`);
  if (raw.status === "error") {
    return fail(
      raw.code === 403 ? "not_entitled" : "symbol_not_found",
      `Twelve Data: ${String(raw.message ?? "").slice(0, 160)}`,
    );
  }
  const close = price(raw.close);
  const open = raw.is_market_open === true;
  const previous = price(raw.previous_close);
  const extended = price(raw.extended_price);
  const range = { low: price(raw.fifty_two_week?.low), high: price(raw.fifty_two_week?.high) };
  // `timestamp` is the opening of the bar; only last_quote_at is a time of a price.
  const at = fromUnixSeconds(raw.last_quote_at);
  return {
    ...emptyDraft(security.symbol, "twelve_data"),
    mic: security.mic ?? text(raw.mic_code),
    name: text(raw.name),
    quotedIn: text(raw.currency),
    coverage: "unknown",
    delivery: options.delaySeconds ? "delayed" : "realtime",
    delaySeconds: options.delaySeconds,
    trade: close ? { price: close, size: null, at, venue: null, conditions: [] } : null,
    extended: extended
      ? {
          price: extended,
          size: null,
          at: fromUnixSeconds(raw.extended_timestamp),
          venue: null,
          conditions: [],
          session: "post",
        }
      : null,
    day: {
      date: typeof raw.datetime === "string" ? raw.datetime.slice(0, 10) : null,
      open: price(raw.open),
      high: price(raw.high),
      low: price(raw.low),
      close: open ? null : close,
      volume: size(raw.volume) || null,
      vwap: null,
      trades: null,
    },
    previousClose: previous ? { price: previous, date: null, adjusted: null } : null,
    range52w: range.low && range.high ? { low: range.low, high: range.high } : null,
    sourceState: open ? "regular" : "closed",
    warnings: options.delaySeconds === null ? ["The operator has not said how late this Twelve Data plan is."] : [],
  } satisfies Draft;
}
