// Many orders at once: batches, optimised routes, and what came true of the promises.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Harness, startHarness } from "../../../../tests/harness.ts";

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
});
afterAll(() => app.stop());

const order = { pickup: { address: "New York, NY 10118", time: "asap" }, dropoff: { address: "Brooklyn, NY 11201" } };

describe("POST /delivery/batch", () => {
  test("200 for 1,000 orders; a refused one is named and holds up no other", async () => {
    const account = await app.openAccount();
    const orders = Array.from({ length: 1000 }, (_, i) => ({ ...order, external_id: `b-${i}` }));
    orders[7] = { ...orders[7], dropoff: { address: "Chicago, Illinois" } };
    orders[9] = { ...orders[9], external_id: "b-8" };
    const { status, body } = await app.call("POST", "/delivery/batch", { body: { orders }, key: account.testKey });
    expect([status, body.data.scheduled, body.data.refused]).toEqual([200, 998, 2]);
    expect(body.data.results.map((r: any) => r.index)).toEqual([...orders.keys()]);
    expect(body.data.results[7].error).toMatchObject({ code: "distance_too_long", status: 422 });
    // Two orders of one id: one of them is scheduled, the other is told who has it.
    const twins = [body.data.results[8], body.data.results[9]];
    expect(twins.map((r: any) => r.error?.code ?? "ok").sort()).toEqual(["conflict", "ok"]);
    expect(body.data.results[0].delivery.external_id).toBe("b-0");
  });

  test("200 sent again after it was cut short: nothing is scheduled twice", async () => {
    const account = await app.openAccount();
    const headers = { "Idempotency-Key": "batch" };
    const send = () =>
      app.call("POST", "/delivery/batch", { body: { orders: [order, order] }, key: account.testKey, headers });
    const first = await send();
    // As if the service had died after the orders and before the answer.
    await app.service.platform.db.sql`delete from idempotency where body like '%"scheduled":2%'`;
    const again = await send();
    const ids = (reply: any) => reply.body.data.results.map((r: any) => r.delivery.delivery_id);
    expect(ids(again)).toEqual(ids(first));
    expect((await app.call("GET", "/delivery", { key: account.testKey })).body.data.items).toHaveLength(2);
  });

  test("400 names the order and the member", async () => {
    const bad = await app.call("POST", "/delivery/batch", { body: { orders: [order, { ...order, vehicle: "boat" }] } });
    expect([bad.status, bad.body.error.errors[0].pointer]).toEqual([400, "/orders/1/vehicle"]);
  });
});

describe("POST /delivery/optimize", () => {
  const depot = { lat: 40.75, lon: -73.99 };
  const at = (i: number) => ({ lat: 40.7 + (i % 5) * 0.01, lon: -74 + Math.floor(i / 5) * 0.01 });
  const vehicles = { count: 4, capacity: 6, from: "2026-11-02T08:00:00Z", to: "2026-11-02T16:00:00Z" };

  test("200 every pickup before its drop-off, inside windows and capacity, the same plan each time", async () => {
    const requests = Array.from({ length: 20 }, (_, i) => ({
      id: `r${i}`,
      ...(i % 2 === 0 ? { pickup: at(i) } : {}),
      dropoff: { ...at(i + 3), ...(i === 4 ? { window: { to: "2026-11-02T09:00:00Z" } } : {}) },
    }));
    const ask = async () =>
      (await app.call("POST", "/delivery/optimize", { body: { depot, vehicles, requests } })).body.data;
    const plan = await ask();
    expect(plan.unassigned).toEqual([]);
    const stops = plan.routes.flatMap((route: any) => route.stops);
    expect(
      stops
        .filter((s: any) => s.kind === "dropoff")
        .map((s: any) => s.id)
        .sort(),
    ).toEqual(requests.map((r) => r.id).sort());
    for (const route of plan.routes) {
      const seen = new Set<string>();
      let load = 0;
      for (const stop of route.stops) {
        if (stop.kind === "dropoff") expect(seen.has(stop.id)).toBe(true);
        seen.add(stop.id);
        load += stop.kind === "pickup" ? 1 : -1;
        expect(load).toBeLessThanOrEqual(6);
      }
    }
    expect(stops.find((s: any) => s.id === "r4" && s.kind === "dropoff").arrive <= "2026-11-02T09:00:00Z").toBe(true);
    expect(await ask()).toEqual(plan);
  });

  test("200 what cannot be carried is named; 400 for ids used twice and a day that ends before it begins", async () => {
    const requests = [
      { id: "big", dropoff: at(1), load: 7 },
      { id: "late", dropoff: { ...at(2), window: { to: "2026-11-02T07:00:00Z" } } },
      { id: "fine", dropoff: at(3) },
    ];
    const { data } = (await app.call("POST", "/delivery/optimize", { body: { depot, vehicles, requests } })).body;
    expect([data.unassigned.sort(), data.vehicles_used]).toEqual([["big", "late"], 1]);
    const twice = await app.call("POST", "/delivery/optimize", {
      body: { depot, vehicles, requests: [requests[2], requests[2]] },
    });
    expect(twice.body.error.errors[0].pointer).toBe("/requests/1/id");
    const never = { ...vehicles, to: vehicles.from };
    const shut = await app.call("POST", "/delivery/optimize", { body: { depot, vehicles: never, requests } });
    expect(shut.body.error.errors[0].pointer).toBe("/vehicles/to");
  });
});

describe("GET /delivery/stats", () => {
  test("200 empty at first; then on-time share and calibration of what arrived", async () => {
    const account = await app.openAccount();
    const call = (method: string, path: string, body?: unknown) =>
      app.call(method, path, { body, key: account.liveKey });
    expect((await call("GET", "/delivery/stats")).body.data).toMatchObject({
      delivered: 0,
      on_time: null,
      calibration: [],
    });
    const bo = (await call("POST", "/delivery/couriers", { name: "Bo" })).body.data;
    for (const lateMinutes of [0, 60]) {
      const made = (await call("POST", "/delivery/schedule", order)).body.data;
      const go = (to: string) => call("POST", `/delivery/${made.delivery_id}/advance`, { to, courier_id: bo.id });
      await go("assigned");
      await go("picked_up");
      const wait = Date.parse(made.dropoff.promised_arrival) - app.clock.now() + lateMinutes * 60_000;
      await app.clock.advance(wait);
      await go("delivered");
    }
    const { data } = (await call("GET", "/delivery/stats")).body;
    expect(data).toMatchObject({ delivered: 2, on_time: 0.5, in_window: 0.5 });
    expect(data.calibration.map((c: any) => c.level)).toEqual([0.2, 0.4, 0.6, 0.8, 0.9]);
    const picture = await call("GET", "/delivery/stats/picture");
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
    expect(picture.text).toContain("2 delivered · 50 % on time · 50 % in the 80 % window");
    expect(picture.text.match(/<circle/g)).toHaveLength(5);
    const other = (await call("GET", "/delivery/stats?from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z")).body.data;
    expect(other.delivered).toBe(0);
    expect((await call("GET", "/delivery/stats?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z")).status).toBe(400);
  });
});
