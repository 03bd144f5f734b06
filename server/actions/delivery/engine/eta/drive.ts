// How long the drive itself takes: a central estimate and the 80 % band around it. Service time and the walk to the
// door are not included.
import { haversineKm } from "../geo.ts";
import { type Profile, profiles } from "./coefficients.ts";
import { features, type Trip, tripKm } from "./features.ts";

export const VEHICLES = ["car", "van", "truck", "motorbike", "bicycle", "foot"] as const;
export type Vehicle = (typeof VEHICLES)[number];

export interface Drive {
  km: number;
  seconds: number;
  /** A tenth of such drives are quicker. */
  quickSeconds: number;
  /** A tenth of such drives are slower. */
  slowSeconds: number;
  /** Which fit spoke, e.g. "power_law/new-york" or "power_law/any-city". */
  method: string;
}

/** The trips fitted on end here; further out the road is open. */
const FITTED_KM = 30;
const OPEN_ROAD_KMH = 65;

/** A motor vehicle against a taxi in traffic; assumptions, to be corrected by recalibration. */
const motorFactor: Record<string, number> = { car: 1, van: 1.06, truck: 1.2, motorbike: 0.87 };
/** Straight-line km/h and the seconds to get on and off the way. */
const ownSpeed: Record<string, { kmh: number; start: number }> = {
  bicycle: { kmh: 12, start: 60 },
  foot: { kmh: 3.8, start: 0 },
};

export function estimateDrive(trip: Trip, vehicle: Vehicle = "car", km: number = tripKm(trip)): Drive {
  const profile = profileFor(trip);
  const spread = bandOf(profile, km);
  const own = ownSpeed[vehicle];
  const seconds = own ? own.start + (km / own.kmh) * 3600 : motorFactor[vehicle] * motorSeconds(profile, trip, km);
  return {
    km,
    seconds,
    quickSeconds: seconds * Math.exp(spread.low),
    slowSeconds: seconds * Math.exp(spread.high),
    method: own ? `steady_pace/${vehicle}` : `power_law/${profile.name}`,
  };
}

function motorSeconds(profile: Profile, trip: Trip, km: number): number {
  const near = Math.min(km, FITTED_KM);
  const x = features(trip, near, profile.centre);
  let log = shiftOf(profile, near);
  for (let i = 0; i < x.length; i++) log += x[i] * profile.weights[i];
  return Math.exp(log) + (Math.max(0, km - FITTED_KM) / OPEN_ROAD_KMH) * 3600;
}

const bend = (km: number): number => Math.max(-1, Math.min(1.5, Math.log(km / 3)));

function shiftOf(profile: Profile, km: number): number {
  return profile.shift[0] + profile.shift[1] * bend(km);
}

function bandOf(profile: Profile, km: number): { low: number; high: number } {
  const x = bend(km);
  return { low: profile.low[0] + profile.low[1] * x, high: profile.high[0] + profile.high[1] * x };
}

/** The profile whose city holds both ends, else (and where the ends are vague) the one for any city. */
function profileFor(trip: Trip): Profile {
  for (const profile of profiles) {
    const { centre, reachKm } = profile;
    if (centre === null) return profile;
    if (trip.vague) continue;
    const from = haversineKm(trip.from.lat, trip.from.lon, centre.lat, centre.lon);
    if (from < reachKm && haversineKm(trip.to.lat, trip.to.lon, centre.lat, centre.lon) < reachKm) return profile;
  }
  throw new Error("the last profile must be the one for any city");
}
