// Webhooks as the outside sees them. Deliveries follow Standard Webhooks 1.0.0.
import Type from "typebox";
import { type EventType, route } from "../../contract/define.ts";
import { Choice, Id, Nullable, Page, pageQuery, Shape, Text, Time } from "../../contract/shapes.ts";

const Url = Type.String({
  minLength: 8,
  maxLength: 2048,
  description: "A public http or https address that answers 2xx within 15 seconds.",
  examples: ["https://example.com/hooks"],
});
const Types = Type.Array(Type.String({ maxLength: 64, examples: ["delivery.*"] }), {
  maxItems: 50,
  description:
    "Which events to send: exact types, families such as delivery.*, or * for all. An empty list, or none at all, also means all.",
  examples: [["delivery.*", "shopping.price_changed"]],
});
const Description = Text("Your own note.", 200);

export const Webhook = Shape({
  id: Id("whk"),
  url: Url,
  types: Types,
  description: Nullable(Description),
  status: Choice(["enabled", "disabled"], "A disabled webhook gets nothing until it is enabled again."),
  disabled_reason: Nullable(Type.String({ description: "Why it was disabled." })),
  disabled_at: Nullable(Time("When it was disabled.")),
  failing_since: Nullable(Time("The first failure since the last success.")),
  throttled_until: Nullable(Time("The endpoint asked for patience until then.")),
  old_secret_expires_at: Nullable(Time("Until then deliveries carry a signature of the old secret too.")),
  created_at: Time("When it was made."),
  updated_at: Time("When it was last changed."),
});

const NewWebhook = Shape({
  ...Webhook.properties,
  secret: Type.String({
    description: "Shown once. The HMAC key is the base64-decoded part after whsec_.",
    examples: ["whsec_…"],
  }),
});

export const Attempt = Shape({
  event_id: Id("evt"),
  event_type: Type.String({ description: "The type of the event." }),
  attempt: Type.Integer({ minimum: 1, description: "1 for the first." }),
  at: Time("When it was sent."),
  outcome: Choice(
    ["delivered", "kept_in_inbox", "retrying", "failed"],
    "kept_in_inbox: nothing was sent, it lies in GET /sandbox/inbox (test keys). Failed means that no further attempt is made.",
  ),
  status: Nullable(Type.Integer({ description: "The HTTP status of the answer, if one came." })),
  duration_ms: Type.Integer({ description: "How long the answer took." }),
  error: Nullable(Type.String({ description: "What went wrong, if something did." })),
  next_at: Nullable(Time("When it is tried again.")),
  request_body: Nullable(Type.String({ description: "What was sent; null when the event is no longer kept." })),
  answer_body: Nullable(Type.String({ description: "The first 1,000 bytes of the answer, if it had a body." })),
});

const params = Shape({ id: Id("whk") });

export const createWebhook = route({
  id: "webhooks.create",
  method: "POST",
  path: "/webhooks",
  summary: "Make a webhook",
  description: "With a test key, deliveries go to GET /sandbox/inbox instead of the address.",
  scope: "webhooks:write",
  status: 201,
  body: Shape({ url: Url, types: Type.Optional(Types), description: Type.Optional(Description) }),
  answer: NewWebhook,
  secretAnswer: true,
  errors: ["target_not_allowed", "plan_limit_reached"],
});

export const listWebhooks = route({
  id: "webhooks.list",
  method: "GET",
  path: "/webhooks",
  summary: "List webhooks",
  scope: "webhooks:write",
  query: Shape(pageQuery),
  answer: Page(Webhook),
});

export const getWebhook = route({
  id: "webhooks.get",
  method: "GET",
  path: "/webhooks/{id}",
  summary: "Read one webhook",
  scope: "webhooks:write",
  params,
  answer: Webhook,
  errors: ["not_found"],
});

