// The routes without a key: pages for recipients and couriers, webhooks of courier services. Data, no logic.
import Type from "typebox";
import { route } from "../../../contract/define.ts";
import { Choice, Id, Nullable, Shape, Text, Time } from "../../../contract/shapes.ts";
import { Proof } from "./delivery.ts";
import { Latitude, Longitude } from "./shapes.ts";

const TokenParams = Shape({ token: Type.String({ pattern: "^[0-9A-Za-z_-]{20,64}$", description: "Unguessable." }) });

const LanguageQuery = Shape({
  lang: Type.Optional(Type.String({ pattern: "^[a-z]{2}$", description: "A language; the browser's unless given." })),
});

export const trackPage = route({
  id: "delivery.track",
  method: "GET",
  path: "/track/{token}",
  mount: "root",
  summary: "The public page of a delivery",
  scope: null,
  params: TokenParams,
  query: LanguageQuery,
  produces: "text/html",
  errors: ["not_found"],
});

export const trackLive = route({
  id: "delivery.track_live",
  method: "GET",
  path: "/track/{token}/live",
  mount: "root",
  summary: "What changes on the public page, as it changes",
  scope: null,
  params: TokenParams,
  query: LanguageQuery,
  produces: "text/event-stream",
  errors: ["not_found"],
});

export const trackForm = route({
  id: "delivery.track_form",
  method: "POST",
  path: "/track/{token}",
  mount: "root",
  summary: "What a recipient says on the public page",
  scope: null,
  params: TokenParams,
  consumes: ["application/x-www-form-urlencoded"],
  maxBodyBytes: 65_536,
  produces: "text/html",
  errors: ["not_found", "wrong_state"],
});

export const trackFile = route({
  id: "delivery.track_file",
  method: "GET",
  path: "/track/{token}/{file}",
  mount: "root",
  summary: "A file of the public page",
  scope: null,
  params: Shape({ ...TokenParams.properties, file: Choice(["app.js", "photo"], "Which file.") }),
  produces: "text/javascript",
  errors: ["not_found"],
});

export const courierPage = route({
  id: "delivery.courier_page",
  method: "GET",
  path: "/courier/{token}",
  mount: "root",
  summary: "The page of a courier",
  scope: null,
  params: TokenParams,
  produces: "text/html",
  errors: ["not_found"],
});

export const courierMove = route({
  id: "delivery.courier_move",
  method: "POST",
  path: "/courier/{token}",
  mount: "root",
  summary: "What a courier does on its page",
  scope: null,
  params: TokenParams,
  consumes: ["application/x-www-form-urlencoded", "multipart/form-data"],
  maxBodyBytes: 6_000_000,
  produces: "text/html",
  errors: ["not_found", "wrong_state"],
});

export const courierFile = route({
  id: "delivery.courier_file",
  method: "GET",
  path: "/courier/{token}/{file}",
  mount: "root",
  summary: "A file of the courier's app",
  scope: null,
  params: Shape({
    ...TokenParams.properties,
    file: Choice(["app.js", "sw.js", "app.webmanifest", "icon.svg", "work.json"], "Which file."),
  }),
  produces: "text/javascript",
  errors: ["not_found"],
});

const Move = Shape({
  id: Text("Made by the app; the same id twice is one move.", 64),
  at: Time("When the courier made it."),
  do: Text("What was done, e.g. picked_up, position or off_duty.", 40),
  delivery: Type.Optional(Id("dlv", "Which delivery it is about.")),
  lat: Type.Optional(Latitude()),
  lon: Type.Optional(Longitude()),
  reason: Type.Optional(Text("Why.", 200)),
  proof: Type.Optional(Proof),
});

export const courierMoves = route({
  id: "delivery.courier_moves",
  method: "POST",
  path: "/courier/{token}/moves",
  mount: "root",
  summary: "What a courier did, in order, perhaps while offline",
  scope: null,
  params: TokenParams,
  body: Shape({ moves: Type.Array(Move, { minItems: 1, maxItems: 50, description: "Oldest first." }) }),
  answer: Shape({
    results: Type.Array(
      Shape({
        id: Type.String(),
        status: Choice(["done", "repeated", "refused"], "What became of it."),
        detail: Nullable(Type.String({ description: "Why it was refused." })),
      }),
    ),
  }),
  maxBodyBytes: 12_000_000,
  errors: ["not_found"],
});

export const providerHook = route({
  id: "delivery.provider_hook",
  method: "POST",
  path: "/hooks/delivery/{provider}",
  mount: "root",
  summary: "What a courier service reports",
  scope: null,
  params: Shape({ provider: Choice(["doordash", "uber_direct", "onfleet"], "Who reports.") }),
  consumes: ["application/json"],
  answer: Shape({ taken: Type.Integer({ description: "How many reports changed a delivery." }) }),
  errors: ["invalid_api_key", "provider_not_configured"],
});

export const publicRoutes = [
  trackLive,
  trackForm,
  trackFile,
  trackPage,
  courierPage,
  courierMove,
  courierFile,
  courierMoves,
  providerHook,
];
