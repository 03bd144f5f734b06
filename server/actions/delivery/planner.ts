// From an order to a journey: where both ends are, and when it arrives.
import type { Mode } from "../../contract/define.ts";
import { Failure, invalid } from "../../contract/errors.ts";
import { DAY_MS, formatTime, MINUTE_MS, parseTime } from "../../lib/time.ts";
import { type Calibration, areaOf, type Eta, estimate, type Point, type Vehicle } from "./engine/eta/index.ts";
import { haversineKm } from "./engine/geo.ts";
import type { Geocoded, Place } from "./engine/geocoder/index.ts";

/** Below this confidence a place that is too far away is taken for a misunderstanding. */
const SURE = 0.5;
const MAX_PAST_MS = 5 * MINUTE_MS;
const MAX_AHEAD_MS = 30 * DAY_MS;

export interface Journey {
  pickup: Geocoded;
  dropoff: Geocoded;
  from: Point | null;
  to: Point | null;
  timeZone: string | null;
  km: number | null;
  eta: Eta;
}

/** One end of an order, as far as its place is concerned. */
export interface End {
  address: string;
  lat?: number;
  lon?: number;
}

export interface Ends {
  pickup: End;
  dropoff: End;
}

export interface Caller {
  tenantId: number;
  mode: Mode;
}

/** Finds both ends. Test keys reach nothing outside: the same order is placed the same way everywhere. */
export type Locate = (caller: Caller, ends: Ends) => Promise<{ pickup: Geocoded; dropoff: Geocoded }>;
/** Seconds of driving by a configured router, or null where there is none or it fails. */
export type Drive = (from: Point, to: Point, vehicle: Vehicle) => Promise<{ seconds: number; method: string } | null>;

export interface PlannerPorts {
  locate: Locate;
  drive: Drive;
  calibrationOf(tenantId: number, area: string): Calibration | undefined | Promise<Calibration | undefined>;
  maxKm: number;
}

export type Planner = ReturnType<typeof createPlanner>;

export function createPlanner(ports: PlannerPorts) {
  return async function plan(caller: Caller, order: Ends & { vehicle?: Vehicle }, pickupMs: number): Promise<Journey> {
    const { pickup, dropoff } = dropDoubtful(await ports.locate(caller, order), ports.maxKm);
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
    const area = from && to && areaOf(from, to, vehicle);
    const calibration = area ? await ports.calibrationOf(caller.tenantId, area) : undefined;
    const eta = estimate({ from, to, startMs: pickupMs, timeZone, vehicle, calibration });
    const routed = from && to && caller.mode === "live" ? await ports.drive(from, to, vehicle) : null;
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
  const near = haversineKm(pickup.lat, pickup.lon, dropoff.lat, dropoff.lon) <= maxKm;
  if (near || Math.min(pickup.confidence, dropoff.confidence) >= SURE) return ends;
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

/** `asap` is now. */
export function readPickupTime(text: string, now: number): number {
  if (text === "asap") return now;
  const ms = parseTime(text)!;
  if (ms < now - MAX_PAST_MS)
    throw new Failure("pickup_time_in_past", `pickup.time ${formatTime(ms)} is more than 5 minutes ago.`);
  if (ms > now + MAX_AHEAD_MS)
    throw new Failure("pickup_time_too_far", `pickup.time ${formatTime(ms)} is more than 30 days ahead.`);
  return ms;
}

/** Half a position is a mistake, not a place. */
export function checkCoordinates(ends: {
  pickup?: { lat?: number; lon?: number };
  dropoff?: { lat?: number; lon?: number };
}): void {
  for (const [name, end] of Object.entries(ends)) {
    if (!end || (end.lat === undefined) === (end.lon === undefined)) continue;
    const missing = end.lat === undefined ? "lat" : "lon";
    throw invalid(
      `/${name}/${missing}`,
      `${name}.${missing} is missing`,
      'Send both, e.g. {"lat": 40.7484, "lon": -73.9857}, or neither',
      "required",
    );
  }
}

const PRECISIONS = ["rooftop", "street", "postcode", "locality", "region", "country", "none"] as const;
type Precision = (typeof PRECISIONS)[number];

export const coarser = (a: Precision, b: Precision): Precision =>
  PRECISIONS[Math.max(PRECISIONS.indexOf(a), PRECISIONS.indexOf(b))];
export const isBroad = (place: Geocoded): boolean =>
  PRECISIONS.indexOf(place.precision) >= PRECISIONS.indexOf("region");

/** A region or a country is no place to measure a drive from. */
const pointOf = (place: Geocoded | Place): Point | null =>
  place.precision === "none" || isBroad(place as Geocoded)
    ? null
    : { lat: place.lat, lon: place.lon, radius_km: place.radius_km };
const zoneOf = (place: Geocoded): string | null => (place.precision === "none" ? null : place.time_zone);
const labelOf = (place: Geocoded): string | null => (place.precision === "none" ? null : place.label);
