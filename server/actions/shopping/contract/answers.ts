// The shapes of shopping's answers. Data, no logic.
import Type, { type Static } from "typebox";
import { about, Choice, Decimal, Id, named, Nullable, Shape, Time } from "../../../contract/shapes.ts";

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
  brand: Nullable(Type.String({ description: "The maker's brand." })),
  image: Nullable(Type.String({ description: "Address of a picture." })),
  sku: Nullable(Type.String({ description: "The shop's own code." })),
  mpn: Nullable(Type.String({ description: "The maker's code." })),
  gtin: Nullable(Type.String({ description: "EAN, UPC or ISBN." })),
  gtin_valid: Nullable(Type.Boolean({ description: "Whether its check digit is right." })),
  condition: Condition,
  seller: Nullable(Type.String({ description: "Who sells it." })),
  rating: Nullable(about(Rating, "What buyers say of it.")),
  group_id: Nullable(Type.String({ description: "The shop's id of all variants together." })),
  variant: Nullable(
    about(
      Shape({
        id: Nullable(Type.String({ description: "The shop's id of the variant." })),
        options: Type.Record(Type.String(), Type.String(), { description: "Its options, e.g. size and color." }),
        selected_by: Choice(["request", "url"], "What named the variant: the request, or the address."),
      }),
      "The variant that is tracked.",
    ),
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
  discount_percent: Nullable(Type.Number({ description: "How far the price is below the list price." })),
  low: Nullable(Decimal("Lowest of several.")),
  high: Nullable(Decimal("Highest of several.")),
  shipping: Nullable(Decimal("Shipping, where the page says it.")),
  total: Nullable(Decimal("Price, shipping and extra_cost.")),
  tax_included: Nullable(Type.Boolean({ description: "Whether tax is part of the price." })),
  coupon: Nullable(
    Shape(
      {
        percent: Nullable(Type.Integer({ description: "Percent off." })),
        amount: Nullable(Decimal("Amount off.")),
        code: Nullable(Type.String({ description: "The code to enter, where the page shows one." })),
        text: Type.String({ description: "As the page has it." }),
      },
      { description: "A reduction beside the price that one must ask for. It is not part of amount." },
    ),
  ),
  unit: Nullable(
    Shape(
      { amount: Decimal("Price of one unit."), per: Type.String({ description: "The unit." }) },
      { description: "The price per unit, where it can be known." },
    ),
  ),
  valid_until: Nullable(Type.String({ description: "Until when the page says that it holds." })),
  raw: Nullable(Type.String({ description: "As the page has it." })),
});

const Availability = Shape({
  status: Stock("Whether it can be had."),
  purchasable: Nullable(Type.Boolean({ description: "Whether it can be bought now." })),
  quantity: Nullable(Type.Integer({ description: "How many are left, where the page says." })),
  available_from: Nullable(Type.String({ description: "From when it can be had, where the page says." })),
  schema_org: Nullable(Type.String({ description: "The page's own schema.org value." })),
  raw: Nullable(Type.String({ description: "As the page has it." })),
  source: Nullable(Choice(["markup", "platform", "text", "button"], "What says so.")),
});

const Change = Shape({
  direction: Choice(["up", "down", "none"], "Which way it went."),
  previous: Decimal("The price before."),
  delta: Decimal("The difference."),
  percent: Nullable(Type.Number({ description: "The difference in percent." })),
  at: Nullable(Time("When it changed.")),
});
const Extreme = Nullable(Shape({ amount: Decimal("The price."), at: Time("Since when.") }));
const Stats = Shape({
  since: Time("When tracking began."),
  checks: Type.Integer({ description: "How often it was checked." }),
  changes: Type.Integer({ description: "How often the price changed." }),
  first: Nullable(Decimal("The first price.")),
  min: about(Extreme, "The lowest price."),
  max: about(Extreme, "The highest price."),
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
  in_stock_percent: Nullable(Type.Number({ description: "Share of the time it could be had." })),
});
export const HistoryPoint = Shape({
  at: Time("From when it stood."),
  amount: Nullable(Decimal("The price.")),
  list_amount: Nullable(Decimal("The list price.")),
  currency: Nullable(Type.String({ description: "ISO 4217 code." })),
  availability: Stock("Whether it could be had."),
});
const Offer = Shape({
  amount: Nullable(Type.String({ description: "The price of this offer." })),
  currency: Nullable(Type.String({ description: "ISO 4217 code." })),
  availability: Stock("Whether it can be had."),
  condition: Condition,
  seller: Nullable(Type.String({ description: "Who sells it." })),
  sku: Nullable(Type.String({ description: "The shop's own code." })),
  url: Nullable(Type.String({ description: "Address of the offer." })),
});
const Variant = Shape({
  id: Nullable(Type.String({ description: "The shop's id of the variant." })),
  name: Nullable(Type.String({ description: "What it is called." })),
  options: Type.Record(Type.String(), Type.String(), { description: "Its options, e.g. size and color." }),
  amount: Nullable(Type.String({ description: "Its price." })),
  currency: Nullable(Type.String({ description: "ISO 4217 code." })),
  availability: Stock("Whether it can be had."),
});
const Candidate = Shape({
  amount: Type.String({ description: "The price it would be." }),
  currency: Nullable(Type.String({ description: "ISO 4217 code." })),
  method: Type.String({ description: "Where on the page it stands." }),
  score: Type.Number({ description: "How likely it is the price; all of them add up to 1." }),
  text: Nullable(Type.String({ description: "As the page shows it; null where it only stands in markup or scripts." })),
  context: Nullable(Type.String({ description: "The text of the page around it." })),
  selector: Nullable(
    Type.String({ description: "Send it as selector with PATCH to have this one read; null where none leads to it." }),
  ),
});

