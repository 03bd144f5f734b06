// Answer shapes of alerts. Data, no logic; the descriptions are the documentation.
import Type, { type Static } from "typebox";
import { Choice, Id, named, Nullable, Shape, Time } from "../../../contract/shapes.ts";
import { ConditionSpec, DedupeRules, DeliveryRules, Labels, Match, Severity } from "./requests.ts";

export const Warning = Shape({
  code: Type.String({ description: "The kind of warning." }),
  term: Nullable(Type.String({ description: "The term it is about." })),
  detail: Type.String({ description: "What may go wrong." }),
});
const Highlight = Shape({
  field: Type.String({ description: "title, text, tags, url or author." }),
  start: Type.Integer({ description: "UTF-16 offset of the first character." }),
  end: Type.Integer({ description: "UTF-16 offset behind the last." }),
});
export const Sample = Shape({
  title: Nullable(Type.String({ description: "Its title." })),
  url: Nullable(Type.String({ description: "Its address." })),
  at: Time("When it came in."),
  highlights: Type.Array(Highlight, { description: "Where the terms stand." }),
});
export const Preview = Shape({
  scanned: Type.Integer({ description: "How many recent contents were looked at." }),
  matched: Type.Integer({ description: "How many of them matched." }),
  estimated_per_day: Nullable(Type.Number({ description: "Null when too little is known." })),
  samples: Type.Array(Sample, { description: "Some that matched, newest first." }),
});
export const QueryView = Shape({
  source: Type.String({ description: "The query as you wrote it, or as it was made from tag or tags." }),
  canonical: Type.String({ description: "The query as it was understood." }),
  leaves: Type.Integer({ description: "How many terms it has." }),
  required_terms: Type.Array(Type.String(), { description: "Terms of which one must be present." }),
  warnings: Type.Array(Warning, { description: "What may match too much or nothing." }),
});
const SourceView = Shape({
  id: Nullable(Type.String({ description: "Id of a feed; null for pushed content and events." })),
  type: Type.String({ description: "feed, ingest or events." }),
  url: Nullable(Type.String({ description: "Address of the feed." })),
  format: Nullable(Type.String({ description: "rss, atom, json or rdf, once it was read." })),
  stream: Nullable(Type.String({ description: "Only content pushed with this source." })),
  topics: Nullable(Type.Array(Type.String(), { description: "Only these event types." })),
  status: Choice(["active", "backing_off", "failing", "gone"], "How it does."),
  poll_reason: Nullable(
    Type.String({
      description:
        "Why it is read that often: requested (interval_s), ttl, cache-control, sy or skipHours (the publisher), default (every hour), no-validator (every 4 hours, since each reading moves the whole feed), retry-after, backoff, gone.",
    }),
  ),
  next_poll_at: Nullable(Time("When it is read next.")),
  last_error: Nullable(Type.String({ description: "What went wrong the last time." })),
});
const ChannelView = Shape({
  id: Id("chn"),
  type: Type.String({ description: "How it is sent." }),
  target: Nullable(Type.String({ description: "Where it goes; secrets are never shown." })),
  status: Choice(["pending_verification", "active", "failing", "disabled"], "How it does."),
  last_error: Nullable(Type.String({ description: "What went wrong the last time." })),
  secret: Type.Optional(Type.String({ description: "Shown once, when it is made." })),
});
const Suppressed = Shape({
  duplicate: Type.Integer({ description: "Known already." }),
  cooldown: Type.Integer({ description: "Dropped while the alert cooled down." }),
  quiet: Type.Integer({ description: "Dropped in quiet hours." }),
  rate: Type.Integer({ description: "Dropped beyond max_per_hour." }),
  snoozed: Type.Integer({ description: "Matched while the alert was snoozed." }),
});

const Stats = Shape({
  matched: Type.Integer({ description: "Matches in all." }),
  notified: Type.Integer({ description: "Matches that were sent." }),
  suppressed: named("AlertSuppressed", Suppressed, "Matches that were not sent, by reason."),
  held: Type.Integer({ description: "Matches that wait for a message." }),
});

