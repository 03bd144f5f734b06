// Whether an order can be done at all: zones, opening hours and windows, checked before it is accepted.
import { Failure, invalid } from "../../../../contract/errors.ts";
import { formatTime, parseTime } from "../../../../lib/time.ts";
import type { WeeklyHours } from "../../contract/courier.ts";
import type { Order } from "../../contract/order.ts";
import type { Settings } from "../../contract/settings.ts";
import { isInside } from "../../engine/geo.ts";
import { nextOpening, spanAt } from "../../engine/weekly-hours.ts";
import { type Journey, readPickupTime } from "../../planner.ts";

type Ends = Pick<Order, "pickup" | "dropoff">;

const HINTS: Record<string, string> = {
  outside_zone: "Choose a drop-off inside one of the zones of GET /delivery/settings.",
  outside_hours: "Choose a pickup time inside the hours of GET /delivery/settings, or asap.",
  pickup_window: "Send an until that is after the pickup time.",
  dropoff_window: "Send a later window.to, or an earlier pickup.time.",
};

/** `asap` outside of the opening hours is when they begin. */
export function pickupTimeOf(settings: Settings, text: string, now: number): number {
  if (text !== "asap" || !settings.hours) return readPickupTime(text, now);
  return nextOpening(settings.hours, settings.time_zone, now) ?? now;
}

/** Why it cannot be done; empty when it can. */
export function obstaclesOf(settings: Settings, ends: Ends, journey: Journey, pickupMs: number): string[] {
  const reasons: string[] = [];
  if (settings.zones && zoneOf(settings, journey) === null) reasons.push("outside_zone");
  if (settings.hours && !spanAt(settings.hours, settings.time_zone, pickupMs)) reasons.push("outside_hours");
  if (ends.pickup.until && parseTime(ends.pickup.until)! < pickupMs) reasons.push("pickup_window");
  const { window } = ends.dropoff;
  const latest = window?.to ? parseTime(window.to)! : Infinity;
  if (latest < journey.eta.windowFromMs || (window?.from && parseTime(window.from)! > latest))
    reasons.push("dropoff_window");
  return reasons;
}

export function refuseInfeasible(settings: Settings, ends: Ends, journey: Journey, pickupMs: number): void {
  const [reason] = obstaclesOf(settings, ends, journey, pickupMs);
  if (!reason) return;
  const extra = { reason, earliest_arrival: formatTime(journey.eta.windowFromMs) };
  throw new Failure("not_feasible", `The order cannot be done: ${reason.replaceAll("_", " ")}.`, {
    hint: HINTS[reason],
    extra,
  });
}

/** The first zone that holds the drop-off; a place that is not known is in none. */
export function zoneOf({ zones }: Settings, { to }: Journey) {
  return (to && zones?.find((zone) => isInside(to, zone.area))) ?? null;
}

/** Nobody stands at the door before the window opens. */
export function keepWindow(ends: Ends, journey: Journey): Journey {
  const from = ends.dropoff.window?.from ? parseTime(ends.dropoff.window.from)! : 0;
  if (from <= journey.eta.arrivalMs) return journey;
  const shift = from - journey.eta.arrivalMs;
  const eta = { ...journey.eta, arrivalMs: from, windowFromMs: from, windowToMs: journey.eta.windowToMs + shift };
  return { ...journey, eta };
}

export function checkHours(hours: WeeklyHours | null): void {
  for (const [i, span] of (hours ?? []).entries()) {
    if (span.from < span.to) continue;
    throw invalid(`/hours/${i}/to`, "to must be later than from", "Send two spans for hours over midnight", "minimum");
  }
}
