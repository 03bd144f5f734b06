// One courier's route: what it costs to carry one more order, and where in the route it fits. Pure arithmetic.
import { MINUTE_MS } from "../../../../lib/time.ts";
import { flatKm, isInside } from "../geo.ts";

export interface Point {
  lat: number;
  lon: number;
}

export interface Stop {
  orderId: string;
  kind: "pickup" | "dropoff";
  at: Point;
  /** Nothing happens there before this time. */
  earliestMs: number;
  /** Later than this is late. */
  dueMs: number;
  serviceMs: number;
  load: number;
}

export interface Courier {
  id: string;
  at: Point;
  /** When it can leave from `at`. */
  freeAtMs: number;
  shiftEndMs: number;
  capacity: number;
  vehicle: string;
  /** Works only inside this circle; null for anywhere. */
  zone: (Point & { radius_km: number }) | null;
  /** Works only inside this polygon; null for anywhere. */
  area?: readonly Point[] | null;
  /** What it carries already, not counting what its stops will load. */
  onBoard: number;
  stops: Stop[];
  /** How many of the first stops must stay as they are. */
  fixed: number;
}

export interface Order {
  id: string;
  pickup: Point;
  dropoff: Point;
  earliestMs: number;
  /** Nobody is at the door before this time. */
  opensMs: number;
  dueMs: number;
  load: number;
  /** Null for any. */
  vehicle: string | null;
  /** Couriers that must not be asked (again). */
  excluded: ReadonlySet<string>;
  pickupServiceMs: number;
  dropoffServiceMs: number;
}

export interface Insertion {
  courier: Courier;
  pickupAt: number;
  dropoffAt: number;
  cost: number;
  /** Minutes late at the new order's drop-off. */
  lateMinutes: number;
}

/** Carrying one order a minute late is as bad as this many minutes of driving; a tie goes to the shorter way. */
const LATE_WEIGHT = 4;
const VEHICLE_PACE: Record<string, number> = {
  car: 1,
  van: 1.06,
  truck: 1.2,
  motorbike: 0.87,
  bicycle: 1.25,
  foot: 3.2,
};

/** Quick stand-in for the ETA model, the same power law without its clock: thousands are compared, one is promised. */
export function travelMs(a: Point, b: Point, vehicle: string): number {
  const km = flatKm(a.lat, a.lon, b.lat, b.lon);
  return (20 + 330 * (VEHICLE_PACE[vehicle] ?? 1) * km ** 0.62) * 1000;
}

export interface Schedule {
  arriveMs: number[];
  leaveMs: number[];
  lateMinutes: number;
  endMs: number;
}

/** When each stop is reached and left; null when the route breaks capacity, order or shift. */
export function scheduleOf(courier: Courier, stops: Stop[]): Schedule | null {
  const arriveMs: number[] = [];
  const leaveMs: number[] = [];
  let at = courier.at;
  let time = courier.freeAtMs;
  let load = courier.onBoard;
  let lateMinutes = 0;
  for (const stop of stops) {
    time += travelMs(at, stop.at, courier.vehicle);
    arriveMs.push(time);
    time = Math.max(time, stop.earliestMs);
    lateMinutes += Math.max(0, time - stop.dueMs) / MINUTE_MS;
    load += stop.kind === "pickup" ? stop.load : -stop.load;
    if (load > courier.capacity) return null;
    time += stop.serviceMs;
    leaveMs.push(time);
    at = stop.at;
  }
  return time > courier.shiftEndMs && stops.length > 0 ? null : { arriveMs, leaveMs, lateMinutes, endMs: time };
}

export function stopsOf(order: Order): [Stop, Stop] {
  const { id: orderId, load, earliestMs } = order;
  return [
    { orderId, kind: "pickup", at: order.pickup, earliestMs, dueMs: Infinity, serviceMs: order.pickupServiceMs, load },
    {
      orderId,
      kind: "dropoff",
      at: order.dropoff,
      earliestMs: order.opensMs,
      dueMs: order.dueMs,
      serviceMs: order.dropoffServiceMs,
      load,
    },
  ];
}

