// When the dispatcher looks at a delivery, and how much faster than life the simulation runs. Pure.
import { MINUTE_MS, parseTime } from "../../../lib/time.ts";
import { DEFAULT_ACCESS_SECONDS, DEFAULT_SERVICE_SECONDS } from "./eta/index.ts";
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

/** What of a delivery says when it may be fetched. */
interface Timed {
  view: {
    pickup: { scheduled_time: string; until: string | null };
    dropoff: { window: { from: string | null; to: string | null } | null };
  };
  details: { driveSeconds: number };
}

/** When the recipient's window opens; 0 without one. */
export const opensMs = ({ view: { dropoff } }: Timed): number =>
  dropoff.window?.from ? parseTime(dropoff.window.from)! : 0;

/** When the goods are fetched: at the pickup time, or so much later that nobody stands at the door before its window opens. */
export function fetchMs(row: Timed): number {
  const { scheduled_time, until } = row.view.pickup;
  const waySeconds = DEFAULT_SERVICE_SECONDS + row.details.driveSeconds + DEFAULT_ACCESS_SECONDS;
  const latest = until ? parseTime(until)! : Infinity;
  return Math.max(parseTime(scheduled_time)!, Math.min(latest, opensMs(row) - 1000 * waySeconds));
}
