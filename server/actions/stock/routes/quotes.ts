// POST /stock/quote: resolve each symbol, prefer the caller's own feed, else ask the quote cache; results keep the order.
import { Answer, handle, JsonText, type Call, type Handler, type Mode } from "../../../contract/define.ts";
import { Failure, type ErrorCode } from "../../../contract/errors.ts";
import { invalid } from "../../../contract/registry.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { Static } from "typebox";
import { quote, type QuoteRequest } from "../contract/index.ts";
import type { QuoteCache, CacheAnswer } from "../engine/upstream/quote-cache.ts";
import { quoteFailure, type QuoteFailure, type Security } from "../engine/upstream/source.ts";
import { fromMillis } from "../engine/quote/instant.ts";
import type { CacheKind } from "../engine/quote/model.ts";
import { serveQuote, type ServedQuote } from "../engine/quote/serve.ts";
import type { Books } from "../background/books.ts";
import type { Securities } from "../securities.ts";
import { alwaysSent } from "../contract/shapes.ts";

type Request = Static<typeof QuoteRequest>;

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

type Result =
  | { requested: string; ok: true; quote: ServedQuote; cache: CacheKind }
  | { requested: string; ok: false; failure: QuoteFailure };

const SIMULATED = { "X-Data-Simulated": "true" };

export const SETTINGS_HINT =
  "Set CONNECTOR_STOCK_PROVIDERS with a provider's key (see `connector help config`), push your own feed to POST /stock/ticks, or use a test key.";

export function createQuotes(deps: QuoteDeps) {
  const { clock, securities, books, backends } = deps;

  /** Synchronous when the quote is cached, which is what makes a cached answer fast. */
  function find(
    call: Pick<Call, "caller"> & Partial<Pick<Call, "request">>,
    typed: string,
    maxAgeMs: number,
  ): Result | Promise<Result> {
    const { tenantId, mode } = call.caller;
    const found = securities.find(typed);
    if (!found.ok) return { requested: typed, ok: false, failure: found.failure };
    const { security } = found;
    const own = books.find(tenantId, security.key);
    if (own) return { requested: typed, ok: true, quote: own, cache: "stream" };
    const { cache, sources } = backends[mode];
    if (sources.length === 0)
      return {
        requested: typed,
        ok: false,
        failure: quoteFailure("no_data", "No provider is configured, and your own feed has not sent this symbol."),
      };
    if (mode === "live" && security.instrument?.fictional)
      return {
        requested: typed,
        ok: false,
        failure: quoteFailure("symbol_not_found", `${security.symbol} is made up and exists with test keys alone.`),
      };
    const fresh = cache.fresh(security.key, clock.now(), maxAgeMs);
    if (fresh) return { requested: typed, ok: true, quote: fresh.served, cache: fresh.streamed ? "stream" : "hit" };
    // Asked for only here: a request's signal is made when it is looked at, and that costs more than a cached quote.
    return cache.get(security, maxAgeMs, call.request?.signal).then((answer) => resultOf(typed, security, answer));
  }

  function resultOf(requested: string, security: Security, answer: CacheAnswer): Result {
    if (answer.ok) return { requested, ok: true, quote: answer.entry.served, cache: answer.cache };
    const { failure } = answer;
    if (failure.code !== "symbol_not_found" || failure.candidates.length > 0) return { requested, ok: false, failure };
    const near = securities
      .search(security.symbol.slice(0, 4), 5)
      .map((i) => `${i.symbol}:${i.mic}`)
      .filter((id) => id !== security.key);
    return { requested, ok: false, failure: { ...failure, candidates: near } };
  }

  /** Answers without awaiting when every quote is cached. */
  function answer(call: Call<any, any, Request>): Answer<JsonText> | Promise<Answer<JsonText>> {
    const loading = books.ready(call.caller.tenantId);
    return loading ? loading.then(() => collect(call)) : collect(call);
  }

  function collect(call: Call<any, any, Request>): Answer<JsonText> | Promise<Answer<JsonText>> {
    const { body } = call;
    const maxAgeMs = body.max_age_ms ?? Infinity;
    const found = symbolsOf(body).map((typed) => find(call, typed, maxAgeMs));
    const judge = (results: Result[]) =>
      render(body.require || body.allow_simulated === false ? results.map((r) => demand(r, body)) : results, call);
    return found.some((r) => r instanceof Promise) ? Promise.all(found).then(judge) : judge(found as Result[]);
  }

  let textAt = NaN;
  let text = "";
  /** Many answers fall into one millisecond. */
  const textOf = (now: number): string => {
    if (now !== textAt) {
      text = fromMillis(now);
      textAt = now;
    }
    return text;
  };

  function render(results: Result[], call: Call<any, any, Request>): Answer<JsonText> {
    const now = clock.now();
    const nowText = textOf(now);
    let ok = 0;
    let simulated = 0;
    // Grown by concatenation and never joined: the text is put together once, when it is sent.
    let parts = "";
    for (const result of results) {
      const name = JSON.stringify(result.requested);
      parts += `${parts === "" ? "" : ","}{"requested":${name},`;
      if (!result.ok) {
        parts += `"ok":false,"error":${JSON.stringify(viewFailure(result.failure))}}`;
        continue;
      }
      ok++;
      if (result.quote.built.data.simulated) simulated++;
      parts += `"ok":true,"quote":${quoteJson(result, name, now, nowText, call.body)}}`;
    }
    if (ok === 0) throw allFailed(results, JSON.parse(`[${parts}]`), backends[call.caller.mode].sources.length === 0);
    const summary = `{"requested":${results.length},"ok":${ok},"failed":${results.length - ok},"simulated":${simulated}}`;
    const data = `{"as_of":"${nowText}","results":[${parts}],"summary":${summary}}`;
    return new Answer(new JsonText(data), simulated > 0 ? SIMULATED : {});
  }

  return { answer, find };
}

