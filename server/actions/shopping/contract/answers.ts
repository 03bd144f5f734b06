// The shapes of shopping's answers. Data, no logic; routes and events stand in index.ts.
import Type, { type Static } from "typebox";
import { Choice, Decimal, Id, Nullable, Shape, Time } from "../../../contract/shapes.ts";

export const statuses = [
  "pending",
  "ok",
  "stale",
  "blocked",
  "gone",
  "no_price",
  "ambiguous",
  "not_a_product",
  "robots_disallowed",
  "error",
] as const;
const availabilities = [
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

const Product = Shape({
  name: Nullable(Type.String({ description: "What it is called." })),
  brand: Nullable(Type.String()),
  image: Nullable(Type.String({ description: "Address of a picture." })),
  sku: Nullable(Type.String({ description: "The shop's own code." })),
  mpn: Nullable(Type.String({ description: "The maker's code." })),
  gtin: Nullable(Type.String({ description: "EAN, UPC or ISBN." })),
  gtin_valid: Nullable(Type.Boolean({ description: "Whether its check digit is right." })),
  condition: Nullable(Type.String()),
  seller: Nullable(Type.String()),
  group_id: Nullable(Type.String()),
  variant: Nullable(
    Shape({
      id: Nullable(Type.String()),
      options: Type.Record(Type.String(), Type.String()),
      selected_by: Type.String({ description: "request or url." }),
    }),
  ),
});

const PriceView = Shape({
  amount: Decimal("The price one pays."),
  currency: Nullable(Type.String({ description: "ISO 4217." })),
  currency_source: Nullable(Choice(["markup", "text", "context", "guess"], "How the currency is known.")),
  minor: Nullable(Type.Integer({ description: "The amount in the smallest unit." })),
  exponent: Type.Integer({ description: "Decimals of the currency." }),
  list_amount: Nullable(Decimal("The struck or recommended price.")),
  list_type: Nullable(Type.String()),
  discount_percent: Nullable(Type.Number()),
  low: Nullable(Decimal("Lowest of several.")),
  high: Nullable(Decimal("Highest of several.")),
  shipping: Nullable(Decimal("Shipping, where the page says it.")),
  total: Nullable(Decimal("Price, shipping and extra_cost.")),
  tax_included: Nullable(Type.Boolean()),
  unit: Nullable(Shape({ amount: Decimal("Price of one unit."), per: Type.String() })),
  valid_until: Nullable(Type.String()),
  raw: Nullable(Type.String({ description: "As the page has it." })),
});

const Availability = Shape({
  status: Choice([...availabilities], "Whether it can be had."),
  purchasable: Nullable(Type.Boolean()),
  quantity: Nullable(Type.Integer()),
  available_from: Nullable(Type.String()),
  schema_org: Nullable(Type.String()),
  raw: Nullable(Type.String()),
  source: Nullable(Type.String({ description: "markup, platform, text or button." })),
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
  is_all_time_low: Type.Boolean(),
  percentile: Nullable(Type.Number()),
  deal: Nullable(Choice(["low", "typical", "high"], "Against its own history.")),
  good_deal: Type.Boolean({ description: "Within 5 % of the lowest, after at least five weeks." }),
  in_stock_percent: Nullable(Type.Number()),
});
export const HistoryPoint = Shape({
  at: Time("From when it stood."),
  amount: Nullable(Decimal("The price.")),
  list_amount: Nullable(Decimal("The list price.")),
  currency: Nullable(Type.String()),
  availability: Type.String(),
});
const Offer = Shape({
  amount: Nullable(Type.String()),
  currency: Nullable(Type.String()),
  availability: Nullable(Type.String()),
  condition: Nullable(Type.String()),
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
  availability: Type.String(),
});
const Candidate = Shape({
  amount: Type.String(),
  currency: Nullable(Type.String()),
  method: Type.String(),
  score: Type.Number(),
});

export const Tracked = Shape({
  id: Nullable(Id("trk")),
  url: Type.String(),
  canonical_url: Nullable(Type.String()),
  status: Choice([...statuses], "ok, or why there is no fresh price."),
  product: Nullable(Product),
  price: Nullable(PriceView),
  availability: Availability,
  change: Nullable(Change),
  stats: Nullable(Stats),
  history: Type.Array(HistoryPoint),
  offers: Type.Optional(Type.Array(Offer)),
  variants: Type.Optional(Type.Array(Variant)),
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
    interval_s: Type.Integer(),
    method: Nullable(Type.String({ description: "Which witnesses agreed." })),
    confidence: Nullable(Type.Number()),
    candidates: Type.Optional(Type.Array(Candidate)),
    http_status: Nullable(Type.Integer()),
    not_modified: Type.Boolean(),
    bytes: Nullable(Type.Integer()),
    duration_ms: Nullable(Type.Integer()),
    robots: Nullable(Type.String()),
    consecutive_failures: Type.Integer(),
    error: Nullable(Type.String()),
  }),
  tags: Type.Array(Type.String()),
  simulated: Type.Boolean({ description: "Whether it comes from the demo shop." }),
  created_at: Nullable(Time("When tracking began.")),
});
export type Tracked = Static<typeof Tracked>;
