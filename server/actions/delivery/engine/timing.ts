// When the dispatcher looks at a delivery, and how much faster than life the simulation runs. Pure.
import { MINUTE_MS } from "../../../lib/time.ts";
import type { Mode } from "../../../contract/define.ts";

/** Couriers are looked for this long before the pickup. */
const SEARCH_MS = 60 * MINUTE_MS;
/** An offer goes out this long before the courier must set out. */
export const OFFER_LEAD_MS = 15 * MINUTE_MS;
export const OFFER_LIFE_MS = 2 * MINUTE_MS;
/** No courier this long after the pickup time: the delivery has failed. */
export const GRACE_MS = 30 * MINUTE_MS;
export const MAX_ATTEMPTS = 20;
/** A courier service that has brought nothing to an end this long after the pickup time is not asked any more. */
export const SILENT_MS = 48 * 60 * MINUTE_MS;

/** A moment of the simulated day as a moment of ours: everything after `originMs` runs `speed` times as fast. */
export const realMs = (originMs: number, simulatedMs: number, speed: number): number =>
  Math.round(originMs + (simulatedMs - originMs) / speed);

export function firstWake(mode: Mode, now: number, pickupMs: number, speed: number): number {
  const search = Math.max(now, pickupMs - SEARCH_MS);
  return mode === "live" ? search : Math.min(search, realMs(now, Math.max(now, pickupMs - OFFER_LEAD_MS), speed));
}
