// Routes of content: trying a query on it, pushing it, following what it matches.
import Type from "typebox";
import { route } from "../../../contract/define.ts";
import { Id, named, Nullable, Shape, Text } from "../../../contract/shapes.ts";
import { Preview, QueryView, Warning } from "./answers.ts";
import { Match, NewAlert, NewContent } from "./requests.ts";

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
    warnings: Type.Array(Warning, { description: "Why alerts that you expect here may be missing." }),
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
