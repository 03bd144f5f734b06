// When the dispatcher looks at a delivery, and how much faster than life the simulation runs. Pure.
import type { Mode } from "../../../contract/define.ts";

const minute = 60_000;
/** Couriers are looked for this long before the pickup. */
export const searchMs = 60 * minute;
/** An offer goes out this long before the courier must set out. */
export const offerLeadMs = 15 * minute;
export const offerLifeMs = 2 * minute;
/** No courier this long after the pickup time: the delivery has failed. */
export const graceMs = 30 * minute;
export const maxAttempts = 20;
/** A courier service that has brought nothing to an end this long after the pickup time is not asked any more. */
export const silentMs = 48 * 60 * minute;

/** A moment of the simulated day as a moment of ours: everything after `originMs` runs `speed` times as fast. */
export const realMs = (originMs: number, simulatedMs: number, speed: number): number =>
  Math.round(originMs + (simulatedMs - originMs) / speed);

export function firstWake(mode: Mode, now: number, pickupMs: number, speed: number): number {
  const search = Math.max(now, pickupMs - searchMs);
  return mode === "live" ? search : Math.min(search, realMs(now, Math.max(now, pickupMs - offerLeadMs), speed));
}
