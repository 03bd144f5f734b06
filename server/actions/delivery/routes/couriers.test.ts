import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Account, type Harness, startHarness } from "../../../../tests/harness.ts";
import { createDelivery, type DeliverySettings } from "../index.ts";

let app: Harness;
const minute = 60_000;

const settings: DeliverySettings = {
  providers: ["fleet"],
  doordash: null,
  uberDirect: null,
  onfleet: null,
  nominatimUrl: null,
  photonUrl: null,
  osrmUrl: null,
  valhallaUrl: null,
  maxKm: 150,
  testSpeed: 60,
  proofDays: 365,
  geodataDir: null,
};

beforeAll(async () => {
  app = await startHarness();
});
afterAll(() => app.stop());

const manhattan = { lat: 40.7505, lon: -73.9934 };
const call = (account: Account, method: string, path: string, body?: unknown) =>
  app.call(method, path, { body, key: account.liveKey });
const hire = async (account: Account, more: object = {}) =>
  (await call(account, "POST", "/delivery/couriers", { name: "Bo", position: manhattan, ...more })).body.data;
const order = async (account: Account, more: object = {}, inMinutes = 10) => {
  const time = new Date(app.clock.now() + inMinutes * minute).toISOString();
  const body = { pickup: { address: "New York, NY 10118", time }, dropoff: { address: "Brooklyn, NY 11201" }, ...more };
  return (await call(account, "POST", "/delivery/schedule", body)).body.data.delivery_id as string;
};
const read = async (account: Account, id: string) => (await call(account, "GET", `/delivery/${id}`)).body.data;
const dispatch = async (afterMs = 0) => {
  await app.clock.advance(afterMs);
  await app.service.settle();
};
const press = (courier: any, fields: Record<string, string>) => {
  const path = `/${new URL(courier.courier_url).pathname}`;
  return app.call("POST", path, {
    key: null,
    body: new URLSearchParams(fields).toString(),
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
  });
};
const typesOf = async (account: Account, id: string) => {
  const list = (await call(account, "GET", "/events?limit=100")).body.data.items;
  return list
    .filter((e: any) => e.data.delivery_id === id)
    .map((e: any) => e.type)
    .toReversed();
};

describe("couriers", () => {
  test("201 made, 200 listed and changed; a shift must end after it begins", async () => {
    const account = await app.openAccount();
    const shift = { from: "2026-11-01T08:00:00Z", to: "2026-11-01T18:00:00+01:00" };
    const bo = await hire(account, { shift, zone: { ...manhattan, radius_km: 10 }, capacity: 2, vehicle: "bicycle" });
    expect(bo).toMatchObject({
      name: "Bo",
      capacity: 2,
      vehicle: "bicycle",
      on_duty: true,
      shift: { to: "2026-11-01T17:00:00Z" },
    });
    expect((await call(account, "GET", "/delivery/couriers")).body.data.items).toEqual([bo]);
    const changed = await call(account, "PATCH", `/delivery/couriers/${bo.id}`, { capacity: 5, zone: null });
    expect([changed.status, changed.body.data.capacity, changed.body.data.zone, changed.body.data.name]).toEqual([
      200,
      5,
      null,
      "Bo",
    ]);
    const bad = await call(account, "PATCH", `/delivery/couriers/${bo.id}`, {
      shift: { from: shift.to, to: shift.from },
    });
    expect([bad.status, bad.body.error.errors[0].pointer]).toEqual([400, "/shift/to"]);
  });

  test("404 for a courier of another tenant", async () => {
    const bo = await hire(await app.openAccount());
    const other = await app.openAccount();
    expect((await call(other, "PATCH", `/delivery/couriers/${bo.id}`, { capacity: 1 })).status).toBe(404);
    expect((await call(other, "POST", `/delivery/couriers/${bo.id}/position`, manhattan)).status).toBe(404);
  });
});

