// POST /stock/quote: one result for each symbol, in the order asked, assembled from prepared JSON and shared by those who ask alike.
import type { Static } from "typebox";
import { Answer, handle, JsonText, type Call, type Handler, type Mode } from "../../../contract/define.ts";
import { Failure, type ErrorCode } from "../../../contract/errors.ts";
import { quote, type QuoteRequest } from "../contract/index.ts";
import { alwaysSent } from "../contract/shapes.ts";
import { fromMillis } from "../engine/quote/instant.ts";
import { serveQuote } from "../engine/quote/serve.ts";
import type { QuoteFailure } from "../engine/upstream/source.ts";
import { viewFailure } from "../view.ts";
import { findQuote, SETTINGS_HINT, type QuoteDeps, type QuoteResult, type QuoteTerms } from "./find-quote.ts";

type Body = Static<typeof QuoteRequest>;
type QuoteCall = Call<unknown, unknown, Body>;
type Rendered = Answer<JsonText>;

const SIMULATED = { "X-Data-Simulated": "true" };

/** Answers without awaiting when the books are loaded and every quote is cached. */
function answerQuotes(deps: QuoteDeps, shared: SharedAnswers, call: QuoteCall): Rendered | Promise<Rendered> {
  const loading = deps.books.ready(call.caller.tenantId);
  return loading ? loading.then(() => collect(deps, shared, call)) : collect(deps, shared, call);
}

function collect(deps: QuoteDeps, shared: SharedAnswers, call: QuoteCall): Rendered | Promise<Rendered> {
  const { caller, body } = call;
  const now = deps.clock.now();
  const hasOwnFeed = !deps.books.isEmpty(caller.tenantId);
  const ready = hasOwnFeed ? undefined : shared.find(body, caller.mode, now);
  if (ready) return ready;
  const terms = termsOf(call);
  const found = (body.symbols ?? [body.symbol!]).map((symbol) => findQuote(deps, symbol, terms));
  if (found.some((r) => r instanceof Promise))
    return Promise.all(found).then((results) => render(deps, results, call, deps.clock.now()));
  const answer = render(deps, found as QuoteResult[], call, now);
  if (!hasOwnFeed) shared.keep(body, caller.mode, now, answer);
  return answer;
}

type SharedAnswers = ReturnType<typeof createSharedAnswers>;

/**
 * The answers of this millisecond. One depends on the body, the mode, the time, and what is known of quotes and securities; callers
 * for whom all of these are the same get the same bytes. Whoever has a feed of his own gets an answer of his own.
 */
function createSharedAnswers({ backends, securities }: QuoteDeps) {
  const answers: Record<Mode, Map<Body, Rendered>> = { test: new Map(), live: new Map() };
  const state = { now: NaN, test: NaN, live: NaN, securities: NaN };
  const forgetOld = (now: number) => {
    const { test, live } = backends;
    const isSame =
      state.now === now &&
      state.test === test.cache.revision &&
      state.live === live.cache.revision &&
      state.securities === securities.revision;
    if (isSame) return;
    Object.assign(state, {
      now,
      test: test.cache.revision,
      live: live.cache.revision,
      securities: securities.revision,
    });
    answers.test.clear();
    answers.live.clear();
  };
  return {
    /** A body is the same only if it is the same object; see `repeatedBodies`. */
    find(body: Body, mode: Mode, now: number): Rendered | undefined {
      forgetOld(now);
      return answers[mode].get(body);
    },
    keep(body: Body, mode: Mode, now: number, answer: Rendered): void {
      forgetOld(now);
      answers[mode].set(body, answer);
    },
  };
}

const termsOf = ({ caller, body, request }: QuoteCall): QuoteTerms => ({
  tenantId: caller.tenantId,
  mode: caller.mode,
  place: body.mic ?? body.country,
  maxAgeMs: body.max_age_ms,
  require: body.require,
  allowSimulated: body.allow_simulated,
  signal: () => request.signal,
});

let textAt = NaN;
let text = "";
/** Many answers fall into one millisecond. */
function timeText(now: number): string {
  if (now !== textAt) {
    text = fromMillis(now);
    textAt = now;
  }
  return text;
}

function render({ backends }: QuoteDeps, results: QuoteResult[], { body, caller }: QuoteCall, now: number): Rendered {
  const nowText = timeText(now);
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
    parts += `"ok":true,"quote":${quoteJson(result, name, now, nowText, body)}}`;
  }
  if (ok === 0) throw allFailed(results, JSON.parse(`[${parts}]`), backends[caller.mode].sources.length === 0);
  const summary = `{"requested":${results.length},"ok":${ok},"failed":${results.length - ok},"simulated":${simulated}}`;
  const data = `{"as_of":"${nowText}","results":[${parts}],"summary":${summary}}`;
  return new Answer(new JsonText(data), simulated > 0 ? SIMULATED : {});
}

type Found = QuoteResult & { ok: true };

function quoteJson(result: Found, name: string, now: number, nowText: string, { fields, session }: Body): string {
  const { quote: served, cache } = result;
  if (!fields && (session === undefined || session === "auto")) return served.json(name, now, nowText, cache);
  const whole = serveQuote(served.built, result.requested, served.calendar, now, cache, session);
  if (!fields) return JSON.stringify(whole);
  const picked = new Set<string>(fields);
  return JSON.stringify(Object.fromEntries(Object.entries(whole).filter(([k]) => alwaysSent(k) || picked.has(k))));
}

/** The error code of an answer without any quote, most informative first: temporary failures before permanent ones. */
const CODES: [QuoteFailure["code"][], ErrorCode][] = [
  [["timeout"], "upstream_timeout"],
  [["provider_error", "circuit_open"], "upstream_error"],
  [["rate_limited"], "upstream_rate_limited"],
  [["not_entitled"], "not_entitled"],
  [["only_delayed", "only_simulated", "only_stale"], "requirement_not_met"],
  [["symbol_ambiguous"], "symbol_ambiguous"],
  [["symbol_invalid"], "symbol_invalid"],
  [["symbol_not_found", "delisted", "no_data"], "symbol_not_found"],
];

function allFailed(results: QuoteResult[], shown: unknown[], nothingToAsk: boolean): Failure {
  const failures = results.flatMap((r) => (r.ok ? [] : [r.failure]));
  const extra = { results: shown };
  if (nothingToAsk && failures.some((f) => f.code === "no_data")) {
    return new Failure("provider_not_configured", "No source of quotes is configured for live keys.", {
      hint: SETTINGS_HINT,
      extra,
    });
  }
  const [codes, code] = CODES.find(([list]) => failures.some((f) => list.includes(f.code)))!;
  const first = failures.find((f) => codes.includes(f.code))!;
  const waitMs = Math.max(0, ...failures.map((f) => f.retryAfterMs ?? 0));
  const headers: Record<string, string> =
    waitMs > 0 ? { "Retry-After": String(Math.max(1, Math.ceil(waitMs / 1000))) } : {};
  const hint = first.candidates.length > 0 ? `Did you mean ${first.candidates.slice(0, 5).join(", ")}?` : undefined;
  return new Failure(code, first.message, { extra, headers, ...(hint ? { hint } : {}) });
}

export function quoteRoutes(deps: QuoteDeps): Handler[] {
  const shared = createSharedAnswers(deps);
  return [handle(quote, (call) => answerQuotes(deps, shared, call))];
}
