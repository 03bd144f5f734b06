// The routes of whoever orders deliveries. Data, no logic.
import Type from "typebox";
import { route } from "../../../contract/define.ts";
import { Choice, Id, Page, pageQuery, Shape, Text, Time } from "../../../contract/shapes.ts";
import { Delivery, Estimate } from "./delivery.ts";
import { DeliveryChanges, EstimateOrder, Order, PickupTime, Reschedule } from "./order.ts";
import { DeliveryParams, StateName } from "./shapes.ts";

const Reason = Type.Optional(Text("Why.", 200));

export const schedule = route({
  id: "delivery.schedule",
  method: "POST",
  path: "/delivery/schedule",
  summary: "Schedule a pickup and delivery",
  scope: "delivery:write",
  body: Order,
  answer: Delivery,
  errors: ["pickup_time_in_past", "pickup_time_too_far", "distance_too_long", "not_feasible", "conflict"],
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
  params: DeliveryParams,
  answer: Delivery,
  errors: ["not_found"],
});

export const update = route({
  id: "delivery.update",
  method: "PATCH",
  path: "/delivery/{id}",
  summary: "Change notes, items, tags, contacts or the exact place of an end",
  description:
    "Times and addresses are changed with reschedule. `lat` and `lon` move the pin of an end and are remembered.",
  scope: "delivery:write",
  params: DeliveryParams,
  body: DeliveryChanges,
  answer: Delivery,
  errors: ["not_found", "wrong_state"],
});

export const proofPicture = route({
  id: "delivery.proof",
  method: "GET",
  path: "/delivery/{id}/proof/{kind}",
  summary: "The photograph or the drawn signature that proves a delivery",
  scope: "delivery:read",
  params: Shape({ id: Id("dlv"), kind: Choice(["photo", "signature"], "Which picture.") }),
  produces: "image/*",
  errors: ["not_found"],
});

export const cancel = route({
  id: "delivery.cancel",
  method: "POST",
  path: "/delivery/{id}/cancel",
  summary: "Cancel a delivery that is not picked up yet",
  scope: "delivery:write",
  params: DeliveryParams,
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
  params: DeliveryParams,
  body: Reschedule,
  answer: Delivery,
  errors: ["not_found", "wrong_state", "pickup_time_in_past", "pickup_time_too_far", "distance_too_long"],
});

export const sendBack = route({
  id: "delivery.return",
  method: "POST",
  path: "/delivery/{id}/return",
  summary: "Have a picked-up delivery brought back",
  scope: "delivery:write",
  params: DeliveryParams,
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
  params: DeliveryParams,
  body: Shape({ pickup: Shape({ time: PickupTime }, { description: "When to try again." }) }),
  answer: Delivery,
  errors: ["not_found", "wrong_state", "pickup_time_in_past", "pickup_time_too_far"],
});

export const clientRoutes = [
  schedule,
  estimateRoute,
  list,
  get,
  update,
  proofPicture,
  cancel,
  reschedule,
  sendBack,
  redeliver,
];
