// Routes and events of alerts. Data, no logic.
import Type from "typebox";
import { route } from "../../../contract/define.ts";
import { Choice, Id, named, Nullable, Page, pageQuery, Shape, Text, Time } from "../../../contract/shapes.ts";
import { AlertChange, NewAlert, NewContent, Match } from "./requests.ts";
import { confirm, confirmPage, pushFromHub, unsubscribe, unsubscribePage, verifyHub } from "./keyless.ts";
import { Alert, DeliveryView, MatchView, Preview, QueryView } from "./answers.ts";

export * from "./requests.ts";
export * from "./keyless.ts";
export * from "./answers.ts";

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
        pattern: "^[\\w.-]{1,64}(:.{0,256})?$",
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
  answer: Shape({ id: Id("alt"), deleted: Type.Boolean({ description: "Always true." }) }),
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

export const preview = route({
  id: "alerts.preview",
  method: "POST",
  path: "/alerts/preview",
  summary: "Preview what a query would match, without creating an alert",
  scope: "alerts:read",
  body: Shape({
    tag: NewAlert.properties.tag,
    tags: NewAlert.properties.tags,
    query: NewAlert.properties.query,
    match: Type.Optional(named("AlertMatching", Match, "How words are compared.")),
    content: Type.Optional(
      Type.Array(NewContent, { minItems: 1, maxItems: 20, description: "Instead of recent content." }),
    ),
  }),
  answer: Shape({
    query: named("AlertQuery", QueryView, "What is watched."),
    preview: named("AlertPreview", Preview, "What it would have matched."),
  }),
  errors: ["query_unbounded"],
});

export const pushContent = route({
  id: "alerts.content",
  method: "POST",
  path: "/alerts/content",
  summary: "Push content to be matched",
  scope: "alerts:write",
  description:
    "One JSON object, or up to 1,000 of them as lines of application/x-ndjson. A bad line does not stop the others; when every line is bad, the answer is 400. One request may cause at most 10,000 matches.",
  consumes: ["application/x-ndjson"],
  maxBodyBytes: 8_388_608,
  body: NewContent,
  answer: Shape({
    accepted: Type.Integer({ description: "Contents that were taken." }),
    rejected: Type.Integer({ description: "Lines that were refused; see errors." }),
    errors: Type.Array(
      Shape({
        line: Type.Integer({ description: "Which line, from 1." }),
        pointer: Type.String({ description: "The member of it, as a JSON pointer." }),
        detail: Type.String({ description: "What is wrong." }),
        hint: Type.String({ description: "What to send instead." }),
      }),
      { description: "Faults of refused lines; the first fifty." },
    ),
    matched: Type.Integer({ description: "Matches in all." }),
    results: Type.Array(
      Shape({
        id: Nullable(Type.String({ description: "The id it was pushed with." })),
        alerts: Type.Array(Id("alt"), { description: "At most 100." }),
        matched: Type.Integer({ description: "How many alerts it matched." }),
      }),
      { description: "One for each content, in the order sent." },
    ),
  }),
});

export const stream = route({
  id: "alerts.stream",
  method: "GET",
  path: "/alerts/stream",
  summary: "Follow matches as they happen",
  scope: "alerts:read",
  produces: "text/event-stream",
  query: Shape({
    alert_id: Type.Optional(Id("alt", "Only events of this alert.")),
    last_event_id: Type.Optional(Text("Resume after this event, like the header Last-Event-ID.", 64)),
  }),
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

const Notified = Shape({
  alert: Type.Record(Type.String(), Type.Unknown(), { description: "The alert: id, name, severity, labels." }),
  matches: Type.Array(MatchView, { description: "The matches, newest first; at most 100." }),
  total: Type.Integer({ description: "How many matches there are." }),
  suppressed_since_last: Type.Record(Type.String(), Type.Integer(), {
    description: "How many were not sent since the message before, by reason.",
  }),
});

export const events = [
  { type: "alert.matched", summary: "Content matched an alert and was sent at once.", data: Notified },
  { type: "alert.digest", summary: "Held matches were sent together.", data: Notified },
  {
    type: "alert.source_failed",
    summary: "A feed of an alert cannot be read: it is gone, is no feed, or has failed for a day.",
    data: Shape({
      alert_id: Id("alt"),
      source_id: Type.String({ description: "The feed, as in sources of the alert." }),
      url: Type.String({ description: "Its address." }),
      error: Type.String({ description: "Why it cannot be read." }),
    }),
  },
  {
    type: "alert.channel_disabled",
    summary: "A channel failed for five days, or its receiver asked to get nothing more.",
    data: Shape({
      alert_id: Id("alt"),
      channel_id: Id("chn"),
      type: Type.String({ description: "How it was sent." }),
      reason: Type.String({ description: "Why it was disabled." }),
    }),
  },
];
