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

const LOG_2 = Math.log(2);
const LOG_5 = Math.log(5);
const LOG_12 = Math.log(12);
const PLAIN_COUNT = 34;
const CITY_COUNT = 53;

/** Filled anew for every trip: an order asks for three estimates, and arrays made for each cost more than the sums. */
const plain = new Float64Array(PLAIN_COUNT);
const city = new Float64Array(CITY_COUNT);

/** Logarithm of distance with bends at 2, 5 and 12 km: longer trips find faster roads. */
function writeDistance(out: Float64Array, km: number): void {
  const x = Math.log(km);
  out[0] = 1;
  out[1] = x;
  out[2] = Math.max(0, x - LOG_2);
  out[3] = Math.max(0, x - LOG_5);
  out[4] = Math.max(0, x - LOG_12);
}

/** The daily round as four harmonics, apart for working days and weekends, the slow ones also growing with distance. */
function writeClock(out: Float64Array, { hour, weekday }: Trip, x: number): void {
  const weekend = weekday === 0 || weekday === 6;
  const [onWeekend, onWorkday] = weekend ? [1, 0] : [0, 1];
  out[5] = onWeekend;
  out[6] = weekday === 0 ? 1 : 0;
  out[7] = weekend ? x : 0;
  out[8] = weekday === 1 ? 1 : 0;
  out[9] = weekday === 5 ? 1 : 0;
  for (let k = 0; k < 8; k++) {
    const angle = (2 * Math.PI * ((k >> 1) + 1) * hour) / 24;
    const value = k % 2 === 0 ? Math.sin(angle) : Math.cos(angle);
    out[10 + 2 * k] = value * onWorkday;
    out[11 + 2 * k] = value * onWeekend;
    if (k < 6) out[26 + k] = value * onWorkday * x;
    if (k < 2) out[32 + k] = value * onWeekend * x;
  }
}

/** The direction of travel, as it matters on a street grid (period 90°) and along a city's axis (period 180°). */
function writeBearing(out: Float64Array, { from, to }: Trip, x: number): void {
  const north = to.lat - from.lat;
  const east = (to.lon - from.lon) * Math.cos((from.lat * Math.PI) / 180);
  const angle = Math.atan2(north, east);
  out[34] = Math.cos(4 * angle);
  out[35] = Math.sin(4 * angle);
  out[36] = Math.cos(2 * angle);
  out[37] = Math.sin(2 * angle);
  out[38] = Math.cos(angle);
  out[39] = Math.sin(angle);
  for (let i = 0; i < 6; i++) out[40 + i] = out[34 + i] * x;
}

/** How far out both ends lie from the middle of the city: streets there are faster, and so are the roads between. */
function writeCentre(out: Float64Array, { from, to }: Trip, x: number, centre: { lat: number; lon: number }): void {
  const a = Math.log(1 + haversineKm(from.lat, from.lon, centre.lat, centre.lon));
  const b = Math.log(1 + haversineKm(to.lat, to.lon, centre.lat, centre.lon));
  out[46] = a;
  out[47] = b;
  out[48] = a * a;
  out[49] = b * b;
  out[50] = a * x;
  out[51] = b * x;
  out[52] = a * b;
}

/**
 * Everything a profile multiplies its weights with; a profile without a centre knows neither grid nor centre.
 * The same array is filled again by the next call: whoever keeps it copies it.
 */
export function features(trip: Trip, km: number, centre: { lat: number; lon: number } | null): Float64Array {
  const out = centre === null ? plain : city;
  const x = Math.log(km / 3);
  writeDistance(out, km);
  writeClock(out, trip, x);
  if (centre === null) return out;
  writeBearing(out, trip, x);
  writeCentre(out, trip, x, centre);
  return out;
}
