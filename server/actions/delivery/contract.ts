// Delivery: shapes, routes, events. Data, no logic.
import Type, { type Static } from "typebox";
import { route } from "../../contract/define.ts";
import { Choice, Id, Nullable, Shape, Tags, Text, Time } from "../../contract/shapes.ts";

const Address = (description: string) =>
  Type.String({ format: "text", minLength: 3, maxLength: 500, description, examples: ["350 5th Ave, New York, NY 10118"] });

const Contact = Shape({
  name: Type.Optional(Text("Who to ask for.", 100)),
  phone: Type.Optional(Type.String({ pattern: "^\\+?[0-9 ()-]{5,24}$", description: "Telephone number.", examples: ["+12125550100"] })),
  email: Type.Optional(Type.String({ format: "email", maxLength: 254, description: "E-mail address." })),
});

const Item = Shape({
  name: Text("What it is.", 200),
  quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: "How many; 1 unless given." })),
  weight_grams: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000, description: "Weight of one." })),
});

export const vehicles = ["car", "van", "truck", "motorbike", "bicycle", "foot"] as const;
const VehicleName = Choice(["car", "van", "truck", "motorbike", "bicycle", "foot"], "How it travels.");

export const Order = Shape({
  pickup: Shape({
    address: Address("Free-text address."),
    time: Time("Requested pickup time: not more than 5 minutes ago, nor more than 30 days ahead."),
    contact: Type.Optional(Contact),
  }, { description: "Pickup point.", examples: [{ address: "350 5th Ave, New York", time: "2026-12-01T15:00:00Z" }] }),
  dropoff: Shape({
    address: Address("Free-text address; may be a general area description."),
    contact: Type.Optional(Contact),
  }, { description: "Drop-off point.", examples: [{ address: "Downtown Brooklyn" }] }),
  items: Type.Optional(Type.Array(Item, { maxItems: 100, description: "What is carried." })),
  notes: Type.Optional(Type.String({ format: "multi-line", maxLength: 1000, description: "For the courier." })),
  external_id: Type.Optional(Text("Your own id for the order.", 100)),
  tags: Type.Optional(Tags()),
  vehicle: Type.Optional(VehicleName),
  provider: Type.Optional(Text("Which courier service to use; the configured order unless given.", 40)),
});
export type Order = Static<typeof Order>;

const precisions = ["rooftop", "street", "postcode", "locality", "region", "country", "none"] as const;
const PrecisionName = Choice([...precisions], "How exactly the place is known.");

export const Location = Shape({
  lat: Nullable(Type.Number({ description: "Degrees north." })),
  lon: Nullable(Type.Number({ description: "Degrees east." })),
  precision: PrecisionName,
  label: Nullable(Type.String({ description: "The place that was understood." })),
  confidence: Type.Number({ minimum: 0, maximum: 1, description: "How sure that is the place meant." }),
  time_zone: Nullable(Type.String({ description: "IANA time zone of the place." })),
});
export type Location = Static<typeof Location>;

export const Delivery = Shape({
  delivery_id: Id("dlv"),
  status: Choice(["scheduled"], "State of the delivery."),
  pickup: Shape({
    address: Type.String({ description: "Echo of the requested pickup address." }),
    scheduled_time: Time("Scheduled pickup time."),
  }),
  dropoff: Shape({
    address: Type.String({ description: "Echo of the requested drop-off address." }),
    estimated_arrival: Time("Estimated arrival, computed by the service."),
  }),
  created_at: Time("When it was scheduled."),
  external_id: Nullable(Type.String({ description: "Your own id for the order." })),
  tags: Type.Array(Type.String(), { description: "Your own labels." }),
  provider: Nullable(Type.String({ description: "Who carries it, once that is known." })),
  eta: Shape({
    window: Shape({ from: Time("Start of the 80 % window."), to: Time("End of the 80 % window.") }),
    method: Type.String({ description: "How the estimate was made." }),
    precision: PrecisionName,
  }),
  locations: Shape({ pickup: Location, dropoff: Location }),
  attention: Type.Array(Type.String(), { description: "What a person should look at, e.g. dropoff_imprecise." }),
  timeline: Type.Array(Shape({ status: Type.String(), at: Time("When that state was reached.") }), { description: "The states it went through." }),
  tracking_url: Type.String({ description: "A public page that shows where it is." }),
});
export type Delivery = Static<typeof Delivery>;

export const schedule = route({
  id: "delivery.schedule",
  method: "POST",
  path: "/delivery/schedule",
  summary: "Schedule a pickup and delivery",
  scope: "delivery:write",
  body: Order,
  answer: Delivery,
  errors: ["pickup_time_in_past", "pickup_time_too_far"],
});

export const get = route({
  id: "delivery.get",
  method: "GET",
  path: "/delivery/{id}",
  summary: "Read a delivery",
  scope: "delivery:read",
  params: Shape({ id: Id("dlv") }),
  answer: Delivery,
  errors: ["not_found"],
});

export const routes = [schedule, get];
export const events = [{ type: "delivery.scheduled", summary: "A delivery was scheduled.", data: Delivery }];
