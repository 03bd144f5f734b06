// Stock: shapes, routes, events. Data, no logic.
import Type, { type Static } from "typebox";
import { route } from "../../../contract/define.ts";
import { Choice, Decimal, Id, Nullable, Page, pageQuery, Shape, Tags, Text, Time } from "../../../contract/shapes.ts";
import { alsoAs, asLowerCase } from "../../../contract/shorthand.ts";
import { MarketAnswer, MarketListItem, QUOTE_FIELDS, QuoteAnswer } from "./shapes.ts";

const SymbolText = () =>
  Type.String({
    minLength: 1,
    maxLength: 32,
    description: "Any common form: AAPL, BRK.B, BRK-B, VOD.L, NYSE:BRK.B, an ISIN or a FIGI.",
    examples: ["AAPL"],
  });
const day = (description: string) =>
  Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\d$", description, examples: ["2026-11-27"] });

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
    require: Type.Optional(
      Choice(
        ["any", "delayed", "realtime"],
        "The least you accept; a symbol that has only less gets an error. any unless given.",
      ),
    ),
    session: Type.Optional(
      Choice(["auto", "regular", "extended"], "Which session `last` is of; auto takes the newest."),
    ),
    max_age_ms: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 86_400_000, description: "Do not answer from a cache older than this." }),
    ),
    fields: Type.Optional(
      Type.Array(Choice(QUOTE_FIELDS, "A member of the quote."), {
        minItems: 1,
        maxItems: 30,
        description: "Only these members; id, symbol, requested, currency and data always come.",
      }),
    ),
    allow_simulated: Type.Optional(Type.Boolean({ description: "false refuses made-up prices even with a test key." })),
  },
  { exactlyOne: ["symbol", "symbols"] },
);

const Condition = {
  above: Type.Optional(Decimal("Fires when the price rises to this or beyond.")),
  below: Type.Optional(Decimal("Fires when the price falls to this or beyond.")),
  percent: Type.Optional(
    Decimal("Fires when the price has moved so many percent from the previous close; negative means down."),
  ),
};

export const LevelRequest = Shape(
  {
    symbol: SymbolText(),
    ...Condition,
    hysteresis: Type.Optional(
      Decimal(
        "How far the price must come back before the level can fire again, in currency (percent points for percent). 0.1 % unless given.",
      ),
    ),
    repeat: Type.Optional(Type.Boolean({ description: "Fire every time it is crossed anew; once unless true." })),
    tags: Type.Optional(Tags()),
  },
  { exactlyOne: ["above", "below", "percent"] },
);

export const Level = Shape({
  id: Id("lvl"),
  symbol: Type.String({ description: "Canonical symbol." }),
  instrument: Type.String({ description: "Symbol and market." }),
  above: Nullable(Decimal("Rises to.")),
  below: Nullable(Decimal("Falls to.")),
  percent: Nullable(Decimal("Moves by, in percent points from the previous close.")),
  hysteresis: Nullable(Decimal("How far it must come back.")),
  repeat: Type.Boolean({ description: "Fires each time anew." }),
  state: Choice(
    ["waiting", "armed", "beyond", "done"],
    "waiting: no price seen yet; armed: on the near side; beyond: on the far side; done: fired once and over.",
  ),
  tags: Type.Array(Type.String()),
  created_at: Time("When it was made."),
  crossed_at: Nullable(Time("When it fired last.")),
  crossed_price: Nullable(Decimal("At which price.")),
});
export type Level = Static<typeof Level>;

const TickReport = Shape({
  accepted: Type.Integer({ description: "Applied." }),
  duplicates: Type.Integer({ description: "Seen before; changed nothing." }),
  too_old: Type.Integer({ description: "Older than the window in which repeats are recognised; changed nothing." }),
  rejected: Type.Integer({ description: "Not understood; the others were still applied." }),
  errors: Type.Array(Shape({ index: Type.Integer({ description: "Which tick, from 0." }), detail: Type.String() }), {
    description: "The first twenty.",
  }),
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
  description: "By the beginning of a symbol in any form, or by words of the name.",
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
      mic: Type.String(),
      name: Type.String(),
      type: Type.String(),
      quoted_in: Type.String({ description: "Currency code of the line, case-sensitive." }),
      isin: Nullable(Type.String()),
      figi: Nullable(Type.String()),
      country: Nullable(Type.String()),
      simulated_only: Type.Boolean({ description: "Made up; exists with test keys alone." }),
      forms: Shape(
        {
          act: Nullable(Type.String()),
          cqs: Nullable(Type.String()),
          nasdaq: Nullable(Type.String()),
          dash: Nullable(Type.String()),
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
    country: Type.Optional(
      alsoAs(
        Type.String({ pattern: "^[A-Z]{2}$", description: "ISO 3166 country code.", examples: ["US"] }),
        asLowerCase("^[A-Za-z]{2}$"),
      ),
    ),
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
    mic: alsoAs(
      Type.String({ pattern: "^[A-Z0-9]{4}$", description: "ISO 10383 market code.", examples: ["XNYS"] }),
      asLowerCase("^[A-Za-z0-9]{4}$"),
    ),
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
    "Trades, quotes, corrections, cancels, halts and closes. The same sequence number twice changes nothing, order does not matter, and one bad tick never spoils the others. As application/x-ndjson one tick a line, with the terms in the query.",
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

export const stream = route({
  id: "stock.stream",
  method: "GET",
  path: "/stock/stream",
  summary: "Listen to quotes",
  scope: "stock:read",
  produces: "text/event-stream",
  description:
    "Server-sent events named quote, one a change, conflated: a slow reader gets the latest of each symbol, never a backlog. Reconnect with Last-Event-ID to get only what changed. A comment comes every 15 seconds.",
  query: Shape({
    symbols: Type.String({
      minLength: 1,
      maxLength: 2000,
      description: "Comma-separated, up to 50.",
      examples: ["AAPL,VOD.L"],
    }),
  }),
  errors: ["symbol_invalid", "symbol_ambiguous", "provider_not_configured"],
});

export const createLevel = route({
  id: "stock.levels.create",
  method: "POST",
  path: "/stock/levels",
  summary: "Create a price level",
  scope: "stock:write",
  body: LevelRequest,
  answer: Level,
  status: 201,
  description: "Exactly one of above, below and percent. Raises stock.level_crossed.",
  errors: ["symbol_invalid", "symbol_ambiguous", "plan_limit_reached", "provider_not_configured"],
});
export const listLevels = route({
  id: "stock.levels.list",
  method: "GET",
  path: "/stock/levels",
  summary: "List price levels",
  scope: "stock:read",
  query: Shape(pageQuery),
  answer: Page(Level),
  errors: ["invalid_cursor"],
});
export const deleteLevel = route({
  id: "stock.levels.delete",
  method: "DELETE",
  path: "/stock/levels/{id}",
  summary: "Remove a price level",
  scope: "stock:write",
  params: Shape({ id: Id("lvl") }),
  answer: Level,
  errors: ["not_found"],
});

export const routes = [quote, symbols, markets, market, ticks, stream, createLevel, listLevels, deleteLevel];

export const events = [
  {
    type: "stock.level_crossed",
    summary: "A price crossed a level that was set for it.",
    data: Shape({
      level: Level,
      price: Decimal("The price that crossed it."),
      currency: Nullable(Text("ISO 4217.", 3)),
      at: Time("When it was seen."),
      simulated: Type.Boolean(),
      label: Type.String(),
    }),
  },
];
