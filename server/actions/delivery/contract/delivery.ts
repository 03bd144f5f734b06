// What the API shows of a delivery. Data, no logic.
import Type, { type Static } from "typebox";
import { about, Id, named, Nullable, Shape, Text, Time } from "../../../contract/shapes.ts";
import {
  Contact,
  Eta,
  Item,
  Latitude,
  Location,
  Longitude,
  Position,
  Price,
  ProofName,
  ProviderChoice,
  StateName,
  VehicleName,
} from "./shapes.ts";
import { NotifyView } from "./notices.ts";

const MAX_PHOTO_BASE64 = 2_800_000;

const Picture = (description: string) =>
  Type.String({
    pattern: "^[A-Za-z0-9+/]+={0,2}$",
    maxLength: MAX_PHOTO_BASE64,
    description,
    examples: ["/9j/4AAQSkZJRgABAQAAAQABAAD/2Q=="],
  });

const given = {
  photo_sha256: Type.Optional(
    Type.String({
      pattern: "^[0-9a-f]{64}$",
      description: "SHA-256 of a photograph that you keep, in hex.",
      examples: ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
    }),
  ),
  pin: Type.Optional(
    Type.String({ pattern: "^[0-9]{4}$", description: "The pin the recipient gave.", examples: ["4711"] }),
  ),
  signature: Type.Optional(Text("Who signed.", 100)),
  barcode: Type.Optional(Text("What the scanned barcode says.", 100)),
  note: Type.Optional(Text("Anything else.", 500)),
};

export const Proof = Shape({
  ...given,
  photo: Type.Optional(Picture("The photograph, PNG, JPEG or WebP, in base64; kept encrypted.")),
  signature_image: Type.Optional(Picture("The drawn signature, PNG, JPEG or WebP, in base64; kept encrypted.")),
});
export type Proof = Static<typeof Proof>;

const GivenProof = Shape({
  ...given,
  photo_url: Type.Optional(Type.String({ description: "Where the photograph is; needs a key." })),
  signature_url: Type.Optional(Type.String({ description: "Where the drawn signature is; needs a key." })),
  lat: Type.Optional(Latitude("Where the courier was then.")),
  lon: Type.Optional(Longitude("Where the courier was then.")),
  at: Time("When it was given."),
});

const Instructions = Nullable(Type.String({ description: "How to find it or get in." }));

const Locations = Shape(
  {
    pickup: named("DeliveryLocation", about(Location, "Where the pickup is.")),
    dropoff: named("DeliveryLocation", about(Location, "Where the drop-off is.")),
  },
  { description: "The places that were understood." },
);

export const Delivery = Shape({
  delivery_id: Id("dlv"),
  status: StateName,
  pickup: about(
    Shape({
      address: Type.String({ description: "Echo of the requested pickup address." }),
      scheduled_time: Time("Scheduled pickup time."),
      until: Nullable(Time("Latest pickup, if one was asked for.")),
      contact: Nullable(named("DeliveryContact", Contact, "Who to ask for.")),
      instructions: Instructions,
    }),
    "Where and when it is picked up.",
  ),
  dropoff: about(
    Shape({
      address: Type.String({ description: "Echo of the requested drop-off address." }),
      estimated_arrival: Time("Estimated arrival, computed by the service; the last estimate once it has arrived."),
      promised_arrival: Time("The estimate at the time of the order; a reschedule makes a new promise."),
      actual_arrival: Nullable(Time("When it was delivered.")),
      window: Nullable(
        Shape(
          { from: Nullable(Time("Not before this time.")), to: Nullable(Time("Not after this time.")) },
          { description: "When it may arrive, if that was asked for." },
        ),
      ),
      notify: about(NotifyView, "Messages to the recipient, if they were asked for."),
      contact: Nullable(named("DeliveryContact", Contact, "Who to ask for.")),
      instructions: Instructions,
    }),
    "Where and when it arrives.",
  ),
  created_at: Time("When it was scheduled."),
  external_id: Nullable(Type.String({ description: "Your own id for the order." })),
  parent_id: Nullable(Id("dlv", "The delivery this one tries again.")),
  tags: Type.Array(Type.String(), { description: "Your own labels." }),
  items: Type.Array(Item, { description: "What is carried." }),
  notes: Nullable(Type.String({ description: "For the courier." })),
  vehicle: Nullable(VehicleName),
  requested_provider: Nullable(ProviderChoice),
  provider: Nullable(Type.String({ description: "Who carries it, once that is known." })),
  simulated: Type.Boolean({ description: "Whether simulated couriers carry it (test keys)." }),
  courier: Nullable(
    about(
      Shape({
        id: Nullable(Id("crr")),
        name: Nullable(Type.String({ description: "The courier's name." })),
        vehicle: Nullable(Type.String({ description: "How it travels." })),
        position: Nullable(
          Shape(
            { ...Position.properties, at: Time("When the courier was there.") },
            { description: "Where the courier was last." },
          ),
        ),
      }),
      "Who carries it, once that is known.",
    ),
  ),
  eta: named("DeliveryEta", Eta, "When it will arrive, with its uncertainty."),
  locations: Locations,
  attention: Type.Array(Type.String(), { description: "What a person should look at, e.g. dropoff_imprecise." }),
  timeline: Type.Array(
    Shape({
      status: Type.String({ description: "The state." }),
      at: Time("When that state was reached."),
      by: Type.String({ description: "Who or what moved it." }),
      note: Nullable(Type.String({ description: "What was said about it." })),
    }),
    { description: "The states it went through." },
  ),
  proof: about(
    Shape({
      required: Type.Array(ProofName, { description: "What the courier must bring back." }),
      pin: Nullable(Type.String({ description: "The pin to give to the courier, when one is required." })),
      pin_tries_left: Nullable(Type.Integer({ description: "How many wrong pins the courier may still enter." })),
      given: Nullable(about(GivenProof, "What was brought back.")),
    }),
    "What proves the delivery.",
  ),
  price: about(Nullable(Price), "What it costs by your tariff, if there is one."),
  rating: about(
    Nullable(
      Shape({
        stars: Type.Integer({ minimum: 1, maximum: 5, description: "From 1 to 5." }),
        comment: Nullable(Type.String({ description: "What the recipient wrote." })),
        at: Time("When it was rated."),
      }),
    ),
    "What the recipient thought of it.",
  ),
  reason: Nullable(Type.String({ description: "Why it failed, was canceled or goes back." })),
  fee_applies: Type.Boolean({ description: "Whether it was canceled after a courier had set out." }),
  tracking_url: Type.String({ description: "A public page that shows where it is." }),
});
export type Delivery = Static<typeof Delivery>;

export const Estimate = Shape({
  pickup: about(
    Shape({
      address: Delivery.properties.pickup.properties.address,
      scheduled_time: Delivery.properties.pickup.properties.scheduled_time,
    }),
    "Where and when it is picked up.",
  ),
  dropoff: about(
    Shape({
      address: Delivery.properties.dropoff.properties.address,
      estimated_arrival: Delivery.properties.dropoff.properties.estimated_arrival,
    }),
    "Where and when it arrives.",
  ),
  eta: named("DeliveryEta", Eta, "When it will arrive, with its uncertainty."),
  distance_km: Nullable(Type.Number({ description: "Straight-line distance." })),
  locations: Delivery.properties.locations,
  attention: Delivery.properties.attention,
});
