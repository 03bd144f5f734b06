// When a delivery arrives: service at the pickup, the drive, access at the door, and an honest 80 % window. Pure.
import { haversineKm } from "../geo.ts";
import { type Calibration, factorOf, uncalibrated } from "./calibration.ts";
import { estimateDrive, type Vehicle } from "./drive.ts";
import { localTime } from "./local-time.ts";

export { areaOf, type Calibration, factorOf, learn, uncalibrated } from "./calibration.ts";
export { estimateDrive, type Vehicle, vehicles } from "./drive.ts";
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
  calibration?: Calibration;
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
}

export const defaultServiceSeconds = 300;
/** Dalla Chiara and Goodchild (2020): 2.3 minutes to find a place to stop, in a city. */
export const defaultAccessSeconds = 138;
/** A delivery of unknown length: the typical courier trip, and a band that says how little that means. */
const unknownTrip = { km: 6, quick: 0.3, slow: 4 };
const minute = 60_000;

export function estimate(request: EtaRequest): Eta {
  const vehicle = request.vehicle ?? "car";
  const fixed = (request.serviceSeconds ?? defaultServiceSeconds) + (request.accessSeconds ?? defaultAccessSeconds);
  const calibration = request.calibration ?? uncalibrated;
  const drive = driveOf(request, vehicle, calibration);
  const at = (seconds: number, round: (x: number) => number) =>
    round((request.startMs + (fixed + seconds) * 1000) / minute) * minute;
  return {
    arrivalMs: at(drive.seconds, Math.ceil),
    windowFromMs: Math.max(request.startMs, at(drive.quick, Math.floor)),
    windowToMs: at(drive.slow, Math.ceil),
    driveSeconds: Math.round(drive.seconds),
    km: drive.km,
    method: calibration.weight >= 1 ? `${drive.method}+recalibrated` : drive.method,
  };
}

interface Span {
  seconds: number;
  quick: number;
  slow: number;
  km: number | null;
  method: string;
}

function driveOf(request: EtaRequest, vehicle: Vehicle, calibration: Calibration): Span {
  const { from, to } = request;
  const clock = localTime(request.startMs, request.timeZone);
  const known = from ?? to;
  if (!from || !to) {
    const middle = known ?? { lat: 45, lon: 0 };
    const drive = estimateDrive({ from: middle, to: middle, ...clock }, vehicle, unknownTrip.km);
    const seconds = drive.seconds * factorOf(calibration);
    return {
      seconds,
      quick: seconds * unknownTrip.quick,
      slow: seconds * unknownTrip.slow,
      km: null,
      method: "unknown_distance",
    };
  }
  const blur = Math.hypot(from.radius_km ?? 0, to.radius_km ?? 0);
  const straight = haversineKm(from.lat, from.lon, to.lat, to.lon);
  // Points that are off by a blur are on average further apart than their centres.
  const km = Math.max(0.15, Math.sqrt(straight * straight + 0.8 * blur * blur));
  const trip = { from, to, ...clock };
  const drive = estimateDrive(trip, vehicle, km);
  const nearer = estimateDrive(trip, vehicle, Math.max(0.15, km - 1.6 * blur)).seconds;
  const further = estimateDrive(trip, vehicle, km + 1.6 * blur).seconds;
  const seconds = drive.seconds * factorOf(calibration);
  const low =
    calibration.widen * Math.hypot(Math.log(drive.seconds / drive.quickSeconds), Math.log(drive.seconds / nearer));
  const high =
    calibration.widen * Math.hypot(Math.log(drive.slowSeconds / drive.seconds), Math.log(further / drive.seconds));
  return {
    seconds,
    quick: seconds * Math.exp(-low),
    slow: seconds * Math.exp(high),
    km: Math.round(straight * 1000) / 1000,
    method: drive.method,
  };
}