export type Quotes = ReturnType<typeof createQuotes>;

function symbolsOf(body: Request): string[] {
  if ((body.symbol === undefined) === (body.symbols === undefined)) {
    const both = body.symbol !== undefined;
    throw invalid([
      {
        pointer: "/symbol",
        code: both ? "conflict" : "required",
        detail: both ? "symbol and symbols exclude each other" : "symbol or symbols is missing",
        hint: 'Send {"symbol":"AAPL"} or {"symbols":["AAPL","VOD.L"]}',
      },
    ]);
  }
  return body.symbols ?? [body.symbol!];
}

function quoteJson(result: Result & { ok: true }, name: string, now: number, nowText: string, body: Request): string {
  const { quote, cache } = result;
  if (!body.fields && (body.session === undefined || body.session === "auto"))
    return quote.json(name, now, nowText, cache);
  const whole: Record<string, unknown> = {
    ...serveQuote(quote.built, result.requested, quote.calendar, now, cache, body.session),
  };
  if (!body.fields) return JSON.stringify(whole);
  const security = new Set<string>(body.fields);
  return JSON.stringify(Object.fromEntries(Object.entries(whole).filter(([k]) => alwaysSent(k) || security.has(k))));
}

/** A quote that is less than was asked for is an error, never a silent substitute. */
function demand(result: Result, body: Request): Result {
  if (!result.ok) return result;
  const { delivery, simulated } = result.quote.built.data;
  const refuse = (code: "only_simulated" | "only_delayed", message: string): Result => ({
    requested: result.requested,
    ok: false,
    failure: quoteFailure(code, message),
  });
  const required = body.require ?? "any";
  if (simulated && (body.allow_simulated === false || required !== "any"))
    return refuse("only_simulated", "There is only a simulated price, which was not accepted.");
  if (required === "realtime" && delivery !== "realtime")
    return refuse("only_delayed", `There is only a price of the kind ${delivery}.`);
  if (required === "delayed" && delivery !== "realtime" && delivery !== "delayed")
    return refuse("only_delayed", `There is only a price of the kind ${delivery}.`);
  return result;
}

const viewFailure = (f: QuoteFailure) => ({
  code: f.code,
  message: f.message,
  retryable: f.retryable,
  retry_after_ms: f.retryAfterMs,
  candidates: f.candidates,
  provider: f.provider,
});

/** The error code of an answer without any quote, most informative first: temporary failures before permanent ones. */
const STATUS: [QuoteFailure["code"][], ErrorCode][] = [
  [["timeout"], "upstream_timeout"],
  [["provider_error", "circuit_open"], "upstream_error"],
  [["rate_limited"], "upstream_rate_limited"],
  [["not_entitled"], "not_entitled"],
  [["only_delayed", "only_simulated"], "requirement_not_met"],
  [["symbol_ambiguous"], "symbol_ambiguous"],
  [["symbol_invalid"], "symbol_invalid"],
  [["symbol_not_found", "delisted", "no_data"], "symbol_not_found"],
];

function allFailed(results: Result[], shown: unknown[], nothingToAsk: boolean): Failure {
  const failures = results.flatMap((r) => (r.ok ? [] : [r.failure]));
  const extra = { results: shown };
  if (nothingToAsk && failures.some((f) => f.code === "no_data")) {
    return new Failure("provider_not_configured", "No source of quotes is configured for live keys.", {
      hint: SETTINGS_HINT,
      extra,
    });
  }
  const [codes, code] = STATUS.find(([list]) => failures.some((f) => list.includes(f.code)))!;
  const first = failures.find((f) => codes.includes(f.code))!;
  const waitMs = Math.max(0, ...failures.map((f) => f.retryAfterMs ?? 0));
  const headers: Record<string, string> =
    waitMs > 0 ? { "Retry-After": String(Math.max(1, Math.ceil(waitMs / 1000))) } : {};
  const hint = first.candidates.length > 0 ? `Did you mean ${first.candidates.slice(0, 5).join(", ")}?` : undefined;
  return new Failure(code, first.message, { extra, headers, ...(hint ? { hint } : {}) });
}

export const quoteRoutes = (quotes: Quotes): Handler[] => [handle(quote, (call) => quotes.answer(call))];
