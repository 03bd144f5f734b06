// From places and times to a routing problem, and from its solution back to stops with times. Pure.
import { MINUTE_MS } from "../../../../lib/time.ts";
import { seededRandom } from "../../../../lib/random.ts";
import { travelMs } from "../dispatch/index.ts";
import { haversineKm } from "../geo.ts";
import type { Problem, Route } from "./problem.ts";
import { solve } from "./solve.ts";

export interface PlanVisit {
  lat: number;
  lon: number;
  readyMs: number;
  dueMs: number;
  serviceMs: number;
}

export interface PlanRequest {
  id: string;
  pickup: PlanVisit;
  dropoff: PlanVisit;
  load: number;
}

export interface PlanInput {
  depot: { lat: number; lon: number };
  fromMs: number;
  toMs: number;
  vehicles: number;
  capacity: number;
  vehicle: string;
  fewestVehicles: boolean;
  requests: PlanRequest[];
}

export interface PlannedRoute {
  startMs: number;
  endMs: number;
  km: number;
  stops: { id: string; kind: "pickup" | "dropoff"; lat: number; lon: number; arriveMs: number; leaveMs: number }[];
}

export interface RoutePlan {
  routes: PlannedRoute[];
  unassigned: string[];
}

/** Rounds of the search: fewer for larger plans, so that the time stays about the same. */
const WORK = 25_000;
const MIN_ROUNDS = 60;
const MAX_ROUNDS = 500;

export function planRoutes(input: PlanInput): RoutePlan {
  const visits = [depotVisit(input), ...input.requests.flatMap(({ pickup, dropoff }) => [pickup, dropoff])];
  const problem = problemOf(input, visits);
  const rounds = Math.min(MAX_ROUNDS, Math.max(MIN_ROUNDS, WORK / input.requests.length));
  let round = 0;
  const { routes, absent } = solve(problem, {
    random: seededRandom("routes"),
    progress: () => round++ / rounds,
    fewestVehicles: input.fewestVehicles,
  });
  return {
    routes: routes.map((route) => readRoute(input, visits, problem, route)),
    unassigned: absent.map((request) => input.requests[request].id),
  };
}

const depotVisit = ({ depot, fromMs, toMs }: PlanInput): PlanVisit => ({
  ...depot,
  readyMs: fromMs,
  dueMs: toMs,
  serviceMs: 0,
});

/** Minutes from the start, so that the numbers stay small. */
function problemOf(input: PlanInput, visits: PlanVisit[]): Problem {
  const nodes = visits.length;
  const minutes = (ms: number) => (ms - input.fromMs) / MINUTE_MS;
  const travel = new Float64Array(nodes * nodes);
  for (let a = 0; a < nodes; a++) {
    for (let b = 0; b < nodes; b++) {
      const same = visits[a].lat === visits[b].lat && visits[a].lon === visits[b].lon;
      travel[a * nodes + b] = same ? 0 : travelMs(visits[a], visits[b], input.vehicle) / MINUTE_MS;
    }
  }
  const count = input.requests.length;
  return {
    nodes,
    vehicles: input.vehicles,
    capacity: input.capacity,
    cost: travel,
    travel,
    ready: Float64Array.from(visits, (v) => Math.max(0, minutes(v.readyMs))),
    due: Float64Array.from(visits, (v) => minutes(Math.min(v.dueMs, input.toMs))),
    service: Float64Array.from(visits, (v) => v.serviceMs / MINUTE_MS),
    demand: Float64Array.from(visits, (_, i) =>
      i === 0 ? 0 : input.requests[(i - 1) >> 1].load * (i % 2 === 1 ? 1 : -1),
    ),
    pickup: Int32Array.from({ length: count }, (_, r) => 2 * r + 1),
    dropoff: Int32Array.from({ length: count }, (_, r) => 2 * r + 2),
  };
}

function readRoute(input: PlanInput, visits: PlanVisit[], problem: Problem, { stops, early }: Route): PlannedRoute {
  const ms = (minutes: number) => Math.round(input.fromMs + minutes * MINUTE_MS);
  const { nodes, travel, service } = problem;
  const km = (a: number, b: number) => haversineKm(visits[a].lat, visits[a].lon, visits[b].lat, visits[b].lon);
  const way = [0, ...stops, 0];
  const last = stops.at(-1)!;
  return {
    startMs: ms(Math.max(0, early[0] - travel[stops[0]])),
    endMs: ms(early.at(-1)! + service[last] + travel[last * nodes]),
    km: way.slice(1).reduce((sum, node, i) => sum + km(way[i], node), 0),
    stops: stops.map((node, i) => ({
      id: input.requests[(node - 1) >> 1].id,
      kind: node % 2 === 1 ? ("pickup" as const) : ("dropoff" as const),
      lat: visits[node].lat,
      lon: visits[node].lon,
      arriveMs: ms(early[i]),
      leaveMs: ms(early[i] + service[node]),
    })),
  };
}
