// Request shapes of alerts. Data, no logic; the descriptions are the documentation.
import Type, { type Static } from "typebox";
import { about, Choice, named, Nullable, Shape, Text, Time } from "../../../contract/shapes.ts";
import { alsoAs } from "../../../contract/shorthand.ts";
import { asChannelAddress, asFeedAddress, asTagList, MAIL, TOPIC } from "./shorthand.ts";

export const CHANNEL_TYPES = [
  "webhook",
  "sse",
  "email",
  "slack",
  "discord",
  "teams",
  "mattermost",
  "telegram",
  "ntfy",
  "gotify",
  "matrix",
  "pagerduty",
] as const;
export const FIELD_NAMES = ["tags", "title", "text", "url", "author"] as const;
const Term = Type.String({ format: "text", minLength: 1, maxLength: 256 });
const Terms = (description: string) => Type.Optional(Type.Array(Term, { maxItems: 100, description }));
const Clock = (description: string) =>
  Type.String({ pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$", description, examples: ["08:00"] });
const Zone = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "An IANA time zone.",
  examples: ["Europe/Berlin"],
});
const Address = (description: string) =>
  Type.String({ minLength: 8, maxLength: 2000, description, examples: ["https://example.com/feed.xml"] });
const Secret = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 500, description }));

export const Match = Shape({
  fields: Type.Optional(
    Type.Array(Choice([...FIELD_NAMES], "A field."), {
      minItems: 1,
      maxItems: 5,
      description: "Where bare words are looked for.",
    }),
  ),
  whole_word: Type.Optional(Type.Boolean({ description: "False lets a word go on: acme finds acmeshop." })),
  case_sensitive: Type.Optional(Type.Boolean({ description: "Whether Apple and apple are two words." })),
  diacritics: Type.Optional(Choice(["fold", "exact"], "Whether café and cafe are one word.")),
  hashtags: Type.Optional(Choice(["unify", "strict"], "Whether a bare word also finds the hashtag.")),
});

export const ConditionSpec = Shape({
  field: Type.String({
    pattern: "^[a-z_][a-z0-9_.]{0,63}$",
    description: "A number the content or event carries.",
    examples: ["price"],
  }),
  op: Choice(["lt", "lte", "gt", "gte", "eq", "changed", "crosses_above", "crosses_below"], "When it fires."),
  value: Type.Optional(
    Type.Union([Type.Number(), Type.String({ format: "decimal" })], { description: "The threshold; not for changed." }),
  ),
  rearm: Type.Optional(Choice(["on_clear", "never", "always"], "When it may fire again.")),
  hysteresis: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: "The share of the threshold by which the value must have left first.",
    }),
  ),
});

export const SourceSpec = Shape({
  type: Choice(["feed", "ingest", "events"], "Where content comes from."),
  url: Type.Optional(Address("feed: the feed, or a page that names one.")),
  interval_s: Type.Optional(
    Type.Integer({
      minimum: 300,
      maximum: 604_800,
      description: "feed: how often to look; the publisher may ask for less.",
    }),
  ),
  stream: Type.Optional(Text("ingest: only content pushed with this source.", 100)),
  topics: Type.Optional(
    Type.Array(Type.String({ pattern: "^[a-z]+\\.([a-z_]+|\\*)$", examples: ["shopping.price_changed"] }), {
      minItems: 1,
      maxItems: 50,
      description: "events: only these types.",
    }),
  ),
});

