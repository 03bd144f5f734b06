// The event that warns of a quota before it refuses anything.
import Type from "typebox";
import type { Route } from "../../contract/define.ts";
import { Choice, Shape } from "../../contract/shapes.ts";

export const routes: Route[] = [];

export const events = [
  {
    type: "quota.threshold_reached",
    summary: "80 or 100 percent of the requests of a minute were used. Told at most once an hour per threshold.",
    data: Shape({
      percent: Type.Integer({ description: "80 or 100.", examples: [80] }),
      plan: Choice(["free", "plus", "max"], "The plan whose quota it is."),
      limit: Type.Integer({ description: "Requests a minute." }),
      window_seconds: Type.Integer({ description: "The length of the window." }),
    }),
  },
];
