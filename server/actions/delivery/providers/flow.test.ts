import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { type Harness, startHarness } from "../../../../tests/harness.ts";
import { createDelivery } from "../index.ts";
import { type Fake, serveFake } from "./conformance.suite.ts";

let app: Harness;
let delivery: ReturnType<typeof createDelivery>;
let doordash: Fake;
let uber: Fake;
const minute = 60_000;

beforeAll(async () => {
  doordash = serveFake(({ method, path, body }, failing, state) => {
    if (path.endsWith("/cancel"))
      return failing === "no_cancel" ? Response.json({ reason: "delivery_picked_up" }, { status: 422 }) : {};
    if (method === "POST") return { external_delivery_id: body.external_delivery_id, delivery_status: "created" };
    return {
      external_delivery_id: path.split("/").at(-1),
      delivery_status: state || "confirmed",
      dasher_name: "Dee",
      dropoff_time_estimated: new Date(app.clock.now() + 90 * minute).toISOString(),
    };
  });
  uber = serveFake(({ path, body, method }) => {
    if (path.includes("oauth")) return { access_token: "t", expires_in: 3600 };
    return method === "POST" ? { id: `del_${body.external_id}`, status: "pending" } : { id: "x", status: "pending" };
  });
  const hosts = [doordash, uber].map((f) => new URL(f.url).host);
  app = await startHarness({
    config: {
      DOORDASH_DEVELOPER_ID: "dev",
      DOORDASH_KEY_ID: "key",
      DOORDASH_SIGNING_SECRET: "c2VjcmV0",
      DOORDASH_WEBHOOK_AUTHORIZATION: "Basic hook",
      DOORDASH_URL: doordash.url,
      UBER_CUSTOMER_ID: "cus",
      UBER_CLIENT_ID: "id",
      UBER_CLIENT_SECRET: "s",
      UBER_WEBHOOK_KEY: "uber-key",
      UBER_URL: uber.url,
      UBER_LOGIN_URL: uber.url,
      ALLOW_LOOPBACK: hosts,
    },
  });
  const { platform } = app.service;
  const guard = {
    ...platform.guard,
    fetch: (url: string, options: any) => platform.guard.fetch(url, { ...options, polite: false }),
  };
  delivery = createDelivery(
    { ...platform, guard },
    {
      providers: ["fleet", "doordash", "uber_direct"],
      maxKm: 150,
      testSpeed: 60,
      proofDays: 365,
      geodataDir: null,
      onfleet: null,
      nominatimUrl: null,
      photonUrl: null,
      osrmUrl: null,
      valhallaUrl: null,
      doordash: {
        url: doordash.url,
        developerId: "dev",
        keyId: "key",
        signingSecret: "c2VjcmV0",
        webhookAuthorization: "Basic hook",
      },
      uberDirect: {
        url: uber.url,
        loginUrl: uber.url,
        customerId: "cus",
        clientId: "id",
        clientSecret: "s",
        webhookKey: "uber-key",
      },
    },
  );
});
afterAll(async () => {
  await app.stop();
  doordash.stop();
  uber.stop();
});

const key = () => app.account.liveKey;
const contact = { name: "Ada", phone: "+12125550100" };
const order = async (more: any = {}) => {
  const time = new Date(app.clock.now() + 10 * minute).toISOString();
  const body = {
    pickup: { address: "New York, NY 10118", time, contact },
    dropoff: { address: "Brooklyn, NY 11201", contact },
    ...more,
  };
  return (await app.call("POST", "/delivery/schedule", { body, key: key() })).body.data.delivery_id as string;
};
const read = async (id: string) => (await app.call("GET", `/delivery/${id}`, { key: key() })).body.data;
/** Looks for due work, then runs the jobs that this added, as the worker would. */
const work = async (afterMs = 0): Promise<string[]> => {
  await app.clock.advance(afterMs);
  await delivery.settle();
  const { sql } = app.service.platform.db;
  const jobs =
    await sql`select j.id, j.task_identifier as name, p.payload from graphile_worker.jobs j join graphile_worker._private_jobs p on p.id = j.id where j.task_identifier like 'delivery.%'`;
  const failures: string[] = [];
  for (const { id, name, payload } of jobs) {
    await sql`delete from graphile_worker._private_jobs where id = ${id}`;
    const job = delivery.jobs!.find((j) => j.name === name)!;
    await job.run(payload, {} as never).catch((error) => failures.push(String(error)));
  }
  return failures;
};
const hook = (provider: string, body: object, headers: Record<string, string>) =>
  app.call("POST", `//hooks/delivery/${provider}`, {
    key: null,
    body: JSON.stringify(body),
    headers: { "Content-Type": "application/json", ...headers },
  });

