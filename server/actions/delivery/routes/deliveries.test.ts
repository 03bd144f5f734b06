import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Harness, startHarness } from "../../../../tests/harness.ts";

let app: Harness;
const minute = 60_000;

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
const events = async (id: string, key = app.key) => {
  const list = (await app.call("GET", "/events?limit=100", { key })).body.data.items;
  return list
    .filter((e: any) => e.data.delivery_id === id)
    .map((e: any) => e.type)
    .toReversed();
};
const dispatch = async (afterMs = 0) => {
  await app.clock.advance(afterMs);
  await app.service.settle();
};
const read = async (id: string, key = app.key) => (await app.call("GET", `/delivery/${id}`, { key })).body.data;

describe("POST /delivery/schedule", () => {
  test("200 echoes addresses and time byte for byte and is scheduled", async () => {
    const odd = {
      pickup: { address: "  350 5th Ave,  New York ÄÖ “x” ", time: "2026-11-21T15:00:00Z" },
      dropoff: { address: "somewhere near the old mill" },
    };
    const { status, body } = await app.call("POST", "/delivery/schedule", { body: odd });
    expect([status, body.success, body.data.status]).toEqual([200, true, "scheduled"]);
    expect(body.data.pickup).toMatchObject({ address: odd.pickup.address, scheduled_time: "2026-11-21T15:00:00Z" });
    expect(body.data.dropoff.address).toBe(odd.dropoff.address);
    expect(body.data.attention).toContain("dropoff_imprecise");
    expect(await events(body.data.delivery_id)).toEqual(["delivery.scheduled"]);
  });

  test("200 keeps every sign of an address, in the answer, the store and the event", async () => {
    const nasty = ['"quoted" \\ back {brace}, NULL', "🏠 5th & 6th; drop table--", "{1,2}", '\\"\\', "%20 $1 `y` <b>"];
    const made = await Promise.all(
      nasty.map((sign) =>
        schedule({ dropoff: { address: sign }, notes: `${sign}\nsecond line`, external_id: sign, tags: [sign, "b"] }),
      ),
    );
    for (const [i, { body }] of made.entries()) {
      expect(body.data.dropoff.address).toBe(nasty[i]);
      const kept = { dropoff: { address: nasty[i] }, external_id: nasty[i], tags: [nasty[i], "b"] };
      expect(await read(body.data.delivery_id)).toMatchObject(kept);
    }
  });

  test("200 with an arrival after the pickup, inside an honest window", async () => {
    const { data } = (await schedule()).body;
    expect(data.locations.pickup).toMatchObject({ precision: "postcode", time_zone: "America/New_York" });
    expect(data.locations.dropoff.label).toContain("Brooklyn");
    expect(data.dropoff.estimated_arrival > data.pickup.scheduled_time).toBe(true);
    expect(
      data.eta.window.from <= data.dropoff.estimated_arrival && data.dropoff.estimated_arrival <= data.eta.window.to,
    ).toBe(true);
    expect(data.tracking_url).toMatch(/\/track\/[\w-]{24}$/);
  });

  test("422 when the pickup is in the past, or more than 30 days ahead", async () => {
    const past = await schedule({ pickup: { ...order.pickup, time: "2026-11-01T11:00:00Z" } });
    expect([past.status, past.body.error.code]).toEqual([422, "pickup_time_in_past"]);
    const far = await schedule({ pickup: { ...order.pickup, time: "2026-12-24T11:00:00Z" } });
    expect([far.status, far.body.error.code]).toEqual([422, "pickup_time_too_far"]);
  });

  test("422 when the ends are too far apart", async () => {
    const { status, body } = await schedule({ dropoff: { address: "Chicago, Illinois" } });
    expect([status, body.error.code]).toEqual([422, "distance_too_long"]);
    expect(body.error.distance_km).toBeGreaterThan(1000);
  });

  test("409 when the external_id is taken, and names who has it", async () => {
    const first = (await schedule({ external_id: "order-1" })).body.data;
    const again = await schedule({ external_id: "order-1" });
    expect([again.status, again.body.error.code, again.body.error.delivery_id]).toEqual([
      409,
      "conflict",
      first.delivery_id,
    ]);
  });

  test("400 when the courier service is unknown or not set up, with the settings it needs", async () => {
    const missing = await schedule({ provider: "doordash" }, app.account.liveKey);
    expect([missing.status, missing.body.error.errors[0].pointer]).toEqual([400, "/provider"]);
    expect(missing.body.error.hint).toContain("CONNECTOR_DOORDASH");
    const typo = await schedule({ provider: "ups" }, app.account.liveKey);
    expect([typo.status, typo.body.error.errors[0].pointer]).toEqual([400, "/provider"]);
  });

  test("200 with a courier service on a test key says that it is simulated", async () => {
    expect((await schedule({ provider: "doordash" })).body.data).toMatchObject({
      requested_provider: "doordash",
      attention: ["provider_simulated"],
    });
  });

  test("200 replayed byte for byte, one delivery made", async () => {
    const headers = { "Idempotency-Key": "once" };
    const a = await app.call("POST", "/delivery/schedule", { body: { ...order, external_id: "once" }, headers });
    const b = await app.call("POST", "/delivery/schedule", { body: { ...order, external_id: "once" }, headers });
    expect([b.text, b.headers.get("idempotent-replayed")]).toEqual([a.text, "true"]);
    expect((await app.call("GET", "/delivery?external_id=once")).body.data.items).toHaveLength(1);
  });
});

