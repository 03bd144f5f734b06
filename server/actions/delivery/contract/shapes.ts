// The shapes of delivery: orders, deliveries, couriers. Data, no logic.
import Type, { type Static } from "typebox";
import { Choice, Id, Nullable, Shape, Tags, Text, Time } from "../../../contract/shapes.ts";
import { PROOF_KINDS, STATES } from "./states.ts";

const Address = (description: string) =>
  Type.String({
    format: "text",
    minLength: 3,
    maxLength: 500,
    description,
    examples: ["350 5th Ave, New York, NY 10118"],
  });

const Contact = Shape({
  name: Type.Optional(Text("Who to ask for.", 100)),
  phone: Type.Optional(
    Type.String({ pattern: "^\\+?[0-9 ()-]{5,24}$", description: "Telephone number.", examples: ["+12125550100"] }),
  ),
  email: Type.Optional(Type.String({ format: "email", maxLength: 254, description: "E-mail address." })),
});

const Item = Shape({
  name: Text("What it is.", 200),
  quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: "How many; 1 unless given." })),
  weight_grams: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000, description: "Weight of one." })),
});

export const VehicleName = Choice(["car", "van", "truck", "motorbike", "bicycle", "foot"], "How it travels.");
const ProofName = Choice([...PROOF_KINDS], "A kind of proof.");
export const StateName = Choice([...STATES], "State of the delivery.");

export const PickupTime = Time("Requested pickup time: not more than 5 minutes ago, nor more than 30 days ahead.");
const PickupEnd = Shape(
  { address: Address("Free-text address."), time: PickupTime, contact: Type.Optional(Contact) },
  {
    description: "Pickup point.",
    examples: [{ address: "350 5th Ave, New York", time: "2026-12-01T15:00:00Z" }],
  },
);
const DropoffEnd = Shape(
  { address: Address("Free-text address; may be a general area description."), contact: Type.Optional(Contact) },
  {
    description: "Drop-off point.",
    examples: [{ address: "Downtown Brooklyn" }],
  },
);

export const Order = Shape({
  pickup: PickupEnd,
  dropoff: DropoffEnd,
  items: Type.Optional(Type.Array(Item, { maxItems: 100, description: "What is carried." })),
  notes: Type.Optional(Type.String({ format: "multi-line", maxLength: 1000, description: "For the courier." })),
  external_id: Type.Optional(Text("Your own id for the order; unique among your deliveries.", 100)),
  tags: Type.Optional(Tags()),
  vehicle: Type.Optional(VehicleName),
  provider: Type.Optional(
    Text(
      "Which courier service to use (fleet, doordash, uber_direct, onfleet); the configured order unless given.",
      40,
    ),
  ),
  proof: Type.Optional(
    Type.Array(ProofName, { maxItems: 3, uniqueItems: true, description: "What the courier must bring back." }),
  ),
});
export type Order = Static<typeof Order>;

export const EstimateOrder = Shape({
  pickup: Order.properties.pickup,
  dropoff: Order.properties.dropoff,
  vehicle: Type.Optional(VehicleName),
});

const PrecisionName = Choice(
  ["rooftop", "street", "postcode", "locality", "region", "country", "none"],
  "How exactly the place is known.",
);

export const Location = Shape({
  lat: Nullable(Type.Number({ description: "Degrees north." })),
  lon: Nullable(Type.Number({ description: "Degrees east." })),
  precision: PrecisionName,
  label: Nullable(Type.String({ description: "The place that was understood." })),
  confidence: Type.Number({ minimum: 0, maximum: 1, description: "How sure that is the place meant." }),
  time_zone: Nullable(Type.String({ description: "IANA time zone of the place." })),
});
export type Location = Static<typeof Location>;

export const Eta = Shape({
  window: Shape({ from: Time("Start of the 80 % window."), to: Time("End of the 80 % window.") }),
  method: Type.String({ description: "How the estimate was made." }),
  precision: PrecisionName,
});

const Position = Shape({
  lat: Type.Number({ minimum: -90, maximum: 90, description: "Degrees north." }),
  lon: Type.Number({ minimum: -180, maximum: 180, description: "Degrees east." }),
});

