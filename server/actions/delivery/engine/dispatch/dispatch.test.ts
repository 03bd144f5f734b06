import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { planDispatch } from "./index.ts";
import { type Courier, mayCarry, type Order, scheduleOf } from "./route.ts";
import { makeScenario } from "./fixtures/scenario.ts";
import { simulate } from "./fixtures/simulate.ts";

const seed = Number(process.env.CONNECTOR_TEST_SEED ?? 20261115);
console.log(`dispatch.test.ts seed ${seed}`);

const point = fc.record({
  lat: fc.double({ min: 40.6, max: 40.9, noNaN: true }),
  lon: fc.double({ min: -74.1, max: -73.8, noNaN: true }),
});
const anyOrder: fc.Arbitrary<Omit<Order, "id">> = fc.record({
  pickup: point,
  dropoff: point,
  earliestMs: fc.integer({ min: 0, max: 7_200_000 }),
  opensMs: fc.constantFrom(0, 0, 5_400_000),
  dueMs: fc.integer({ min: 3_600_000, max: 14_400_000 }),
  load: fc.integer({ min: 1, max: 3 }),
  vehicle: fc.constantFrom(null, null, "car", "bicycle"),
  excluded: fc.subarray(["c0", "c1", "c2"]).map((l) => new Set(l)),
  pickupServiceMs: fc.constant(120_000),
  dropoffServiceMs: fc.constant(120_000),
});
const anyCourier: fc.Arbitrary<Omit<Courier, "id">> = fc.record({
  at: point,
  freeAtMs: fc.integer({ min: 0, max: 3_600_000 }),
  shiftEndMs: fc.integer({ min: 5_400_000, max: 28_800_000 }),
  capacity: fc.integer({ min: 1, max: 4 }),
  vehicle: fc.constantFrom("car", "bicycle"),
  zone: fc.option(
    fc.record({ lat: fc.constant(40.75), lon: fc.constant(-73.95), radius_km: fc.integer({ min: 2, max: 20 }) }),
  ),
  onBoard: fc.constant(0),
  stops: fc.constant([]),
  fixed: fc.constant(0),
});

describe("planDispatch", () => {
  test("never breaks shift, capacity, zone, vehicle, exclusion or order of stops", () => {
    fc.assert(
      fc.property(fc.array(anyCourier, { maxLength: 4 }), fc.array(anyOrder, { maxLength: 14 }), (cs, os) => {
        const couriers = cs.map((c, i) => ({ ...c, id: `c${i}` }));
        const orders = os.map((o, i) => ({ ...o, id: `o${i}` }));
        const plan = planDispatch(couriers, orders);
        expect(plan.assignments.length + plan.unassigned.length).toBe(orders.length);
        for (const { orderId, courierId } of plan.assignments) {
          const courier = couriers.find((c) => c.id === courierId)!;
          expect(mayCarry(courier, orders.find((o) => o.id === orderId)!)).toBe(true);
          const kinds = plan.routes
            .get(courierId)!
            .stops.filter((s) => s.orderId === orderId)
            .map((s) => s.kind);
          expect(kinds).toEqual(["pickup", "dropoff"]);
        }
        for (const courier of couriers) expect(scheduleOf(courier, plan.routes.get(courier.id)!.stops)).not.toBeNull();
        expect(planDispatch(couriers, orders)).toEqual(plan);
      }),
      { seed, numRuns: 150 },
    );
  });

  test("keeps the stops a courier is already bound to, in their order", () => {
    const at = { lat: 40.75, lon: -73.98 };
    const bound = {
      orderId: "x",
      kind: "dropoff" as const,
      at,
      earliestMs: 0,
      opensMs: 0,
      dueMs: 3_600_000,
      serviceMs: 60_000,
      load: 1,
    };
    const courier: Courier = {
      id: "c",
      at,
      freeAtMs: 0,
      shiftEndMs: 36_000_000,
      capacity: 2,
      vehicle: "car",
      zone: null,
      onBoard: 1,
      stops: [bound],
      fixed: 1,
    };
    const order: Order = {
      id: "o",
      pickup: at,
      dropoff: at,
      earliestMs: 0,
      opensMs: 0,
      dueMs: 1,
      load: 1,
      vehicle: null,
      excluded: new Set(),
      pickupServiceMs: 0,
      dropoffServiceMs: 0,
    };
    expect(
      planDispatch([courier], [order])
        .routes.get("c")!
        .stops.map((s) => s.orderId),
    ).toEqual(["x", "o", "o"]);
  });
});

describe("the scenario set: 200 orders, 15 couriers, declines and breakdowns", () => {
  test("total lateness is at least 25 % below greedy nearest, and no rule is broken", () => {
    let greedy = 0;
    let ours = 0;
    for (const day of [1, 2]) {
      const scenario = makeScenario(day);
      const a = simulate(scenario, "greedy");
      const b = simulate(scenario, "insertion");
      expect([...a.broken, ...b.broken]).toEqual([]);
      expect([b.delivered + b.undelivered, b.declines > 0]).toEqual([200, true]);
      greedy += a.lateMinutes;
      ours += b.lateMinutes;
    }
    expect(ours).toBeLessThan(0.75 * greedy);
  }, 240_000);
});