describe("POST /delivery/estimate", () => {
  test("200 answers like a schedule and stores nothing", async () => {
    const { status, body } = await app.call("POST", "/delivery/estimate", { body: { ...order, vehicle: "bicycle" } });
    expect([status, body.data.eta.method]).toEqual([200, "steady_pace/bicycle"]);
    expect(body.data.distance_km).toBeGreaterThan(3);
    const other = await app.openAccount();
    await app.call("POST", "/delivery/estimate", { body: order, key: other.testKey });
    expect((await app.call("GET", "/delivery", { key: other.testKey })).body.data.items).toEqual([]);
    expect((await app.call("GET", "/events", { key: other.testKey })).body.data.items).toEqual([]);
  });

  test("422 for the same reasons as a schedule", async () => {
    const past = await app.call("POST", "/delivery/estimate", {
      body: { ...order, pickup: { ...order.pickup, time: "2026-10-01T11:00:00Z" } },
    });
    expect([past.status, past.body.error.code]).toEqual([422, "pickup_time_in_past"]);
  });
});

describe("GET /delivery", () => {
  test("200 filters by status, tag, external_id and time, and pages", async () => {
    const made = [];
    for (let i = 0; i < 3; i++)
      made.push((await schedule({ tags: ["list-me"], external_id: `list-${i}` })).body.data.delivery_id);
    const first = (await app.call("GET", "/delivery?tag=list-me&limit=2")).body.data;
    expect([first.items.map((d: any) => d.delivery_id), first.has_more]).toEqual([made.toReversed().slice(0, 2), true]);
    const rest = (await app.call("GET", `/delivery?tag=list-me&limit=2&cursor=${first.next_cursor}`)).body.data;
    expect(rest.items.map((d: any) => d.delivery_id)).toEqual([made[0]]);
    expect((await app.call("GET", "/delivery?external_id=list-1")).body.data.items).toHaveLength(1);
    expect((await app.call("GET", "/delivery?status=delivered&tag=list-me")).body.data.items).toEqual([]);
    expect((await app.call("GET", "/delivery?tag=list-me&from=2026-11-02T00:00:00Z")).body.data.items).toEqual([]);
    expect((await app.call("GET", "/delivery?tag=list-me&to=2026-11-02T00:00:00Z")).body.data.items).toHaveLength(3);
  });

  test("404 for a delivery of another world", async () => {
    const { delivery_id } = (await schedule()).body.data;
    expect((await app.call("GET", `/delivery/${delivery_id}`, { key: app.account.liveKey })).status).toBe(404);
  });
});

describe("POST /delivery/{id}/cancel", () => {
  test("200 before the pickup; 409 a second time, with what is allowed", async () => {
    const { delivery_id: id } = (await schedule()).body.data;
    const done = await app.call("POST", `/delivery/${id}/cancel`, { body: { reason: "changed my mind" } });
    expect([done.status, done.body.data.status, done.body.data.reason, done.body.data.fee_applies]).toEqual([
      200,
      "canceled",
      "changed my mind",
      false,
    ]);
    const again = await app.call("POST", `/delivery/${id}/cancel`);
    expect([again.status, again.body.error.code, again.body.error.allowed]).toEqual([409, "wrong_state", []]);
    expect(await events(id)).toEqual(["delivery.scheduled", "delivery.canceled"]);
  });

  test("409 delivery_picked_up after the pickup, and the way back is offered", async () => {
    const { delivery_id: id } = (await schedule()).body.data;
    const courier = (await app.call("POST", "/delivery/couriers", { body: { name: "Bo", on_duty: false } })).body.data;
    const advance = (body: object) => app.call("POST", `/delivery/${id}/advance`, { body });
    await advance({ to: "assigned", courier_id: courier.id });
    await advance({ to: "picked_up" });
    const refused = await app.call("POST", `/delivery/${id}/cancel`);
    expect([refused.status, refused.body.error.reason]).toEqual([409, "delivery_picked_up"]);
    expect(refused.body.error.hint).toContain("return");
    const back = await app.call("POST", `/delivery/${id}/return`, { body: { reason: "wrong goods" } });
    expect([back.status, back.body.data.status]).toEqual([200, "returning"]);
    expect((await advance({ to: "returned" })).body.data.status).toBe("returned");
  });
});