export function mayCarry(courier: Courier, order: Order): boolean {
  if (order.excluded.has(courier.id) || order.load > courier.capacity) return false;
  if (order.vehicle !== null && order.vehicle !== courier.vehicle) return false;
  const { zone, area } = courier;
  const inside = (p: Point): boolean =>
    (!zone || flatKm(p.lat, p.lon, zone.lat, zone.lon) <= zone.radius_km) && (!area || isInside(p, area));
  return inside(order.pickup) && inside(order.dropoff);
}

/** The cheapest places in the route for the order's two stops, or null when none is feasible. */
export function bestInsertion(courier: Courier, order: Order, before: Schedule): Insertion | null {
  const [pickup, dropoff] = stopsOf(order);
  const { stops, vehicle } = courier;
  const n = stops.length;
  const points = [courier.at, ...stops.map((s) => s.at)];
  const toP = points.map((p) => travelMs(p, pickup.at, vehicle));
  const toD = points.map((p) => travelMs(p, dropoff.at, vehicle));
  const fromP = stops.map((s) => travelMs(pickup.at, s.at, vehicle));
  const fromD = stops.map((s) => travelMs(dropoff.at, s.at, vehicle));
  const direct = travelMs(pickup.at, dropoff.at, vehicle);
  // The legs as they are driven now, read back from the schedule.
  const legs = stops.map((_, i) => before.arriveMs[i] - (i === 0 ? courier.freeAtMs : before.leaveMs[i - 1]));
  const leave = (i: number) => (i === 0 ? courier.freeAtMs : before.leaveMs[i - 1]);
  let best: Insertion | null = null;
  let loadBefore = courier.onBoard;
  let lateBefore = 0;
  for (let i = 0; i <= n; i++) {
    if (i >= courier.fixed && loadBefore + order.load <= courier.capacity) {
      tryPickupAt(i);
    }
    if (i < n) {
      loadBefore += stops[i].kind === "pickup" ? stops[i].load : -stops[i].load;
      lateBefore += Math.max(0, Math.max(before.arriveMs[i], stops[i].earliestMs) - stops[i].dueMs) / MINUTE_MS;
    }
  }
  return best;

  /** With the pickup before stop i, walks the drop-off through the rest of the route, keeping the clock as it goes. */
  function tryPickupAt(i: number): void {
    let time = Math.max(leave(i) + toP[i], pickup.earliestMs) + pickup.serviceMs;
    let load = loadBefore + order.load;
    let late = lateBefore;
    for (let j = i; j <= n; j++) {
      finish(i, j, time + (j === i ? direct : toD[j]), late);
      if (j === n) return;
      time = Math.max(time + (j === i ? fromP[j] : legs[j]), stops[j].earliestMs);
      late += Math.max(0, time - stops[j].dueMs) / MINUTE_MS;
      time += stops[j].serviceMs;
      load += stops[j].kind === "pickup" ? stops[j].load : -stops[j].load;
      if (load > courier.capacity) return;
      if (best && LATE_WEIGHT * (late - before.lateMinutes) > best.cost) return;
    }
  }

  function finish(i: number, j: number, reached: number, lateSoFar: number): void {
    const arrive = Math.max(reached, dropoff.earliestMs);
    const lateMinutes = Math.max(0, arrive - dropoff.dueMs) / MINUTE_MS;
    let late = lateSoFar + lateMinutes;
    let time = arrive + dropoff.serviceMs;
    for (let k = j; k < n; k++) {
      time = Math.max(time + (k === j ? fromD[k] : legs[k]), stops[k].earliestMs);
      if (time > stops[k].dueMs) {
        late += (time - stops[k].dueMs) / MINUTE_MS;
        if (best && LATE_WEIGHT * (late - before.lateMinutes) > best.cost) return;
      }
      time += stops[k].serviceMs;
    }
    if (time > courier.shiftEndMs) return;
    const longer = (time - (n === 0 ? courier.freeAtMs : before.endMs)) / MINUTE_MS;
    const cost = longer + LATE_WEIGHT * (late - before.lateMinutes);
    if (!best || cost < best.cost) best = { courier, pickupAt: i, dropoffAt: j + 1, cost, lateMinutes };
  }
}

/** The route with the order in it. */
export function inserted(stops: Stop[], order: Order, where: Insertion): Stop[] {
  const [pickup, dropoff] = stopsOf(order);
  const out = stops.slice();
  out.splice(where.pickupAt, 0, pickup);
  out.splice(where.dropoffAt, 0, dropoff);
  return out;
}