export const Proof = Shape({
  photo_sha256: Type.Optional(
    Type.String({ pattern: "^[0-9a-f]{64}$", description: "SHA-256 of the photograph, in hex." }),
  ),
  pin: Type.Optional(Type.String({ pattern: "^[0-9]{4}$", description: "The pin the recipient gave." })),
  signature: Type.Optional(Text("Who signed.", 100)),
  note: Type.Optional(Text("Anything else.", 500)),
});
export type Proof = Static<typeof Proof>;

export const Delivery = Shape({
  delivery_id: Id("dlv"),
  status: StateName,
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
  parent_id: Nullable(Id("dlv", "The delivery this one tries again.")),
  tags: Type.Array(Type.String(), { description: "Your own labels." }),
  provider: Nullable(Type.String({ description: "Who carries it, once that is known." })),
  simulated: Type.Boolean({ description: "Whether simulated couriers carry it (test keys)." }),
  courier: Nullable(
    Shape({
      id: Nullable(Id("crr")),
      name: Nullable(Type.String({ description: "The courier's name." })),
      vehicle: Nullable(Type.String({ description: "How it travels." })),
      position: Nullable(Shape({ ...Position.properties, at: Time("When the courier was there.") })),
    }),
  ),
  eta: Eta,
  locations: Shape({ pickup: Location, dropoff: Location }),
  attention: Type.Array(Type.String(), { description: "What a person should look at, e.g. dropoff_imprecise." }),
  timeline: Type.Array(
    Shape({
      status: Type.String(),
      at: Time("When that state was reached."),
      by: Type.String(),
      note: Nullable(Type.String()),
    }),
    { description: "The states it went through." },
  ),
  proof: Shape({
    required: Type.Array(ProofName, { description: "What the courier must bring back." }),
    pin: Nullable(Type.String({ description: "The pin to give to the courier, when one is required." })),
    given: Nullable(Shape({ ...Proof.properties, at: Time("When it was given.") })),
  }),
  reason: Nullable(Type.String({ description: "Why it failed, was canceled or goes back." })),
  fee_applies: Type.Boolean({ description: "Whether it was canceled after a courier had set out." }),
  tracking_url: Type.String({ description: "A public page that shows where it is." }),
});
export type Delivery = Static<typeof Delivery>;

export const Estimate = Shape({
  pickup: Delivery.properties.pickup,
  dropoff: Delivery.properties.dropoff,
  eta: Eta,
  distance_km: Nullable(Type.Number({ description: "Straight-line distance." })),
  locations: Delivery.properties.locations,
  attention: Delivery.properties.attention,
});

const Zone = Shape({
  ...Position.properties,
  radius_km: Type.Number({ exclusiveMinimum: 0, maximum: 500, description: "How far around." }),
});
const Shift = Shape({ from: Time("Start of the shift."), to: Time("End of the shift.") });

export const CourierOrder = {
  name: Text("The courier's name.", 100),
  vehicle: Type.Optional(VehicleName),
  capacity: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: "How many deliveries it carries at a time; 3 unless given.",
    }),
  ),
  zone: Type.Optional(Nullable(Zone)),
  shift: Type.Optional(Nullable(Shift)),
  on_duty: Type.Optional(Type.Boolean({ description: "Whether it takes deliveries; true unless given." })),
  position: Type.Optional(Position),
};

export const Courier = Shape({
  id: Id("crr"),
  name: Type.String({ description: "The courier's name." }),
  vehicle: VehicleName,
  capacity: Type.Integer({ description: "How many deliveries it carries at a time." }),
  zone: Nullable(Zone),
  shift: Nullable(Shift),
  on_duty: Type.Boolean({ description: "Whether it takes deliveries." }),
  position: Nullable(Shape({ ...Position.properties, at: Time("When it was there.") })),
  courier_url: Type.String({ description: "The courier's own page; give it to nobody else." }),
  created_at: Time("When the courier was added."),
});
export type Courier = Static<typeof Courier>;

export const PositionReport = Position;
