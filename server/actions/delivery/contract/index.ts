// Delivery: routes and events. Data, no logic.
import Type from "typebox";
import { route } from "../../../contract/define.ts";
import { Choice, Id, Page, pageQuery, Shape, Text, Time } from "../../../contract/shapes.ts";
import { STATES } from "./states.ts";
import {
  Courier,
  CourierOrder,
  Delivery,
  Estimate,
  EstimateOrder,
  Order,
  PickupTime,
  PositionReport,
  Proof,
  StateName,
} from "./shapes.ts";

export * from "./shapes.ts";

const params = Shape({ id: Id("dlv") });
const Reason = Type.Optional(Text("Why.", 200));

export const schedule = route({
  id: "delivery.schedule",
  method: "POST",
  path: "/delivery/schedule",
  summary: "Schedule a pickup and delivery",
  scope: "delivery:write",
  body: Order,
  answer: Delivery,
  errors: ["pickup_time_in_past", "pickup_time_too_far", "distance_too_long", "conflict", "provider_not_configured"],
});

export const estimateRoute = route({
  id: "delivery.estimate",
  method: "POST",
  path: "/delivery/estimate",
  summary: "Estimate an arrival without scheduling anything",
  scope: "delivery:read",
  body: EstimateOrder,
  answer: Estimate,
  errors: ["pickup_time_in_past", "pickup_time_too_far", "distance_too_long"],
});

export const list = route({
  id: "delivery.list",
  method: "GET",
  path: "/delivery",
  summary: "List deliveries, newest first",
  scope: "delivery:read",
  query: Shape({
    ...pageQuery,
    status: Type.Optional(StateName),
    tag: Type.Optional(Text("Only deliveries with this tag.", 64)),
    external_id: Type.Optional(Text("Only the delivery with your id.", 100)),
    courier_id: Type.Optional(Id("crr", "Only deliveries of this courier.")),
    from: Type.Optional(Time("Only pickups at or after this time.")),
    to: Type.Optional(Time("Only pickups before this time.")),
  }),
  answer: Page(Delivery),
});

export const get = route({
  id: "delivery.get",
  method: "GET",
  path: "/delivery/{id}",
  summary: "Read a delivery",
  scope: "delivery:read",
  params,
  answer: Delivery,
  errors: ["not_found"],
});

export const cancel = route({
  id: "delivery.cancel",
  method: "POST",
  path: "/delivery/{id}/cancel",
  summary: "Cancel a delivery that is not picked up yet",
  scope: "delivery:write",
  params,
  body: Shape({ reason: Reason }),
  bodyOptional: true,
  answer: Delivery,
  errors: ["not_found", "wrong_state", "upstream_error"],
});

export const reschedule = route({
  id: "delivery.reschedule",
  method: "POST",
  path: "/delivery/{id}/reschedule",
  summary: "Change time or addresses before the courier sets out",
  scope: "delivery:write",
  params,
  body: Shape(
    {
      pickup: Type.Optional(
        Shape(
          { time: Type.Optional(PickupTime), address: Type.Optional(Order.properties.pickup.properties.address) },
          { minProperties: 1 },
        ),
      ),
      dropoff: Type.Optional(Shape({ address: Order.properties.dropoff.properties.address })),
    },
    { minProperties: 1 },
  ),
  answer: Delivery,
  errors: ["not_found", "wrong_state", "pickup_time_in_past", "pickup_time_too_far", "distance_too_long"],
});

export const sendBack = route({
  id: "delivery.return",
  method: "POST",
  path: "/delivery/{id}/return",
  summary: "Have a picked-up delivery brought back",
  scope: "delivery:write",
  params,
  body: Shape({ reason: Reason }),
  bodyOptional: true,
  answer: Delivery,
  errors: ["not_found", "wrong_state"],
});

export const redeliver = route({
  id: "delivery.redeliver",
  method: "POST",
  path: "/delivery/{id}/redeliver",
  summary: "Try a failed, returned or canceled delivery again, as a new one",
  scope: "delivery:write",
  params,
  body: Shape({ pickup: Shape({ time: PickupTime }) }),
  answer: Delivery,
  errors: ["not_found", "wrong_state", "pickup_time_in_past", "pickup_time_too_far"],
});

export const advance = route({
  id: "delivery.advance",
  method: "POST",
  path: "/delivery/{id}/advance",
  summary: "Move a delivery of your own fleet on",
  description:
    "`assigned` takes a courier_id; `scheduled` takes it back from its courier; `delivered` takes the required proof.",
  scope: "fleet:write",
  params,
  body: Shape({
    to: Choice(
      STATES.filter((s) => s !== "canceled"),
      "The state to move it to.",
    ),
    courier_id: Type.Optional(Id("crr", "For `assigned`: who takes it.")),
    proof: Type.Optional(Proof),
    reason: Reason,
  }),
  answer: Delivery,
  errors: ["not_found", "wrong_state"],
});

export const addCourier = route({
  id: "delivery.couriers.create",
  method: "POST",
  path: "/delivery/couriers",
  summary: "Add a courier of your own",
  scope: "fleet:write",
  status: 201,
  body: Shape(CourierOrder),
  answer: Courier,
});

export const listCouriers = route({
  id: "delivery.couriers.list",
  method: "GET",
  path: "/delivery/couriers",
  summary: "List your couriers",
  scope: "delivery:read",
  query: Shape(pageQuery),
  answer: Page(Courier),
});

export const changeCourier = route({
  id: "delivery.couriers.update",
  method: "PATCH",
  path: "/delivery/couriers/{id}",
  summary: "Change a courier; off duty gives its deliveries to others",
  scope: "fleet:write",
  params: Shape({ id: Id("crr") }),
  body: Shape({ ...CourierOrder, name: Type.Optional(CourierOrder.name) }, { minProperties: 1 }),
  answer: Courier,
  errors: ["not_found"],
});

export const reportPosition = route({
  id: "delivery.couriers.position",
  method: "POST",
  path: "/delivery/couriers/{id}/position",
  summary: "Say where a courier is",
  scope: "fleet:write",
  params: Shape({ id: Id("crr") }),
  body: PositionReport,
  answer: Courier,
  errors: ["not_found"],
});

const token = Shape({ token: Type.String({ pattern: "^[0-9A-Za-z_-]{20,64}$", description: "Unguessable." }) });

export const trackPage = route({
  id: "delivery.track",
  method: "GET",
  path: "/track/{token}",
  mount: "root",
  summary: "The public page of a delivery",
  scope: null,
  params: token,
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
  params: token,
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
  params: token,
  consumes: ["application/x-www-form-urlencoded"],
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

export const routes = [
  schedule,
  estimateRoute,
  list,
  addCourier,
  listCouriers,
  changeCourier,
  reportPosition,
  get,
  cancel,
  reschedule,
  sendBack,
  redeliver,
  advance,
  trackPage,
  courierPage,
  courierMove,
  providerHook,
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
    type: "delivery.eta_changed",
    summary: "The estimated arrival moved by more than five minutes and a fifth.",
    data: Delivery,
  },
];
