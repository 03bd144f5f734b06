// What a client sends: orders, estimates and changes of them. Data, no logic.
import Type, { type Static } from "typebox";
import { named, Shape, Tags, Text, Time } from "../../../contract/shapes.ts";
import { Notify } from "./notices.ts";
import {
  Address,
  Contact,
  Instructions,
  Item,
  Latitude,
  Longitude,
  ProofName,
  ProviderChoice,
  VehicleName,
  Window,
} from "./shapes.ts";

export const PickupTime = Type.String({
  format: "time-or-asap",
  description:
    "Requested pickup time, or `asap`: not more than 5 minutes ago, nor more than 30 days ahead. Kept to the millisecond.",
  examples: ["2026-12-01T15:00:00Z"],
});

/** Coordinates beside an address: they say where it is, the address says what to show. */
const coordinates = {
  lat: Type.Optional(Latitude("Degrees north, if you know them; with lon.")),
  lon: Type.Optional(Longitude("Degrees east, if you know them; with lat.")),
};
const about = {
  contact: Type.Optional(named("DeliveryContact", Contact, "Who to ask for.")),
  instructions: Type.Optional(Instructions),
};

const PickupEnd = Shape(
  {
    address: Address("Free-text address; coordinates, geo: addresses and plus codes are understood too."),
    time: PickupTime,
    ...coordinates,
    until: Type.Optional(Time("Latest pickup; the pickup is at `time` or later, until then.")),
    ...about,
  },
  { description: "Pickup point.", examples: [{ address: "350 5th Ave, New York", time: "2026-12-01T15:00:00Z" }] },
);
const DropoffEnd = Shape(
  {
    address: Address("Free-text address; may be a general area description."),
    ...coordinates,
    window: Type.Optional(named("DeliveryArrivalWindow", Window, "When it may arrive.")),
    notify: Type.Optional(Notify),
    ...about,
  },
  { description: "Drop-off point.", examples: [{ address: "Downtown Brooklyn" }] },
);

export const Order = Shape({
  pickup: PickupEnd,
  dropoff: DropoffEnd,
  items: Type.Optional(Type.Array(Item, { maxItems: 100, description: "What is carried." })),
  notes: Type.Optional(Type.String({ format: "multi-line", maxLength: 1000, description: "For the courier." })),
  quote: Type.Optional(
    Type.String({ minLength: 1, maxLength: 500, description: "From POST /delivery/quote: keeps its price." }),
  ),
  external_id: Type.Optional(Text("Your own id for the order; unique among your deliveries.", 100)),
  tags: Type.Optional(Tags()),
  vehicle: Type.Optional(VehicleName),
  provider: Type.Optional(ProviderChoice),
  proof: Type.Optional(
    Type.Array(ProofName, { maxItems: 4, uniqueItems: true, description: "What the courier must bring back." }),
  ),
});
export type Order = Static<typeof Order>;

export const EstimateOrder = Shape({
  pickup: Order.properties.pickup,
  dropoff: Order.properties.dropoff,
  vehicle: Type.Optional(VehicleName),
});

export const Reschedule = Shape(
  {
    pickup: Type.Optional(
      Shape(
        { time: Type.Optional(PickupTime), address: Type.Optional(PickupEnd.properties.address) },
        { minProperties: 1, description: "What changes at the pickup." },
      ),
    ),
    dropoff: Type.Optional(
      Shape({ address: DropoffEnd.properties.address }, { description: "What changes at the drop-off." }),
    ),
  },
  { minProperties: 1 },
);

/** One end in a PATCH: who to ask for, how to get in, and where the pin really is. */
const EndChanges = Shape({ ...about, ...coordinates }, { minProperties: 1 });

export const DeliveryChanges = Shape(
  {
    pickup: Type.Optional(named("DeliveryEndChanges", EndChanges, "What changes at this end.")),
    dropoff: Type.Optional(named("DeliveryEndChanges", EndChanges, "What changes at this end.")),
    items: Order.properties.items,
    notes: Order.properties.notes,
    tags: Order.properties.tags,
  },
  { minProperties: 1, examples: [{ notes: "Ring twice" }] },
);
export type DeliveryChanges = Static<typeof DeliveryChanges>;
