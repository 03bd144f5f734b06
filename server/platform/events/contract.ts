// Events as the outside sees them: a list to page through, a log to follow, a stream to listen to.
import Type from "typebox";
import { route } from "../../contract/define.ts";
import { Id, Mode, Page, pageQuery, Shape, Tags, Time } from "../../contract/shapes.ts";

export const Event = Shape({
  id: Id("evt", "The same on every channel; use it to notice repeats."),
  type: Type.String({ description: "What happened, in the past tense.", examples: ["delivery.scheduled"] }),
  created_at: Time("When it happened."),
  mode: Mode(),
  tags: Tags("Labels of the thing it happened to."),
  data: Type.Unknown({ description: "The thing after it happened; its shape depends on the type." }),
});

const type = Type.Optional(
  Type.String({
    maxLength: 500,
    description: "Only these types, comma-separated; delivery.* stands for a family.",
    examples: ["delivery.scheduled,shopping.*"],
  }),
);

export const listEventsRoute = route({
  id: "events.list",
  method: "GET",
  path: "/events",
  summary: "List events",
  description:
    "Newest first. With after, oldest first from behind that event: keep the id of the last event you handled and you never miss one, without a public address.",
  scope: "events:read",
  query: Shape({
    ...pageQuery,
    type,
    tag: Type.Optional(Type.String({ maxLength: 64, description: "Only events that carry this tag." })),
    object: Type.Optional(
      Type.String({
        pattern: "^[a-z]{2,4}_[0-9A-Za-z]{10,40}$",
        description: "Only events that name this id in their data.",
        examples: ["dlv_01K8XW1YN7E3V8M2C5H9Q4T6ZD"],
      }),
    ),
    since: Type.Optional(Time("Only from this time on.")),
    until: Type.Optional(Time("Only before this time.")),
    after: Type.Optional(Id("evt", "Only what came after this event, oldest first.")),
  }),
  answer: Page(Event),
  errors: ["not_found", "invalid_cursor"],
});

export const getEventRoute = route({
  id: "events.get",
  method: "GET",
  path: "/events/{id}",
  summary: "Read one event",
  scope: "events:read",
  params: Shape({ id: Id("evt") }),
  answer: Event,
  errors: ["not_found"],
});

export const streamEventsRoute = route({
  id: "events.stream",
  method: "GET",
  path: "/events/stream",
  summary: "Listen to events",
  description:
    "Server-sent events: each carries its id, its type as the event name, and the event as data. Reconnect with Last-Event-ID to go on where you were; an event named reset says that this place is no longer kept. The first event is named ready: from then on nothing is missed. A comment comes every 15 seconds. A reader that lets more than 1 MiB pile up is dropped.",
  scope: "events:read",
  query: Shape({ type, last_event_id: Type.Optional(Id("evt", "The same as the header Last-Event-ID.")) }),
  produces: "text/event-stream",
});

export const routes = [listEventsRoute, streamEventsRoute, getEventRoute];
