// What was ordered comes back, in the contract's order; what cannot work is refused or flagged.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Harness, startHarness } from "../../../../tests/harness.ts";
import { Delivery } from "../contract/delivery.ts";

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
});
afterAll(() => app.stop());

const order = {
  pickup: { address: "350 5th Ave, New York, NY 10118", time: "2026-11-01T15:00:00Z" },
  dropoff: { address: "Downtown Brooklyn" },
};
const schedule = (more: object = {}, key = app.key) =>
  app.call("POST", "/delivery/schedule", { body: { ...order, ...more }, key });
const read = async (id: string, key = app.key) => (await app.call("GET", `/delivery/${id}`, { key })).body.data;
const dispatch = async (afterMs = 0) => {
  await app.clock.advance(afterMs);
  await app.service.settle();
};

describe("what was ordered", () => {
  const full = {
    pickup: { ...order.pickup, contact: { name: "Shop", phone: "+12125550100" }, instructions: "Back door" },
    dropoff: { ...order.dropoff, contact: { name: "Ada", email: "ada@example.com" }, instructions: "Code 12" },
    items: [{ name: "Lamp", quantity: 2, barcode: "4006381333931" }],
    notes: "Fragile",
    vehicle: "bicycle",
    provider: "fleet",
    tags: ["a"],
    external_id: "full-1",
  };

  test("200 keeps the pickup time to the millisecond, in UTC, whenever it is read", async () => {
    for (const [time, kept] of [
      ["2026-11-01T15:00:00.123456Z", "2026-11-01T15:00:00.123Z"],
      ["2026-11-01T16:00:00.5+01:00", "2026-11-01T15:00:00.500Z"],
      ["2026-11-01T15:00:00.000Z", "2026-11-01T15:00:00Z"],
    ]) {
      const { data } = (await schedule({ pickup: { ...order.pickup, time } })).body;
      const later = await read(data.delivery_id);
      expect([time, data.pickup.scheduled_time, later.pickup.scheduled_time]).toEqual([time, kept, kept]);
    }
  });

  test("200 can be read back: items, notes, contacts, instructions, vehicle and provider", async () => {
    const { delivery_id } = (await schedule(full)).body.data;
    expect(await read(delivery_id)).toMatchObject({
      pickup: { contact: full.pickup.contact, instructions: "Back door" },
      dropoff: { contact: full.dropoff.contact, instructions: "Code 12" },
      items: full.items,
      notes: "Fragile",
      vehicle: "bicycle",
      requested_provider: "fleet",
    });
  });

  test("200 answers and events keep the contract's order of members", async () => {
    const made = await schedule({ external_id: "ordered" });
    const { delivery_id } = made.body.data;
    const wanted = Object.keys(Delivery.properties);
    expect(Object.keys(made.body.data)).toEqual(wanted);
    expect(Object.keys(await read(delivery_id))).toEqual(wanted);
    const { items } = (await app.call("GET", "/delivery?external_id=ordered")).body.data;
    expect(Object.keys(items[0])).toEqual(wanted);
    const events = (await app.call("GET", "/events?type=delivery.scheduled&limit=1")).body.data.items;
    expect(JSON.stringify(events[0].data)).toBe(JSON.stringify(made.body.data));
  });

  test("200 PATCH changes notes, items, tags and contacts, with an event", async () => {
    const { delivery_id } = (await schedule()).body.data;
    const changes = { notes: "Ring twice", items: [{ name: "Vase" }], dropoff: { contact: { name: "Bea" } } };
    const changed = await app.call("PATCH", `/delivery/${delivery_id}`, { body: changes });
    expect([changed.status, changed.body.data.notes, changed.body.data.dropoff.contact]).toEqual([
      200,
      "Ring twice",
      { name: "Bea" },
    ]);
    expect((await read(delivery_id)).items).toEqual([{ name: "Vase" }]);
    const [event] = (await app.call("GET", "/events?type=delivery.updated&limit=1")).body.data.items;
    expect(event.data.delivery_id).toBe(delivery_id);
  });

  test("409 PATCH once it is over, with its state beside the status of the answer", async () => {
    const { delivery_id } = (await schedule()).body.data;
    await app.call("POST", `/delivery/${delivery_id}/cancel`);
    const refused = await app.call("PATCH", `/delivery/${delivery_id}`, { body: { notes: "late" } });
    expect(refused.body.error).toMatchObject({ status: 409, code: "wrong_state", delivery_status: "canceled" });
    const again = await app.call("POST", `/delivery/${delivery_id}/cancel`);
    expect(again.body.error).toMatchObject({ status: 409, delivery_status: "canceled" });
  });
});

