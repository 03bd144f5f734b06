// Routes of alerts and of what they found. Data, no logic.
import Type from "typebox";
import { route } from "../../../contract/define.ts";
import { Choice, Deleted, Id, Page, pageQuery, Shape, Text, Time } from "../../../contract/shapes.ts";
import { Alert, DeliveryView, MatchView } from "./answers.ts";
import { preview, pushContent, stream } from "./content.ts";
import { confirm, confirmPage, pushFromHub, unsubscribe, unsubscribePage, verifyHub } from "./keyless.ts";
import { AlertChange, NewAlert } from "./requests.ts";

export * from "./answers.ts";
export * from "./content.ts";
export * from "./events.ts";
export * from "./keyless.ts";
export * from "./requests.ts";

const params = Shape({ id: Id("alt") });

export const create = route({
  id: "alerts.create",
  method: "POST",
  path: "/alerts/create",
  summary: "Create a tag alert",
  scope: "alerts:write",
  status: 201,
  description: "Send exactly one of tag, tags and query. The alert counts for the very next content.",
  body: NewAlert,
  answer: Alert,
  secretAnswer: true,
  errors: ["query_unbounded", "target_not_allowed", "plan_limit_reached", "provider_not_configured"],
});

export const list = route({
  id: "alerts.list",
  method: "GET",
  path: "/alerts",
  summary: "List alerts, newest first",
  scope: "alerts:read",
  query: Shape({
    ...pageQuery,
    status: Type.Optional(
      Choice(["pending_verification", "active", "snoozed", "paused", "degraded", "expired"], "Only these."),
    ),
    label: Type.Optional(
      Type.String({
        pattern: "^[A-Za-z0-9_.-]{1,64}(:[\\s\\S]{0,256})?$",
        description: "Only alerts with this label: a name, or name:value.",
        examples: ["team:pr"],
      }),
    ),
    q: Type.Optional(Text("Only alerts whose name or query contains this text.", 120)),
  }),
  answer: Page(Alert),
});

export const get = route({
  id: "alerts.get",
  method: "GET",
  path: "/alerts/{id}",
  summary: "Read an alert",
  scope: "alerts:read",
  params,
  answer: Alert,
  errors: ["not_found"],
});

export const change = route({
  id: "alerts.update",
  method: "PATCH",
  path: "/alerts/{id}",
  summary: "Change an alert",
  scope: "alerts:write",
  params,
  description:
    "Send only what changes. match, delivery and dedupe are merged member by member; channels, sources and labels are replaced. `enabled` pauses and resumes.",
  body: AlertChange,
  answer: Alert,
  secretAnswer: true,
  errors: ["not_found", "query_unbounded", "target_not_allowed", "provider_not_configured"],
});

export const remove = route({
  id: "alerts.delete",
  method: "DELETE",
  path: "/alerts/{id}",
  summary: "Delete an alert",
  scope: "alerts:write",
  params,
  answer: Deleted("alt"),
  errors: ["not_found"],
});

export const pause = route({
  id: "alerts.pause",
  method: "POST",
  path: "/alerts/{id}/pause",
  summary: "Pause an alert",
  scope: "alerts:write",
  params,
  answer: Alert,
  errors: ["not_found", "wrong_state"],
});

export const resume = route({
  id: "alerts.resume",
  method: "POST",
  path: "/alerts/{id}/resume",
  summary: "Resume an alert; ends a snooze and enables disabled channels again",
  scope: "alerts:write",
  params,
  answer: Alert,
  errors: ["not_found", "wrong_state"],
});

export const snooze = route({
  id: "alerts.snooze",
  method: "POST",
  path: "/alerts/{id}/snooze",
  summary: "Silence an alert for a while",
  scope: "alerts:write",
  params,
  description: "What matches meanwhile is counted; the next message says how many.",
  body: Shape(
    {
      until: Type.Optional(Time("When the silence ends.")),
      for_s: Type.Optional(
        Type.Integer({ minimum: 60, maximum: 31_536_000, description: "For so many seconds from now." }),
      ),
      until_clear: Type.Optional(Type.Boolean({ description: "Until the alert's condition has cleared." })),
    },
    { minProperties: 1, maxProperties: 1 },
  ),
  answer: Alert,
  errors: ["not_found", "wrong_state"],
});

export const poll = route({
  id: "alerts.poll",
  method: "POST",
  path: "/alerts/{id}/poll",
  summary: "Read the feeds of an alert now",
  scope: "alerts:write",
  params,
  description: "Feeds that were read within the last minute are left alone. The items arrive as matches.",
  answer: Shape({ polled: Type.Integer({ description: "How many feeds are read now." }) }),
  errors: ["not_found"],
});

export const test = route({
  id: "alerts.test",
  method: "POST",
  path: "/alerts/{id}/test",
  summary: "Send a test message to every channel",
  scope: "alerts:write",
  params,
  answer: Shape({
    deliveries: Type.Array(Shape({ id: Id("ntf"), channel_id: Id("chn") }), {
      description: "One message per channel.",
    }),
  }),
  errors: ["not_found"],
});

export const replay = route({
  id: "alerts.replay",
  method: "POST",
  path: "/alerts/{id}/replay",
  summary: "Send messages again that were delivered or are dead letters",
  scope: "alerts:write",
  params,
  body: Shape(
    {
      since: Type.Optional(Time("Everything from here on.")),
      delivery_ids: Type.Optional(
        Type.Array(Id("ntf"), { minItems: 1, maxItems: 100, description: "Just these messages." }),
      ),
    },
    { minProperties: 1, maxProperties: 1 },
  ),
  answer: Shape({ replayed: Type.Integer({ description: "How many messages are sent again." }) }),
  errors: ["not_found"],
});

export const matches = route({
  id: "alerts.matches",
  method: "GET",
  path: "/alerts/{id}/matches",
  summary: "List what an alert has matched, newest first",
  scope: "alerts:read",
  params,
  query: Shape({ ...pageQuery, state: Type.Optional(Choice(["held", "notified", "suppressed"], "Only these.")) }),
  answer: Page(MatchView),
  errors: ["not_found"],
});

export const deliveries = route({
  id: "alerts.deliveries",
  method: "GET",
  path: "/alerts/{id}/deliveries",
  summary: "List the messages of an alert and their delivery status",
  scope: "alerts:read",
  params,
  query: Shape({
    ...pageQuery,
    status: Type.Optional(Choice(["queued", "retrying", "delivered", "dead"], "Only these.")),
  }),
  answer: Page(DeliveryView),
  errors: ["not_found"],
});

export const routes = [
  create,
  list,
  get,
  change,
  remove,
  pause,
  resume,
  snooze,
  poll,
  test,
  replay,
  matches,
  deliveries,
  preview,
  pushContent,
  stream,
  confirmPage,
  confirm,
  unsubscribePage,
  unsubscribe,
  verifyHub,
  pushFromHub,
];