export const ChannelSpec = Shape({
  type: Choice([...CHANNEL_TYPES], "How you are notified."),
  url: Type.Optional(Address("webhook, slack, discord, teams, mattermost: where to post.")),
  secret: Secret("webhook: your whsec_ secret; one is made unless given."),
  to: Type.Optional(
    Type.String({
      pattern: `^${MAIL}$`,
      description: "email: the address.",
      examples: ["ada@example.com"],
    }),
  ),
  token: Secret("telegram, gotify, matrix, ntfy: the access token."),
  chat_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: "telegram: the chat." })),
  thread_id: Type.Optional(Type.Integer({ minimum: 1, description: "telegram: the topic in the chat." })),
  topic: Type.Optional(Type.String({ pattern: `^${TOPIC}$`, description: "ntfy: the topic." })),
  room_id: Type.Optional(Type.String({ minLength: 2, maxLength: 255, description: "matrix: the room." })),
  routing_key: Secret("pagerduty: the integration key."),
  base_url: Type.Optional(Address("gotify, matrix, ntfy: the server.")),
});

export const DeliveryRules = Shape({
  mode: Type.Optional(Choice(["instant", "digest"], "At once, or collected.")),
  cooldown_s: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 604_800, description: "After a message, the time until the next." }),
  ),
  cooldown_mode: Type.Optional(
    Choice(["batch", "drop"], "Whether what matches meanwhile is kept for one message, or only counted."),
  ),
  max_per_hour: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 3600, description: "Messages in any 60 minutes; more wait." }),
  ),
  group_by: Type.Optional(
    Type.Array(Choice(["source", "subject"], "What makes a group."), {
      maxItems: 2,
      description: "Groups cool down apart.",
    }),
  ),
  digest: Type.Optional(
    about(
      Shape({
        every: Choice(["hour", "day", "week"], "How often."),
        at: Type.Optional(Clock("When, on the wall clock.")),
        weekday: Type.Optional(Choice(["mon", "tue", "wed", "thu", "fri", "sat", "sun"], "For week.")),
        timezone: Type.Optional(Zone),
        max_items: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 100, description: "How many matches a digest shows; 20 unless given." }),
        ),
        send_empty: Type.Optional(Type.Boolean({ description: "Whether a digest without matches is sent too." })),
      }),
      "For digest: how often and when.",
    ),
  ),
  quiet_hours: Type.Optional(
    Type.Array(
      Shape({
        days: Type.Optional(
          Type.Array(Type.String({ maxLength: 9, examples: ["mon-fri"] }), {
            maxItems: 7,
            description: "On which days, e.g. mon-fri; every day unless given.",
          }),
        ),
        from: Clock("When quiet begins."),
        to: Clock("When it ends; before `from` means the next day."),
        timezone: Type.Optional(Zone),
      }),
      { maxItems: 14, description: "Matches wait until they are over." },
    ),
  ),
});

export const DedupeRules = Shape({
  by: Type.Optional(Choice(["auto", "guid", "url", "content", "none"], "By what an item is known again.")),
  window_s: Type.Optional(Type.Integer({ minimum: 60, maximum: 31_536_000, description: "For how long." })),
  on_update: Type.Optional(
    Choice(
      ["ignore", "notify"],
      "Whether an item that was edited may match again: only when a sentence that matches was not there before.",
    ),
  ),
});

export const Labels = Type.Record(Type.String({ pattern: "^[A-Za-z0-9_.-]{1,64}$" }), Type.String({ maxLength: 256 }), {
  additionalProperties: false,
  maxProperties: 20,
  description: "Your own grouping; not what is watched.",
});
export const Severity = Choice(["info", "warning", "critical"], "How loud channels should be.");

const TagsSpec = Shape(
  { any: Terms("At least one of these."), all: Terms("All of these."), none: Terms("None of these.") },
  { minProperties: 1, description: "Several, without writing a query.", examples: [{ any: ["kettle", "teapot"] }] },
);
const FEED_EXAMPLE = { type: "feed", url: "https://example.com/feed.xml" };
const MAIL_EXAMPLE = { type: "email", to: "ada@example.com" };
const SourceForms = { ...alsoAs(named("AlertSource", SourceSpec), asFeedAddress), examples: [FEED_EXAMPLE] };
const ChannelForms = { ...alsoAs(named("AlertChannel", ChannelSpec), asChannelAddress), examples: [MAIL_EXAMPLE] };

