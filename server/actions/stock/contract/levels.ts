// Price levels: their shapes, routes and event. Data, no logic.
import Type, { type Static } from "typebox";
import { route } from "../../../contract/define.ts";
import {
  about,
  Choice,
  Decimal,
  Id,
  Nullable,
  Page,
  pageQuery,
  Shape,
  Tags,
  Text,
  Time,
} from "../../../contract/shapes.ts";
import { place, SymbolText } from "./parts.ts";

const condition = {
  above: Type.Optional(Decimal("Fires when the price rises to this or beyond.")),
  below: Type.Optional(Decimal("Fires when the price falls to this or beyond.")),
  percent: Type.Optional(
    Decimal("Fires when the price has moved so many percent from the previous close; negative means down."),
  ),
};
const repeat = Type.Optional(Type.Boolean({ description: "Fire every time it is crossed anew; once unless true." }));
const HYSTERESIS =
  "How far the price must come back before the level can fire again, in currency (percent points for percent). 0.1 % unless given.";

export const LevelRequest = Shape(
  {
    symbol: SymbolText(),
    ...place,
    ...condition,
    hysteresis: Type.Optional(Decimal(HYSTERESIS)),
    repeat,
    tags: Type.Optional(Tags()),
  },
  { exactlyOne: ["above", "below", "percent"] },
);

export const LevelChange = Shape(
  {
    ...condition,
    hysteresis: Type.Optional(Nullable(Decimal(`${HYSTERESIS} null takes that again.`))),
    repeat,
    tags: Type.Optional(Tags()),
  },
  { minProperties: 1 },
);

const LEVEL_STATES = ["waiting", "armed", "beyond", "done"] as const;

const level = {
  id: Id("lvl"),
  symbol: Type.String({ description: "Canonical symbol." }),
  instrument: Type.String({ description: "Symbol and market." }),
  above: Nullable(Decimal("Rises to.")),
  below: Nullable(Decimal("Falls to.")),
  percent: Nullable(Decimal("Moves by, in percent points from the previous close.")),
  hysteresis: Nullable(Decimal("How far it must come back.")),
  repeat: Type.Boolean({ description: "Fires each time anew." }),
  state: Choice(
    LEVEL_STATES,
    "waiting: no fresh price seen yet; armed: on the near side; beyond: on the far side, fires only after the price has come back; done: fired once and over.",
  ),
  tags: Type.Array(Type.String(), { description: "Your own labels." }),
  created_at: Time("When it was made."),
  crossed_at: Nullable(Time("When it fired last.")),
  crossed_price: Nullable(Decimal("At which price.")),
};

export const Level = Shape(level);
export type Level = Static<typeof Level>;

const LevelWithWarnings = Shape({
  ...level,
  warnings: Type.Array(Type.String(), {
    description: "Why it may not do what was meant, e.g. that the price is already beyond it.",
  }),
});

export const createLevel = route({
  id: "stock.levels.create",
  method: "POST",
  path: "/stock/levels",
  summary: "Create a price level",
  scope: "stock:write",
  body: LevelRequest,
  answer: LevelWithWarnings,
  status: 201,
  description:
    "Exactly one of above, below and percent. Raises stock.level_crossed when a fresh price crosses it; a stale price never does. A symbol that no source knows is refused.",
  errors: ["symbol_invalid", "symbol_ambiguous", "symbol_not_found", "plan_limit_reached", "provider_not_configured"],
});

export const listLevels = route({
  id: "stock.levels.list",
  method: "GET",
  path: "/stock/levels",
  summary: "List price levels",
  scope: "stock:read",
  query: Shape({
    symbol: Type.Optional(SymbolText()),
    state: Type.Optional(Choice(LEVEL_STATES, "Only levels in this state.")),
    tag: Type.Optional(Text("Only levels with this tag.", 64)),
    ...pageQuery,
  }),
  answer: Page(Level),
  errors: ["invalid_cursor", "symbol_invalid", "symbol_ambiguous"],
});

export const getLevel = route({
  id: "stock.levels.get",
  method: "GET",
  path: "/stock/levels/{id}",
  summary: "Read a price level",
  scope: "stock:read",
  params: Shape({ id: Id("lvl") }),
  answer: Level,
  errors: ["not_found"],
});

export const updateLevel = route({
  id: "stock.levels.update",
  method: "PATCH",
  path: "/stock/levels/{id}",
  summary: "Change a price level",
  scope: "stock:write",
  params: Shape({ id: Id("lvl") }),
  body: LevelChange,
  answer: LevelWithWarnings,
  description:
    "Members that are left out stay as they are. A new above, below or percent replaces the old condition, and the level starts anew, also when it had fired.",
  errors: ["not_found"],
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

export const levelEvents = [
  {
    type: "stock.level_crossed",
    summary: "A price crossed a level that was set for it.",
    data: Shape({
      title: Type.String({
        description: "What happened, in one sentence.",
        examples: ["AAPL rose to 300.10 USD, above your level of 300.00."],
      }),
      direction: Choice(["up", "down"], "Which way the price crossed."),
      threshold: Decimal("The level: a price, or percent points for a level in percent."),
      level: about(Level, "The level that was crossed."),
      price: Decimal("The price that crossed it."),
      change_percent: Nullable(Decimal("Against the previous close, in percent points.")),
      currency: Nullable(Text("ISO 4217.", 3)),
      at: Time("When it was seen."),
      simulated: Type.Boolean({ description: "Made up; not market data." }),
      label: Type.String({ description: "Show these words beside the number." }),
    }),
  },
];
