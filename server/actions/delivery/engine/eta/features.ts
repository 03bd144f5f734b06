// What a trip looks like to the ETA model: distance, clock and direction as numbers. The fit reads the same functions.
import { haversineKm } from "../geo.ts";

export interface Trip {
  from: { lat: number; lon: number };
  to: { lat: number; lon: number };
  /** Local wall clock at the start: hour with fraction, 0–24. */
  hour: number;
  /** 0 Sunday … 6 Saturday, local. */
  weekday: number;
  /** The ends are too rough to say more than the distance. */
  vague?: boolean;
}

/** Distances below this say nothing more: parking and lights outweigh the drive. */
const SHORTEST_KM = 0.15;

export function tripKm(trip: Trip): number {
  return Math.max(SHORTEST_KM, haversineKm(trip.from.lat, trip.from.lon, trip.to.lat, trip.to.lon));
}

/** Logarithm of distance with bends at 2, 5 and 12 km: longer trips find faster roads. */
function distanceFeatures(km: number): number[] {
  const x = Math.log(km);
  return [1, x, Math.max(0, x - Math.log(2)), Math.max(0, x - Math.log(5)), Math.max(0, x - Math.log(12))];
}

/** The daily round as four harmonics, apart for working days and weekends, the slow ones also growing with distance. */
function clockFeatures(trip: Trip, km: number): number[] {
  const weekend = trip.weekday === 0 || trip.weekday === 6;
  const x = Math.log(km / 3);
  const day: number[] = [];
  const is = (weekday: number) => (trip.weekday === weekday ? 1 : 0);
  const out: number[] = [weekend ? 1 : 0, is(0), weekend ? x : 0, is(1), is(5)];
  for (let k = 1; k <= 4; k++) {
    const angle = (2 * Math.PI * k * trip.hour) / 24;
    day.push(Math.sin(angle), Math.cos(angle));
  }
  for (const value of day) out.push(weekend ? 0 : value, weekend ? value : 0);
  for (const value of day.slice(0, 6)) out.push(weekend ? 0 : value * x);
  for (const value of day.slice(0, 2)) out.push(weekend ? value * x : 0);
  return out;
}

/** The direction of travel, as it matters on a street grid (period 90°) and along a city's axis (period 180°). */
function bearingFeatures(trip: Trip, km: number): number[] {
  const north = trip.to.lat - trip.from.lat;
  const east = (trip.to.lon - trip.from.lon) * Math.cos((trip.from.lat * Math.PI) / 180);
  const angle = Math.atan2(north, east);
  const x = Math.log(km / 3);
  const four = [Math.cos(4 * angle), Math.sin(4 * angle)];
  const two = [Math.cos(2 * angle), Math.sin(2 * angle), Math.cos(angle), Math.sin(angle)];
  return [...four, ...two, ...four.map((v) => v * x), ...two.map((v) => v * x)];
}

/** How far out both ends lie from the middle of the city: streets there are faster, and so are the roads between. */
function centreFeatures(trip: Trip, km: number, centre: { lat: number; lon: number }): number[] {
  const a = Math.log(1 + haversineKm(trip.from.lat, trip.from.lon, centre.lat, centre.lon));
  const b = Math.log(1 + haversineKm(trip.to.lat, trip.to.lon, centre.lat, centre.lon));
  const x = Math.log(km / 3);
  return [a, b, a * a, b * b, a * x, b * x, a * b];
}

/** Everything a profile multiplies its weights with; a profile without a centre knows neither grid nor centre. */
export function features(trip: Trip, km: number, centre: { lat: number; lon: number } | null): number[] {
  const everywhere = [...distanceFeatures(km), ...clockFeatures(trip, km)];
  return centre === null
    ? everywhere
    : [...everywhere, ...bearingFeatures(trip, km), ...centreFeatures(trip, km, centre)];
}
