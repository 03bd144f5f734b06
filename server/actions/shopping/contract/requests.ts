// What may be asked of shopping: query parameters and bodies. Data, no logic.
import Type, { type Static, type TSchema } from "typebox";
import { Choice, Id, Nullable, QueryTags, Shape, Tags, Text, pageQuery } from "../../../contract/shapes.ts";
import { alsoAs, asAmount } from "../../../contract/shorthand.ts";
import { STATUSES } from "./answers.ts";

export const ALERT_NAMES = [
  "price_drop",
  "price_rise",
  "any_change",
  "new_low",
  "new_high",
  "back_in_stock",
  "out_of_stock",
] as const;

const Price = (description: string) =>
  alsoAs(
    Type.String({ pattern: "^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,12})?$", description, examples: ["49.90"] }),
    asAmount,
  );
const Names = <const T extends string[]>(allowed: readonly [...T], description: string) =>
  Type.Array(Choice(allowed, description), {
    maxItems: allowed.length,
    uniqueItems: true,
    description,
    examples: [allowed.slice(0, 2)],
  });
const Duration = (description: string, example: string) =>
  Type.String({ pattern: "^[0-9]{1,6}(s|m|h|d)$", description, examples: [example] });

/** Settings with a default: they can be changed, not taken back. */
const defaulted = {
  interval: Type.Optional(
    Duration(
      "How often to check, from 15m to 7d; 6h unless given. Stable pages are checked less often, changing ones more.",
      "6h",
    ),
  ),
  alert_on: Type.Optional(
    Names([...ALERT_NAMES], "Which changes set off an alert; price_drop,back_in_stock unless given."),
  ),
  threshold_base: Type.Optional(
    Choice(
      ["last_alert", "previous", "first"],
      "What a change is measured against. last_alert (unless given): falls from the highest price since the last alerted fall, rises from the lowest since the last alerted rise. previous: the price before. first: the first price.",
    ),
  ),
};

/** Settings that are off unless given, and can be taken back with null. */
const clearable = {
  target_price: Price("Alert once when the price comes to this or below; again after it was above."),
  drop_percent: Type.Number({
    minimum: 0,
    maximum: 100,
    description: "price_drop, price_rise and any_change need a change of at least this many percent.",
    examples: [5],
  }),
  min_price: Price("Prices below this set off no price alert."),
  max_price: Price("Prices above this set off no price alert: 50 means only tell me of prices up to 50."),
  selector: Text("A CSS selector of the element that holds the price, where the page is read wrongly.", 300),
  unit_quantity: Price("How many units the product holds, for a price per unit."),
  extra_cost: Type.String({
    pattern: "^[0-9]{1,12}(\\.[0-9]{1,6})?%?$",
    description: "A cost to add to the total: an amount, or a share with %.",
    examples: ["4.90", "7%"],
  }),
  condition: Choice(["new", "used", "refurbished", "any"], "Which offers count."),
  seller: Text("Only offers of this seller.", 100),
  currency: Type.String({
    pattern: "^[A-Za-z]{3}$",
    description: "A hint for signs that several currencies share; markup is never overruled.",
    examples: ["EUR"],
  }),
  locale: Type.String({
    pattern: "^[a-z]{2,3}([-_][A-Za-z]{2})?$",
    description: "A hint of the page's language and country.",
    examples: ["de-AT"],
  }),
};

type Clearable = typeof clearable;
const each = <R>(wrap: (schema: TSchema) => TSchema): R =>
  Object.fromEntries(Object.entries(clearable).map(([name, schema]) => [name, Type.Optional(wrap(schema))])) as R;
const given = each<{ [Name in keyof Clearable]: ReturnType<typeof Type.Optional<Clearable[Name]>> }>((s) => s);
const changed =
  each<{
    [Name in keyof Clearable]: ReturnType<typeof Type.Optional<ReturnType<typeof Nullable<Clearable[Name]>>>>;
  }>(Nullable);

export const TrackQuery = Shape(
  {
    url: Type.Optional(
      Type.String({ format: "url", description: "The product page.", examples: ["https://shop.example/p/1"] }),
    ),
    id: Type.Optional(Id("trk", "A tracker made before, instead of url.")),
    track: Type.Optional(Type.Boolean({ description: "false checks once and keeps nothing.", default: true })),
    variant: Type.Optional(
      Text(
        "Which variant: its code or number, or its options as size:42,color:black (all must fit). Unless given, the one that the address names. When no variant fits, status is variant_not_found; when several fit, ambiguous; both list the variants.",
        100,
      ),
    ),
    max_age: Type.Optional(Duration("A stored check younger than this is good enough; 15m unless given.", "15m")),
    wait: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 20,
        description: "Seconds to wait for a first check; 8 unless given. After that the answer is pending.",
        examples: [8],
      }),
    ),
    history_days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 3650, description: "How far back history goes; 90 unless given." }),
    ),
    history: Type.Optional(Choice(["changes", "daily", "none"], "Which points history has; changes unless given.")),
    include: Type.Optional(Names(["variants", "offers", "candidates"], "What to add to the answer.")),
    tags: Type.Optional(QueryTags()),
    ...defaulted,
    ...given,
  },
  { exactlyOne: ["url", "id"] },
);
export type TrackQuery = Static<typeof TrackQuery>;

export const ListQuery = Shape({
  ...pageQuery,
  status: Type.Optional(Choice([...STATUSES], "Only trackers in this state.")),
  tag: Type.Optional(Text("Only trackers with this tag.", 64)),
});
export type ListQuery = Static<typeof ListQuery>;

export const UpdateBody = Shape({ ...defaulted, ...changed, tags: Type.Optional(Tags()) }, { minProperties: 1 });
export type UpdateBody = Static<typeof UpdateBody>;

export const HistoryQuery = Shape({
  format: Type.Optional(Choice(["json", "csv"], "json unless given.")),
  days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 3650, description: "How far back; everything unless given." }),
  ),
  resolution: Type.Optional(Choice(["changes", "daily"], "changes unless given.")),
});
export type HistoryQuery = Static<typeof HistoryQuery>;
