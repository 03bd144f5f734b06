// The shapes of shopping's answers. Data, no logic.
import Type, { type Static } from "typebox";
import { Choice, Decimal, Id, Nullable, Shape, Time } from "../../../contract/shapes.ts";

export const STATUSES = [
  "pending",
  "ok",
  "stale",
  "blocked",
  "gone",
  "no_price",
  "ambiguous",
  "not_a_product",
  "variant_not_found",
  "robots_disallowed",
  "error",
] as const;
export const AVAILABILITIES = [
  "in_stock",
  "limited",
  "in_store_only",
  "preorder",
  "backorder",
  "made_to_order",
  "reserved",
  "out_of_stock",
  "discontinued",
  "unknown",
] as const;

const Stock = (description: string) => Choice([...AVAILABILITIES], description);
const Condition = Nullable(Choice(["new", "used", "refurbished", "damaged"], "The condition it is sold in."));
const Rating = Shape({
  value: Type.Number({ description: "The average rating." }),
  best: Type.Number({ description: "The best rating there is; 5 unless the page says." }),
  count: Nullable(Type.Integer({ description: "How many ratings or reviews there are." })),
});

const Product = Shape({
  name: Nullable(Type.String({ description: "What it is called." })),
  brand: Nullable(Type.String()),
  image: Nullable(Type.String({ description: "Address of a picture." })),
  sku: Nullable(Type.String({ description: "The shop's own code." })),
  mpn: Nullable(Type.String({ description: "The maker's code." })),
  gtin: Nullable(Type.String({ description: "EAN, UPC or ISBN." })),
  gtin_valid: Nullable(Type.Boolean({ description: "Whether its check digit is right." })),
  condition: Condition,
  seller: Nullable(Type.String({ description: "Who sells it." })),
  rating: Nullable(Rating),
  group_id: Nullable(Type.String()),
  variant: Nullable(
    Shape({
      id: Nullable(Type.String()),
      options: Type.Record(Type.String(), Type.String()),
      selected_by: Choice(["request", "url"], "What named the variant: the request, or the address."),
    }),
  ),
});

const PriceView = Shape({
  amount: Decimal("The price one pays."),
  kind: Choice(["price", "from", "range"], "from or range: the lowest of several; see low and high."),
  currency: Nullable(Type.String({ description: "ISO 4217." })),
  currency_source: Nullable(Choice(["markup", "text", "context", "guess"], "How the currency is known.")),
  minor: Nullable(Type.Integer({ description: "The amount in the smallest unit." })),
  exponent: Type.Integer({ description: "Decimals of the currency." }),
  list_amount: Nullable(Decimal("The struck or recommended price.")),
  list_type: Nullable(Choice(["strikethrough", "markup"], "Where the list price stands.")),
  discount_percent: Nullable(Type.Number()),
  low: Nullable(Decimal("Lowest of several.")),
  high: Nullable(Decimal("Highest of several.")),
  shipping: Nullable(Decimal("Shipping, where the page says it.")),
  total: Nullable(Decimal("Price, shipping and extra_cost.")),
  tax_included: Nullable(Type.Boolean({ description: "Whether tax is part of the price." })),
  unit: Nullable(Shape({ amount: Decimal("Price of one unit."), per: Type.String() })),
  valid_until: Nullable(Type.String()),
  raw: Nullable(Type.String({ description: "As the page has it." })),
});

const Availability = Shape({
  status: Stock("Whether it can be had."),
  purchasable: Nullable(Type.Boolean()),
  quantity: Nullable(Type.Integer({ description: "How many are left, where the page says." })),
  available_from: Nullable(Type.String()),
  schema_org: Nullable(Type.String()),
  raw: Nullable(Type.String()),
  source: Nullable(Choice(["markup", "platform", "text", "button"], "What says so.")),
});

