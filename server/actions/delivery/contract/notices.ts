// Messages to recipients: asked for on the order, shown on the delivery. Data, no logic.
import Type, { type Static } from "typebox";
import { Choice, Nullable, Shape, Time } from "../../../contract/shapes.ts";
export const NOTICE_EVENTS = ["on_its_way", "near", "delivered", "failed"] as const;
/** Those of the tracking page. */
export const NOTICE_LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "tr", "ja", "zh", "ar"];

const EventName = Choice([...NOTICE_EVENTS], "A moment the recipient hears of.");
const Language = Choice(NOTICE_LANGUAGES, "Language of the messages and of the tracking page they link to.");

export const Notify = Shape(
  {
    email: Type.Optional(
      Type.String({
        pattern: '^[^@\\s<>",;]+@[^@\\s<>",;]+$',
        maxLength: 254,
        description: "Where mail goes.",
        examples: ["ada@example.com"],
      }),
    ),
    phone: Type.Optional(
      Type.String({
        pattern: "^\\+[1-9][0-9]{6,14}$",
        description: "Where text messages go, by your gateway (settings.sms_url).",
        examples: ["+4930123456"],
      }),
    ),
    language: Type.Optional(Language),
    events: Type.Optional(
      Type.Array(EventName, { minItems: 1, maxItems: 4, uniqueItems: true, description: "All four unless given." }),
    ),
  },
  {
    minProperties: 1,
    description: "Messages to the recipient, who agreed to get them; each has a way to stop them.",
    examples: [{ email: "ada@example.com", language: "en" }],
  },
);
export type Notify = Static<typeof Notify>;

export const NotifyView = Nullable(
  Shape({
    email: Nullable(Type.String({ description: "Where mail goes.", examples: ["ada@example.com"] })),
    phone: Nullable(Type.String({ description: "Where text messages go." })),
    language: Language,
    events: Type.Array(EventName, { description: "Which of them are sent." }),
    sent: Type.Array(
      Shape({
        event: EventName,
        channel: Choice(["email", "phone"], "How it was sent."),
        at: Time("When."),
        status: Choice(
          ["sent", "failed", "stopped", "simulated"],
          "stopped: the recipient wants none; simulated: a test key.",
        ),
      }),
      { description: "What was sent so far." },
    ),
  }),
);
