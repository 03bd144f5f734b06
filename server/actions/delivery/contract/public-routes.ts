// The routes without a key: pages for recipients and couriers, webhooks of courier services. Data, no logic.
import Type from "typebox";
import { route } from "../../../contract/define.ts";
import { Choice, Shape } from "../../../contract/shapes.ts";

const TokenParams = Shape({ token: Type.String({ pattern: "^[0-9A-Za-z_-]{20,64}$", description: "Unguessable." }) });

export const trackPage = route({
  id: "delivery.track",
  method: "GET",
  path: "/track/{token}",
  mount: "root",
  summary: "The public page of a delivery",
  scope: null,
  params: TokenParams,
  produces: "text/html",
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

export const publicRoutes = [trackPage, courierPage, courierMove, providerHook];