export const changeWebhook = route({
  id: "webhooks.update",
  method: "PATCH",
  path: "/webhooks/{id}",
  summary: "Change a webhook",
  description: "Enabling it again starts with the events from now on; use replay for those in between.",
  scope: "webhooks:write",
  params,
  body: Shape(
    {
      url: Type.Optional(Url),
      types: Type.Optional(Types),
      description: Type.Optional(Nullable(Description)),
      status: Type.Optional(Choice(["enabled", "disabled"], "Turn it on or off.")),
    },
    { minProperties: 1 },
  ),
  answer: Webhook,
  errors: ["not_found", "target_not_allowed"],
});

export const deleteWebhook = route({
  id: "webhooks.delete",
  method: "DELETE",
  path: "/webhooks/{id}",
  summary: "Delete a webhook",
  scope: "webhooks:write",
  params,
  answer: Webhook,
  errors: ["not_found"],
});

export const testWebhook = route({
  id: "webhooks.test",
  method: "POST",
  path: "/webhooks/{id}/test",
  summary: "Send a test event now",
  description:
    "Sends one webhook.test event, or a sample of the type asked for, signed as any other, and answers with what came of it. It is not tried again.",
  scope: "webhooks:write",
  params,
  body: Shape({
    type: Type.Optional(
      Type.String({
        maxLength: 64,
        description: "An event type of which to send a sample; webhook.test unless given.",
        examples: ["delivery.scheduled"],
      }),
    ),
  }),
  bodyOptional: true,
  answer: Attempt,
  errors: ["not_found"],
});

export const rollWebhook = route({
  id: "webhooks.roll",
  method: "POST",
  path: "/webhooks/{id}/roll",
  summary: "Replace the secret",
  description: "For 24 hours deliveries carry two signatures, one of each secret.",
  scope: "webhooks:write",
  status: 201,
  params,
  answer: NewWebhook,
  secretAnswer: true,
  errors: ["not_found"],
});

export const listAttempts = route({
  id: "webhooks.attempts",
  method: "GET",
  path: "/webhooks/{id}/attempts",
  summary: "List delivery attempts",
  description: "Newest first.",
  scope: "webhooks:write",
  params,
  query: Shape({
    ...pageQuery,
    outcome: Type.Optional(Choice(["delivered", "kept_in_inbox", "retrying", "failed"], "Only these.")),
    event_id: Type.Optional(Id("evt", "Only attempts of this event.")),
  }),
  answer: Page(Attempt),
  errors: ["not_found"],
});

export const replayWebhook = route({
  id: "webhooks.replay",
  method: "POST",
  path: "/webhooks/{id}/replay",
  summary: "Send past events again",
  description:
    "One event by its id, or those of a time range, oldest first, at most 10,000 at a time. Each keeps its id.",
  scope: "webhooks:write",
  status: 202,
  params,
  body: Shape(
    {
      event_id: Type.Optional(Id("evt", "Just this one.")),
      since: Type.Optional(Time("From then on.")),
      until: Type.Optional(Time("Up to then; now unless given.")),
      failed_only: Type.Optional(Type.Boolean({ description: "Only those given up after their last attempt." })),
    },
    { minProperties: 1 },
  ),
  answer: Shape({ queued: Type.Integer({ description: "How many events will be sent." }) }),
  errors: ["not_found", "wrong_state"],
});

export const routes = [
  createWebhook,
  listWebhooks,
  getWebhook,
  changeWebhook,
  deleteWebhook,
  testWebhook,
  rollWebhook,
  listAttempts,
  replayWebhook,
];

export const events: EventType[] = [
  {
    type: "webhook.test",
    summary: "A test event that was asked for with POST /webhooks/{id}/test.",
    data: Shape({ webhook_id: Id("whk", "The webhook that is tested.") }),
    unlisted: true,
  },
  {
    type: "webhook.disabled",
    summary: "A webhook was disabled because its endpoint is gone, asked for it, or failed for 5 days.",
    data: Shape({ webhook_id: Id("whk"), url: Url, reason: Type.String({ description: "Why." }) }),
  },
];
