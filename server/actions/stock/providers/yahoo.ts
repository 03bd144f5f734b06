// Yahoo: unofficial, off unless the operator opts in. "Yahoo does not provide any official API": it may break or refuse
// at any time, and its terms are the operator's to read. Needs a cookie and a crumb; prices are float32.
import { quoteFailure, SourceError, type FetchResults, type Security } from "../engine/upstream/source.ts";
import { fromUnixSeconds } from "../engine/quote/instant.ts";
import { emptyDraft, type Draft, type SessionName } from "../engine/quote/model.ts";
import { writeSymbol } from "../engine/symbols/conventions.ts";
import { venueOf } from "../engine/symbols/venues.ts";
import { ask, refuse } from "./http.ts";
import { isShare, type Provider, type ProviderDeps } from "./port.ts";
import { hinted, size, text } from "./read.ts";

const AGENT = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36";
const WARNING = "Yahoo is not an official source; its data may be wrong, late or withdrawn.";

/** BRK-B in America, VOD.L elsewhere, EURUSD=X for a currency pair; other assets as they are. */
function symbolFor(security: Security): string {
  if (security.type === "forex") return `${security.symbol.replace("/", "")}=X`;
  if (!isShare(security)) return security.symbol;
  if (security.reading) return writeSymbol(security.reading, "dash") ?? security.symbol;
  const suffix = security.mic ? venueOf(security.mic)?.suffixes[0] : undefined;
  return suffix ? `${security.symbol}.${suffix}` : security.symbol;
}

export function yahoo(_options: object, deps: ProviderDeps): Provider {
  const base = deps.baseUrl ?? "https://query2.finance.yahoo.com";
  let session: { cookie: string; crumb: string } | null = null;

  async function login(signal: AbortSignal): Promise<{ cookie: string; crumb: string }> {
    const first = await ask(deps, "Yahoo", new URL(deps.baseUrl ? `${base}/cookie` : "https://fc.yahoo.com/"), {
      signal,
      headers: { "User-Agent": AGENT },
    });
    const cookie = (first.headers.get("set-cookie") ?? "")
      .split(/,(?=[^;]+?=)/)
      .map((c) => c.split(";")[0].trim())
      .filter((c) => /^A[13]S?=/.test(c))
      .join("; ");
    if (!cookie) {
      if (first.status !== 404) refuse(first, "Yahoo");
      throw new SourceError("failed", "Yahoo gave no cookie.");
    }
    const reply = await ask(deps, "Yahoo", new URL(`${base}/v1/test/getcrumb`), {
      signal,
      headers: { "User-Agent": AGENT, Cookie: cookie, Accept: "text/plain" },
    });
    refuse(reply, "Yahoo");
    // A refusal in words must never be kept as the crumb.
    if (!/^[\w./\\-]{5,40}$/.test(reply.text)) throw new SourceError("rate_limited", "Yahoo gave no crumb.", 60_000);
    return (session = { cookie, crumb: reply.text });
  }

  async function quotes(symbols: string[], signal: AbortSignal, again = true): Promise<any[]> {
    const { cookie, crumb } = session ?? (await login(signal));
    const url = new URL(`${base}/v7/finance/quote`);
    url.searchParams.set("symbols", symbols.join(","));
    url.searchParams.set("crumb", crumb);
    const reply = await ask(deps, "Yahoo", url, { signal, headers: { "User-Agent": AGENT, Cookie: cookie } });
    if ((reply.status === 401 || reply.body?.finance?.error) && again) {
      session = null;
      return quotes(symbols, signal, false);
    }
    refuse(reply, "Yahoo");
    const list = reply.body?.quoteResponse?.result;
    if (!Array.isArray(list)) throw new SourceError("failed", "Yahoo answered 200 without quotes.");
    return list;
  }

  return {
    source: {
      name: "yahoo",
      batchMax: 50,
      metered: false,
      delivery: "delayed",
      limit: { tokens: 60, perMs: 60_000, cost: () => 1 },
      covers: (security) => !security.instrument?.fictional,
      async fetch(securities, signal) {
        const list = await quotes(securities.map(symbolFor), signal);
        const bySymbol = new Map(list.map((q) => [q?.symbol, q]));
        return new Map(
          securities.map((security) => [security.key, readQuote(security, bySymbol.get(symbolFor(security)))]),
        ) as FetchResults;
      },
    },
  };
}

function readQuote(security: Security, raw: any) {
  const fail = (code: "symbol_not_found" | "delisted", message: string) =>
    quoteFailure(code, message, { provider: "yahoo" });
  if (!raw) return fail("symbol_not_found", `Yahoo does not know ${security.symbol}.`);
  if (raw.quoteType === "NONE")
    return fail("delisted", `Yahoo lists ${security.symbol} without a price: it is most likely delisted.`);
  const read = (value: unknown) => hinted(value, raw.priceHint);
  const last = read(raw.regularMarketPrice);
  const previous = read(raw.regularMarketPreviousClose);
  const range = { low: read(raw.fiftyTwoWeekLow), high: read(raw.fiftyTwoWeekHigh) };
  const closed = raw.marketState !== "REGULAR" && raw.marketState !== "PRE";
  const delaySeconds = typeof raw.exchangeDataDelayedBy === "number" ? raw.exchangeDataDelayedBy * 60 : null;
  return {
    ...emptyDraft(security.symbol, "yahoo"),
    mic: security.mic,
    name: text(raw.longName) ?? text(raw.shortName),
    quotedIn: text(raw.currency),
    feed: text(raw.quoteSourceName),
    coverage: "unknown",
    delivery: delaySeconds === 0 ? "realtime" : "delayed",
    delaySeconds,
    trade: last
      ? { price: last, size: null, at: fromUnixSeconds(raw.regularMarketTime), venue: null, conditions: [] }
      : null,
    extended: extendedOf(raw, read),
    bid: sideOf(read(raw.bid)),
    ask: sideOf(read(raw.ask)),
    day: {
      date: null,
      open: read(raw.regularMarketOpen),
      high: read(raw.regularMarketDayHigh),
      low: read(raw.regularMarketDayLow),
      close: closed ? last : null,
      volume: size(raw.regularMarketVolume) || null,
      vwap: null,
      trades: null,
    },
    previousClose: previous ? { price: previous, date: null, adjusted: null } : null,
    range52w: range.low && range.high ? { low: range.low, high: range.high } : null,
    sourceState: STATES[raw.marketState] ?? null,
    warnings: [WARNING],
  } satisfies Draft;
}

const STATES: Record<string, Draft["sourceState"]> = {
  PRE: "pre",
  REGULAR: "regular",
  POST: "post",
  PREPRE: "closed",
  POSTPOST: "closed",
  CLOSED: "closed",
};

/** Yahoo does not say what its sizes count, so they are left out. */
const sideOf = (price: string | null): Draft["bid"] => (price ? { price, size: null, at: null, venue: null } : null);

function extendedOf(raw: any, read: (value: unknown) => string | null): Draft["extended"] {
  const pick = (session: SessionName, value: unknown, time: unknown): Draft["extended"] => {
    const price = read(value);
    return price ? { price, size: null, at: fromUnixSeconds(time), venue: null, conditions: [], session } : null;
  };
  if (/^PRE/.test(raw.marketState ?? "")) return pick("pre", raw.preMarketPrice, raw.preMarketTime);
  return pick("post", raw.postMarketPrice, raw.postMarketTime);
}
