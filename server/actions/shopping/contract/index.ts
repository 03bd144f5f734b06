// Shopping: what may be asked, routes, events. Data, no logic; the shapes of answers stand in answers.ts.
import Type, { type Static } from "typebox";
import { route } from "../../../contract/define.ts";
import { Choice, Decimal, Id, Nullable, Page, Shape, Tags, Text, pageQuery } from "../../../contract/shapes.ts";
import { HistoryPoint, Tracked, statuses } from "./answers.ts";

export { HistoryPoint, Tracked, statuses } from "./answers.ts";

export const alertNames = [
  "price_drop",
  "price_rise",
  "any_change",
  "new_low",
  "new_high",
  "back_in_stock",
  "out_of_stock",
] as const;
const Price = (description: string) =>
  Type.String({ pattern: "^\\d{1,15}(\\.\\d{1,12})?$", description, examples: ["49.90"] });
const Names = <const T extends string[]>(allowed: readonly [...T], description: string) =>
  Type.Array(Choice(allowed, description), {
    maxItems: allowed.length,
    uniqueItems: true,
    description,
    examples: [allowed.slice(0, 2)],
  });
const Duration = (description: string, example: string) =>
  Type.String({ pattern: "^\\d{1,6}(s|m|h|d)$", description, examples: [example] });

/** What may be taken back with null. */
const clearable = {
  target_price: Price("Tell me when the price is at or below this."),
  drop_percent: Type.Number({
    minimum: 0,
    maximum: 100,
    description: "Only tell changes of at least this many percent.",
    examples: [5],
  }),
  min_price: Price("Only tell prices below this (or above max_price)."),
  max_price: Price("Only tell prices above this (or below min_price)."),
  selector: Text("A CSS selector of the element that holds the price, where the page is read wrongly.", 300),
  unit_quantity: Price("How many units the product holds, for a price per unit."),
  extra_cost: Type.String({
    pattern: "^\\d{1,12}(\\.\\d{1,6})?%?$",
    description: "A cost to add to the total: an amount, or a share with %.",
    examples: ["4.90", "7%"],
  }),
};
const kept = {
  interval: Type.Optional(
    Duration(
      "How often to look, from 15m to 7d; 6h unless given. Stable pages are looked at less, changing ones more.",
      "6h",
    ),
  ),
  alert_on: Type.Optional(
    Names([...alertNames], "Which changes set off a trigger; price_drop,back_in_stock unless given."),
  ),
  threshold_base: Type.Optional(
    Choice(
      ["last_alert", "previous", "first"],
      "What a change is measured against; the last alert unless given, so that a slow creep is told in the end.",
    ),
  ),
};
const asked = {
  target_price: Type.Optional(clearable.target_price),
  drop_percent: Type.Optional(clearable.drop_percent),
  min_price: Type.Optional(clearable.min_price),
  max_price: Type.Optional(clearable.max_price),
  selector: Type.Optional(clearable.selector),
  unit_quantity: Type.Optional(clearable.unit_quantity),
  extra_cost: Type.Optional(clearable.extra_cost),
};
const changed = {
  target_price: Type.Optional(Nullable(clearable.target_price)),
  drop_percent: Type.Optional(Nullable(clearable.drop_percent)),
  min_price: Type.Optional(Nullable(clearable.min_price)),
  max_price: Type.Optional(Nullable(clearable.max_price)),
  selector: Type.Optional(Nullable(clearable.selector)),
  unit_quantity: Type.Optional(Nullable(clearable.unit_quantity)),
  extra_cost: Type.Optional(Nullable(clearable.extra_cost)),
};

export const TrackQuery = Shape(
  {
    url: Type.Optional(
      Type.String({ format: "url", description: "The product page.", examples: ["https://shop.example/p/1"] }),
    ),
    id: Type.Optional(Id("trk", "A tracker made before, instead of url.")),
    track: Type.Optional(Type.Boolean({ description: "false looks once and keeps nothing.", default: true })),
    variant: Type.Optional(Text("A code, a number or option:value; else the one the address names.", 100)),
    condition: Type.Optional(Choice(["new", "used", "refurbished", "any"], "Which offers count.")),
    seller: Type.Optional(Text("Only offers of this seller.", 100)),
    currency: Type.Optional(
      Type.String({
        pattern: "^[A-Z]{3}$",
        description: "A hint for signs that several currencies share; markup is never overruled.",
        examples: ["EUR"],
      }),
    ),
    locale: Type.Optional(
      Type.String({
        pattern: "^[a-z]{2,3}([-_][A-Za-z]{2})?$",
        description: "A hint of the page's language and country.",
        examples: ["de-AT"],
      }),
    ),
    max_age: Type.Optional(Duration("A stored look younger than this is good enough; 15m unless given.", "15m")),
    wait: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 20,
        description: "Seconds to wait for a first look; 8 unless given. After that the answer is pending.",
        examples: [8],
      }),
    ),
    history_days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 3650, description: "How far back history goes; 90 unless given." }),
    ),
    history: Type.Optional(Choice(["changes", "daily", "none"], "How history is told; changes unless given.")),
    include: Type.Optional(Names(["variants", "offers", "candidates"], "What to add to the answer.")),
    tags: Type.Optional(Tags()),
    ...kept,
    ...asked,
  },
  { exactlyOne: ["url", "id"] },
);
export type TrackQuery = Static<typeof TrackQuery>;

