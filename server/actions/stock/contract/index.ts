// Stock: shapes, routes, events. Data, no logic.
import Type from "typebox";
import { route } from "../../../contract/define.ts";
import { Choice, Nullable, Page, pageQuery, Shape, Time } from "../../../contract/shapes.ts";
import { createLevel, deleteLevel, getLevel, levelEvents, listLevels, updateLevel } from "./levels.ts";
import { Market, place, SymbolText } from "./parts.ts";
import { MarketAnswer, MarketListItem, QUOTE_FIELDS, QuoteAnswer } from "./shapes.ts";

const day = (description: string) =>
  Type.String({ pattern: "^[0-9]{4}-[0-9][0-9]-[0-9][0-9]$", description, examples: ["2026-11-27"] });

export const QuoteRequest = Shape(
  {
    symbol: Type.Optional(SymbolText()),
    symbols: Type.Optional(
      Type.Array(SymbolText(), {
        minItems: 1,
        maxItems: 100,
        description: "Up to 100; the answer keeps their order.",
        examples: [["AAPL", "VOD.L"]],
      }),
    ),
    ...place,
    require: Type.Optional(
      Choice(
        ["any", "delayed", "realtime"],
        "The least you accept; a symbol that has only less gets an error, and so does a stale price for delayed and realtime. any unless given.",
      ),
    ),
    session: Type.Optional(
      Choice(["auto", "regular", "extended"], "Which session `last` is of; auto takes the newest."),
    ),
    max_age_ms: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 86_400_000,
        description:
          "Do not answer from a cache, or from your own feed, older than this where something newer can be had.",
      }),
    ),
    fields: Type.Optional(
      Type.Array(Choice(QUOTE_FIELDS, "A member of the quote."), {
        minItems: 1,
        maxItems: 30,
        description: "Only these members; id, symbol, requested, currency and data always come.",
        examples: [["last", "change"]],
      }),
    ),
    allow_simulated: Type.Optional(Type.Boolean({ description: "false refuses made-up prices even with a test key." })),
  },
  { exactlyOne: ["symbol", "symbols"] },
);

const TickReport = Shape({
  accepted: Type.Integer({ description: "Applied." }),
  duplicates: Type.Integer({ description: "Seen before; changed nothing." }),
  too_old: Type.Integer({ description: "Older than the window in which repeats are recognised; changed nothing." }),
  rejected: Type.Integer({
    description:
      "Refused; the others were still applied. When all are refused, the answer is 400, or 403 if the plan holds no more securities of your own.",
  }),
  errors: Type.Array(
    Shape({
      index: Type.Integer({ description: "Which tick, from 0." }),
      field: Type.String({ description: "Which member of it; empty for the tick as a whole." }),
      detail: Type.String({ description: "What is wrong." }),
      hint: Type.String({ description: "What to send instead." }),
    }),
    { description: "Every fault of the refused ticks; the first fifty." },
  ),
});

const feedTerms = {
  source: Type.Optional(
    Type.String({
      pattern: "^[A-Za-z0-9_.-]{1,40}$",
      description: "Name of your feed; sequence numbers count within it.",
      examples: ["feed-1"],
    }),
  ),
  currency: Type.Optional(
    Type.String({
      pattern: "^[A-Za-z]{3}$",
      description: "What the prices are in, case-sensitive: GBp is pence.",
      examples: ["USD"],
    }),
  ),
  delivery: Type.Optional(
    Choice(["realtime", "delayed", "end_of_day"], "What kind of numbers these are; realtime unless given."),
  ),
  delay_seconds: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 86_400, description: "How late the feed is by design." }),
  ),
};

export const quote = route({
  id: "stock.quote",
  method: "POST",
  path: "/stock/quote",
  summary: "Get stock quotes",
  scope: "stock:read",
  body: QuoteRequest,
  repeatedBodies: true,
  answer: QuoteAnswer,
  description:
    "One result for each symbol, in the order asked; one bad symbol never spoils the others. When every symbol fails, the status says why and the results come inside the error. With a test key prices are simulated and say so.",
  errors: [
    "symbol_not_found",
    "symbol_ambiguous",
    "symbol_invalid",
    "requirement_not_met",
    "not_entitled",
    "upstream_rate_limited",
    "upstream_error",
    "upstream_timeout",
    "provider_not_configured",
  ],
});

