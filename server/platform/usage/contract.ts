// Usage: what this world has called.
import Type from "typebox";
import { route } from "../../contract/define.ts";
import { Choice, Id, Mode, Nullable, Shape, Time } from "../../contract/shapes.ts";

export const getUsage = route({
  id: "usage.get",
  method: "GET",
  path: "/usage",
  summary: "Requests by route, and by key, over time",
  description: "Counted within a few seconds; a crash of the service loses at most the last flush interval.",
  scope: "usage:read",
  query: Shape({
    from: Type.Optional(Time("Start, inclusive; the last 24 hours unless given.")),
    to: Type.Optional(Time("End, exclusive; now unless given.")),
    by: Type.Optional(
      Type.Enum(["minute", "hour", "day"], { default: "hour", description: "Length of a row's interval." }),
    ),
    key_id: Type.Optional(Id("key", "Only this key's requests.")),
    by_key: Type.Optional(
      Type.Boolean({ default: false, description: "One row per key instead of one for all keys." }),
    ),
  }),
  answer: Shape({
    from: Time("Start of the range."),
    to: Time("End of the range."),
    by: Choice(["minute", "hour", "day"], "Length of a row's interval."),
    mode: Mode(),
    requests: Type.Integer({ description: "All requests of the range." }),
    failures: Type.Integer({ description: "Those answered with 400 or above." }),
    rows: Type.Array(
      Shape({
        at: Time("Start of the interval."),
        route: Type.String({ description: "The route's id, e.g. delivery.schedule." }),
        key_id: Nullable(Type.String({ description: "The key, when by_key is asked for." })),
        requests: Type.Integer({ description: "How many requests." }),
        failures: Type.Integer({ description: "How many of them were answered with 400 or above." }),
      }),
      { description: "One for each route and interval." },
    ),
  }),
});

export const routes = [getUsage];
