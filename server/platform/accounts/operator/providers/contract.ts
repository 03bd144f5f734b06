// Providers: who the service asks outside, as every account may see them.
import Type from "typebox";
import { route } from "../../../../contract/define.ts";
import { Choice, named, Nullable, Shape, Time } from "../../../../contract/shapes.ts";

export const PROVIDER_KINDS = ["courier", "geocoder", "router", "quotes", "mail"] as const;
export const PROVIDER_STATES = ["not_configured", "idle", "working", "failing", "paused"] as const;

export const listProviders = route({
  id: "providers.list",
  method: "GET",
  path: "/providers",
  summary: "Who the service asks outside, and how they are doing",
  description:
    "As this process saw them since it started. Test keys reach none of them: simulated couriers, markets and mail stand in.",
  scope: "usage:read",
  answer: Shape({
    items: Type.Array(
      named(
        "ProviderHealth",
        Shape({
          name: Type.String({ description: "The provider, e.g. alpaca." }),
          action: Type.String({ description: "The action it serves." }),
          kind: Choice([...PROVIDER_KINDS], "What it is asked for."),
          state: Choice(
            [...PROVIDER_STATES],
            "idle: not asked yet. failing: the last call failed. paused: it is not asked for a while because it failed.",
          ),
          breaker: Nullable(Choice(["closed", "open", "half_open"], "The circuit breaker, where there is one.")),
          calls: Type.Integer({ description: "How often it was asked." }),
          failures: Type.Integer({ description: "How many of these calls failed." }),
          last_success_at: Nullable(Time("When it last answered.")),
          last_failure_at: Nullable(Time("When it last failed.")),
          last_error: Nullable(Type.String({ description: "Why it last failed." })),
          hint: Nullable(Type.String({ description: "What to do, where something can be done." })),
        }),
      ),
      { description: "In the order of the actions." },
    ),
  }),
});

export const routes = [listProviders];