const params = Shape({ id: Id("trk") });

export const track = route({
  id: "shopping.track",
  method: "GET",
  path: "/shopping/track",
  summary: "Track product prices and availability",
  description:
    "Starts tracking a product page, or reads what is known of it: the same page, variant and caller are one tracker. A test key reads the demo shop at /demo-shop.",
  scope: "shopping:write",
  query: TrackQuery,
  answer: Tracked,
  errors: ["not_found", "target_not_allowed", "plan_limit_reached"],
});
const ListQuery = Shape({
  ...pageQuery,
  status: Type.Optional(Choice([...statuses], "Only trackers in this state.")),
  tag: Type.Optional(Text("Only trackers with this tag.", 64)),
});
export type ListQuery = Static<typeof ListQuery>;
export const list = route({
  id: "shopping.list",
  method: "GET",
  path: "/shopping/tracked",
  summary: "List tracked products",
  scope: "shopping:read",
  query: ListQuery,
  answer: Page(Tracked),
});
export const get = route({
  id: "shopping.get",
  method: "GET",
  path: "/shopping/tracked/{id}",
  summary: "Read a tracked product",
  scope: "shopping:read",
  params,
  answer: Tracked,
  errors: ["not_found"],
});
const UpdateBody = Shape({ ...kept, ...changed, tags: Type.Optional(Tags()) }, { minProperties: 1 });
export type UpdateBody = Static<typeof UpdateBody>;
export const update = route({
  id: "shopping.update",
  method: "PATCH",
  path: "/shopping/tracked/{id}",
  summary: "Change a tracked product",
  scope: "shopping:write",
  params,
  body: UpdateBody,
  answer: Tracked,
  errors: ["not_found"],
});
export const remove = route({
  id: "shopping.delete",
  method: "DELETE",
  path: "/shopping/tracked/{id}",
  summary: "Stop tracking a product",
  description: "Its history is removed with it.",
  scope: "shopping:write",
  params,
  answer: Shape({ id: Id("trk"), deleted: Type.Boolean() }),
  errors: ["not_found"],
});
const HistoryQuery = Shape({
  format: Type.Optional(Choice(["json", "csv"], "json unless given.")),
  days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 3650, description: "How far back; everything unless given." }),
  ),
  resolution: Type.Optional(Choice(["changes", "daily"], "changes unless given.")),
});
export type HistoryQuery = Static<typeof HistoryQuery>;
export const history = route({
  id: "shopping.history",
  method: "GET",
  path: "/shopping/tracked/{id}/history",
  summary: "Read a price history",
  description: "As JSON, or as CSV with format=csv.",
  scope: "shopping:read",
  params,
  query: HistoryQuery,
  answer: Shape({ id: Id("trk"), items: Type.Array(HistoryPoint) }),
  errors: ["not_found"],
});
export const demoShop = route({
  id: "shopping.demo_shop",
  method: "GET",
  path: "/demo-shop",
  summary: "The demo shop: pages that test keys can track",
  mount: "root",
  scope: null,
  produces: "text/html",
});
export const demoPage = route({
  id: "shopping.demo_page",
  method: "GET",
  path: "/demo-shop/{page}",
  summary: "A page of the demo shop",
  mount: "root",
  scope: null,
  produces: "text/html",
  params: Shape({ page: Type.String({ pattern: "^[a-z0-9-]{1,40}$", description: "Which page." }) }),
  errors: ["not_found"],
});

export const routes = [track, list, get, update, remove, history, demoShop, demoPage];

const moved = { tracker_id: Id("trk"), url: Type.String(), name: Nullable(Type.String()), simulated: Type.Boolean() };
export const PriceChanged = Shape({
  ...moved,
  previous: Nullable(Decimal("The price before.")),
  amount: Decimal("The price now."),
  currency: Nullable(Type.String()),
  percent: Nullable(Type.Number()),
  direction: Type.String(),
  triggers: Type.Array(Type.String({ description: "Which of alert_on it set off." })),
});
export const events = [
  { type: "shopping.price_changed", summary: "A tracked price changed.", data: PriceChanged },
  {
    type: "shopping.availability_changed",
    summary: "A tracked product came into or went out of stock.",
    data: Shape({
      ...moved,
      previous: Type.String(),
      availability: Type.String(),
      amount: Nullable(Type.String()),
      currency: Nullable(Type.String()),
      triggers: Type.Array(Type.String()),
    }),
  },
  {
    type: "shopping.target_reached",
    summary: "A tracked price is at or below its target.",
    data: Shape({
      ...moved,
      amount: Decimal("The price now."),
      target: Decimal("The target."),
      currency: Nullable(Type.String()),
    }),
  },
  { type: "shopping.page_gone", summary: "A tracked page answered 404 or 410 three times.", data: Shape(moved) },
  {
    type: "shopping.check_failed",
    summary: "A tracked page could not be read three times in a row; the last price is kept.",
    data: Shape({ ...moved, reason: Type.String() }),
  },
];
