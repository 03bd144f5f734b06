// Routes without an API key, for receivers of mail and for WebSub hubs. An unguessable token authorises them.
import Type from "typebox";
import { route } from "../../../contract/define.ts";
import { Shape } from "../../../contract/shapes.ts";

const token = Shape({ token: Type.String({ pattern: "^[0-9A-Za-z_-]{20,64}$", description: "Unguessable." }) });

export const confirmPage = route({
  id: "alerts.confirm_page",
  method: "GET",
  path: "/alerts/confirm/{token}",
  mount: "root",
  summary: "The page that asks whether to send mail to an address",
  scope: null,
  params: token,
  produces: "text/html",
  errors: ["not_found"],
});
export const confirm = route({
  id: "alerts.confirm",
  method: "POST",
  path: "/alerts/confirm/{token}",
  mount: "root",
  summary: "Agree to mail",
  scope: null,
  params: token,
  produces: "text/html",
  consumes: ["application/x-www-form-urlencoded"],
  bodyOptional: true,
  errors: ["not_found"],
});
export const unsubscribePage = route({
  id: "alerts.unsubscribe_page",
  method: "GET",
  path: "/alerts/unsubscribe/{token}",
  mount: "root",
  summary: "The page that asks whether to end mail",
  scope: null,
  params: token,
  produces: "text/html",
  errors: ["not_found"],
});
export const unsubscribe = route({
  id: "alerts.unsubscribe",
  method: "POST",
  path: "/alerts/unsubscribe/{token}",
  mount: "root",
  summary: "End mail with one click (RFC 8058)",
  scope: null,
  params: token,
  produces: "text/html",
  consumes: ["application/x-www-form-urlencoded", "multipart/form-data"],
  bodyOptional: true,
  errors: ["not_found"],
});

const FEED_TYPES = [
  "application/rss+xml",
  "application/atom+xml",
  "application/xml",
  "text/xml",
  "application/rdf+xml",
  "application/feed+json",
];
const Hub = (description: string) => Type.Optional(Type.String({ maxLength: 2000, description }));

export const verifyHub = route({
  id: "alerts.hub_verify",
  method: "GET",
  path: "/alerts/websub/{token}",
  mount: "root",
  summary: "A WebSub hub asks whether we want its pushes",
  scope: null,
  params: token,
  query: Shape({
    "hub.mode": Type.String({ maxLength: 20, description: "subscribe or denied." }),
    "hub.topic": Type.String({ maxLength: 2000, description: "The feed." }),
    "hub.challenge": Hub("To be given back."),
    "hub.lease_seconds": Hub("For how long it will push."),
    "hub.reason": Hub("Why it was denied."),
  }),
  produces: "text/plain",
  errors: ["not_found"],
});
export const pushFromHub = route({
  id: "alerts.hub_push",
  method: "POST",
  path: "/alerts/websub/{token}",
  mount: "root",
  summary: "A WebSub hub pushes a feed",
  scope: null,
  params: token,
  status: 202,
  consumes: FEED_TYPES,
  maxBodyBytes: 10_485_760,
  bodyOptional: true,
  produces: "text/plain",
  errors: ["not_found"],
});
