// The shapes of a quote and of a market, as the contract shows them. Data, no logic.
import Type from "typebox";
import { about, Choice, Decimal, named, Nullable, Shape, Time } from "../../../contract/shapes.ts";

const instant = (description: string) =>
  Nullable(
    Type.String({
      description: `${description} UTC, to the precision of its source.`,
      examples: ["2026-11-13T15:30:00.123456789Z"],
    }),
  );
const words = (description: string) => Nullable(Type.String({ description }));
const price = (description: string) => Nullable(Decimal(description));
const Size = Nullable(
  Type.Union([Type.Number(), Type.String()], { description: "Shares; text when fractional or past 2^53." }),
);
const SessionName = Choice(["pre", "regular", "post", "overnight"], "Which session the price belongs to.");

const Side = Nullable(
  Shape({ price: Decimal("In `currency`."), size: Size, at: instant("When it was quoted."), venue: words("Where.") }),
);

const Last = Nullable(
  Shape({
    price: Decimal("In `currency`."),
    size: Size,
    at: instant("When it traded."),
    venue: words("Where it traded."),
    conditions: Type.Array(Type.String(), { description: "The source's own condition codes." }),
    session: Nullable(SessionName),
  }),
);

const Market = Shape({
  state: Choice(
    ["pre", "regular", "break", "auction", "post", "overnight", "closed", "unknown"],
    "What the market is doing now, by our own calendar.",
  ),
  reason: Nullable(Choice(["weekend", "holiday", "early_close", "ad_hoc"], "Why it is closed or short today.")),
  holiday: words("The name of that day."),
  session_date: words("Trade date of the session that is on, or of the last one."),
  open_at: Nullable(Time("When that session opened or opens.")),
  close_at: Nullable(Time("When it closed or closes.")),
  next_open_at: Nullable(Time("The next regular opening.")),
  calendar: words("MIC of the calendar used."),
  calendar_known_until: words("Up to here the days were announced; later ones follow the rules."),
});

const InstrumentShape = Shape({
  name: words("As registered."),
  type: words(
    "equity, etf, fund, adr, preferred, warrant, right, unit, index, crypto, forex, future, option or other.",
  ),
  mic: words("ISO 10383 market."),
  operating_mic: words("ISO 10383 operator."),
  figi: words("FIGI."),
  isin: words("ISIN."),
  country: words("ISO 3166 country of listing."),
  timezone: words("IANA time zone of the market."),
});

const DataShape = Shape({
  source: Type.String({ description: "Who said so: a provider, `ticks` for your own feed, or `simulated`." }),
  feed: words("Which feed of that source."),
  coverage: Choice(["consolidated", "single_venue", "derived", "unknown"], "Whether it sees the whole market."),
  delivery: Choice(
    ["realtime", "delayed", "end_of_day", "frozen", "replay", "simulated"],
    "What kind of number this is.",
  ),
  delay_seconds: Nullable(Type.Number({ description: "How late the source delivers by design." })),
  simulated: Type.Boolean({ description: "Made up; not market data." }),
  label: Type.String({ description: "Show these words beside the number; they say when it is out of date." }),
  attribution: words("What the source asks to be named as."),
  as_of: instant("The newest of the prices in this quote."),
  received_at: Type.String({ description: "When it reached us." }),
  sequence: words("The source's own counter."),
  served_at: Type.String({ description: "When this answer was made." }),
  age_ms: Nullable(Type.Number({ description: "served_at minus as_of." })),
  stale: Type.Boolean({ description: "Older than it should be at this hour." }),
  stale_after_ms: Nullable(Type.Number({ description: "The age at which it counts as stale now." })),
  stale_reason: words("older_than_limit, before_last_session, feed_ended_before_close, no_time or source_failed."),
  cache: Choice(["hit", "miss", "stream", "coalesced", "stale_if_error"], "How this answer was found."),
});

