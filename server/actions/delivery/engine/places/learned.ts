// Where an address really is, from what was seen there: pins that people set, and positions of couriers at the door. Pure.
import { haversineKm } from "../geo.ts";

export type Source = "pin" | "courier";

export interface Sighting {
  lat: number;
  lon: number;
  source: Source;
}

export interface Learned {
  lat: number;
  lon: number;
  confidence: number;
  radius_km: number;
}

const MAX_SIGHTINGS = 20;
/** A courier this far from where the address should be has pressed the button somewhere else. */
const STRAY_KM = 5;

/** The newest sightings, with one more. */
export const addSighting = (known: Sighting[], seen: Sighting): Sighting[] => [...known, seen].slice(-MAX_SIGHTINGS);

/** Whether a courier's position can be the door of an address that was placed at `placed`. */
export function isCredible(
  seen: { lat: number; lon: number },
  placed: { lat: number; lon: number; radius_km?: number } | null,
): boolean {
  if (!placed) return true;
  return haversineKm(seen.lat, seen.lon, placed.lat, placed.lon) <= Math.max(STRAY_KM, 3 * (placed.radius_km ?? 0));
}

/** The last pin, or the middle of what couriers reported. */
export function placeOf(sightings: Sighting[]): Learned {
  const pin = sightings.findLast((s) => s.source === "pin");
  if (pin) return { lat: pin.lat, lon: pin.lon, confidence: 0.99, radius_km: 0.01 };
  const confidence = sightings.length >= 3 ? 0.97 : 0.9;
  return {
    lat: median(sightings.map((s) => s.lat)),
    lon: median(sightings.map((s) => s.lon)),
    confidence,
    radius_km: 0.03,
  };
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
