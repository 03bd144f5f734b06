// The events of shopping. Data, no logic.
import Type from "typebox";
import type { EventType } from "../../../contract/define.ts";
import { Choice, Decimal, Id, Nullable, Shape } from "../../../contract/shapes.ts";
import { AVAILABILITIES } from "./answers.ts";
import { ALERT_NAMES } from "./requests.ts";

const about = {
  tracker_id: Id("trk"),
  url: Type.String({ description: "The product page." }),
  name: Nullable(Type.String({ description: "The product's name." })),
  simulated: Type.Boolean({ description: "Whether it comes from the demo shop." }),
};
const currency = Nullable(Type.String({ description: "ISO 4217." }));
const percent = Nullable(Type.Number({ description: "The change in percent." }));
const direction = Choice(["up", "down", "none"], "Which way the price went.");
const availability = (description: string) => Choice([...AVAILABILITIES], description);
const triggers = Type.Array(Choice([...ALERT_NAMES], "One of alert_on."), {
  description: "Which of alert_on it set off; empty for a change that sets off nothing.",
});

export const events: EventType[] = [
  {
    type: "shopping.alert",
    summary:
      "The tracker's own rules (alert_on, target_price, drop_percent, min_price, max_price) were met. Subscribe to this one to be told only what was asked for.",
    data: Shape({
      ...about,
      triggers: Type.Array(Choice([...ALERT_NAMES, "target_price"], "One of alert_on, or target_price."), {
        description: "What was met.",
      }),
      previous: Nullable(Decimal("The price before this check.")),
      amount: Decimal("The price now."),
      currency,
      percent,
      direction,
      availability: availability("Whether it can be had now."),
    }),
  },
  {
    type: "shopping.price_changed",
    summary: "A tracked price changed, whether or not it sets off an alert.",
    data: Shape({
      ...about,
      previous: Decimal("The price before."),
      amount: Decimal("The price now."),
      currency,
      percent,
      direction,
      triggers,
    }),
  },
  {
    type: "shopping.availability_changed",
    summary: "A tracked product came into or went out of stock, whether or not it sets off an alert.",
    data: Shape({
      ...about,
      previous: availability("Before."),
      availability: availability("Now."),
      amount: Nullable(Decimal("The price now.")),
      currency,
      triggers,
    }),
  },
  {
    type: "shopping.target_reached",
    summary: "A tracked price is at or below its target.",
    data: Shape({ ...about, amount: Decimal("The price now."), target: Decimal("The target."), currency }),
  },
  {
    type: "shopping.page_gone",
    summary: "A tracked page answered 404 or 410 three times in a row.",
    data: Shape(about),
  },
  {
    type: "shopping.check_failed",
    summary: "A tracked page could not be read three times in a row; the last price is kept.",
    data: Shape({
      ...about,
      reason: Choice(
        ["blocked", "no_price", "not_a_product", "variant_not_found", "robots_disallowed", "error"],
        "Why it could not be read.",
      ),
    }),
  },
];
