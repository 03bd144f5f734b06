// The scenario set that dispatch is judged on: a day of orders, couriers, declines and breakdowns, all from one seed.
import { type Random, seededRandom } from "../../../../lib/random.ts";
import type { Order, Point } from "./route.ts";

export interface ScenarioCourier {
  id: string;
  home: Point;
  shiftStartMs: number;
  shiftEndMs: number;
  capacity: number;
  vehicle: string;
  /** When it breaks down, or null. */
  breaksMs: number | null;
}

export interface ScenarioOrder extends Omit<Order, "excluded"> {
  /** When it becomes known. */
  createdMs: number;
}

export interface Scenario {
  seed: number;
  couriers: ScenarioCourier[];
  orders: ScenarioOrder[];
  /** Chance that an offer is declined. */
  decline: number;
}

const hour = 3_600_000;
const minute = 60_000;
const centre = { lat: 40.73, lon: -73.98 };

/** 200 orders over twelve hours with two peaks, 15 couriers on early and late shifts, two breakdowns. */
export function makeScenario(seed: number, orders = 200, couriers = 15): Scenario {
  const random = seededRandom(seed);
  const start = 8 * hour;
  return {
    seed,
    decline: 0.08,
    couriers: Array.from({ length: couriers }, (_, i) => ({
      id: `c${i}`,
      home: around(random, 5),
      shiftStartMs: start + (i % 3 === 0 ? 0 : 2) * hour,
      shiftEndMs: start + (i % 3 === 0 ? 11 : 15) * hour,
      capacity: 3 + Math.floor(random.unit() * 3),
      vehicle: i % 5 === 4 ? "motorbike" : "car",
      breaksMs: i === 2 || i === 7 ? start + (2 + random.unit() * 6) * hour : null,
    })),
    orders: Array.from({ length: orders }, (_, i) => makeOrder(random, i, start)).sort(
      (a, b) => a.createdMs - b.createdMs,
    ),
  };
}

function makeOrder(random: Random, i: number, start: number): ScenarioOrder {
  const peak = random.unit();
  const at = peak < 0.35 ? normal(random, 4, 0.8) : peak < 0.75 ? normal(random, 10, 1) : random.unit() * 11.5;
  const createdMs = Math.round(start + Math.min(11.5, Math.max(0, at)) * hour);
  const earliestMs = createdMs + Math.round((10 + random.unit() * 25) * minute);
  const pickup = around(random, 4);
  const dropoff = around(random, 5);
  const promised = 40 + random.unit() * 30;
  return {
    id: `o${i}`,
    pickup,
    dropoff,
    createdMs,
    earliestMs,
    dueMs: earliestMs + Math.round(promised * minute),
    load: 1,
    vehicle: null,
    pickupServiceMs: 4 * minute,
    dropoffServiceMs: 3 * minute,
  };
}

/** A point around the centre, thinning out with distance. */
function around(random: Random, km: number): Point {
  return {
    lat: centre.lat + (normal(random, 0, km) / 111) * 0.6,
    lon: centre.lon + (normal(random, 0, km) / 84) * 0.6,
  };
}

function normal(random: Random, mean: number, deviation: number): number {
  const u = Math.max(1e-9, random.unit());
  return mean + deviation * Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * random.unit());
}

/** The same question gets the same luck whichever policy asks it. */
export function luck(seed: number, about: string): number {
  return seededRandom(`${seed} ${about}`).unit();
}