const Links = Shape({
  self: Type.String({ description: "The alert." }),
  matches: Type.String({ description: "What it matched." }),
  deliveries: Type.String({ description: "Its messages." }),
  stream: Type.String({ description: "Its matches as they come." }),
});

export const Alert = Shape({
  id: Id("alt"),
  status: Choice(["pending_verification", "active", "snoozed", "paused", "degraded", "expired"], "What it does now."),
  name: Type.String({ description: "What you call it." }),
  severity: Severity,
  labels: Labels,
  created_at: Time("When it was made."),
  updated_at: Time("When it was last changed."),
  expires_at: Nullable(Time("When it ends.")),
  warnings: Type.Array(Warning, {
    description:
      "What may keep it from doing what you want: nothing watched, nobody notified, a feed that cannot be read.",
  }),
  snoozed_until: Nullable(Type.String({ description: "A time, or `clear`." })),
  query: named("AlertQuery", QueryView, "What is watched."),
  match: named("AlertMatching", Match, "How words are compared."),
  condition: Nullable(named("AlertCondition", ConditionSpec, "A number that must hold as well.")),
  sources: Type.Array(SourceView, { description: "Where its content comes from." }),
  channels: Type.Array(ChannelView, { description: "Where its messages go." }),
  delivery: named("AlertDeliveryRules", DeliveryRules, "When messages are sent."),
  dedupe: named("AlertDedupe", DedupeRules, "How repeats are noticed."),
  preview: Nullable(named("AlertPreview", Preview, "What recent content would have matched; only when it was made.")),
  stats: named("AlertStats", Stats, "What it has done so far."),
  links: named("AlertLinks", Links, "Where more about it is found."),
});

export const Item = Shape({
  id: Nullable(Type.String({ description: "The id it was pushed with, or that its feed gives." })),
  title: Nullable(Type.String({ description: "Its title." })),
  summary: Nullable(Type.String({ description: "The beginning of its text." })),
  url: Nullable(Type.String({ description: "Its address." })),
  author: Nullable(Type.String({ description: "Who wrote it." })),
  source: Nullable(Type.String({ description: "What it comes from." })),
  tags: Type.Array(Type.String(), { description: "Its tags." }),
  numbers: Type.Record(Type.String(), Type.String(), { description: "The numbers it carries." }),
  published_at: Nullable(Time("When it was published.")),
  edited: Type.Boolean({ description: "Whether an earlier version of it was known." }),
});
export const MatchView = Shape({
  id: Id("mch"),
  alert_id: Id("alt"),
  state: Choice(["held", "notified", "suppressed"], "What became of it."),
  reason: Nullable(Type.String({ description: "Why it was held or suppressed." })),
  due_at: Nullable(Time("When it will be sent.")),
  matched_terms: Type.Array(Type.String(), { description: "The terms that were found." }),
  highlights: Type.Array(Highlight, { description: "Where they stand." }),
  item: named("AlertItem", Item, "The content that matched."),
  created_at: Time("When it matched."),
});
export const DeliveryView = Shape({
  id: Id("ntf"),
  channel_id: Id("chn"),
  type: Type.String({ description: "How it is sent." }),
  status: Choice(["queued", "retrying", "delivered", "dead"], "What became of it."),
  attempts: Type.Integer({ description: "How often it was tried." }),
  next_attempt_at: Nullable(Time("When it is tried next.")),
  last_error: Nullable(Type.String({ description: "What went wrong the last time." })),
  total: Type.Integer({ description: "How many matches it tells of." }),
  created_at: Time("When it was made."),
});

export type Alert = Static<typeof Alert>;
export type Preview = Static<typeof Preview>;
export type MatchView = Static<typeof MatchView>;
export type Item = Static<typeof Item>;
export type DeliveryView = Static<typeof DeliveryView>;
