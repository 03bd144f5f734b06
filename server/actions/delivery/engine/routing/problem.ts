// Routes for vehicles that start and end at one depot: every request is picked up and dropped off by the same vehicle, inside
// the windows, without overloading. Numbers only; what they mean (metres, seconds) is the caller's business.

export interface Problem {
  /** Node 0 is the depot. */
  nodes: number;
  vehicles: number;
  capacity: number;
  /** Row-major matrices, from × to. */
  cost: Float64Array;
  travel: Float64Array;
  ready: Float64Array;
  due: Float64Array;
  service: Float64Array;
  demand: Float64Array;
  /** Pickup and drop-off node of each request. */
  pickup: Int32Array;
  dropoff: Int32Array;
}

export interface Route {
  /** Nodes without the depot. */
  stops: number[];
  cost: number;
  /** When service starts at each stop, at the earliest. */
  early: number[];
  /** When it may start at the latest without being late anywhere behind. */
  late: number[];
  /** What is on board after each stop. */
  load: number[];
}

/** Null when the stops break a window or the capacity. */
export function makeRoute(problem: Problem, stops: number[]): Route | null {
  const { nodes, capacity, cost, travel, ready, due, service, demand } = problem;
  const count = stops.length;
  const early = new Array<number>(count);
  const load = new Array<number>(count);
  let total = 0;
  let at = 0;
  let time = ready[0];
  let carried = 0;
  for (let i = 0; i < count; i++) {
    const stop = stops[i];
    time = Math.max(time + service[at] + travel[at * nodes + stop], ready[stop]);
    carried += demand[stop];
    if (time > due[stop] + 1e-9 || carried > capacity) return null;
    total += cost[at * nodes + stop];
    early[i] = time;
    load[i] = carried;
    at = stop;
  }
  if (count > 0 && time + service[at] + travel[at * nodes] > due[0] + 1e-9) return null;
  total += cost[at * nodes];
  const late = new Array<number>(count);
  let next = 0;
  let limit = due[0];
  for (let i = count - 1; i >= 0; i--) {
    const stop = stops[i];
    limit = Math.min(due[stop], limit - travel[stop * nodes + next] - service[stop]);
    late[i] = limit;
    next = stop;
  }
  return { stops, cost: total, early, late, load };
}

export interface Insertion {
  /** The pickup goes before this stop, the drop-off before that one, both counted in the old route. */
  pickupAt: number;
  dropoffAt: number;
  delta: number;
}

/** The cheapest place for a request in a route, cheaper than `below`; each place is skipped with the chance `blink`. */
export function cheapestInsertion(
  problem: Problem,
  route: Route,
  request: number,
  below: number,
  blink: () => boolean,
): Insertion | null {
  const { nodes, capacity, cost, travel, ready, due, service, demand } = problem;
  const { stops, early, late, load } = route;
  const p = problem.pickup[request];
  const d = problem.dropoff[request];
  const count = stops.length;
  const weight = demand[p];
  let best: Insertion | null = null;
  let limit = below;
  for (let i = 0; i <= count; i++) {
    const before = i === 0 ? 0 : stops[i - 1];
    const leave = i === 0 ? ready[0] : early[i - 1] + service[before];
    const atPickup = Math.max(leave + travel[before * nodes + p], ready[p]);
    if (atPickup > due[p]) break;
    if ((i === 0 ? 0 : load[i - 1]) + weight > capacity) continue;
    const next = i === count ? 0 : stops[i];
    const costToPickup = cost[before * nodes + p];
    // Drop-off right behind the pickup.
    const direct = Math.max(atPickup + service[p] + travel[p * nodes + d], ready[d]);
    if (direct <= due[d] && direct + service[d] + travel[d * nodes + next] <= (i === count ? due[0] : late[i]) + 1e-9) {
      const delta = costToPickup + cost[p * nodes + d] + cost[d * nodes + next] - cost[before * nodes + next];
      if (delta < limit && !blink()) {
        limit = delta;
        best = { pickupAt: i, dropoffAt: i, delta };
      }
    }
    if (i === count) break;
    const pickupDelta = costToPickup + cost[p * nodes + next] - cost[before * nodes + next];
    if (pickupDelta >= limit) continue;
    let time = atPickup + service[p] + travel[p * nodes + next];
    if (time > late[i] + 1e-9) continue;
    for (let j = i; j < count; j++) {
      const stop = stops[j];
      if (j > i) time += service[stops[j - 1]] + travel[stops[j - 1] * nodes + stop];
      if (time > late[j] + 1e-9) break;
      time = Math.max(time, ready[stop]);
      if (load[j] + weight > capacity) break;
      const atDropoff = Math.max(time + service[stop] + travel[stop * nodes + d], ready[d]);
      if (atDropoff > due[d]) break;
      const behind = j + 1 === count ? 0 : stops[j + 1];
      const after = atDropoff + service[d] + travel[d * nodes + behind];
      if (after > (j + 1 === count ? due[0] : late[j + 1]) + 1e-9) continue;
      const delta = pickupDelta + cost[stop * nodes + d] + cost[d * nodes + behind] - cost[stop * nodes + behind];
      if (delta < limit && !blink()) {
        limit = delta;
        best = { pickupAt: i, dropoffAt: j + 1, delta };
      }
    }
  }
  return best;
}

export function withRequest(problem: Problem, route: Route, request: number, where: Insertion): Route {
  const { stops } = route;
  const { pickupAt, dropoffAt } = where;
  const longer = [
    ...stops.slice(0, pickupAt),
    problem.pickup[request],
    ...stops.slice(pickupAt, dropoffAt),
    problem.dropoff[request],
    ...stops.slice(dropoffAt),
  ];
  return makeRoute(problem, longer)!;
}
