// Answer shapes of alerts. Data, no logic; the descriptions are the documentation.
import Type, { type Static } from "typebox";
import { Choice, Id, Nullable, Shape, Time } from "../../../contract/shapes.ts";
import { ConditionSpec, DedupeRules, DeliveryRules, Labels, Match, Severity } from "./requests.ts";

const Warning = Shape({ code: Type.String(), term: Nullable(Type.String()), detail: Type.String() });
const Highlight = Shape({ field: Type.String(), start: Type.Integer(), end: Type.Integer() });
export const Sample = Shape({
  title: Nullable(Type.String()),
  url: Nullable(Type.String()),
  at: Time("When it came in."),
  highlights: Type.Array(Highlight),
});
export const Preview = Shape({
  scanned: Type.Integer({ description: "How many recent contents were looked at." }),
  matched: Type.Integer(),
  estimated_per_day: Nullable(Type.Number({ description: "Null when too little is known." })),
  samples: Type.Array(Sample),
});
export const QueryView = Shape({
  source: Type.String(),
  canonical: Type.String(),
  leaves: Type.Integer(),
  required_terms: Type.Array(Type.String()),
  warnings: Type.Array(Warning),
});
const SourceView = Shape({
  id: Nullable(Type.String()),
  type: Type.String(),
  url: Nullable(Type.String()),
  format: Nullable(Type.String()),
  stream: Nullable(Type.String()),
  topics: Nullable(Type.Array(Type.String())),
  status: Choice(["active", "backing_off", "failing", "gone"], "How it does."),
  poll_reason: Nullable(Type.String()),
  next_poll_at: Nullable(Time("When it is read next.")),
  last_error: Nullable(Type.String()),
});
const ChannelView = Shape({
  id: Id("chn"),
  type: Type.String(),
  target: Nullable(Type.String({ description: "Where it goes; secrets are never shown." })),
  status: Choice(["pending_verification", "active", "failing", "disabled"], "How it does."),
  last_error: Nullable(Type.String()),
  secret: Type.Optional(Type.String({ description: "Shown once, when it is made." })),
});
const Suppressed = Shape({
  duplicate: Type.Integer(),
  cooldown: Type.Integer(),
  quiet: Type.Integer(),
  rate: Type.Integer(),
  snoozed: Type.Integer(),
});

export const Alert = Shape({
  id: Id("alt"),
  status: Choice(["pending_verification", "active", "snoozed", "paused", "degraded", "expired"], "What it does now."),
  name: Type.String(),
  severity: Severity,
  labels: Labels,
  created_at: Time("When it was made."),
  updated_at: Time("When it was last changed."),
  expires_at: Nullable(Time("When it ends.")),
  snoozed_until: Nullable(Type.String({ description: "A time, or `clear`." })),
  query: QueryView,
  match: Match,
  condition: Nullable(ConditionSpec),
  sources: Type.Array(SourceView),
  channels: Type.Array(ChannelView),
  delivery: DeliveryRules,
  dedupe: DedupeRules,
  preview: Nullable(Preview),
  stats: Shape({ matched: Type.Integer(), notified: Type.Integer(), suppressed: Suppressed, held: Type.Integer() }),
  links: Type.Record(Type.String(), Type.String()),
});

export const Item = Shape({
  id: Nullable(Type.String()),
  title: Nullable(Type.String()),
  summary: Nullable(Type.String()),
  url: Nullable(Type.String()),
  author: Nullable(Type.String()),
  source: Nullable(Type.String()),
  tags: Type.Array(Type.String()),
  numbers: Type.Record(Type.String(), Type.String()),
  published_at: Nullable(Time("When it was published.")),
  edited: Type.Boolean({ description: "Whether an earlier version of it was known." }),
});
export const MatchView = Shape({
  id: Id("mch"),
  alert_id: Id("alt"),
  state: Choice(["held", "notified", "suppressed"], "What became of it."),
  reason: Nullable(Type.String()),
  due_at: Nullable(Time("When it will be sent.")),
  matched_terms: Type.Array(Type.String()),
  highlights: Type.Array(Highlight),
  item: Item,
  created_at: Time("When it matched."),
});
export const DeliveryView = Shape({
  id: Id("ntf"),
  channel_id: Id("chn"),
  type: Type.String(),
  status: Choice(["queued", "retrying", "delivered", "dead"], "What became of it."),
  attempts: Type.Integer(),
  next_attempt_at: Nullable(Time("When it is tried next.")),
  last_error: Nullable(Type.String()),
  total: Type.Integer(),
  created_at: Time("When it was made."),
});

export type Alert = Static<typeof Alert>;
export type Preview = Static<typeof Preview>;
export type MatchView = Static<typeof MatchView>;
export type Item = Static<typeof Item>;
export type DeliveryView = Static<typeof DeliveryView>;