const Warning = Shape({
  code: Choice(["selector_found_nothing", "no_matching_offer", "page_not_found"], "What kind of warning."),
  detail: Type.String({ description: "What will not work as asked." }),
  hint: Type.String({ description: "What to do about it." }),
});
const SettingsView = Shape(
  {
    variant: Nullable(Type.String({ description: "The variant asked for." })),
    interval: Type.String({ description: "As asked, e.g. 6h." }),
    selector: Nullable(Type.String({ description: "The CSS selector asked for." })),
    condition: Nullable(Type.String({ description: "Which offers count." })),
    seller: Nullable(Type.String({ description: "Only offers of this seller." })),
    currency: Nullable(Type.String({ description: "The currency hint." })),
    locale: Nullable(Type.String({ description: "The locale hint." })),
    unit_quantity: Nullable(Type.String({ description: "How many units the product holds." })),
    extra_cost: Nullable(Type.String({ description: "The cost added to the total." })),
  },
  { description: "What was asked for; alerts holds the rest." },
);

const Alerts = Shape({
  on: Type.Array(Type.String(), { description: "Which changes set off an alert." }),
  target_price: Nullable(Type.String({ description: "The price to wait for." })),
  drop_percent: Nullable(Type.Number({ description: "How large a change must be." })),
  min_price: Nullable(Type.String({ description: "Prices below this set off nothing." })),
  max_price: Nullable(Type.String({ description: "Prices above this set off nothing." })),
  threshold_base: Type.String({ description: "What a change is measured against." }),
});

const Check = Shape({
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
  candidates: Type.Optional(
    Type.Array(Candidate, { description: "What else could be the price, with include=candidates." }),
  ),
  http_status: Nullable(Type.Integer({ description: "What the page answered." })),
  not_modified: Type.Boolean({ description: "Whether the page said that nothing changed." }),
  bytes: Nullable(Type.Integer({ description: "Size of the page." })),
  duration_ms: Nullable(Type.Integer({ description: "How long the page took." })),
  robots: Nullable(Choice(["allowed", "disallowed", "unreachable"], "What the host's robots.txt says.")),
  consecutive_failures: Type.Integer({ description: "Failed checks in a row." }),
  error: Nullable(Type.String({ description: "Why there is no fresh price, and what helps." })),
});

export const Tracked = Shape({
  id: Nullable(Id("trk")),
  url: Type.String({ description: "The page that is tracked." }),
  canonical_url: Nullable(Type.String({ description: "The page's own address for itself." })),
  status: Choice([...STATUSES], "ok, or why there is no fresh price."),
  product: Nullable(named("ShoppingProduct", Product, "What is sold.")),
  price: Nullable(named("ShoppingPrice", PriceView, "What it costs.")),
  availability: named("ShoppingAvailability", Availability, "Whether it can be had."),
  change: Nullable(named("ShoppingChange", Change, "The last change of price.")),
  stats: Nullable(named("ShoppingStats", Stats, "The price over time.")),
  history: Type.Array(HistoryPoint, { description: "The prices so far, newest last." }),
  offers: Type.Optional(Type.Array(Offer, { description: "Every offer of the page, with include=offers." })),
  variants: Type.Optional(
    Type.Array(Variant, { description: "With include=variants, and whenever the asked variant is not clear." }),
  ),
  settings: SettingsView,
  warnings: Type.Array(Warning, { description: "What was accepted but will not work as asked." }),
  alerts: about(Alerts, "Which changes set off an alert, and the limits of it."),
  check: about(Check, "How the page was read, and when it is read next."),
  tags: Type.Array(Type.String(), { description: "Your own labels." }),
  simulated: Type.Boolean({ description: "Whether it comes from the demo shop." }),
  created_at: Nullable(Time("When tracking began.")),
});
export type Tracked = Static<typeof Tracked>;
