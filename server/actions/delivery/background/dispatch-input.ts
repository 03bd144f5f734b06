// Deliveries and couriers as the dispatch engine sees them. Pure.
import { parseTime } from "../../../lib/time.ts";
import type { Courier, Order, Stop } from "../engine/dispatch/index.ts";
import { DEFAULT_ACCESS_SECONDS, DEFAULT_SERVICE_SECONDS } from "../engine/eta/index.ts";
import { fetchMs, opensMs } from "../engine/timing.ts";
import { spanAt } from "../engine/weekly-hours.ts";
import { RANK } from "../machine.ts";
import type { CourierRow, DeliveryRow } from "../store/index.ts";

const EARLY_MS = 30 * 60_000;

/** On shift, or about to begin it. */
export function onShift({ view: { shift, hours, time_zone } }: CourierRow, now: number): boolean {
  if (shift && (now < parseTime(shift.from)! - EARLY_MS || now >= parseTime(shift.to)!)) return false;
  return !hours || spanAt(hours, time_zone, now) !== null || spanAt(hours, time_zone, now + EARLY_MS) !== null;
}

/** When it must be done: the end of the shift, or of the hours it works now. */
function shiftEndMs({ view: { shift, hours, time_zone } }: CourierRow, now: number): number {
  const span = hours && (spanAt(hours, time_zone, now) ?? spanAt(hours, time_zone, now + EARLY_MS));
  return Math.min(shift ? parseTime(shift.to)! : Infinity, span ? span.endMs : Infinity);
}

export function orderOf(row: DeliveryRow): Order {
  const { from, to } = row.details;
  return {
    id: row.id,
    pickup: from!,
    dropoff: to!,
    earliestMs: fetchMs(row),
    opensMs: opensMs(row),
    dueMs: Math.min(parseTime(row.view.eta.window.to)!, latestOf(row)),
    load: 1,
    vehicle: row.view.vehicle,
    excluded: new Set(row.machine.excluded),
    pickupServiceMs: DEFAULT_SERVICE_SECONDS * 1000,
    dropoffServiceMs: DEFAULT_ACCESS_SECONDS * 1000,
  };
}

/** The end of the window that was asked for. */
const latestOf = ({ view }: DeliveryRow): number =>
  view.dropoff.window?.to ? parseTime(view.dropoff.window.to)! : Infinity;

/** A courier with what it has in hand: picked-up goods are bound to it, the rest keeps its order. */
export function courierOf(c: CourierRow, inHand: DeliveryRow[], waiting: DeliveryRow[], now: number): Courier {
  const mine = inHand.filter((row) => row.view.courier?.id === c.id && row.details.from && row.details.to);
  const stops = mine.flatMap(stopsOf);
  const start =
    c.view.position ?? c.view.zone ?? c.view.area?.[0] ?? waiting.find((row) => row.details.from)?.details.from;
  return {
    id: c.id,
    at: { lat: start?.lat ?? 0, lon: start?.lon ?? 0 },
    freeAtMs: now,
    shiftEndMs: shiftEndMs(c, now),
    capacity: c.view.capacity,
    vehicle: c.view.vehicle,
    zone: c.view.zone,
    area: c.view.area,
    onBoard: mine.filter((row) => RANK[row.view.status] >= RANK.picked_up).length,
    stops,
    fixed: stops.length > 0 ? 1 : 0,
  };
}

function stopsOf(row: DeliveryRow): Stop[] {
  const order = orderOf(row);
  const { id: orderId, pickup, dropoff, earliestMs, opensMs, dueMs, pickupServiceMs, dropoffServiceMs } = order;
  const load = 1;
  const door: Stop = {
    orderId,
    kind: "dropoff",
    at: dropoff,
    earliestMs: opensMs,
    dueMs,
    serviceMs: dropoffServiceMs,
    load,
  };
  if (RANK[row.view.status] >= RANK.picked_up) return [door];
  return [{ orderId, kind: "pickup", at: pickup, earliestMs, dueMs: Infinity, serviceMs: pickupServiceMs, load }, door];
}
