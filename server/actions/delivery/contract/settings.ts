// What an account decides about its deliveries, and quotes that follow from it. Data, no logic.
import Type, { type Static } from "typebox";
import { route } from "../../../contract/define.ts";
import { about, Currency, Decimal, Nullable, Shape, Text, Time } from "../../../contract/shapes.ts";
import { Area, TimeZone, WeeklyHours } from "./courier.ts";
import { Estimate } from "./delivery.ts";
import { EstimateOrder } from "./order.ts";
import { Price } from "./shapes.ts";

const Brand = Shape({
  name: Type.Optional(Text("Shown on the tracking page.", 80)),
  colour: Type.Optional(
    Type.String({ pattern: "^#[0-9a-fA-F]{6}$", description: "Colour of buttons and marks.", examples: ["#0b6b4f"] }),
  ),
});

const Tariff = Shape(
  {
    currency: Currency(),
    base: Decimal("Charged for every delivery."),
    per_km: Type.Optional(Decimal("For each kilometre in a straight line.")),
    per_minute: Type.Optional(Decimal("For each minute of driving.")),
    minimum: Type.Optional(Decimal("Nothing costs less.")),
  },
  { examples: [{ currency: "USD", base: "4.00", per_km: "1.20", minimum: "6.00" }] },
);

const Zone = Shape({
  name: Text("Your own name for it.", 80),
  area: Area,
  fee: Type.Optional(Decimal("Added to the price of a delivery into it.")),
});

const members = {
  brand: Nullable(Brand),
  tariff: Nullable(Tariff),
  zones: Nullable(Type.Array(Zone, { maxItems: 50, description: "Where it delivers; anywhere unless given." })),
  hours: Nullable(WeeklyHours),
  time_zone: TimeZone,
  sms_url: Nullable(
    Type.String({
      pattern: "^https?://[^\\s]+$",
      maxLength: 2000,
      description: "Your SMS gateway: gets POST {to, text, event, delivery_id}.",
      examples: ["https://sms.example.com/send"],
    }),
  ),
};

export const Settings = Shape({
  brand: about(members.brand, "How the tracking page looks."),
  tariff: about(members.tariff, "What a delivery costs."),
  zones: about(members.zones, "Where it delivers."),
  hours: about(members.hours, "When deliveries are picked up; always unless given."),
  time_zone: about(members.time_zone, "Time zone of the opening hours."),
  sms_url: members.sms_url,
});
export type Settings = Static<typeof Settings>;

export const getSettings = route({
  id: "delivery.settings.get",
  method: "GET",
  path: "/delivery/settings",
  summary: "Read brand, tariff, zones and opening hours",
  scope: "delivery:read",
  answer: Settings,
});

export const updateSettings = route({
  id: "delivery.settings.update",
  method: "PATCH",
  path: "/delivery/settings",
  summary: "Change brand, tariff, zones or opening hours",
  description: "Members that are left out stay as they are; null takes them away.",
  scope: "delivery:write",
  body: Shape(
    {
      brand: Type.Optional(about(members.brand, "How the tracking page looks.")),
      tariff: Type.Optional(about(members.tariff, "What a delivery costs.")),
      zones: Type.Optional(members.zones),
      hours: Type.Optional(members.hours),
      time_zone: Type.Optional(members.time_zone),
      sms_url: Type.Optional(members.sms_url),
    },
    { minProperties: 1, examples: [{ brand: { name: "Ada’s Kitchen", colour: "#0b6b4f" } }] },
  ),
  answer: Settings,
  errors: ["target_not_allowed"],
});

export const quote = route({
  id: "delivery.quote",
  method: "POST",
  path: "/delivery/quote",
  summary: "What a delivery costs, and whether it can be done at all",
  description: "Send `quote` with the order to keep the price until it expires.",
  scope: "delivery:read",
  body: EstimateOrder,
  answer: Shape({
    quote: Nullable(
      Type.String({ description: "Send it with the order; null without a tariff, or when it cannot be done." }),
    ),
    price: about(Nullable(Price), "Null without a tariff."),
    feasible: Type.Boolean({ description: "Whether such an order would be accepted." }),
    reasons: Type.Array(Type.String(), { description: "Why not, e.g. outside_zone or outside_hours." }),
    expires_at: Time("Until when the price is kept."),
    estimate: about(Estimate, "Places and arrival, as estimate answers them."),
  }),
  errors: ["pickup_time_in_past", "pickup_time_too_far", "distance_too_long"],
});

export const settingsRoutes = [getSettings, updateSettings, quote];
