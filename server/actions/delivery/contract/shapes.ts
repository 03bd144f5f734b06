// The small shapes that orders, deliveries and couriers share: addresses, contacts, places, windows. Data, no logic.
import Type, { type Static } from "typebox";
import { Choice, Id, named, Nullable, Shape, Text, Time } from "../../../contract/shapes.ts";
import { alsoAs, asLines } from "../../../contract/shorthand.ts";
import { PROOF_KINDS, PROVIDERS, STATES } from "./states.ts";

export const Address = (description: string) =>
  alsoAs(
    Type.String({
      format: "address",
      minLength: 3,
      maxLength: 500,
      description,
      examples: ["350 5th Ave, New York, NY 10118"],
    }),
    asLines,
  );

export const Latitude = (description = "Degrees north.") =>
  Type.Number({ minimum: -90, maximum: 90, description, examples: [40.7484] });
export const Longitude = (description = "Degrees east.") =>
  Type.Number({ minimum: -180, maximum: 180, description, examples: [-73.9857] });

export const Position = Shape({ lat: Latitude(), lon: Longitude() });
export type Position = Static<typeof Position>;

export const Phone = Type.String({
  pattern: "^\\+?[0-9 ()-]{5,24}$",
  description: "Telephone number.",
  examples: ["+12125550100"],
});

export const Contact = Shape({
  name: Type.Optional(Text("Who to ask for.", 100)),
  phone: Type.Optional(Phone),
  email: Type.Optional(Type.String({ format: "email", maxLength: 254, description: "E-mail address." })),
});
export type Contact = Static<typeof Contact>;

export const Item = Shape({
  name: Text("What it is.", 200),
  quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: "How many; 1 unless given." })),
  weight_grams: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000, description: "Weight of one." })),
  barcode: Type.Optional(Text("What its barcode says; the courier scans it as proof.", 100)),
});
export type Item = Static<typeof Item>;

/** For one end of the trip, e.g. the door code. */
export const Instructions = Type.String({
  format: "multi-line",
  maxLength: 500,
  description: "How to find it or get in.",
});

export const VehicleName = Choice(["car", "van", "truck", "motorbike", "bicycle", "foot"], "How it travels.");
export const ProviderChoice = Choice([...PROVIDERS], "Who carries it; the configured order unless given.");
export const ProofName = Choice([...PROOF_KINDS], "A kind of proof.");
export const StateName = Choice([...STATES], "State of the delivery.");

const PrecisionName = Choice(
  ["rooftop", "street", "postcode", "locality", "region", "country", "none"],
  "How exactly the place is known.",
);

export const Window = Shape(
  {
    from: Type.Optional(Time("Not before this time.")),
    to: Type.Optional(Time("Not after this time.")),
  },
  { minProperties: 1, examples: [{ from: "2026-12-01T16:00:00Z", to: "2026-12-01T18:00:00Z" }] },
);
export type Window = Static<typeof Window>;

export const Location = Shape({
  lat: Nullable(Type.Number({ description: "Degrees north." })),
  lon: Nullable(Type.Number({ description: "Degrees east." })),
  precision: PrecisionName,
  label: Nullable(Type.String({ description: "The place that was understood." })),
  confidence: Type.Number({ minimum: 0, maximum: 1, description: "How sure that is the place meant." }),
  time_zone: Nullable(Type.String({ description: "IANA time zone of the place." })),
});
export type Location = Static<typeof Location>;

const EtaWindow = Shape({ from: Time("Start of the 80 % window."), to: Time("End of the 80 % window.") });

export const Eta = Shape({
  window: named("DeliveryWindow", EtaWindow, "Eight in ten arrive within it."),
  method: Type.String({ description: "How the estimate was made." }),
  precision: PrecisionName,
});

export const Price = Shape({
  amount: Type.String({ description: "In the currency's units.", examples: ["9.90"] }),
  currency: Type.String({ description: "ISO 4217 code." }),
});
export type Price = Static<typeof Price>;

export const DeliveryParams = Shape({ id: Id("dlv") });
