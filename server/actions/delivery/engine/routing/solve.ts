// Plans routes by ruin and recreate: strings of neighbouring stops are taken out and put back where they cost least (after
// Christiaens and Vanden Berghe, 2020). First as few vehicles as possible, then as short as possible. Pure and seeded.
import type { Random } from "../../../../lib/random.ts";
import { cheapestInsertion, type Insertion, makeRoute, type Problem, type Route, withRequest } from "./problem.ts";

export interface Solution {
  routes: Route[];
  /** Requests that no vehicle can carry. */
  absent: number[];
}

export interface SolveOptions {
  random: Random;
  /** The share of the time that is spent, from 0 to 1 and beyond. */
  progress(): number;
  /** Whether fewer vehicles are worth more than a shorter way. */
  fewestVehicles?: boolean;
}

const BLINK = 0.01;
/** Mostly small holes; now and then one large enough to leave a dead end. */
const SMALL_RUIN = 10;
const LARGE_RUIN = 35;
const LARGE_CHANCE = 0.15;
const MAX_STRING = 10;
const START_TEMPERATURE = 12;
const END_TEMPERATURE = 0.05;
/** How much of the time goes into saving vehicles, at the most. */
const FLEET_SHARE = 0.5;
const CHECK_EVERY = 16;

export function solve(problem: Problem, options: SolveOptions): Solution {
  const search = new Search(problem, options.random);
  let best = search.insertAll({ routes: [], absent: [...problem.pickup.keys()] }, problem.vehicles);
  if (options.fewestVehicles !== false) best = search.saveVehicles(best, options.progress);
  return search.shorten(best, options.progress);
}

const costOf = ({ routes }: Solution): number => routes.reduce((sum, route) => sum + route.cost, 0);

class Search {
  readonly #problem: Problem;
  readonly #random: Random;
  /** Requests by how near they are, nearest first, for each request. */
  readonly #near: Int32Array[];
  readonly #requestOf: Int32Array;
  /** How often a request was left over: the hard ones go first. */
  readonly #missed: Float64Array;
  /** The route of each request in the solution under work. */
  readonly #routeOf: Int32Array;

  constructor(problem: Problem, random: Random) {
    this.#problem = problem;
    this.#random = random;
    const count = problem.pickup.length;
    this.#requestOf = new Int32Array(problem.nodes).fill(-1);
    for (let r = 0; r < count; r++) {
      this.#requestOf[problem.pickup[r]] = r;
      this.#requestOf[problem.dropoff[r]] = r;
    }
    this.#missed = new Float64Array(count);
    this.#routeOf = new Int32Array(count);
    this.#near = Array.from({ length: count }, (_, r) => this.#neighboursOf(r));
  }