const Change = Shape({
  direction: Choice(["up", "down", "none"], "Which way it went."),
  previous: Decimal("The price before."),
  delta: Decimal("The difference."),
  percent: Nullable(Type.Number()),
  at: Nullable(Time("When it changed.")),
});
const Extreme = Nullable(Shape({ amount: Decimal("The price."), at: Time("Since when.") }));
const Stats = Shape({
  since: Time("When tracking began."),
  checks: Type.Integer(),
  changes: Type.Integer(),
  first: Nullable(Decimal("The first price.")),
  min: Extreme,
  max: Extreme,
  avg: Nullable(Decimal("Weighted by time.")),
  median: Nullable(Decimal("Weighted by time.")),
  p25: Nullable(Decimal("A quarter of the time it was at or below.")),
  p75: Nullable(Decimal("Three quarters of the time it was at or below.")),
  lowest_30d: Nullable(Decimal("The EU reference price: lowest of 30 days.")),
  lowest_90d: Nullable(Decimal("Lowest of 90 days.")),
  is_all_time_low: Nullable(Type.Boolean({ description: "Null until the price has changed once." })),
  percentile: Nullable(
    Type.Number({ description: "Share of the time at or below today's price; null until it has changed once." }),
  ),
  deal: Nullable(Choice(["low", "typical", "high"], "Against its own history; null until it has changed once.")),
  good_deal: Type.Boolean({ description: "Within 5 % of the lowest, after at least five weeks." }),
  in_stock_percent: Nullable(Type.Number()),
});
export const HistoryPoint = Shape({
  at: Time("From when it stood."),
  amount: Nullable(Decimal("The price.")),
  list_amount: Nullable(Decimal("The list price.")),
  currency: Nullable(Type.String()),
  availability: Stock("Whether it could be had."),
});
const Offer = Shape({
  amount: Nullable(Type.String()),
  currency: Nullable(Type.String()),
  availability: Stock("Whether it can be had."),
  condition: Condition,
  seller: Nullable(Type.String()),
  sku: Nullable(Type.String()),
  url: Nullable(Type.String()),
});
const Variant = Shape({
  id: Nullable(Type.String()),
  name: Nullable(Type.String()),
  options: Type.Record(Type.String(), Type.String()),
  amount: Nullable(Type.String()),
  currency: Nullable(Type.String()),
  availability: Stock("Whether it can be had."),
});
const Candidate = Shape({
  amount: Type.String(),
  currency: Nullable(Type.String()),
  method: Type.String(),
  score: Type.Number(),
});

const Warning = Shape({
  code: Choice(["selector_found_nothing", "no_matching_offer", "page_not_found"], "What kind of warning."),
  detail: Type.String({ description: "What will not work as asked." }),
  hint: Type.String({ description: "What to do about it." }),
});
const SettingsView = Shape(
  {
    variant: Nullable(Type.String()),
    interval: Type.String({ description: "As asked, e.g. 6h." }),
    selector: Nullable(Type.String()),
    condition: Nullable(Type.String()),
    seller: Nullable(Type.String()),
    currency: Nullable(Type.String()),
    locale: Nullable(Type.String()),
    unit_quantity: Nullable(Type.String()),
    extra_cost: Nullable(Type.String()),
  },
  { description: "What was asked for; alerts holds the rest." },
);

export const Tracked = Shape({
  id: Nullable(Id("trk")),
  url: Type.String(),
  canonical_url: Nullable(Type.String()),
  status: Choice([...STATUSES], "ok, or why there is no fresh price."),
  product: Nullable(Product),
  price: Nullable(PriceView),
  availability: Availability,
  change: Nullable(Change),
  stats: Nullable(Stats),
  history: Type.Array(HistoryPoint),
  offers: Type.Optional(Type.Array(Offer)),
  variants: Type.Optional(
    Type.Array(Variant, { description: "With include=variants, and whenever the asked variant is not clear." }),
  ),
  settings: SettingsView,
  warnings: Type.Array(Warning, { description: "What was accepted but will not work as asked." }),
  alerts: Shape({
    on: Type.Array(Type.String()),
    target_price: Nullable(Type.String()),
    drop_percent: Nullable(Type.Number()),
    min_price: Nullable(Type.String()),
    max_price: Nullable(Type.String()),
    threshold_base: Type.String(),
  }),
  check: Shape({
    last_checked_at: Nullable(Time("The last look.")),
    last_changed_at: Nullable(Time("The last change.")),
    next_check_at: Nullable(Time("The next look.")),
    interval_s: Type.Integer({ description: "How often it is checked now." }),
    method: Nullable(
      Type.String({
        description:
          "Which parts of the page agree on the price, joined by +: json-ld, microdata, rdfa, meta, meta-text, dom, script, selector.",
      }),
    ),
    confidence: Nullable(Type.Number({ description: "0 to 1; lower where the parts of the page disagree." })),
    candidates: Type.Optional(Type.Array(Candidate)),
    http_status: Nullable(Type.Integer()),
    not_modified: Type.Boolean(),
    bytes: Nullable(Type.Integer()),
    duration_ms: Nullable(Type.Integer()),
    robots: Nullable(Choice(["allowed", "disallowed", "unreachable"], "What the host's robots.txt says.")),
    consecutive_failures: Type.Integer(),
    error: Nullable(Type.String({ description: "Why there is no fresh price, and what helps." })),
  }),
  tags: Type.Array(Type.String()),
  simulated: Type.Boolean({ description: "Whether it comes from the demo shop." }),
  created_at: Nullable(Time("When tracking began.")),
});
export type Tracked = Static<typeof Tracked>;