export const symbols = route({
  id: "stock.symbols",
  method: "GET",
  path: "/stock/symbols",
  summary: "Search securities",
  scope: "stock:read",
  description:
    "By the beginning of a symbol in any form, by words of the name, also mistyped ones, or by ISIN, CUSIP or FIGI (FIGI only of imported lines).",
  query: Shape({
    q: Type.String({
      minLength: 1,
      maxLength: 64,
      description: "Part of a symbol or name, an ISIN, a FIGI or a CUSIP.",
      examples: ["berk hath"],
    }),
    ...pageQuery,
  }),
  answer: Page(
    Shape({
      id: Type.String({ description: "Symbol and market; can be used as a symbol." }),
      symbol: Type.String({ description: "Canonical." }),
      mic: Type.String({ description: "ISO 10383; XXXX for what trades on no exchange." }),
      name: Type.String({ description: "As registered." }),
      type: Type.String({ description: "equity, etf, fund, adr, preferred, warrant, right, unit, index or other." }),
      quoted_in: Type.String({ description: "Currency code of the line, case-sensitive." }),
      isin: Nullable(Type.String({ description: "ISIN." })),
      figi: Nullable(Type.String({ description: "FIGI." })),
      country: Nullable(Type.String({ description: "ISO 3166 country of listing." })),
      simulated_only: Type.Boolean({ description: "Made up; exists with test keys alone." }),
      forms: Shape(
        {
          act: Nullable(Type.String({ description: "ACT symbol." })),
          cqs: Nullable(Type.String({ description: "CQS symbol." })),
          nasdaq: Nullable(Type.String({ description: "Nasdaq symbol." })),
          dash: Nullable(Type.String({ description: "With a dash for the class." })),
        },
        { description: "The same security in other conventions; null outside the United States." },
      ),
    }),
  ),
  errors: ["invalid_cursor"],
});

export const markets = route({
  id: "stock.markets",
  method: "GET",
  path: "/stock/markets",
  summary: "List markets and what they are doing",
  scope: "stock:read",
  query: Shape({
    ...pageQuery,
    country: place.country,
  }),
  answer: Page(MarketListItem),
  errors: ["invalid_cursor"],
});

export const market = route({
  id: "stock.market",
  method: "GET",
  path: "/stock/markets/{mic}",
  summary: "Read one market's state, sessions and holidays",
  scope: "stock:read",
  params: Shape({
    mic: Market(),
  }),
  query: Shape({
    at: Type.Optional(Time("The moment to describe; now unless given.")),
    from: Type.Optional(day("First trade date of the sessions; today unless given.")),
    to: Type.Optional(day("Last one; 14 days later unless given, at most 400.")),
  }),
  answer: MarketAnswer,
  errors: ["not_found"],
});

export const ticks = route({
  id: "stock.ticks",
  method: "POST",
  path: "/stock/ticks",
  summary: "Push your own feed",
  scope: "stock:write",
  description:
    "Trades, quotes, corrections, cancels, halts and closes. The same sequence number twice changes nothing, order does not matter, and one bad tick never spoils the others. A tick more than 60 seconds ahead of the service's clock is refused. While your feed is fresh it comes before every provider; once it is stale, a provider's fresh price is answered. As application/x-ndjson one tick a line, with the terms in the query.",
  query: Shape(feedTerms),
  consumes: ["application/x-ndjson"],
  maxBodyBytes: 16 * 1024 * 1024,
  body: Shape({
    ...feedTerms,
    ticks: Type.Array(Type.Unknown(), {
      minItems: 1,
      maxItems: 10_000,
      description:
        "Each has type (trade, quote, correction, cancel, status, close), symbol, seq, at, and what the type needs.",
      examples: [[{ type: "trade", symbol: "AAPL", seq: 1, at: "2026-11-13T15:30:00Z", price: "271.30", size: 100 }]],
    }),
  }),
  answer: TickReport,
});

export const deleteTicks = route({
  id: "stock.delete_ticks",
  method: "DELETE",
  path: "/stock/ticks",
  summary: "Forget your own feed of a symbol",
  scope: "stock:write",
  description: "Removes the prices that your feed sent for this symbol. Sequence numbers start anew.",
  query: Shape({ symbol: SymbolText(), ...place }),
  answer: Shape({ instrument: Type.String({ description: "The security whose prices were removed." }) }),
  errors: ["not_found", "symbol_invalid", "symbol_ambiguous"],
});

export const stream = route({
  id: "stock.stream",
  method: "GET",
  path: "/stock/stream",
  summary: "Listen to quotes",
  scope: "stock:read",
  produces: "text/event-stream",
  description:
    "Server-sent events named quote, one a change, conflated: a slow reader gets the latest of each symbol, never a backlog. Reconnect with Last-Event-ID to get only what changed. A comment comes every 15 seconds. A symbol without a quote gets an event named symbol_error that says why, as in POST /stock/quote.",
  query: Shape({
    symbols: Type.String({
      minLength: 1,
      maxLength: 2000,
      description: "Comma-separated, up to 50.",
      examples: ["AAPL,VOD.L"],
    }),
    ...place,
  }),
  errors: ["symbol_invalid", "symbol_ambiguous", "provider_not_configured"],
});

export {
  createLevel,
  deleteLevel,
  getLevel,
  Level,
  LevelChange,
  LevelRequest,
  listLevels,
  updateLevel,
} from "./levels.ts";

export const routes = [
  quote,
  symbols,
  markets,
  market,
  ticks,
  deleteTicks,
  stream,
  createLevel,
  listLevels,
  getLevel,
  updateLevel,
  deleteLevel,
];

export const events = levelEvents;
