// Dispatch: puts open orders into couriers' routes where they cost least. Pure and deterministic; it notifies nobody.
import { flatKm } from "../geo.ts";
import {
  bestInsertion,
  type Courier,
  inserted,
  type Insertion,
  mayCarry,
  type Order,
  type Point,
  type Schedule,
  scheduleOf,
  type Stop,
  travelMs,
} from "./route.ts";

export { type Courier, type Order, type Schedule, scheduleOf, type Stop, travelMs } from "./route.ts";

export interface Assignment {
  orderId: string;
  courierId: string;
  pickupMs: number;
  dropoffMs: number;
}

export interface Plan {
  assignments: Assignment[];
  /** Orders nobody can carry within shift, capacity, zone and vehicle. */
  unassigned: string[];
  routes: Map<string, { stops: Stop[]; schedule: Schedule }>;
}

export interface PlanOptions {
  /** How many couriers are looked at closely for one order. */
  closest?: number;
  /** How often each late order is taken out and put back better. */
  rounds?: number;
}

/** The assignments to offer by `byMs`: the courier must have set out for the pickup, from the stop before it, by then. */
export function dueOffers(plan: Plan, couriers: readonly Courier[], byMs: number): Assignment[] {
  return plan.assignments.filter(({ orderId, courierId }) => {
    const { stops, schedule } = plan.routes.get(courierId)!;
    const courier = couriers.find((c) => c.id === courierId)!;
    const at = stops.findIndex((s) => s.orderId === orderId && s.kind === "pickup");
    const before = at === 0 ? courier.at : stops[at - 1].at;
    const free = at === 0 ? courier.freeAtMs : schedule.leaveMs[at - 1];
    const setOut = Math.max(free, stops[at].earliestMs - travelMs(before, stops[at].at, courier.vehicle));
    return setOut <= byMs;
  });
}

interface Track {
  courier: Courier;
  schedule: Schedule;
}

export function planDispatch(couriers: readonly Courier[], orders: readonly Order[], options: PlanOptions = {}): Plan {
  const { closest = 8, rounds = 1 } = options;
  const tracks = couriers
    .map((c): Track | null => {
      const courier = { ...c, stops: c.stops.slice() };
      const schedule = scheduleOf(courier, courier.stops);
      return schedule ? { courier, schedule } : null;
    })
    .filter((t) => t !== null);
  const waiting = [...orders].sort(
    (a, b) => a.dueMs - b.dueMs || a.earliestMs - b.earliestMs || (a.id < b.id ? -1 : 1),
  );
  const placed = new Map<string, { order: Order; track: Track }>();
  const unassigned: string[] = [];
  for (const order of waiting) {
    const track = place(tracks, order, closest);
    if (track) placed.set(order.id, { order, track });
    else unassigned.push(order.id);
  }
  for (let round = 0; round < rounds; round++) if (!improve(tracks, placed, closest)) break;
  return { ...read(tracks, placed), unassigned };
}

function place(tracks: Track[], order: Order, closest: number): Track | null {
  let best: { track: Track; where: Insertion } | null = null;
  for (const track of nearest(tracks, order, closest)) {
    const where = bestInsertion(track.courier, order, track.schedule);
    if (where && (!best || where.cost < best.where.cost)) best = { track, where };
  }
  if (!best) return null;
  best.track.courier.stops = inserted(best.track.courier.stops, order, best.where);
  best.track.schedule = scheduleOf(best.track.courier, best.track.courier.stops)!;
  return best.track;
}

/** Couriers by how near any part of their route comes to the pickup, and how free they are. */
function nearest(tracks: Track[], order: Order, closest: number): Track[] {
  const able = tracks.filter((t) => mayCarry(t.courier, order));
  if (able.length <= closest) return able;
  const rated = able.map((track) => ({ track, rating: rate(track, order.pickup, order.earliestMs) }));
  rated.sort((a, b) => a.rating - b.rating);
  // The freest ones too: near couriers may all be full.
  const free = rated
    .slice(closest)
    .sort((a, b) => a.track.schedule.endMs - b.track.schedule.endMs)
    .slice(0, 2);
  return [...rated.slice(0, closest), ...free].map((r) => r.track);
}

function rate({ courier, schedule }: Track, pickup: Point, earliestMs: number): number {
  let km = courier.fixed > 0 ? Infinity : flatKm(courier.at.lat, courier.at.lon, pickup.lat, pickup.lon);
  for (const stop of courier.stops) km = Math.min(km, flatKm(stop.at.lat, stop.at.lon, pickup.lat, pickup.lon));
  return km + Math.max(0, schedule.endMs - earliestMs) / 600_000;
}

/** Takes every late order out and puts it back where it costs least; true when something got better. */
function improve(tracks: Track[], placed: Map<string, { order: Order; track: Track }>, closest: number): boolean {
  let better = false;
  for (const [id, entry] of placed) {
    const { order, track } = entry;
    const { stops } = track.courier;
    const at = stops.findIndex((s) => s.orderId === id && s.kind === "dropoff");
    if (Math.max(track.schedule.arriveMs[at], stops[at].earliestMs) <= stops[at].dueMs) continue;
    const before = total(tracks);
    const without = stops.filter((s) => s.orderId !== id);
    const schedule = scheduleOf(track.courier, without);
    if (!schedule) continue;
    const old = { stops, schedule: track.schedule };
    track.courier.stops = without;
    track.schedule = schedule;
    const to = place(tracks, order, closest);
    if (to && total(tracks) < before - 0.01) {
      entry.track = to;
      better = true;
      continue;
    }
    if (to) remove(to, id);
    track.courier.stops = old.stops;
    track.schedule = old.schedule;
  }
  return better;
}

function remove(track: Track, id: string): void {
  track.courier.stops = track.courier.stops.filter((s) => s.orderId !== id);
  track.schedule = scheduleOf(track.courier, track.courier.stops)!;
}

const total = (tracks: Track[]): number =>
  tracks.reduce((sum, t) => sum + t.schedule.lateMinutes * 4 + (t.schedule.endMs - t.courier.freeAtMs) / 60_000, 0);

function read(tracks: Track[], placed: Map<string, { order: Order; track: Track }>) {
  const assignments: Assignment[] = [];
  for (const [orderId, { track }] of placed) {
    const { stops, id } = track.courier;
    const when = (kind: Stop["kind"]) => {
      const at = stops.findIndex((s) => s.orderId === orderId && s.kind === kind);
      return Math.max(track.schedule.arriveMs[at], stops[at].earliestMs);
    };
    assignments.push({ orderId, courierId: id, pickupMs: when("pickup"), dropoffMs: when("dropoff") });
  }
  return {
    assignments,
    routes: new Map(tracks.map((t) => [t.courier.id, { stops: t.courier.stops, schedule: t.schedule }])),
  };
}
