// Zones, opening hours, windows and tariffs: what cannot be done is refused before it is accepted.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Account, type Harness, startHarness } from "../../../../tests/harness.ts";

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
});
afterAll(() => app.stop());

const order = {
  pickup: { address: "New York, NY 10118", time: "2026-11-01T15:00:00Z" },
  dropoff: { address: "Brooklyn, NY 11201" },
};
const call = (account: Account, method: string, path: string, body?: unknown) =>
  app.call(method, path, { body, key: account.testKey });
const around = (lat: number, lon: number) => [
  { lat: lat - 0.1, lon: lon - 0.1 },
  { lat: lat + 0.1, lon: lon - 0.1 },
  { lat: lat + 0.1, lon: lon + 0.1 },
  { lat: lat - 0.1, lon: lon + 0.1 },
];

describe("settings", () => {
  test("200 read, changed in parts and taken away; 400 for hours that end before they begin", async () => {
    const account = await app.openAccount();
    const empty = { brand: null, tariff: null, zones: null, hours: null, time_zone: "UTC", sms_url: null };
    expect((await call(account, "GET", "/delivery/settings")).body.data).toEqual(empty);
    const tariff = { currency: "USD", base: "4.00" };
    const changed = await call(account, "PATCH", "/delivery/settings", { tariff, time_zone: "America/New_York" });
    expect(changed.body.data).toEqual({ ...empty, tariff, time_zone: "America/New_York" });
    expect((await call(account, "PATCH", "/delivery/settings", { tariff: null })).body.data.tariff).toBeNull();
    const hours = [{ days: ["mon"], from: "18:00", to: "09:00" }];
    const bad = await call(account, "PATCH", "/delivery/settings", { hours });
    expect([bad.status, bad.body.error.errors[0].pointer]).toEqual([400, "/hours/0/to"]);
    expect((await call(account, "PATCH", "/delivery/settings", { time_zone: "Mars/Olympus" })).status).toBe(400);
  });

  test("422 for an SMS gateway that points inward, when it is given and not only when it is used", async () => {
    const account = await app.openAccount();
    for (const sms_url of ["http://169.254.169.254/", "http://[::ffff:10.0.0.1]/send", "http://0x7f.1/"]) {
      const { status, body } = await call(account, "PATCH", "/delivery/settings", { sms_url });
      expect([status, body.error.code, body.error.errors[0].pointer]).toEqual([422, "target_not_allowed", "/sms_url"]);
    }
    expect((await call(account, "GET", "/delivery/settings")).body.data.sms_url).toBeNull();
  });
});

describe("feasibility", () => {
  test("422 outside of the zones and of the hours, with the reason; asap waits for the opening", async () => {
    const account = await app.openAccount();
    await call(account, "PATCH", "/delivery/settings", { zones: [{ name: "Far", area: around(48.1, 11.5) }] });
    const away = await call(account, "POST", "/delivery/schedule", order);
    expect(away.body.error).toMatchObject({ status: 422, code: "not_feasible", reason: "outside_zone" });
    await call(account, "PATCH", "/delivery/settings", {
      zones: [{ name: "Brooklyn", area: around(40.69, -73.99), fee: "2.00" }],
      // Sunday 12:00 UTC is 07:00 in New York; it opens at eight.
      hours: [{ days: ["sun"], from: "08:00", to: "12:00" }],
      time_zone: "America/New_York",
    });
    const closed = { ...order, pickup: { ...order.pickup, time: "2026-11-01T20:00:00Z" } };
    expect((await call(account, "POST", "/delivery/schedule", closed)).body.error.reason).toBe("outside_hours");
    const asap = { ...order, pickup: { ...order.pickup, time: "asap" } };
    const made = (await call(account, "POST", "/delivery/schedule", asap)).body.data;
    expect(made.pickup.scheduled_time).toBe("2026-11-01T13:00:00Z");
    expect((await call(account, "POST", "/delivery/schedule", order)).status).toBe(200);
  });

  test("422 when the drop-off window closes before anybody could be there; a tight one is flagged; an early one waits", async () => {
    const account = await app.openAccount();
    const ask = (window: object) =>
      call(account, "POST", "/delivery/schedule", { ...order, dropoff: { ...order.dropoff, window } });
    const never = await ask({ to: "2026-11-01T15:01:00Z" });
    expect(never.body.error).toMatchObject({ code: "not_feasible", reason: "dropoff_window" });
    const late = (await ask({ from: "2026-11-01T18:00:00Z", to: "2026-11-01T19:00:00Z" })).body.data;
    expect([late.dropoff.estimated_arrival, late.dropoff.window.to]).toEqual([
      "2026-11-01T18:00:00Z",
      "2026-11-01T19:00:00Z",
    ]);
    const { eta, dropoff } = (await call(account, "POST", "/delivery/schedule", order)).body.data;
    const middle = new Date((Date.parse(eta.window.from) + Date.parse(dropoff.estimated_arrival)) / 2).toISOString();
    expect((await ask({ to: middle })).body.data.attention).toContain("dropoff_window_tight");
    const until = { ...order, pickup: { ...order.pickup, until: "2026-11-01T14:00:00Z" } };
    expect((await call(account, "POST", "/delivery/schedule", until)).body.error.reason).toBe("pickup_window");
  });
});

describe("POST /delivery/quote", () => {
  test("200 a price by the tariff that the order keeps; 400 for another order, or too late", async () => {
    const account = await app.openAccount();
    const free = (await call(account, "POST", "/delivery/quote", order)).body.data;
    expect([free.price, free.quote, free.feasible]).toEqual([null, null, true]);
    await call(account, "PATCH", "/delivery/settings", {
      tariff: { currency: "USD", base: "4.00", per_km: "1.00", minimum: "5.00" },
      zones: [{ name: "Brooklyn", area: around(40.69, -73.99), fee: "2.00" }],
    });
    const quoted = (await call(account, "POST", "/delivery/quote", order)).body.data;
    const wanted = 4 + quoted.estimate.distance_km + 2;
    expect([Number(quoted.price.amount), quoted.price.currency]).toEqual([Math.round(wanted * 100) / 100, "USD"]);
    await call(account, "PATCH", "/delivery/settings", { tariff: { currency: "USD", base: "90.00" } });
    const kept = await call(account, "POST", "/delivery/schedule", { ...order, quote: quoted.quote });
    expect(kept.body.data.price).toEqual(quoted.price);
    expect((await call(account, "POST", "/delivery/schedule", order)).body.data.price.amount).toBe("92.00");
    const other = { ...order, dropoff: { address: "Brooklyn, NY 11217" }, quote: quoted.quote };
    expect((await call(account, "POST", "/delivery/schedule", other)).body.error.errors[0].pointer).toBe("/quote");
    await app.clock.advance(31 * 60_000);
    const late = await call(account, "POST", "/delivery/schedule", { ...order, quote: quoted.quote });
    expect(late.body.error.errors[0]).toMatchObject({ pointer: "/quote", code: "expired" });
  });

  test("200 says why it cannot be done; 422 for what no order can be", async () => {
    const account = await app.openAccount();
    await call(account, "PATCH", "/delivery/settings", { zones: [{ name: "Far", area: around(48.1, 11.5) }] });
    expect((await call(account, "POST", "/delivery/quote", order)).body.data).toMatchObject({
      feasible: false,
      reasons: ["outside_zone"],
      quote: null,
    });
    const past = { ...order, pickup: { ...order.pickup, time: "2026-10-01T15:00:00Z" } };
    expect((await call(account, "POST", "/delivery/quote", past)).status).toBe(422);
  });
});
