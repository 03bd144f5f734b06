// Requests: the log of what a world has asked, and its refusals by error code.
import Type from "typebox";
import { route } from "../../../contract/define.ts";
import { Choice, Id, Mode, Nullable, Page, Shape, Text, Time, named, pageQuery } from "../../../contract/shapes.ts";

export const METHODS = ["GET", "POST", "PATCH", "DELETE"] as const;

const LoggedRequest = named(
  "LoggedRequest",
  Shape({
    id: Id("req", "The request's id, as its X-Request-Id header had it."),
    at: Time("When it arrived."),
    method: Type.String({ description: "Its HTTP method." }),
    path: Type.String({ description: "Its path and query, cut after 500 characters." }),
    route: Type.String({
      description: "The route that served it, e.g. delivery.schedule; none where there is no such route.",
    }),
    action: Type.String({ description: "The first word of the route, e.g. delivery." }),
    status: Type.Integer({ description: "The status of its answer." }),
    error_code: Nullable(Type.String({ description: "The code of its refusal." })),
    duration_ms: Type.Number({ description: "How long the service took until the answer began." }),
    key_id: Id("key", "The key that sent it."),
  }),
);

export const listRequests = route({
  id: "usage.requests",
  method: "GET",
  path: "/usage/requests",
  summary: "The log of requests, newest first",
  description:
    "Written every few seconds, without bodies. The newest 10,000 of this world are kept, for CONNECTOR_REQUEST_LOG_DAYS. In a burst of more than 500 within two seconds only the newest are logged; the counts of GET /usage and GET /usage/errors are complete.",
  scope: "usage:read",
  query: Shape({
    ...pageQuery,
    outcome: Type.Optional(Choice(["succeeded", "failed"], "failed: only answers of 400 or above.")),
    status: Type.Optional(
      Type.Integer({ minimum: 100, maximum: 599, description: "Only this status.", examples: [429] }),
    ),
    error_code: Type.Optional(Text("Only this error code.", 64)),
    action: Type.Optional(Text("Only routes of this action, e.g. delivery.", 32)),
    route: Type.Optional(Text("Only this route, e.g. delivery.schedule.", 64)),
    method: Type.Optional(Choice([...METHODS], "Only this method.")),
    key_id: Type.Optional(Id("key", "Only this key's requests.")),
    request_id: Type.Optional(Id("req", "Only this request.")),
    since: Type.Optional(Time("Only from this time on.")),
    until: Type.Optional(Time("Only before this time.")),
  }),
  answer: Page(LoggedRequest),
});

export const listErrors = route({
  id: "usage.errors",
  method: "GET",
  path: "/usage/errors",
  summary: "Refusals by error code, with what to do about each",
  description:
    "Counts every refused request of a known key, also those that the quota refused, which GET /usage leaves out. At most 31 days, in whole hours.",
  scope: "usage:read",
  query: Shape({
    from: Type.Optional(Time("Start, inclusive; the last 24 hours unless given.")),
    to: Type.Optional(Time("End, exclusive; now unless given.")),
  }),
  answer: Shape({
    from: Time("Start of the range."),
    to: Time("End of the range."),
    mode: Mode(),
    requests: Type.Integer({ description: "All refused requests of the range." }),
    items: Type.Array(
      named(
        "ErrorCount",
        Shape({
          code: Type.String({ description: "The error code." }),
          status: Type.Integer({ description: "Its HTTP status." }),
          title: Type.String({ description: "What it means, in a few words." }),
          hint: Type.String({ description: "What the caller can do about it." }),
          requests: Type.Integer({ description: "How many requests it refused." }),
          routes: Type.Array(Type.String(), { description: "The routes that refused, the most frequent first." }),
          last_at: Time("When it last happened."),
          last_request_id: Id("req", "The request it last happened to."),
        }),
      ),
      { description: "The most frequent first." },
    ),
  }),
});

export const routes = [listRequests, listErrors];
