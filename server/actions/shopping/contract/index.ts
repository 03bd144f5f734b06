// Shopping: routes; requests, answers and events stand in files of their own. Data, no logic.
import Type from "typebox";
import { route } from "../../../contract/define.ts";
import { Deleted, Id, Page, Shape } from "../../../contract/shapes.ts";
import { HistoryPoint, Tracked } from "./answers.ts";
import { HistoryQuery, ListQuery, TrackQuery, UpdateBody } from "./requests.ts";

export { Tracked } from "./answers.ts";
export { events } from "./events.ts";
export { HistoryQuery, ListQuery, TrackQuery, UpdateBody } from "./requests.ts";

const TRACK_DESCRIPTION = [
  "Starts tracking a product page, or reads what is known of it: the same page, variant and caller are one tracker.",
  "A page that answers 404 at its very first check is not kept. A test key reads the demo shop at /demo-shop.",
  "\n\nAlerts: every check compares the price with the one before. shopping.price_changed and shopping.availability_changed",
  "are sent for every change; shopping.alert only when the tracker's rules are met, one event for all of one check.",
  "price_drop: the price fell, and is below the highest price since the last alerted fall, by drop_percent where given;",
  "so a slow creep is alerted in the end, and a fall after a rise is a new fall. price_rise mirrors it.",
  "any_change: any change, measured from the last alert where drop_percent is given. new_low, new_high: below or above every price seen.",
  "back_in_stock, out_of_stock: it became buyable, or ceased to be. min_price and max_price: only prices between them alert.",
  "target_price alerts when the price comes to it or below. A fall of more than 60 % or another currency is believed at the second equal check.",
].join(" ");

const params = Shape({ id: Id("trk") });

export const track = route({
  id: "shopping.track",
  method: "GET",
  path: "/shopping/track",
  summary: "Track product prices and availability",
  description: TRACK_DESCRIPTION,
  scope: "shopping:write",
  query: TrackQuery,
  answer: Tracked,
  errors: ["not_found", "target_not_allowed", "plan_limit_reached"],
});
export const list = route({
  id: "shopping.list",
  method: "GET",
  path: "/shopping/tracked",
  summary: "List tracked products",
  scope: "shopping:read",
  query: ListQuery,
  answer: Page(Tracked),
});
export const get = route({
  id: "shopping.get",
  method: "GET",
  path: "/shopping/tracked/{id}",
  summary: "Read a tracked product",
  scope: "shopping:read",
  params,
  answer: Tracked,
  errors: ["not_found"],
});
export const update = route({
  id: "shopping.update",
  method: "PATCH",
  path: "/shopping/tracked/{id}",
  summary: "Change a tracked product",
  scope: "shopping:write",
  params,
  body: UpdateBody,
  answer: Tracked,
  errors: ["not_found"],
});
export const remove = route({
  id: "shopping.delete",
  method: "DELETE",
  path: "/shopping/tracked/{id}",
  summary: "Stop tracking a product",
  description: "Its history is removed with it.",
  scope: "shopping:write",
  params,
  answer: Deleted("trk"),
  errors: ["not_found"],
});
export const history = route({
  id: "shopping.history",
  method: "GET",
  path: "/shopping/tracked/{id}/history",
  summary: "Read a price history",
  description: "As JSON, or as CSV with format=csv.",
  scope: "shopping:read",
  params,
  query: HistoryQuery,
  answer: Shape({ id: Id("trk"), items: Type.Array(HistoryPoint, { description: "Oldest first." }) }),
  errors: ["not_found"],
});
export const demoShop = route({
  id: "shopping.demo_shop",
  method: "GET",
  path: "/demo-shop",
  summary: "The demo shop: pages that test keys can track",
  mount: "root",
  scope: null,
  produces: "text/html",
});
export const demoPage = route({
  id: "shopping.demo_page",
  method: "GET",
  path: "/demo-shop/{page}",
  summary: "A page of the demo shop",
  mount: "root",
  scope: null,
  produces: "text/html",
  params: Shape({ page: Type.String({ pattern: "^[a-z0-9-]{1,40}$", description: "Which page." }) }),
  errors: ["not_found"],
});

export const routes = [track, list, get, update, remove, history, demoShop, demoPage];
