// What is sent and shown of couriers. Data, no logic.
import Type, { type Static } from "typebox";
import { Choice, Id, named, Nullable, Shape, Text, Time } from "../../../contract/shapes.ts";
import { Phone, Position, VehicleName } from "./shapes.ts";

const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

const Clock = (description: string) =>
  Type.String({ pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$|^24:00$", description, examples: ["09:00"] });

/** Spans of a week; a break is the gap between two spans of one day. */
export const WeeklyHours = Type.Array(
  Shape({
    days: Type.Array(Choice([...WEEKDAYS], "A day of the week."), {
      minItems: 1,
      maxItems: 7,
      uniqueItems: true,
      description: "On which days.",
    }),
    from: Clock("Start, local time."),
    to: Clock("End, local time; `24:00` is midnight."),
  }),
  {
    maxItems: 50,
    description: "When, in local time; leave gaps for breaks.",
    examples: [[{ days: ["mon", "tue", "wed", "thu", "fri"], from: "09:00", to: "17:00" }]],
  },
);
export type WeeklyHours = Static<typeof WeeklyHours>;

/** A polygon on the map; the last corner joins the first. */
export const Area = Type.Array(named("Position", Position), {
  minItems: 3,
  maxItems: 200,
  description: "Corners of an area, in order.",
  examples: [
    [
      { lat: 40.7, lon: -74.02 },
      { lat: 40.88, lon: -73.91 },
      { lat: 40.7, lon: -73.97 },
    ],
  ],
});

export const TimeZone = Type.String({
  format: "time-zone",
  maxLength: 64,
  description: "IANA time zone.",
  examples: ["America/New_York"],
});

const Zone = Shape({
  ...Position.properties,
  radius_km: Type.Number({ exclusiveMinimum: 0, maximum: 500, description: "How far around." }),
});
const Shift = Shape({ from: Time("Start of the shift."), to: Time("End of the shift.") });

export const CourierOrder = {
  name: Text("The courier's name.", 100),
  phone: Type.Optional(Nullable(Phone)),
  vehicle: Type.Optional(VehicleName),
  capacity: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: "How many deliveries it carries at a time; 3 unless given.",
    }),
  ),
  zone: Type.Optional(Nullable(named("CourierZone", Zone, "A circle it works in; null for anywhere."))),
  area: Type.Optional(Nullable(Area)),
  shift: Type.Optional(Nullable(named("CourierShift", Shift, "When it works; null for always."))),
  hours: Type.Optional(Nullable(WeeklyHours)),
  time_zone: Type.Optional(TimeZone),
  on_duty: Type.Optional(Type.Boolean({ description: "Whether it takes deliveries; true unless given." })),
  position: Type.Optional(named("Position", Position, "Where it is.")),
};

export const Courier = Shape({
  id: Id("crr"),
  name: Type.String({ description: "The courier's name." }),
  phone: Nullable(Type.String({ description: "Telephone number." })),
  vehicle: VehicleName,
  capacity: Type.Integer({ description: "How many deliveries it carries at a time." }),
  zone: Nullable(named("CourierZone", Zone, "A circle it works in; null for anywhere.")),
  area: Nullable(Area),
  shift: Nullable(named("CourierShift", Shift, "When it works; null for always.")),
  hours: Nullable(WeeklyHours),
  time_zone: Type.String({ description: "Time zone of `hours`." }),
  on_duty: Type.Boolean({ description: "Whether it takes deliveries." }),
  position: Nullable(
    named("CourierPosition", Shape({ ...Position.properties, at: Time("When it was there.") }), "Where it was last."),
  ),
  courier_url: Type.String({ description: "The courier's own page; give it to nobody else." }),
  created_at: Time("When the courier was added."),
});
export type Courier = Static<typeof Courier>;