describe("a delivery carried by a courier service", () => {
  test("is handed over, followed, moved by signed reports, and late or repeated ones change nothing", async () => {
    const id = await order();
    await work();
    expect(await read(id)).toMatchObject({ status: "scheduled", provider: "doordash", attention: [] });
    await work(minute);
    const assigned = await read(id);
    expect([assigned.status, assigned.courier.name, assigned.eta.method]).toEqual(["assigned", "Dee", "doordash"]);
    const report = (event_name: string, at: string) =>
      hook("doordash", { event_name, external_delivery_id: id, created_at: at }, { Authorization: "Basic hook" });
    expect((await report("DASHER_PICKED_UP", "1")).body.data).toEqual({ taken: 1 });
    expect((await report("DASHER_PICKED_UP", "1")).body.data).toEqual({ taken: 0 });
    expect((await report("DASHER_CONFIRMED_PICKUP_ARRIVAL", "2")).body.data).toEqual({ taken: 0 });
    expect((await report("DASHER_DROPPED_OFF", "3")).body.data).toEqual({ taken: 1 });
    expect((await report("DELIVERY_CANCELLED", "4")).body.data).toEqual({ taken: 0 });
    expect((await read(id)).timeline.map((t: any) => t.status)).toEqual([
      "scheduled",
      "assigned",
      "picked_up",
      "delivered",
    ]);
  });

  test("goes to the next service when the first refuses, and is kept when all fail", async () => {
    doordash.fail(400);
    const id = await order();
    await work();
    expect((await read(id)).provider).toBe("uber_direct");
    uber.fail(503);
    doordash.fail(503);
    const kept = await order();
    expect((await work()).join()).toContain("503");
    expect(await read(kept)).toMatchObject({ status: "scheduled", provider: null, attention: ["provider_failed"] });
    doordash.fail(null);
    uber.fail(null);
    await work(minute);
    expect(await read(kept)).toMatchObject({ status: "scheduled", provider: "doordash", attention: [] });
  });

  test("a service that stays silent for two days is given up", async () => {
    const id = await order();
    await work();
    await work(minute);
    expect((await read(id)).status).toBe("assigned");
    await work(49 * 60 * minute);
    const over = await read(id);
    expect([over.status, over.reason]).toEqual(["failed", "provider_silent"]);
  });

  test("a dasher who gives the job back leaves it scheduled, to be assigned again", async () => {
    const id = await order();
    await work();
    await work(minute);
    expect((await read(id)).status).toBe("assigned");
    doordash.set("created");
    await work(minute);
    expect(await read(id)).toMatchObject({ status: "scheduled", courier: null, provider: "doordash" });
    doordash.set("confirmed");
    await work(minute);
    expect((await read(id)).status).toBe("assigned");
  });
});

describe("POST /delivery/{id}/cancel with a courier service", () => {
  test("200 when it agrees, 409 when it is too late, 502 when it fails; reschedule is 409", async () => {
    const id = await order();
    await work();
    doordash.fail("no_cancel");
    const late = await app.call("POST", `/delivery/${id}/cancel`, { key: key() });
    expect([late.status, late.body.error.code]).toEqual([409, "wrong_state"]);
    doordash.fail(503);
    const failed = await app.call("POST", `/delivery/${id}/cancel`, { key: key() });
    expect([failed.status, failed.body.error.code]).toEqual([502, "upstream_error"]);
    expect((await read(id)).status).toBe("scheduled");
    doordash.fail(null);
    const moved = await app.call("POST", `/delivery/${id}/reschedule`, {
      key: key(),
      body: { dropoff: { address: "Queens, NY" } },
    });
    expect(moved.status).toBe(409);
    const other = await order({ provider: "uber_direct" });
    await work();
    const done = await app.call("POST", `/delivery/${other}/cancel`, { key: key() });
    expect([done.status, done.body.data.status]).toEqual([200, "canceled"]);
  });
});

describe("POST /hooks/delivery/{provider}", () => {
  test("401 when the report is forged, 200 when signed though nobody knows the delivery, 503 when not set up", async () => {
    const body = JSON.stringify({
      id: "evt_1",
      kind: "event.delivery_status",
      delivery_id: "del_nobody",
      status: "delivered",
      data: {},
    });
    const signature = createHmac("sha256", "uber-key").update(body).digest("hex");
    const send = (headers: Record<string, string>, provider = "uber_direct") =>
      app.call("POST", `//hooks/delivery/${provider}`, {
        key: null,
        body,
        headers: { "Content-Type": "application/json", ...headers },
      });
    const forged = await send({ "X-Uber-Signature": "00" });
    expect([forged.status, forged.body.error.code]).toEqual([401, "invalid_api_key"]);
    const signed = await send({ "X-Uber-Signature": signature });
    expect([signed.status, signed.body.data]).toEqual([200, { taken: 0 }]);
    expect((await send({}, "onfleet")).status).toBe(503);
  });
});