  #neighboursOf(request: number): Int32Array {
    const { nodes, cost, pickup, dropoff } = this.#problem;
    const ends = (r: number) => [pickup[r], dropoff[r]];
    const distance = (other: number): number => {
      let least = Infinity;
      for (const a of ends(request)) for (const b of ends(other)) least = Math.min(least, cost[a * nodes + b]);
      return least;
    };
    const distances = Float64Array.from(pickup, (_, other) => distance(other));
    return Int32Array.from([...pickup.keys()].sort((a, b) => distances[a] - distances[b]));
  }

  /** Puts every absent request where it costs least, in new routes up to `vehicles`. */
  insertAll(given: Solution, vehicles: number): Solution {
    const routes = given.routes.slice();
    const absent: number[] = [];
    const blink = () => this.#random.unit() < BLINK;
    for (const request of this.#inOrder(given.absent)) {
      let best: Insertion | null = null;
      let at = -1;
      for (let i = 0; i < routes.length; i++) {
        const found = cheapestInsertion(this.#problem, routes[i], request, best?.delta ?? Infinity, blink);
        if (found) [best, at] = [found, i];
      }
      if (best) routes[at] = withRequest(this.#problem, routes[at], request, best);
      else {
        const alone =
          routes.length < vehicles
            ? makeRoute(this.#problem, [this.#problem.pickup[request], this.#problem.dropoff[request]])
            : null;
        if (alone) routes.push(alone);
        else absent.push(request);
      }
    }
    return { routes, absent };
  }

  #inOrder(requests: number[]): number[] {
    const { cost, demand, due, ready, pickup, dropoff } = this.#problem;
    const shuffled = requests.map((r) => ({ r, luck: this.#random.unit(), key: 0 }));
    const luck = this.#random.unit() * 12;
    const keyOf = (r: number): number => {
      if (luck < 4) return 0;
      if (luck < 7) return -demand[pickup[r]];
      if (luck < 8) return -cost[pickup[r]] - cost[dropoff[r]];
      if (luck < 9) return cost[pickup[r]] + cost[dropoff[r]];
      if (luck < 10) return due[pickup[r]] - ready[pickup[r]] + due[dropoff[r]] - ready[dropoff[r]];
      if (luck < 11) return ready[pickup[r]];
      return -due[dropoff[r]];
    };
    for (const entry of shuffled) entry.key = keyOf(entry.r);
    return shuffled.sort((a, b) => a.key - b.key || a.luck - b.luck).map((entry) => entry.r);
  }

  /** Takes out strings of stops around a chance request; both ends of every request in them go. */
  #ruin(given: Solution): Solution {
    const { routes } = given;
    if (routes.length === 0) return given;
    const count = this.#problem.pickup.length;
    this.#routeOf.fill(-1);
    routes.forEach((route, i) => {
      for (const stop of route.stops) this.#routeOf[this.#requestOf[stop]] = i;
    });
    const averageStops = routes.reduce((sum, route) => sum + route.stops.length, 0) / routes.length;
    const large = this.#random.unit() < LARGE_CHANCE;
    const maxString = Math.min(large ? 2 * MAX_STRING : MAX_STRING, averageStops);
    const maxStrings = Math.max(1, (4 * (large ? LARGE_RUIN : SMALL_RUIN)) / (1 + maxString) - 1);
    const strings = Math.floor(this.#random.unit() * maxStrings + 1);
    const touched = new Map<number, Set<number>>();
    const seed = Math.floor(this.#random.unit() * count);
    for (const request of this.#near[seed]) {
      if (touched.size >= strings) break;
      const at = this.#routeOf[request];
      if (at < 0 || touched.has(at)) continue;
      touched.set(at, this.#stringAround(routes[at], request, maxString));
    }
    const absent = given.absent.slice();
    const left: Route[] = [];
    routes.forEach((route, i) => {
      const gone = touched.get(i);
      if (!gone) return void left.push(route);
      absent.push(...gone);
      const stops = route.stops.filter((stop) => !gone.has(this.#requestOf[stop]));
      if (stops.length > 0) left.push(makeRoute(this.#problem, stops)!);
    });
    return { routes: left, absent };
  }

  #stringAround({ stops }: Route, request: number, maxString: number): Set<number> {
    const length = Math.max(1, Math.floor(this.#random.unit() * Math.min(stops.length, maxString) + 1));
    const at = stops.indexOf(
      this.#random.unit() < 0.5 ? this.#problem.pickup[request] : this.#problem.dropoff[request],
    );
    const first = Math.max(0, Math.min(stops.length - length, at - Math.floor(this.#random.unit() * length)));
    return new Set(stops.slice(first, first + length).map((stop) => this.#requestOf[stop]));
  }

  /** Gives up one route after the other while everything still finds a place. */
  saveVehicles(start: Solution, progress: () => number): Solution {
    let best = start;
    let work = start.absent.length === 0 ? this.#withoutOne(start) : start;
    let sum = this.#missedOf(work.absent);
    for (let i = 0; ; i++) {
      if (i % CHECK_EVERY === 0 && progress() > FLEET_SHARE) return best;
      const vehicles = Math.min(
        this.#problem.vehicles,
        best.absent.length === 0 ? best.routes.length - 1 : this.#problem.vehicles,
      );
      if (vehicles < 1) return best;
      const next = this.insertAll(this.#ruin(work), vehicles);
      const nextSum = this.#missedOf(next.absent);
      for (const request of next.absent) this.#missed[request]++;
      if (next.absent.length === 0) {
        if (best.absent.length > 0 || next.routes.length < best.routes.length) best = next;
        work = this.#withoutOne(best);
        sum = this.#missedOf(work.absent);
      } else if (
        nextSum < sum ||
        next.absent.length < work.absent.length ||
        (next.absent.length === work.absent.length && this.#isBetter(next, work))
      ) {
        work = next;
        sum = nextSum;
      }
    }
  }

  /** Sometimes a longer way is taken, so that the search does not stand still. */
  #isBetter(next: Solution, work: Solution): boolean {
    return costOf(next) < costOf(work) - 8 * Math.log(this.#random.unit());
  }

  #missedOf(absent: number[]): number {
    let sum = 0;
    for (const request of absent) sum += this.#missed[request] + 1;
    return sum;
  }

  /** Without the route that is easiest to do without. */
  #withoutOne(solution: Solution): Solution {
    if (solution.routes.length === 0) return solution;
    const weight = (route: Route) =>
      route.stops.reduce((sum, stop) => sum + this.#missed[this.#requestOf[stop]] + 1, 0) *
      (0.7 + 0.6 * this.#random.unit());
    const weights = solution.routes.map(weight);
    const least = weights.indexOf(Math.min(...weights));
    const requests = new Set(solution.routes[least].stops.map((stop) => this.#requestOf[stop]));
    return { routes: solution.routes.filter((_, i) => i !== least), absent: [...solution.absent, ...requests] };
  }

  /** The same vehicles, less way: simulated annealing over ruin and recreate. */
  shorten(start: Solution, progress: () => number): Solution {
    let best = start;
    let bestCost = costOf(best);
    let work = best;
    let workCost = bestCost;
    const from = progress();
    let temperature = START_TEMPERATURE;
    for (let i = 0; ; i++) {
      if (i % CHECK_EVERY === 0) {
        const share = from >= 1 ? 1 : (progress() - from) / (1 - from);
        if (share >= 1) return best;
        temperature = START_TEMPERATURE * (END_TEMPERATURE / START_TEMPERATURE) ** share;
      }
      const next = this.insertAll(this.#ruin(work), Math.max(1, best.routes.length));
      if (next.absent.length > best.absent.length) continue;
      const cost = costOf(next);
      if (next.absent.length === work.absent.length && cost >= workCost - temperature * Math.log(this.#random.unit()))
        continue;
      work = next;
      workCost = cost;
      if (next.absent.length < best.absent.length || cost < bestCost - 1e-9) {
        best = next;
        bestCost = cost;
      }
    }
  }
}
