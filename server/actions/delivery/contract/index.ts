// The contract of delivery: all its routes and events. Data, no logic.
import { Delivery } from "./delivery.ts";
import { clientRoutes } from "./delivery-routes.ts";
import { fleetRoutes } from "./fleet-routes.ts";
import { planningRoutes } from "./planning.ts";
import { publicRoutes } from "./public-routes.ts";
import { settingsRoutes } from "./settings.ts";
import { templateRoutes } from "./templates.ts";
import { STATES } from "./states.ts";

export * from "./delivery-routes.ts";
export * from "./fleet-routes.ts";
export { addTemplate, changeTemplate, listPlaces, listTemplates, removePlace, removeTemplate } from "./templates.ts";
export { getSettings, quote, updateSettings } from "./settings.ts";
export { batch, optimize, stats, statsPicture } from "./planning.ts";
export * from "./public-routes.ts";

// Couriers first: /delivery/couriers must not be taken for a delivery's id.
export const routes = [
  ...fleetRoutes,
  ...planningRoutes,
  ...settingsRoutes,
  ...templateRoutes,
  ...clientRoutes,
  ...publicRoutes,
];

const SUMMARIES: Record<(typeof STATES)[number], string> = {
  scheduled: "A delivery was scheduled, or its courier gave it back.",
  assigned: "A courier took a delivery.",
  en_route_to_pickup: "The courier is on its way to the pickup.",
  at_pickup: "The courier is at the pickup.",
  picked_up: "A delivery was picked up.",
  en_route_to_dropoff: "The courier is on its way to the drop-off.",
  at_dropoff: "The courier is at the drop-off.",
  delivered: "A delivery arrived.",
  returning: "A delivery goes back to its pickup.",
  returned: "A delivery is back at its pickup.",
  failed: "A delivery failed.",
  canceled: "A delivery was canceled.",
};

export const events = [
  ...STATES.map((state) => ({ type: `delivery.${state}`, summary: SUMMARIES[state], data: Delivery })),
  { type: "delivery.rescheduled", summary: "Time or addresses of a delivery changed.", data: Delivery },
  {
    type: "delivery.updated",
    summary: "Notes, items, contacts or the exact place of a delivery changed.",
    data: Delivery,
  },
  { type: "delivery.rated", summary: "The recipient rated a delivery.", data: Delivery },
  { type: "delivery.pin_failed", summary: "A courier entered a wrong pin.", data: Delivery },
  {
    type: "delivery.eta_changed",
    summary: "The estimated arrival moved by more than five minutes and a fifth.",
    data: Delivery,
  },
];
