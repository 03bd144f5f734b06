// Orders that come again: each occurrence is one delivery, over changes of clocks and over crashes.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Account, type Harness, startHarness } from "../../../../tests/harness.ts";
import { nextOccurrence } from "../engine/recurrence.ts";

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
});
afterAll(() => app.stop());

const call = (account: Account, method: string, path: string, body?: unknown) =>
  app.call(method, path, { body, key: account.liveKey });
const HOUR = 3_600_000;
const template = {
  name: "Bread",
  order: { pickup: { address: "New York, NY 10118" }, dropoff: { address: "Brooklyn, NY 11201" } },
  recurrence: { days: ["mon", "wed"], time: "09:00", time_zone: "America/New_York" },
};

describe("when it comes again", () => {
  const iso = (ms: number | null) => ms && new Date(ms).toISOString();

  test("the same local time over both changes of clocks, and never twice a day", () => {
    const daily = {
      days: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"],
      time: "02:30",
      time_zone: "Europe/Berlin",
    };
    let at: number | null = Date.parse("2026-03-27T12:00:00Z");
    const seen: (string | null | 0)[] = [];
    for (let i = 0; i < 3; i++) seen.push(iso((at = nextOccurrence(daily, at!))));
    // On the 29th there is no 02:30: an hour later.
    expect(seen).toEqual(["2026-03-28T01:30:00.000Z", "2026-03-29T01:30:00.000Z", "2026-03-30T00:30:00.000Z"]);
    at = Date.parse("2026-10-23T12:00:00Z");
    const dates = new Set<string>();
    for (let i = 0; i < 5; i++)
      dates.add(
        iso((at = nextOccurrence(daily, at!)))!
          .toString()
          .slice(0, 10),
      );
    expect(dates.size).toBe(5);
  });

  test("not after its end", () => {
    const recurrence = { ...template.recurrence, until: "2026-11-02T10:00:00Z" };
    expect(nextOccurrence(recurrence, Date.parse("2026-11-01T12:00:00Z"))).toBeNull();
  });
});

describe("templates", () => {
  test("201 made; each occurrence is scheduled once, half a day ahead, also when the note of it was lost", async () => {
    const account = await app.openAccount();
    const made = await call(account, "POST", "/delivery/templates", template);
    expect([made.status, made.body.data.next_pickup]).toEqual([201, "2026-11-02T14:00:00Z"]);
    await app.service.settle();
    const count = async () => (await call(account, "GET", "/delivery")).body.data.items.length;
    expect(await count()).toBe(0);
    await app.clock.advance(15 * HOUR);
    await app.service.settle();
    expect(await count()).toBe(1);
    // As if the service had died before it noted the delivery.
    await app.service.platform.db.sql`
      update delivery_templates set next_at = '2026-11-02T14:00:00Z' where id = ${made.body.data.id}`;
    await app.service.settle();
    expect(await count()).toBe(1);
    const [shown] = (await call(account, "GET", "/delivery/templates")).body.data.items;
    expect(shown).toMatchObject({ next_pickup: "2026-11-04T14:00:00Z", last_error: null });
    expect(shown.last_delivery_id).toStartWith("dlv_");
  });

  test("200 stopped, changed and removed; 404 then; 400 for a day that is none", async () => {
    const account = await app.openAccount();
    const { id } = (await call(account, "POST", "/delivery/templates", template)).body.data;
    const stopped = await call(account, "PATCH", `/delivery/templates/${id}`, { active: false });
    expect([stopped.status, stopped.body.data.next_pickup]).toEqual([200, null]);
    const bad = { ...template.recurrence, days: ["someday"] };
    expect((await call(account, "PATCH", `/delivery/templates/${id}`, { recurrence: bad })).status).toBe(400);
    expect((await call(account, "DELETE", `/delivery/templates/${id}`)).body.data).toEqual({ id, deleted: true });
    expect((await call(account, "DELETE", `/delivery/templates/${id}`)).status).toBe(404);
    expect((await call(account, "PATCH", `/delivery/templates/${id}`, { active: true })).status).toBe(404);
  });
});

describe("the address book", () => {
  test("200 listed and forgotten; 404 then", async () => {
    const account = await app.openAccount();
    const order = { ...template.order, pickup: { ...template.order.pickup, time: "asap" } };
    const { delivery_id } = (await call(account, "POST", "/delivery/schedule", order)).body.data;
    await call(account, "PATCH", `/delivery/${delivery_id}`, { dropoff: { lat: 40.695, lon: -73.99 } });
    const [place] = (await call(account, "GET", "/delivery/places")).body.data.items;
    expect(place).toMatchObject({ address: "Brooklyn, NY 11201", lat: 40.695, lon: -73.99, sightings: 1 });
    expect((await call(account, "DELETE", `/delivery/places/${place.id}`)).status).toBe(200);
    expect((await call(account, "DELETE", `/delivery/places/${place.id}`)).status).toBe(404);
  });
});