describe("POST /delivery/{id}/reschedule", () => {
  test("200 with a new time and a new estimate, with an event", async () => {
    const { delivery_id: id } = (await schedule()).body.data;
    const moved = await app.call("POST", `/delivery/${id}/reschedule`, {
      body: { pickup: { time: "2026-11-03T09:00:00Z" }, dropoff: { address: "Queens, NY" } },
    });
    expect([moved.status, moved.body.data.pickup.scheduled_time, moved.body.data.dropoff.address]).toEqual([
      200,
      "2026-11-03T09:00:00Z",
      "Queens, NY",
    ]);
    expect(moved.body.data.dropoff.estimated_arrival > "2026-11-03T09:00:00Z").toBe(true);
    expect(await events(id)).toEqual(["delivery.scheduled", "delivery.rescheduled"]);
  });

  test("422 for a time in the past, 409 once it is over", async () => {
    const { delivery_id: id } = (await schedule()).body.data;
    const past = await app.call("POST", `/delivery/${id}/reschedule`, {
      body: { pickup: { time: "2026-10-03T09:00:00Z" } },
    });
    expect(past.status).toBe(422);
    await app.call("POST", `/delivery/${id}/cancel`);
    expect(
      (await app.call("POST", `/delivery/${id}/reschedule`, { body: { pickup: { time: "2026-11-03T09:00:00Z" } } }))
        .status,
    ).toBe(409);
  });
});

describe("POST /delivery/{id}/redeliver", () => {
  test("200 makes a new one that names the old; 409 while the old one lives", async () => {
    const { delivery_id: id } = (await schedule({ tags: ["again"] })).body.data;
    const body = { pickup: { time: "2026-11-02T10:00:00Z" } };
    expect((await app.call("POST", `/delivery/${id}/redeliver`, { body })).status).toBe(409);
    await app.call("POST", `/delivery/${id}/advance`, { body: { to: "failed", reason: "lost" } });
    const made = await app.call("POST", `/delivery/${id}/redeliver`, { body });
    expect([made.status, made.body.data.parent_id, made.body.data.tags]).toEqual([200, id, ["again"]]);
    const past = { pickup: { time: "2026-10-02T10:00:00Z" } };
    expect((await app.call("POST", `/delivery/${id}/redeliver`, { body: past })).status).toBe(422);
  });
});

describe("a return that cannot be", () => {
  test("409 before the pickup", async () => {
    const { delivery_id: id } = (await schedule()).body.data;
    expect((await app.call("POST", `/delivery/${id}/return`)).status).toBe(409);
  });
});

describe("test mode", () => {
  test("a simulated courier carries it through every state at its own moments, the same way each time", async () => {
    const other = await app.openAccount("max");
    const { delivery_id: id } = (await schedule({}, other.testKey)).body.data;
    await dispatch(4 * minute);
    const half = await read(id, other.testKey);
    expect([half.simulated, half.provider, half.courier.name.length > 0]).toEqual([true, "simulated", true]);
    for (let i = 0; i < 6; i++) await dispatch(minute);
    const done = await read(id, other.testKey);
    expect(done.timeline.map((t: any) => t.status)).toEqual([
      "scheduled",
      "assigned",
      "en_route_to_pickup",
      "at_pickup",
      "picked_up",
      "en_route_to_dropoff",
      "at_dropoff",
      "delivered",
    ]);
    expect(await events(id, other.testKey)).toEqual(done.timeline.map((t: any) => `delivery.${t.status}`));
    await dispatch(60 * minute);
    expect(await read(id, other.testKey)).toEqual(done);
  });

  test("tags ask for a hard life: declined then taken, failed, brought back", async () => {
    const other = await app.openAccount("max");
    const soon = { pickup: { ...order.pickup, time: new Date(app.clock.now() + 20 * minute).toISOString() } };
    const ids: string[] = [];
    for (const tag of ["simulate:decline", "simulate:fail", "simulate:return"])
      ids.push((await schedule({ ...soon, tags: [tag] }, other.testKey)).body.data.delivery_id);
    for (let i = 0; i < 12; i++) await dispatch(minute / 2);
    const [declined, failed, returned] = await Promise.all(ids.map((id) => read(id, other.testKey)));
    expect(declined.timeline.slice(0, 4).map((t: any) => t.status)).toEqual([
      "scheduled",
      "assigned",
      "scheduled",
      "assigned",
    ]);
    expect([declined.status, failed.status, failed.reason, returned.status]).toEqual([
      "delivered",
      "failed",
      "pickup_failed",
      "returned",
    ]);
  });
});

describe("live mode without couriers", () => {
  test("the order is kept and flagged, then fails for want of a courier half an hour after its time", async () => {
    const key = app.account.liveKey;
    const time = new Date(app.clock.now() + 10 * minute).toISOString();
    const { delivery_id: id } = (await schedule({ pickup: { ...order.pickup, time } }, key)).body.data;
    await dispatch();
    const waiting = await read(id, key);
    expect([waiting.status, waiting.attention.includes("no_courier_configured"), waiting.simulated]).toEqual([
      "scheduled",
      true,
      false,
    ]);
    for (let i = 0; i < 42; i++) await dispatch(minute);
    const over = await read(id, key);
    expect([over.status, over.reason]).toEqual(["failed", "no_courier"]);
  });
});
