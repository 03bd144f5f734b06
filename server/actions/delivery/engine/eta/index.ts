// When a delivery arrives: service at the pickup, the drive, access at the door, and the window that holds in 80 % of
// cases. Pure.
import { haversineKm } from "../geo.ts";
import { type Calibration, type Correction, correctionOf, type HistoryTrip, uncorrected } from "./calibration.ts";
import { estimateDrive, type Vehicle } from "./drive.ts";
import { localTime } from "./local-time.ts";
import { tripLength } from "./trip-length.ts";

export { areaOf, type Calibration, type Correction, learn, uncalibrated } from "./calibration.ts";
export { estimateDrive, type Vehicle, VEHICLES } from "./drive.ts";
export { localTime } from "./local-time.ts";

export interface Point {
  lat: number;
  lon: number;
  /** Half of the places described this way lie within it; 0 for an exact point. */
  radius_km?: number;
}

export interface EtaRequest {
  /** Null where the address could not be placed. */
  from: Point | null;
  to: Point | null;
  /** The instant of the pickup. */
  startMs: number;
  timeZone: string | null;
  vehicle?: Vehicle;
  /** What the account's own deliveries taught about the area. */
  calibration?: Calibration;
  /** A correction that was found before, instead. */
  correction?: Correction;
  /** From the courier's arrival at the pickup to its leaving. */
  serviceSeconds?: number;
  /** From parking to the door. */
  accessSeconds?: number;
}

export interface Eta {
  /** The central estimate, rounded up to the minute. */
  arrivalMs: number;
  windowFromMs: number;
  windowToMs: number;
  driveSeconds: number;
  km: number | null;
  method: string;
  correction: Correction;
}

export const DEFAULT_SERVICE_SECONDS = 300;
/** Dalla Chiara and Goodchild (2020): 2.3 minutes to find a place to stop, in a city. */
export const DEFAULT_ACCESS_SECONDS = 138;
/** An end that is not placed at all is somewhere in the same city. */
const UNKNOWN_BLUR_KM = 25;
/** Ends less sharp than this say nothing about direction and distance from the centre. */
const SHARP_KM = 8;
const SOMEWHERE = { lat: 45, lon: 0 };
/** Below this distance, parking and lights outweigh the drive. */
const SHORTEST_KM = 0.15;
/** From the spread of the trip's length to the 80 % band: 1.28 for a normal distribution. */
const SPREAD_TO_BAND = 1.28;
const MINUTE = 60_000;

export function estimate(request: EtaRequest): Eta {
  const fixed = (request.serviceSeconds ?? DEFAULT_SERVICE_SECONDS) + (request.accessSeconds ?? DEFAULT_ACCESS_SECONDS);
  const model = modelDrive(request);
  const correction = request.correction ?? correctionOf(request.calibration, model.trip);
  const drive = model.seconds * correction.factor;
  const at = (seconds: number, round: (x: number) => number) =>
    round((request.startMs + (fixed + seconds) * 1000) / MINUTE) * MINUTE;
  return {
    arrivalMs: at(drive, Math.ceil),
    windowFromMs: Math.max(request.startMs, at(drive * Math.exp(-correction.low * model.low), Math.round)),
    windowToMs: at(drive * Math.exp(correction.high * model.high), Math.round),
    driveSeconds: Math.round(drive),
    km: model.km,
    method: correction === uncorrected ? model.method : `${model.method}+recalibrated`,
    correction,
  };
}

export interface ModelDrive {
  seconds: number;
  /** The two sides of the 80 % band, as logarithms. */
  low: number;
  high: number;
  km: number | null;
  method: string;
  trip: HistoryTrip;
}

/** The drive as the model sees it, before anything an account learned. */
export function modelDrive(request: EtaRequest): ModelDrive {
  const { from, to, vehicle = "car" } = request;
  const clock = localTime(request.startMs, request.timeZone);
  const middle = from ?? to ?? SOMEWHERE;
  const straight = from && to ? haversineKm(from.lat, from.lon, to.lat, to.lon) : null;
  const blur = from && to ? Math.hypot(from.radius_km ?? 0, to.radius_km ?? 0) : UNKNOWN_BLUR_KM;
  const length = tripLength(straight ?? 0, blur, SHORTEST_KM);
  const trip = { from: from ?? middle, to: to ?? middle, ...clock, vague: blur > SHARP_KM };
  const drive = estimateDrive(trip, vehicle, length.km);
  const reach = SPREAD_TO_BAND * length.spread;
  const nearer = estimateDrive(trip, vehicle, length.km * Math.exp(-reach)).seconds;
  const further = estimateDrive(trip, vehicle, length.km * Math.exp(reach)).seconds;
  return {
    seconds: drive.seconds,
    low: Math.hypot(Math.log(drive.seconds / drive.quickSeconds), Math.log(drive.seconds / nearer)),
    high: Math.hypot(Math.log(drive.slowSeconds / drive.seconds), Math.log(further / drive.seconds)),
    km: straight === null ? null : Math.round(straight * 1000) / 1000,
    method: straight === null ? "unknown_distance" : drive.method,
    trip: { ...trip, km: length.km },
  };
}
