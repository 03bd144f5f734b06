// From an order to a delivery: where both ends are, when it arrives, and what a person should look at.
import type { Mode } from "../../contract/define.ts";
import { Failure } from "../../contract/errors.ts";
import { DAY_MS, formatTime, MINUTE_MS, parseTime } from "../../lib/time.ts";
import { type Calibration, areaOf, type Eta, estimate, type Point, type Vehicle } from "./engine/eta/index.ts";
import { haversineKm } from "./engine/geo.ts";
import type { Geocoded } from "./engine/geocoder/index.ts";

/** Below this confidence a place that is too far away is taken for a misunderstanding. */
const SURE = 0.5;

export interface Journey {
  pickup: Geocoded;
  dropoff: Geocoded;
  from: Point | null;
  to: Point | null;
  timeZone: string | null;
  km: number | null;
  eta: Eta;
}

/** Finds both ends; may ask a configured geocoder where the embedded one is vague. */
export type Locate = (pickup: string, dropoff: string) => Promise<{ pickup: Geocoded; dropoff: Geocoded }>;
/** Seconds of driving by a configured router, or null where there is none or it fails. */
export type Drive = (from: Point, to: Point, vehicle: Vehicle) => Promise<{ seconds: number; method: string } | null>;

export interface PlannerPorts {
  /** The embedded engine alone. */
  locate: Locate;
  /** The same, sharpened by what the operator set up outside. */
  locateOutside: Locate;
  drive: Drive;
  calibrationOf(tenantId: number, area: string): Promise<Calibration | undefined>;
  maxKm: number;
}

export type Planner = ReturnType<typeof createPlanner>;

export function createPlanner(ports: PlannerPorts) {
  /** Test keys reach nothing outside: the same order is placed the same way everywhere. */
  return async function plan(
    { tenantId, mode }: { tenantId: number; mode: Mode },
    order: { pickup: { address: string }; dropoff: { address: string }; vehicle?: Vehicle },
    pickupMs: number,
  ): Promise<Journey> {
    const { pickup, dropoff } = dropDoubtful(
      await (mode === "live" ? ports.locateOutside : ports.locate)(order.pickup.address, order.dropoff.address),
      ports.maxKm,
    );
    const from = pointOf(pickup);
    const to = pointOf(dropoff);
    const km = from && to ? haversineKm(from.lat, from.lon, to.lat, to.lon) : null;
    if (km !== null && km > ports.maxKm) {
      throw new Failure(
        "distance_too_long",
        `${Math.round(km)} km lie between the two ends; the maximum is ${ports.maxKm} km.`,
        { extra: { distance_km: Math.round(km), pickup: labelOf(pickup), dropoff: labelOf(dropoff) } },
      );
    }
    const timeZone = zoneOf(pickup) ?? zoneOf(dropoff);
    const vehicle = order.vehicle ?? "car";
    const calibration = from && to ? await ports.calibrationOf(tenantId, areaOf(from, to, vehicle)) : undefined;
    const eta = estimate({ from, to, startMs: pickupMs, timeZone, vehicle, calibration });
    const routed = from && to && mode === "live" ? await ports.drive(from, to, vehicle) : null;
    return { pickup, dropoff, from, to, timeZone, km, eta: routed ? withRoute(eta, routed) : eta };
  };
}

/** An unsure place too far away to be meant is no place: the order stands, its window says how little is known. */
function dropDoubtful(
  ends: { pickup: Geocoded; dropoff: Geocoded },
  maxKm: number,
): { pickup: Geocoded; dropoff: Geocoded } {
  const { pickup, dropoff } = ends;
  if (pickup.precision === "none" || dropoff.precision === "none") return ends;
  if (
    haversineKm(pickup.lat, pickup.lon, dropoff.lat, dropoff.lon) <= maxKm ||
    Math.min(pickup.confidence, dropoff.confidence) >= SURE
  )
    return ends;
  const none: Geocoded = { precision: "none", confidence: 0, runners_up: [] };
  return pickup.confidence < dropoff.confidence ? { pickup: none, dropoff } : { pickup, dropoff: none };
}

/** A router knows the roads, the model knows the traffic: keep the band, move it onto the router's time. */
function withRoute(eta: Eta, { seconds, method }: { seconds: number; method: string }): Eta {
  const shift = Math.round((seconds - eta.driveSeconds) / 60) * MINUTE_MS;
  const factor = eta.driveSeconds > 0 ? seconds / eta.driveSeconds : 1;
  const arrivalMs = eta.arrivalMs + shift;
  const around = (edge: number) => Math.round((arrivalMs + (edge - eta.arrivalMs) * factor) / MINUTE_MS) * MINUTE_MS;
  return {
    ...eta,
    arrivalMs,
    windowFromMs: around(eta.windowFromMs),
    windowToMs: around(eta.windowToMs),
    driveSeconds: seconds,
    method,
  };
}

export function readPickupTime(text: string, now: number): number {
  const ms = parseTime(text)!;
  if (ms < now - 5 * MINUTE_MS)
    throw new Failure("pickup_time_in_past", `pickup.time ${formatTime(ms)} is more than 5 minutes ago.`);
  if (ms > now + 30 * DAY_MS)
    throw new Failure("pickup_time_too_far", `pickup.time ${formatTime(ms)} is more than 30 days ahead.`);
  return ms;
}

const PRECISIONS = ["rooftop", "street", "postcode", "locality", "region", "country", "none"] as const;
type Precision = (typeof PRECISIONS)[number];

export const coarser = (a: Precision, b: Precision) =>
  PRECISIONS[Math.max(PRECISIONS.indexOf(a), PRECISIONS.indexOf(b))];
export const isBroad = (place: Geocoded) => PRECISIONS.indexOf(place.precision) >= PRECISIONS.indexOf("region");
/** A region or a country is no place to measure a drive from. */
const pointOf = (place: Geocoded): Point | null =>
  place.precision === "none" || isBroad(place) ? null : { lat: place.lat, lon: place.lon, radius_km: place.radius_km };
const zoneOf = (place: Geocoded) => (place.precision === "none" ? null : place.time_zone);
const labelOf = (place: Geocoded) => (place.precision === "none" ? null : place.label);