describe("places given exactly", () => {
  const at = { lat: 52.5163, lon: 13.3777 };
  const where = async (dropoff: object) =>
    (await schedule({ pickup: { address: "Alexanderplatz, Berlin", time: "asap" }, dropoff })).body.data;

  test.each([
    ["lat and lon", { address: "My flat", ...at }],
    ["coordinates as text", { address: "52.5163, 13.3777" }],
    ["a geo: address", { address: "geo:52.5163,13.3777;u=20" }],
    ["a plus code", { address: "9F4MG98H+G3" }],
    ["a short plus code with its town", { address: "G98H+G3 Berlin" }],
  ])("200 with %s", async (_, dropoff) => {
    const { locations, attention } = await where(dropoff);
    expect(locations.dropoff).toMatchObject({ precision: "rooftop", time_zone: "Europe/Berlin" });
    expect([locations.dropoff.lat, locations.dropoff.lon].map((n: number) => Math.round(n * 1000) / 1000)).toEqual([
      52.516, 13.378,
    ]);
    expect(attention).toEqual([]);
  });

  test("400 for half a position, by its pointer", async () => {
    const half = await schedule({ dropoff: { address: "My flat", lat: 52.5 } });
    expect([half.status, half.body.error.errors[0].pointer]).toEqual([400, "/dropoff/lon"]);
  });

  test("200 with line breaks in an address: echoed as sent, placed as one line", async () => {
    const address = "350 5th Ave\nNew York, NY 10118\r\nUSA";
    const { data } = (await schedule({ dropoff: { address } })).body;
    expect([data.dropoff.address, data.locations.dropoff.precision]).toEqual([address, "postcode"]);
  });

  test("400 for an address of spaces, which says so", async () => {
    const blank = await schedule({ dropoff: { address: "     " } });
    expect([blank.status, blank.body.error.errors[0].detail]).toEqual([400, "dropoff.address must not be blank"]);
  });
});

describe("asap and promises", () => {
  test("200 asap is now", async () => {
    const { data } = (await schedule({ pickup: { ...order.pickup, time: "asap" } })).body;
    expect(Date.parse(data.pickup.scheduled_time)).toBe(app.clock.now());
  });

  test("a test key's delivery says that it is simulated from the first answer on, and its courier brings proof", async () => {
    const asked = { proof: ["photo", "pin", "signature", "barcode"], pickup: { ...order.pickup, time: "asap" } };
    const { data } = (await schedule(asked)).body;
    expect(data.simulated).toBe(true);
    for (let i = 0; i < 90; i++) await dispatch(60_000);
    const done = await read(data.delivery_id);
    expect([done.status, done.proof.given.pin]).toEqual(["delivered", data.proof.pin]);
    expect(done.dropoff.promised_arrival).toBe(data.dropoff.estimated_arrival);
    expect(done.dropoff.actual_arrival).toBe(done.timeline.at(-1).at);
    const photo = await fetch(done.proof.given.photo_url, { headers: { Authorization: `Bearer ${app.key}` } });
    expect([photo.status, photo.headers.get("content-type")]).toEqual([200, "image/png"]);
    const missing = await app.call("GET", `/delivery/${data.delivery_id}/proof/signature`);
    expect(missing.status).toBe(404);
  });

  test("a live order that nobody can carry says so at once", async () => {
    const { data } = (await schedule({}, app.account.liveKey)).body;
    expect([data.simulated, data.attention]).toEqual([false, ["no_courier_configured"]]);
    await app.call("POST", "/delivery/couriers", { body: { name: "Bo" }, key: app.account.liveKey });
    expect((await schedule({}, app.account.liveKey)).body.data.attention).toEqual([]);
  });
});