describe("one courier", () => {
  test("200 read, with phone, area, weekly hours and time zone; 400 for hours that end before they begin", async () => {
    const account = await app.openAccount();
    const area = [
      { lat: 40, lon: -75 },
      { lat: 41, lon: -75 },
      { lat: 40.5, lon: -73 },
    ];
    const hours = [{ days: ["sun"], from: "07:00", to: "12:00" }];
    const more = { phone: "+12125550100", area, hours, time_zone: "America/New_York" };
    const bo = await hire(account, more);
    const read1 = await call(account, "GET", `/delivery/couriers/${bo.id}`);
    expect([read1.status, read1.body.data]).toEqual([200, bo]);
    expect(bo).toMatchObject(more);
    const bad = [{ days: ["mon"], from: "22:00", to: "06:00" }];
    const refused = await call(account, "PATCH", `/delivery/couriers/${bo.id}`, { hours: bad });
    expect([refused.status, refused.body.error.errors[0].pointer]).toEqual([400, "/hours/0/to"]);
  });

  test("200 removed, its deliveries go to others; 409 while it carries one; 404 then", async () => {
    const account = await app.openAccount();
    const bo = await hire(account);
    const id = await order(account);
    const go = (body: object) => call(account, "POST", `/delivery/${id}/advance`, body);
    await go({ to: "assigned", courier_id: bo.id });
    await go({ to: "picked_up" });
    const carrying = await call(account, "DELETE", `/delivery/couriers/${bo.id}`);
    expect([carrying.status, carrying.body.error.delivery_ids]).toEqual([409, [id]]);
    await go({ to: "failed" });
    const waiting = await order(account);
    await call(account, "POST", `/delivery/${waiting}/advance`, { to: "assigned", courier_id: bo.id });
    const gone = await call(account, "DELETE", `/delivery/couriers/${bo.id}`);
    expect([gone.status, gone.body.data]).toEqual([200, { id: bo.id, deleted: true }]);
    expect((await read(account, waiting)).status).toBe("scheduled");
    expect((await call(account, "DELETE", `/delivery/couriers/${bo.id}`)).status).toBe(404);
  });

  test("works in its area and hours only", async () => {
    const account = await app.openAccount();
    // Sunday noon in UTC is seven in the morning in New York.
    const here = [
      { lat: 40, lon: -75 },
      { lat: 41.5, lon: -75 },
      { lat: 41.5, lon: -73 },
      { lat: 40, lon: -73 },
    ];
    const away = here.map(({ lat, lon }) => ({ lat: lat + 5, lon }));
    const shut = [{ days: ["sat"], from: "00:00", to: "24:00" }];
    const open = [{ days: ["sun"], from: "06:00", to: "18:00" }];
    const zone = { time_zone: "America/New_York" };
    await hire(account, { name: "Away", area: away, hours: open, ...zone });
    await hire(account, { name: "Shut", area: here, hours: shut, ...zone });
    const able = await hire(account, { name: "Able", area: here, hours: open, ...zone });
    const id = await order(account);
    await dispatch();
    expect((await read(account, id)).courier.id).toBe(able.id);
  });

  test("200 given to another courier in one step; 409 to the one who has it", async () => {
    const account = await app.openAccount();
    const [bo, al] = [await hire(account), await hire(account, { name: "Al", vehicle: "foot" })];
    const id = await order(account);
    const go = (courier_id: string) => call(account, "POST", `/delivery/${id}/advance`, { to: "assigned", courier_id });
    const first = (await go(bo.id)).body.data;
    const same = await go(bo.id);
    expect([same.status, same.body.error.reason]).toEqual([409, "this courier already has it"]);
    const second = (await go(al.id)).body.data;
    expect([second.status, second.courier.name]).toEqual(["assigned", "Al"]);
    // Somebody on foot is not promised a car's time; the promise itself stays.
    expect(second.dropoff.estimated_arrival > first.dropoff.estimated_arrival).toBe(true);
    expect(second.dropoff.promised_arrival).toBe(first.dropoff.promised_arrival);
  });
});

