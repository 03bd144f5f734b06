// Plays a scenario out under a policy, on a clock of its own, and counts lateness and broken rules.
import { type Courier, mayCarry, type Order, type Point, scheduleOf, type Stop, stopsOf, travelMs } from "./route.ts";
import { dueOffers, planDispatch } from "./index.ts";
import { luck, type Scenario, type ScenarioCourier } from "./scenario.ts";

export interface Outcome {
  lateMinutes: number;
  lateOrders: number;
  delivered: number;
  undelivered: number;
  declines: number;
  /** Rules of the road that were broken; must be empty. */
  broken: string[];
}

export type Policy = "insertion" | "greedy";

/** An order is offered this long before the courier should set out for it. */
const leadMs = 120_000;

interface Runner extends ScenarioCourier {
  at: Point;
  stops: Stop[];
  /** When the stop it drives to, or works at, is finished; null when it has none. */
  busyUntilMs: number | null;
  onBoard: Set<string>;
  down: boolean;
}

export function simulate(scenario: Scenario, policy: Policy): Outcome {
  return new Day(scenario, policy).run();
}

class Day {
  #scenario: Scenario;
  #policy: Policy;
  #runners: Runner[];
  #open: (Order & { excluded: Set<string> })[] = [];
  #orders = new Map<string, Order & { excluded: Set<string> }>();
  #carrier = new Map<string, string>();
  #done = new Set<string>();
  #outcome: Outcome = { lateMinutes: 0, lateOrders: 0, delivered: 0, undelivered: 0, declines: 0, broken: [] };