const properties = {
  symbol: Type.String({ description: "Canonical symbol.", examples: ["BRK.B"] }),
  id: Type.String({ description: "Symbol and market.", examples: ["BRK.B:XNYS"] }),
  requested: Type.String({ description: "As you wrote it." }),
  instrument: named("StockInstrument", InstrumentShape, "What is quoted."),
  currency: Nullable(Type.String({ description: "ISO 4217 currency of every price here.", examples: ["GBP"] })),
  quoted_in: Nullable(
    about(
      Shape({
        code: Type.String({ description: "What the exchange quotes in.", examples: ["GBp"] }),
        scale: Type.String({ description: "That unit in `currency`.", examples: ["0.01"] }),
      }),
      "What the exchange quotes in, where that is not the currency.",
    ),
  ),
  last: about(Last, "The last trade."),
  bid: about(Side, "The best bid."),
  ask: about(Side, "The best offer."),
  mid: price("Half-way between bid and ask; null when either is unknown or they cross."),
  spread: price("Ask minus bid."),
  day: about(
    Shape({
      date: words("Trade date."),
      open: price("First regular trade."),
      high: price("Highest regular trade."),
      low: price("Lowest regular trade."),
      close: price("Official close; null until there is one."),
      volume: Size,
      vwap: price("Average price by volume."),
      trades: Nullable(Type.Number({ description: "How many trades." })),
    }),
    "The trading day.",
  ),
  previous_close: Nullable(
    about(
      Shape({
        price: Decimal("Close of the session before."),
        date: words("Its trade date."),
        adjusted: Nullable(Type.Boolean({ description: "Whether it was adjusted for a split." })),
      }),
      "The close before.",
    ),
  ),
  change: Nullable(
    about(
      Shape({
        amount: Decimal("Price minus previous close, computed here in decimals."),
        percent: Decimal("In percent points."),
        basis: Choice(["previous_close"], "What it is measured against."),
        basis_date: Type.String({ description: "Date of that close." }),
      }),
      "Against the previous close.",
    ),
  ),
  extended: Nullable(
    about(
      Shape({
        session: SessionName,
        price: Decimal("In `currency`."),
        at: instant("When it traded."),
        amount: price("Against the last regular close."),
        percent: price("In percent points."),
        basis: Choice(["last_regular_close"], "What it is measured against."),
      }),
      "The last trade outside regular hours.",
    ),
  ),
  range_52w: Nullable(
    Shape(
      { low: Decimal("Lowest in 52 weeks."), high: Decimal("Highest in 52 weeks.") },
      { description: "The last 52 weeks." },
    ),
  ),
  market: named("StockMarketState", Market, "What its market is doing."),
  trading: about(
    Shape({
      status: Choice(
        ["trading", "halted", "paused", "suspended", "delisted", "unknown"],
        "Of this security, apart from the market's state.",
      ),
      code: words("The exchange's code."),
      reason: words("Why."),
      since: instant("Since when."),
    }),
    "Whether this security trades.",
  ),
  data: named("StockData", DataShape, "What kind of numbers these are."),
  actions: Type.Array(
    Shape({
      type: Choice(["split", "dividend"], "What happened."),
      ex_date: Type.String({ description: "First day without it." }),
      ratio: words("New shares for old."),
      amount: price("Per share."),
    }),
    { description: "Splits and dividends of the day." },
  ),
  warnings: Type.Array(Type.String(), { description: "What to know before trusting this quote." }),
};

/** Names a caller may pick with `fields`; identity and honesty (`id`, `symbol`, `requested`, `currency`, `data`) always come. */
export const QUOTE_FIELDS = Object.keys(properties) as (keyof typeof properties)[];
const ALWAYS = new Set(["symbol", "id", "requested", "currency", "data"]);

/** With `fields` the rest is left out, so everything else is optional in the schema. */
const QuoteShape = Shape(
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, ALWAYS.has(name) ? schema : Type.Optional(schema)]),
  ),
  { description: "A quote that says exactly what it is. Unknown is null." },
);

export const alwaysSent = (name: string): boolean => ALWAYS.has(name);

const QuoteError = Shape({
  code: Choice(
    [
      "symbol_not_found",
      "symbol_ambiguous",
      "symbol_invalid",
      "delisted",
      "no_data",
      "not_entitled",
      "only_delayed",
      "only_simulated",
      "only_stale",
      "provider_error",
      "rate_limited",
      "timeout",
      "circuit_open",
    ],
    "What went wrong with this symbol.",
  ),
  message: Type.String({ description: "In words." }),
  retryable: Type.Boolean({ description: "Whether the same question may succeed later." }),
  retry_after_ms: Nullable(Type.Number({ description: "When to try again." })),
  candidates: Type.Array(Type.String(), { description: "What you may have meant." }),
  provider: words("Who failed."),
});

const Requested = Type.String({ description: "The symbol as you wrote it." });
const Found = Shape({
  requested: Requested,
  ok: Type.Literal(true, { description: "There is a quote." }),
  quote: named("StockQuote", QuoteShape),
});
const Missing = Shape({
  requested: Requested,
  ok: Type.Literal(false, { description: "There is none." }),
  error: named("StockQuoteError", QuoteError, "Why there is none."),
});

export const QuoteAnswer = Shape({
  as_of: Type.String({ description: "When this answer was made." }),
  results: Type.Array(
    Type.Union([
      named("StockQuoteFound", Found, "A symbol with a quote."),
      named("StockQuoteMissing", Missing, "A symbol without a quote."),
    ]),
    { description: "In the order asked, one for each." },
  ),
  summary: about(
    Shape({
      requested: Type.Integer({ description: "How many symbols were asked for." }),
      ok: Type.Integer({ description: "How many have a quote." }),
      failed: Type.Integer({ description: "How many have none." }),
      simulated: Type.Integer({ description: "How many of them are made up." }),
    }),
    "How many were found.",
  ),
});

export const MarketListItem = Shape({
  mic: Type.String({ description: "ISO 10383." }),
  name: Type.String({ description: "The name of the market." }),
  country: Type.String({ description: "ISO 3166 country." }),
  city: Type.String({ description: "Where it is." }),
  timezone: Type.String({ description: "IANA time zone." }),
  currency: Type.String({ description: "Of most lines; a line may differ." }),
  also: Type.Array(Type.String(), { description: "Other MICs that keep this calendar." }),
  market: named("StockMarketState", Market, "What its market is doing."),
});

const Holiday = Shape({
  date: Type.String({ description: "The day." }),
  name: Type.String({ description: "What it is called." }),
});

export const MarketAnswer = Shape({
  ...MarketListItem.properties,
  at: Time("The moment `market` describes."),
  next_close_at: Nullable(Time("The next regular close.")),
  sessions: Type.Array(
    Shape({
      date: Type.String({ description: "Trade date." }),
      open_at: Time("Opening."),
      close_at: Time("Closing."),
      break_start_at: Nullable(Time("Lunch begins.")),
      break_end_at: Nullable(Time("Lunch ends.")),
      unusual: words("Why the hours are not the usual ones."),
    }),
    { description: "The sessions of that span." },
  ),
  holidays: Type.Array(Holiday, {
    description: "Weekdays without a session in that span.",
  }),
});
