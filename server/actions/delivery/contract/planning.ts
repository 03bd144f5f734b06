// What is sent and shown where many orders are planned at once: optimisation, batches, statistics. Data, no logic.
import Type, { type Static } from "typebox";
import { route } from "../../../contract/define.ts";
import { about, Choice, Nullable, Shape, Text, Time } from "../../../contract/shapes.ts";
import { Delivery } from "./delivery.ts";
import { Order } from "./order.ts";
import { Latitude, Longitude, Position, VehicleName, Window } from "./shapes.ts";

const Visit = Shape({
  lat: Latitude(),
  lon: Longitude(),
  window: Type.Optional(Window),
  service_minutes: Type.Optional(
    Type.Number({ minimum: 0, maximum: 480, description: "How long the stop takes; 3 unless given." }),
  ),
});

export const OptimizeOrder = Shape(
  {
    depot: about(Position, "Where all vehicles start and end."),
    vehicles: about(
      Shape({
        count: Type.Integer({ minimum: 1, maximum: 100, description: "How many there are." }),
        capacity: Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000, description: "What each carries at a time." }),
        from: Time("When they leave the depot."),
        to: Time("When they must be back."),
        vehicle: Type.Optional(VehicleName),
      }),
      "The vehicles, all alike.",
    ),
    requests: Type.Array(
      Shape({
        id: Text("Your own name for it.", 100),
        pickup: Type.Optional(about(Visit, "Where it is fetched; the depot unless given.")),
        dropoff: about(Visit, "Where it is brought."),
        load: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000, description: "1 unless given." })),
      }),
      { minItems: 1, maxItems: 300, description: "What is to be carried; without a pickup, from the depot." },
    ),
    prefer: Type.Optional(
      Choice(["fewest_vehicles", "shortest"], "What counts first; `fewest_vehicles` unless given."),
    ),
  },
  {
    examples: [
      {
        depot: { lat: 40.7505, lon: -73.9934 },
        vehicles: { count: 2, capacity: 10, from: "2026-12-01T08:00:00Z", to: "2026-12-01T16:00:00Z" },
        requests: [{ id: "a", dropoff: { lat: 40.6936, lon: -73.9892 } }],
      },
    ],
  },
);
export type OptimizeOrder = Static<typeof OptimizeOrder>;

const PlannedStop = Shape({
  id: Type.String({ description: "Your name for the request." }),
  kind: Choice(["pickup", "dropoff"], "What happens there."),
  lat: Latitude(),
  lon: Longitude(),
  arrive: Time("When the vehicle is there."),
  leave: Time("When it goes on."),
});

export const OptimizedRoutes = Shape({
  vehicles_used: Type.Integer({ description: "How many vehicles have a route." }),
  distance_km: Type.Number({ description: "Of all routes, in straight lines." }),
  routes: Type.Array(
    Shape({
      start: Time("Leaves the depot."),
      end: Time("Is back."),
      distance_km: Type.Number({ description: "In straight lines." }),
      stops: Type.Array(PlannedStop, { description: "In the order they are visited." }),
    }),
    { description: "One for each vehicle that is used." },
  ),
  unassigned: Type.Array(Type.String(), { description: "Requests that no vehicle can carry within these rules." }),
});
export type OptimizedRoutes = Static<typeof OptimizedRoutes>;

export const optimize = route({
  id: "delivery.optimize",
  method: "POST",
  path: "/delivery/optimize",
  summary: "Plan routes for many stops; nothing is scheduled",
  description: "Pickups and drop-offs with windows, loads and vehicles. The same request gives the same plan.",
  scope: "delivery:read",
  body: OptimizeOrder,
  answer: OptimizedRoutes,
});

export const batch = route({
  id: "delivery.batch",
  method: "POST",
  path: "/delivery/batch",
  summary: "Schedule up to 1,000 deliveries in one call",
  description:
    "Each order stands on its own: the answer says for each one what became of it, in the order they were sent.",
  scope: "delivery:write",
  body: Shape({
    orders: Type.Array(Order, {
      minItems: 1,
      maxItems: 1000,
      description: "Orders, as for schedule.",
      examples: [
        [{ pickup: { address: "350 5th Ave, New York", time: "asap" }, dropoff: { address: "Downtown Brooklyn" } }],
      ],
    }),
  }),
  answer: Shape({
    scheduled: Type.Integer({ description: "How many were scheduled." }),
    refused: Type.Integer({ description: "How many were not." }),
    results: Type.Array(
      Shape({
        index: Type.Integer({ description: "Its place among the orders." }),
        delivery: about(Nullable(Delivery), "The delivery, when it was scheduled."),
        error: about(
          Nullable(
            Shape({
              code: Type.String({ description: "The error, as for schedule." }),
              status: Type.Integer({ description: "The status that schedule would have answered." }),
              detail: Type.String({ description: "What is wrong." }),
              hint: Nullable(Type.String({ description: "What to do about it." })),
            }),
          ),
          "Why it was refused, when it was.",
        ),
      }),
      { description: "One for each order, in the order they were sent." },
    ),
  }),
  maxBodyBytes: 4_194_304,
});

const Share = (description: string) => Nullable(Type.Number({ minimum: 0, maximum: 1, description }));

const Stats = Shape({
  from: Time("Start of the period."),
  to: Time("End of the period."),
  delivered: Type.Integer({ description: "Deliveries that arrived in the period." }),
  failed: Type.Integer({ description: "Deliveries that failed, or went back." }),
  on_time: Share("Share of arrivals not after the promised arrival and five minutes."),
  in_window: Share("Share of arrivals inside the promised window; 0.8 is what was promised."),
  median_late_minutes: Nullable(Type.Number({ description: "Arrival less promise; below zero is early." })),
  mean_absolute_error_minutes: Nullable(Type.Number({ description: "Mean distance of arrival and promise." })),
  bias: Nullable(Type.Number({ description: "Promised over actual minutes from pickup to arrival, less one." })),
  calibration: Type.Array(
    Shape({
      level: Type.Number({ description: "The window that was promised, as a share." }),
      held: Type.Number({ description: "The share of arrivals it held." }),
    }),
    { description: "How often windows of each width held what they promised." },
  ),
  rating: about(
    Nullable(
      Shape({
        average: Type.Number({ description: "From 1 to 5 stars." }),
        count: Type.Integer({ description: "How many rated." }),
      }),
    ),
    "What recipients thought of it.",
  ),
});

export const stats = route({
  id: "delivery.stats",
  method: "GET",
  path: "/delivery/stats",
  summary: "On-time rate and calibration of the promises",
  scope: "delivery:read",
  query: Shape({
    from: Type.Optional(Time("Start of the period; 30 days ago unless given.")),
    to: Type.Optional(Time("End of the period; now unless given.")),
  }),
  answer: Stats,
});

export const statsPicture = route({
  id: "delivery.stats_picture",
  method: "GET",
  path: "/delivery/stats/picture",
  summary: "Calibration of the promises as a picture (SVG)",
  scope: "delivery:read",
  query: stats.query,
  produces: "image/svg+xml",
});

export const planningRoutes = [batch, optimize, stats, statsPicture];