  constructor(scenario: Scenario, policy: Policy) {
    this.#scenario = scenario;
    this.#policy = policy;
    this.#runners = scenario.couriers.map((c) => ({
      ...c,
      at: c.home,
      stops: [],
      busyUntilMs: null,
      onBoard: new Set(),
      down: false,
    }));
  }

  run(): Outcome {
    const arrivals = this.#scenario.orders.map((o) => o.createdMs);
    const shifts = this.#scenario.couriers.flatMap((c) => [c.shiftStartMs, c.breaksMs ?? c.shiftEndMs]);
    const end = Math.max(...shifts);
    const beats = Array.from(
      { length: Math.ceil((end - Math.min(...shifts)) / 60_000) },
      (_, i) => Math.min(...shifts) + i * 60_000,
    );
    const fixed = [...new Set([...arrivals, ...shifts, ...beats])].sort((a, b) => a - b);
    let next = 0;
    for (let guard = 0; guard < 200_000; guard++) {
      const busy = this.#runners
        .filter((r) => r.busyUntilMs !== null)
        .reduce((least, r) => Math.min(least, r.busyUntilMs!), Infinity);
      const now = Math.min(busy, fixed[next] ?? Infinity);
      if (now === Infinity) break;
      if (now === fixed[next]) next++;
      this.#tick(now);
    }
    for (const id of this.#orders.keys()) if (!this.#done.has(id)) this.#miss(id);
    return this.#outcome;
  }

  #tick(now: number): void {
    for (const r of this.#runners) if (r.breaksMs !== null && !r.down && r.breaksMs <= now) this.#breakDown(r, now);
    for (const r of this.#runners) if (r.busyUntilMs !== null && r.busyUntilMs <= now) this.#arrive(r, now);
    for (const order of this.#scenario.orders) {
      if (order.createdMs !== now) continue;
      const known = { ...order, excluded: new Set<string>() };
      this.#orders.set(order.id, known);
      this.#open.push(known);
    }
    if (this.#policy === "greedy") this.#greedy(now);
    else this.#insert(now);
    for (const r of this.#runners) this.#leave(r, now);
  }

  /** Cheapest feasible insertion; an order is offered, and may be declined, when it is time to set out for it. */
  #insert(now: number): void {
    for (let guard = 0; this.#open.length > 0 && guard < 50; guard++) {
      const couriers = this.#runners.filter((r) => this.#working(r, now)).map((r) => this.#view(r, now));
      const plan = planDispatch(couriers, this.#open, { rounds: 3 });
      const ripe = dueOffers(plan, couriers, now + leadMs).filter((a) => this.#open.some((o) => o.id === a.orderId));
      if (ripe.some(({ orderId, courierId }) => this.#declines(this.#orders.get(orderId)!, courierId))) continue;
      const taken = new Set(ripe.map((a) => a.orderId));
      for (const { orderId, courierId } of ripe) this.#carrier.set(orderId, courierId);
      this.#open = this.#open.filter((o) => !taken.has(o.id));
      const tentative = new Set(this.#open.map((o) => o.id));
      for (const r of this.#runners) {
        const route = plan.routes.get(r.id);
        if (route) r.stops = route.stops.filter((s) => !tentative.has(s.orderId));
      }
      return;
    }
  }

  /** The nearest idle courier takes the oldest order; one order at a time. */
  #greedy(now: number): void {
    for (const order of [...this.#open]) {
      for (;;) {
        const idle = this.#runners.filter(
          (r) => this.#working(r, now) && r.stops.length === 0 && mayCarry(this.#view(r, now), order),
        );
        const able = idle.filter((r) => scheduleOf(this.#view(r, now), stopsOf(order)) !== null);
        if (able.length === 0) break;
        const r = able.reduce((a, b) =>
          travelMs(a.at, order.pickup, a.vehicle) <= travelMs(b.at, order.pickup, b.vehicle) ? a : b,
        );
        if (this.#declines(order, r.id)) continue;
        r.stops = stopsOf(order);
        this.#carrier.set(order.id, r.id);
        this.#open = this.#open.filter((o) => o.id !== order.id);
        break;
      }
    }
  }

  #declines(order: { id: string; excluded: Set<string> }, courierId: string): boolean {
    if (luck(this.#scenario.seed, `decline ${order.id} ${courierId}`) >= this.#scenario.decline) return false;
    order.excluded.add(courierId);
    this.#outcome.declines++;
    return true;
  }

  #working(r: Runner, now: number): boolean {
    return !r.down && now >= r.shiftStartMs && now < r.shiftEndMs;
  }

  #view(r: Runner, now: number): Courier {
    const { id, shiftEndMs, capacity, vehicle, stops } = r;
    const moving = r.busyUntilMs !== null;
    const load = [...r.onBoard].length;
    return {
      id,
      shiftEndMs,
      capacity,
      vehicle,
      zone: null,
      onBoard: load,
      stops,
      fixed: moving ? 1 : 0,
      at: r.at,
      freeAtMs: now,
    };
  }

  /** Sets out for the next stop; the road is as lucky or unlucky as it is. */
  #leave(r: Runner, now: number): void {
    if (r.busyUntilMs !== null || r.down || r.stops.length === 0) return;
    const stop = r.stops[0];
    const noise = Math.exp(0.5 * (luck(this.#scenario.seed, `road ${stop.orderId} ${stop.kind}`) - 0.45));
    const arrive = now + travelMs(r.at, stop.at, r.vehicle) * noise;
    r.busyUntilMs = Math.round(Math.max(arrive, stop.earliestMs) + stop.serviceMs);
  }

  #arrive(r: Runner, now: number): void {
    const stop = r.stops.shift()!;
    r.busyUntilMs = null;
    r.at = stop.at;
    const served = now - stop.serviceMs;
    if (stop.kind === "pickup") {
      if (served < stop.earliestMs - 1) this.#outcome.broken.push(`${stop.orderId} was picked up before it was ready`);
      r.onBoard.add(stop.orderId);
      if (r.onBoard.size > r.capacity) this.#outcome.broken.push(`${r.id} carries more than it can`);
      return;
    }
    if (!r.onBoard.delete(stop.orderId))
      this.#outcome.broken.push(`${stop.orderId} was dropped off before it was picked up`);
    if (this.#carrier.get(stop.orderId) !== r.id)
      this.#outcome.broken.push(`${stop.orderId} was carried by someone else`);
    if (this.#orders.get(stop.orderId)!.excluded.has(r.id))
      this.#outcome.broken.push(`${stop.orderId} was carried by one who declined`);
    if (this.#done.has(stop.orderId)) this.#outcome.broken.push(`${stop.orderId} was delivered twice`);
    this.#done.add(stop.orderId);
    this.#outcome.delivered++;
    const late = Math.max(0, served - stop.dueMs) / 60_000;
    this.#outcome.lateMinutes += late;
    if (late > 0) this.#outcome.lateOrders++;
  }

  /** Everything it had not delivered is open again; what it carried is fetched from where it stands. */
  #breakDown(r: Runner, now: number): void {
    const ids = new Set(r.stops.map((s) => s.orderId));
    for (const id of ids) {
      const order = this.#orders.get(id)!;
      order.excluded.add(r.id);
      if (r.onBoard.has(id)) Object.assign(order, { pickup: r.at, earliestMs: now });
      this.#open.push(order);
    }
    Object.assign(r, { down: true, stops: [], busyUntilMs: null, onBoard: new Set() });
  }

  /** Never delivered: two hours late, so that dropping orders cannot pay. */
  #miss(_id: string): void {
    this.#outcome.undelivered++;
    this.#outcome.lateMinutes += 120;
    this.#outcome.lateOrders++;
  }
}