const changeable = {
  name: Type.Optional(Text("What you call it; the query unless given.", 120)),
  tag: Type.Optional(
    Type.String({
      format: "text",
      minLength: 1,
      maxLength: 256,
      description: "One hashtag, word or phrase.",
      examples: ["#launch"],
    }),
  ),
  tags: Type.Optional(alsoAs(named("AlertTags", TagsSpec), asTagList)),
  query: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4096,
      description:
        'AND OR NOT, "phrases", NEAR/5, prefix*, title: text: tag: author: url: site: lang: source:, =Exact, price<30.',
      examples: ['(#launch OR "product launch") AND acme* -hiring'],
    }),
  ),
  match: Type.Optional(named("AlertMatching", Match, "How words are compared.")),
  condition: Type.Optional(
    Nullable(named("AlertCondition", ConditionSpec, "A number that must hold as well; null for none.")),
  ),
  sources: Type.Optional(
    Type.Array(SourceForms, {
      examples: [[FEED_EXAMPLE]],
      minItems: 1,
      maxItems: 20,
      description: "Pushed content and events unless given.",
    }),
  ),
  channels: Type.Optional(
    Type.Array(ChannelForms, {
      examples: [[MAIL_EXAMPLE]],
      maxItems: 10,
      description: "The event stream always has it as well.",
    }),
  ),
  delivery: Type.Optional(named("AlertDeliveryRules", DeliveryRules, "When messages are sent; at once unless given.")),
  dedupe: Type.Optional(named("AlertDedupe", DedupeRules, "How repeats are noticed.")),
  severity: Type.Optional(Severity),
  labels: Type.Optional(Labels),
  expires_at: Type.Optional(Nullable(Time("When it ends by itself."))),
};

export const NewAlert = Shape(
  {
    ...changeable,
    backfill: Type.Optional(Choice(["none", "preview", "deliver"], "What to do with content already there.")),
    enabled: Type.Optional(Type.Boolean({ description: "False makes it paused." })),
  },
  { exactlyOne: ["tag", "tags", "query"] },
);
export const AlertChange = Shape(
  { ...changeable, enabled: Type.Optional(Type.Boolean({ description: "False pauses the alert, true resumes it." })) },
  { minProperties: 1 },
);

export const NewContent = Shape(
  {
    id: Type.Optional(Text("Your id; the same id again is not new.", 500)),
    title: Type.Optional(Type.String({ maxLength: 2000, description: "Its title." })),
    text: Type.Optional(Type.String({ maxLength: 200_000, description: "Its text." })),
    html: Type.Optional(Type.String({ maxLength: 500_000, description: "Read as text, instead of `text`." })),
    url: Type.Optional(Type.String({ maxLength: 2000, description: "Its address." })),
    tags: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 50, description: "Its tags." }),
    ),
    author: Type.Optional(Type.String({ maxLength: 300, description: "Who wrote it." })),
    lang: Type.Optional(
      Type.String({
        pattern: "^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*$",
        description: "Its language, e.g. de or pt-BR.",
      }),
    ),
    source: Type.Optional(Text("What it comes from; alerts can ask for one.", 100)),
    numbers: Type.Optional(
      Type.Record(
        Type.String({ pattern: "^[a-z_][a-z0-9_.]{0,63}$" }),
        Type.Union([Type.Number(), Type.String({ format: "decimal" })]),
        {
          additionalProperties: false,
          maxProperties: 50,
          description: "Numbers for conditions and comparisons, e.g. price.",
        },
      ),
    ),
    published_at: Type.Optional(Time("When it was published.")),
  },
  { minProperties: 1 },
);

export type NewAlert = Static<typeof NewAlert>;
export type AlertChange = Static<typeof AlertChange>;
export type NewContent = Static<typeof NewContent>;
export type ChannelSpec = Static<typeof ChannelSpec>;
export type SourceSpec = Static<typeof SourceSpec>;