describe("dispatch", () => {
  test("offers to the nearest able courier; a decline excludes it and the next one is asked", async () => {
    const account = await app.openAccount();
    const near = await hire(account, { name: "Near" });
    const far = await hire(account, { name: "Far", position: { lat: 40.6, lon: -73.8 } });
    await hire(account, { name: "Off", on_duty: false });
    const id = await order(account);
    await dispatch();
    expect((await read(account, id)).courier.name).toBe("Near");
    expect((await press(near, { do: "decline", delivery: id })).status).toBe(303);
    await dispatch();
    const second = await read(account, id);
    expect([second.status, second.courier.id]).toEqual(["assigned", far.id]);
    expect((await press(far, { do: "accept", delivery: id })).status).toBe(303);
    await dispatch(5 * minute);
    expect((await read(account, id)).courier.id).toBe(far.id);
    expect(await typesOf(account, id)).toEqual([
      "delivery.scheduled",
      "delivery.assigned",
      "delivery.scheduled",
      "delivery.assigned",
    ]);
  });

  test("two dispatchers at once assign it once", async () => {
    const account = await app.openAccount();
    await hire(account);
    const other = createDelivery(app.service.platform, settings);
    const ids = [await order(account), await order(account)];
    await Promise.all([app.service.settle(), other.settle(), other.settle()]);
    await app.service.settle();
    for (const id of ids) {
      expect((await typesOf(account, id)).filter((type: string) => type === "delivery.assigned")).toHaveLength(1);
    }
  });

  test("nobody is sent before the recipient's window opens, and waiting for it is no failure", async () => {
    const account = await app.openAccount();
    await hire(account);
    const from = new Date(app.clock.now() + 240 * minute).toISOString();
    const id = await order(account, { dropoff: { address: "Brooklyn, NY 11201", window: { from } } });
    for (let waited = 0; waited < 180; waited += 45) {
      await dispatch(45 * minute);
      expect([waited, (await read(account, id)).status]).toEqual([waited, "scheduled"]);
    }
    await dispatch(30 * minute);
    expect(await read(account, id)).toMatchObject({ status: "assigned", courier: { name: "Bo" } });
  });

  test("an offer nobody answers lapses after two minutes", async () => {
    const account = await app.openAccount();
    await hire(account, { name: "Asleep" });
    const id = await order(account);
    await dispatch();
    await dispatch(2 * minute);
    const lapsed = await read(account, id);
    expect([lapsed.status, lapsed.timeline.at(-1).note]).toEqual(["scheduled", "offer_lapsed"]);
    await dispatch(minute);
    const waiting = await read(account, id);
    expect([waiting.status, waiting.attention]).toEqual(["scheduled", ["no_courier_available"]]);
  });

  test("respects vehicle, zone, shift and capacity", async () => {
    const account = await app.openAccount();
    await hire(account, { name: "Bicycle", vehicle: "bicycle" });
    await hire(account, { name: "Elsewhere", zone: { lat: 41, lon: -74.5, radius_km: 5 } });
    await hire(account, { name: "Gone home", shift: { from: "2026-10-01T00:00:00Z", to: "2026-10-01T08:00:00Z" } });
    const id = await order(account, { vehicle: "van" });
    await dispatch();
    expect((await read(account, id)).status).toBe("scheduled");
    await hire(account, { name: "Van", vehicle: "van" });
    await dispatch(minute);
    expect((await read(account, id)).courier.name).toBe("Van");
  });

  test("off duty gives back what is not picked up, blamelessly, and keeps what is", async () => {
    const account = await app.openAccount();
    const bo = await hire(account);
    const [first, second] = [await order(account), await order(account)];
    await dispatch();
    for (const id of [first, second]) await press(bo, { do: "accept", delivery: id });
    await press(bo, { do: "picked_up", delivery: first });
    await call(account, "PATCH", `/delivery/couriers/${bo.id}`, { on_duty: false });
    expect((await read(account, first)).status).toBe("en_route_to_dropoff");
    expect((await read(account, second)).timeline.at(-1)).toMatchObject({
      status: "scheduled",
      note: "courier_off_duty",
    });
    await call(account, "PATCH", `/delivery/couriers/${bo.id}`, { on_duty: true });
    await press(bo, { do: "delivered", delivery: first });
    await dispatch();
    expect((await read(account, second)).courier.id).toBe(bo.id);
  });
});

describe("POST /delivery/{id}/advance", () => {
  test("200 the whole way, with the proof that was asked for", async () => {
    const account = await app.openAccount();
    const bo = await hire(account);
    const id = await order(account, { proof: ["photo", "pin"] });
    const go = (body: object) => call(account, "POST", `/delivery/${id}/advance`, body);
    expect((await go({ to: "assigned" })).body.error.errors[0].pointer).toBe("/courier_id");
    expect((await go({ to: "assigned", courier_id: "crr_01KB2M3N4P5Q6R7S8T9V0W1X2Y" })).status).toBe(404);
    expect((await go({ to: "delivered" })).status).toBe(409);
    await go({ to: "assigned", courier_id: bo.id });
    for (const to of ["en_route_to_pickup", "at_pickup", "picked_up", "at_dropoff"])
      expect((await go({ to })).status).toBe(200);
    await app.clock.advance(30 * minute);
    const { pin } = (await read(account, id)).proof;
    const proof = { photo_sha256: "a".repeat(64), pin: pin === "0000" ? "0001" : "0000" };
    const wrong = await go({ to: "delivered", proof });
    expect([wrong.status, wrong.body.error.detail]).toEqual([409, "The pin is wrong."]);
    const missing = await go({ to: "delivered", proof: { pin } });
    expect([missing.status, missing.body.error.reason]).toEqual([409, "proof is missing: photo"]);
    expect(missing.body.error.hint).toContain("proof.photo");
    const done = await go({ to: "delivered", proof: { ...proof, pin } });
    expect([done.status, done.body.data.status, done.body.data.proof.given.pin]).toEqual([200, "delivered", pin]);
    const [area] = await app.service.platform.db.sql`select calibration from delivery_areas`;
    expect(area.calibration.effects.all.weight).toBe(1);
  });
});

describe("positions", () => {
  test("200 recompute the arrival, and a large change is an event", async () => {
    const account = await app.openAccount();
    const bo = await hire(account);
    const id = await order(account);
    await dispatch();
    await press(bo, { do: "accept", delivery: id });
    await press(bo, { do: "picked_up", delivery: id });
    const before = (await read(account, id)).dropoff.estimated_arrival;
    await app.clock.advance(40 * minute);
    const reported = await call(account, "POST", `/delivery/couriers/${bo.id}/position`, { lat: 40.76, lon: -73.98 });
    expect([reported.status, reported.body.data.position.lat]).toEqual([200, 40.76]);
    const after = await read(account, id);
    expect(after.dropoff.estimated_arrival > before).toBe(true);
    expect(after.courier.position.lon).toBe(-73.98);
    expect(await typesOf(account, id)).toContain("delivery.eta_changed");
  });
});
