// The routes of whoever runs couriers. Data, no logic.
import Type from "typebox";
import { route } from "../../../contract/define.ts";
import { Choice, Deleted, Id, named, Page, pageQuery, Shape, Text } from "../../../contract/shapes.ts";
import { Courier, CourierOrder } from "./courier.ts";
import { Delivery, Proof } from "./delivery.ts";
import { DeliveryParams, Position } from "./shapes.ts";
import { STATES } from "./states.ts";

const CourierParams = Shape({ id: Id("crr") });

export const advance = route({
  id: "delivery.advance",
  method: "POST",
  path: "/delivery/{id}/advance",
  summary: "Move a delivery of your own fleet on",
  description:
    "`assigned` takes a courier_id and may replace the courier it has; `scheduled` takes it back from its courier; `delivered` takes the required proof.",
  scope: "fleet:write",
  params: DeliveryParams,
  body: Shape({
    to: Choice(
      STATES.filter((s) => s !== "canceled"),
      "The state to move it to.",
    ),
    courier_id: Type.Optional(Id("crr", "For `assigned`: who takes it.")),
    proof: Type.Optional(named("DeliveryProof", Proof, "For `delivered`: what the courier brought back.")),
    reason: Type.Optional(Text("Why.", 200)),
  }),
  answer: Delivery,
  maxBodyBytes: 6_000_000,
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

export const getCourier = route({
  id: "delivery.couriers.get",
  method: "GET",
  path: "/delivery/couriers/{id}",
  summary: "Read a courier",
  scope: "delivery:read",
  params: CourierParams,
  answer: Courier,
  errors: ["not_found"],
});

export const removeCourier = route({
  id: "delivery.couriers.delete",
  method: "DELETE",
  path: "/delivery/couriers/{id}",
  summary: "Remove a courier; what it has not picked up goes to others",
  scope: "fleet:write",
  params: CourierParams,
  answer: Deleted("crr"),
  errors: ["not_found", "wrong_state"],
});

export const changeCourier = route({
  id: "delivery.couriers.update",
  method: "PATCH",
  path: "/delivery/couriers/{id}",
  summary: "Change a courier; off duty gives its deliveries to others",
  scope: "fleet:write",
  params: CourierParams,
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
  params: CourierParams,
  body: Position,
  answer: Courier,
  errors: ["not_found"],
});

export const fleetRoutes = [
  addCourier,
  listCouriers,
  getCourier,
  changeCourier,
  removeCourier,
  reportPosition,
  advance,
];
