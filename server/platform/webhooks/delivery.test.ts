// Deliveries end to end on a real PostgreSQL and a rude receiver, with an owned clock: nothing is lost, nothing waits.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import pino from "pino";
import { Webhook as Reference } from "standardwebhooks";
import { startHarness } from "../../../tests/harness.ts";
import type { Harness } from "../../../tests/harness.ts";
import { plain, pour, rawServer } from "../../lib/guard-fetch/raw-server.ts";
import type { Call, RawServer } from "../../lib/guard-fetch/raw-server.ts";
import { createGuardFetch } from "../../lib/guard-fetch/index.ts";
import { ManualClock } from "../../lib/clock.ts";
import { seededRandom } from "../../lib/random.ts";
import { appendEvents, createFollower } from "../events/index.ts";
import { DELAYS_MS } from "../../lib/delivery-policy.ts";
import { createWebhooks } from "./index.ts";
import type { Module } from "../platform.ts";

const minute = 60_000;
let app: Harness;
let receiver: RawServer;
let behave: (call: Call, n: number) => void;
let got: { id: string; type: string; n: number; headers: Record<string, string>; body: string }[] = [];
let webhooks: Module;
let hook: { id: string; secret: string };
let tenantId: number;
let made = 0;
/** A clock of our own: on the app's, every other module would live through these days too. */
const clock = new ManualClock("2026-11-01T12:00:00Z");
const until = "2027-11-01T12:00:00Z";

beforeAll(async () => {
  receiver = await rawServer((call) => {
    const headers = Object.fromEntries(
      call.head
        .split("\r\n")
        .slice(1)
        .map((line) => line.split(/: ?(.*)/s)),
    );
    const body = Buffer.from(call.body, "latin1").toString("utf8");
    const event = JSON.parse(body);
    got.push({ id: headers["webhook-id"], type: event.type, n: event.data.n, headers, body });
    behave(call, got.length);
  });
  app = await startHarness({ config: { ALLOW_LOOPBACK: [receiver.host] } });
  const { platform } = app.service;
  // The same clock for the guard, so that its time-outs pass without waiting; no jitter, so that times are exact.
  const guard = createGuardFetch({ clock, userAgent: "test", allowLoopback: [receiver.host] });
  const random = { ...seededRandom("webhooks"), unit: () => 0 };
  const follower = createFollower({ ...platform, clock });
  const log = pino({ level: "silent" });
  webhooks = createWebhooks({ ...platform, clock, guard, random, log }, { follower, events: [], retentionDays: 30 });
  const [tenant] = await platform.db.sql`select id from tenants where account_id = ${app.account.id} and mode = 'test'`;
  tenantId = tenant.id;
}, 120_000);
beforeEach(async () => {
  got = [];
  behave = ({ socket }) => plain(socket, "ok");
  await clock.advance(120 * minute);
  const reply = await app.call("POST", "/webhooks", { body: { url: `http://${receiver.host}/hook` } });
  expect(reply.status).toBe(201);
  hook = reply.body.data;
});
afterEach(() => app.call("DELETE", `/webhooks/${hook.id}`));
afterAll(async () => {
  await webhooks.loop!.stop();
  await app.stop();
  await receiver.stop();
}, 120_000);

const { makeId, sql } = {
  makeId: (p: string) => app.service.platform.makeId(p),
  sql: (...args: any[]) => (app.service.platform.db.sql as any)(...args),
};

/** Writes events as a service would, each in a transaction of its own. */
async function happen(count: number, type = "delivery.scheduled"): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const id = makeId("evt");
    ids.push(id);
    const event = { id, tenantId, type, tags: ["a"], data: { n: made++ }, at: clock.now() };
    await app.service.platform.db.sql.begin((tx) => appendEvents(tx, [event]));
  }
  return ids;
}

const settle = () => webhooks.settle!();
const attempts = async (query = "") =>
  (await app.call("GET", `/webhooks/${hook.id}/attempts?limit=100${query}`)).body.data.items;
const state = async () => (await app.call("GET", `/webhooks/${hook.id}`)).body.data;
/** Lets sockets and timers of the real world take their turn. */
const breathe = async (turns = 30) => {
  for (let i = 0; i < turns; i++) await new Promise((go) => setImmediate(go));
};

/** Settles while moving the owned clock, for a receiver that only ends by time-out. */
async function settleWithTime(stepMs = 1000): Promise<void> {
  let done = false;
  const settled = settle().finally(() => (done = true));
  while (!done) {
    await breathe();
    if (!done) await clock.advance(stepMs);
  }
  await settled;
}

describe("a healthy endpoint", () => {
  test("gets every event once, in order, signed so that the reference library agrees", async () => {
    const ids = await happen(60);
    await settle();
    expect(got.map((g) => g.id)).toEqual(ids);
    // The reference checks the time against the real clock, so the signature is checked with the owned one put in.
    for (const { headers, body } of got.slice(0, 3)) {
      const at = new Date(Number(headers["webhook-timestamp"]) * 1000);
      expect(new Reference(hook.secret).sign(headers["webhook-id"], at, body)).toBe(headers["webhook-signature"]);
      expect(JSON.parse(body)).toMatchObject({
        type: "delivery.scheduled",
        mode: "test",
        tags: ["a"],
        timestamp: expect.any(String),
      });
    }
    expect((await attempts()).length).toBe(60);
    await settle();
    expect(got.length).toBe(60);
  });

  test("shares its account's log with others: each gets every event once, in order, over several stretches of it", async () => {
    const others: { id: string }[] = [];
    for (const path of ["b", "c"]) {
      const made = await app.call("POST", "/webhooks", { body: { url: `http://${receiver.host}/${path}` } });
      others.push(made.body.data);
    }
    const events = await happen(230);
    await settle();
    const paths = receiver.calls.slice(-690).map(({ path }) => path);
    for (const path of ["/hook", "/b", "/c"]) {
      const ids = got.filter((_, i) => paths[i] === path).map(({ id }) => id);
      expect(ids).toEqual(events);
    }
    for (const { id } of others) await app.call("DELETE", `/webhooks/${id}`);
    const [{ left }] = await sql`select count(*)::int as left from webhook_attempts where webhook_id = ${others[0].id}`;
    expect(left).toBe(0);
  });

  test("may be called localhost where 127.0.0.1 is allowed, on the same port alone", async () => {
    const { port } = new URL(`http://${receiver.host}`);
    const make = async (at: string) =>
      (await app.call("POST", "/webhooks", { body: { url: `http://${at}/hook` }, key: app.account.liveKey })).status;
    expect([await make(`localhost:${port}`), await make(`localhost:${Number(port) - 1}`)]).toEqual([201, 422]);
  });

  test("gets only the types it asked for, and nothing from before it was made", async () => {
    await app.call("PATCH", `/webhooks/${hook.id}`, { body: { types: ["key.*"] } });
    await happen(3);
    const wanted = await happen(2, "key.rolled");
    await happen(2);
    await settle();
    expect(got.map((g) => g.id)).toEqual(wanted);
  });

  test("gets a secret's two signatures for 24 hours after it was rolled", async () => {
    const rolled = (await app.call("POST", `/webhooks/${hook.id}/roll`)).body.data;
    await happen(1);
    await settle();
    const [{ headers, body }] = got;
    const at = new Date(Number(headers["webhook-timestamp"]) * 1000);
    const sign = (secret: string) => new Reference(secret).sign(headers["webhook-id"], at, body);
    expect(headers["webhook-signature"]).toBe(`${sign(rolled.secret)} ${sign(hook.secret)}`);
    await clock.advance(24 * 60 * minute);
    await happen(1);
    await settle();
    expect(got[1].headers["webhook-signature"].split(" ").length).toBe(1);
  });
});

describe("an endpoint in trouble", () => {
  test("500 × 10: attempts exactly on the schedule, then it is given up, listed and replayed", async () => {
    behave = ({ socket }) => plain(socket, "no", {}, 500);
    const [id] = await happen(1);
    const start = clock.now();
    let due = 0;
    for (const [i, delay] of DELAYS_MS.entries()) {
      due += delay;
      if (delay > 0) {
        await clock.advance(delay - 1);
        await settle();
        expect(got.length).toBe(i);
        await clock.advance(1);
      }
      await settle();
      expect(got.length).toBe(i + 1);
      expect(clock.now() - start).toBe(due);
    }
    await clock.advance(48 * 60 * minute);
    await settle();
    expect(got.length).toBe(10);
    expect(new Set(got.map((g) => g.id))).toEqual(new Set([id]));
    const log = await attempts();
    expect(log.map((a: any) => [a.attempt, a.outcome, a.status])).toEqual(
      Array.from({ length: 10 }, (_, i) => [10 - i, i === 0 ? "failed" : "retrying", 500]),
    );
    behave = ({ socket }) => plain(socket, "ok");
    const replay = await app.call("POST", `/webhooks/${hook.id}/replay`, {
      body: { since: "2026-11-01T00:00:00Z", until, failed_only: true },
    });
    expect([replay.status, replay.body.data.queued]).toEqual([202, 1]);
    await settle();
    expect(got.at(-1)!.id).toBe(id);
    expect(await state()).toMatchObject({ status: "enabled", failing_since: null });
  }, 120_000);

  test("flapping: nothing is lost, and what succeeded is not sent again", async () => {
    behave = ({ socket }, n) => plain(socket, "", {}, n % 3 === 0 ? 503 : 200);
    const ids = await happen(30);
    for (let i = 0; i < 12; i++) {
      await settle();
      await clock.advance(31 * minute);
    }
    const done = (await attempts("&outcome=delivered")).map((a: any) => a.event_id);
    expect([...done].sort()).toEqual([...ids].sort());
  });

  test("hanging: each attempt ends after 15 seconds and is tried again", async () => {
    behave = () => {};
    await happen(1);
    const start = clock.now();
    await settleWithTime();
    expect(clock.now() - start).toBeGreaterThanOrEqual(15_000);
    const [first] = await attempts();
    expect(first).toMatchObject({ outcome: "retrying", status: null, duration_ms: 15_000 });
    expect(first.error).toStartWith("upstream_timeout");
  });

  test("slow but in time is delivered; half an answer is not", async () => {
    behave = ({ socket }, n) => {
      if (n > 1) return void socket.end("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhal");
      clock.after(9000, () => plain(socket, "late"));
    };
    await happen(1);
    await settleWithTime();
    expect((await attempts())[0]).toMatchObject({ outcome: "delivered", status: 200 });
    await happen(1);
    await settle();
    expect((await attempts())[0]).toMatchObject({
      outcome: "retrying",
      error: expect.stringContaining("half-way"),
    });
  });

  test("an answer of 10 MB counts by its status and is not read to its end", async () => {
    let poured = 0;
    behave = ({ socket }, n) => {
      if (n > 1) return plain(socket, "ok");
      const piece = new Uint8Array(65_536);
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${160 * piece.length}\r\n\r\n`);
      void pour(socket, () => piece, 160).then((count) => (poured = count));
    };
    await happen(2);
    await settle();
    await breathe();
    expect((await attempts()).map((a: any) => a.outcome)).toEqual(["delivered", "delivered"]);
    expect(poured).toBeLessThan(160);
  });

  test("301 is a failure and is never followed", async () => {
    behave = ({ socket }) => plain(socket, "", { Location: `http://${receiver.host}/elsewhere` }, 301);
    await happen(1);
    await settle();
    expect(got.length).toBe(1);
    expect((await attempts())[0]).toMatchObject({ outcome: "retrying", status: 301 });
  });

  test("410 disables it at once, with an event; enabling starts from then, replay fills the gap", async () => {
    behave = ({ socket }) => plain(socket, "", {}, 410);
    const missed = await happen(2);
    await settle();
    expect(got.length).toBe(1);
    expect(await state()).toMatchObject({ status: "disabled", disabled_reason: "The endpoint answered 410 Gone." });
    const events = (await app.call("GET", "/events?type=webhook.disabled")).body.data.items;
    expect(events[0].data).toMatchObject({ webhook_id: hook.id, reason: "The endpoint answered 410 Gone." });
    missed.push(...(await happen(1)));
    await clock.advance(60 * minute);
    await settle();
    expect(got.length).toBe(1);
    const refused = await app.call("POST", `/webhooks/${hook.id}/replay`, {
      body: { event_id: missed[0], until },
    });
    expect([refused.status, refused.body.error.code]).toEqual([409, "wrong_state"]);
    behave = ({ socket }) => plain(socket, "ok");
    await app.call("PATCH", `/webhooks/${hook.id}`, { body: { status: "enabled", types: ["delivery.*"] } });
    await settle();
    expect(got.length).toBe(1);
    const since = new Date(clock.now() - 61 * minute).toISOString();
    expect((await app.call("POST", `/webhooks/${hook.id}/replay`, { body: { since, until } })).body.data.queued).toBe(
      3,
    );
    await settle();
    expect(got.slice(1).map((g) => g.id)).toEqual(missed);
  });

  test("429 with Retry-After: everything waits, then goes on in order", async () => {
    behave = ({ socket }, n) => (n === 1 ? plain(socket, "", { "Retry-After": "120" }, 429) : plain(socket, "ok"));
    const ids = await happen(5);
    await settle();
    expect(got.length).toBe(1);
    expect(await state()).toMatchObject({ throttled_until: expect.any(String) });
    await clock.advance(119_000);
    await settle();
    expect(got.length).toBe(1);
    await clock.advance(1000);
    await settle();
    expect(got.map((g) => g.id)).toEqual([ids[0], ...ids]);
  });

  test("five days of failure disable it", async () => {
    behave = ({ socket }) => plain(socket, "", {}, 500);
    for (let day = 0; day < 5; day++) {
      await happen(1);
      await settle();
      expect(await state()).toMatchObject({ status: "enabled" });
      await clock.advance(24 * 60 * minute);
    }
    await settle();
    expect(await state()).toMatchObject({ status: "disabled", disabled_reason: "It failed for 5 days." });
  });

  test("a target that turns inward after it was accepted gets no connection", async () => {
    await sql`update webhooks set url = ${"http://169.254.169.254/latest"}, mode = 'live' where id = ${hook.id}`;
    await happen(1);
    await settle();
    expect((await attempts())[0]).toMatchObject({
      status: null,
      error: expect.stringContaining("target_not_allowed"),
    });
  });
});

describe("a restored log", () => {
  test("that numbers events from below is followed from where it stands", async () => {
    await sql`update webhooks set position = 1000000000 where id = ${hook.id}`;
    await webhooks.start!();
    const ids = await happen(2);
    await settle();
    expect(got.map((g) => g.id)).toEqual(ids);
  });
});

describe("a fault of our own", () => {
  test("a secret that cannot be opened leaves the others alone, and is tried again after a while", async () => {
    await sql`update webhooks set secret = 's1.other.AAAA' where id = ${hook.id}`;
    const well = (await app.call("POST", "/webhooks", { body: { url: `http://${receiver.host}/well` } })).body.data;
    const ids = await happen(2);
    await settle();
    expect(got.map((g) => g.id)).toEqual(ids);
    await sql`update webhooks set secret = ${app.service.platform.seal.seal(hook.secret, hook.id)} where id = ${hook.id}`;
    await settle();
    expect(got.length).toBe(2);
    await clock.advance(1000);
    await settle();
    expect(got.slice(2).map((g) => g.id)).toEqual(ids);
    await app.call("DELETE", `/webhooks/${well.id}`);
  });
});

describe("two processes", () => {
  test("share the endpoints: every event is sent once, in order", async () => {
    const { platform } = app.service;
    const guard = createGuardFetch({ clock, userAgent: "test", allowLoopback: [receiver.host] });
    const other = createWebhooks(
      { ...platform, clock, guard, log: pino({ level: "silent" }) },
      { follower: createFollower({ ...platform, clock }), events: [], retentionDays: 30 },
    );
    const extra = (await app.call("POST", "/webhooks", { body: { url: `http://${receiver.host}/other` } })).body.data;
    const ids = await happen(120);
    await Promise.all([settle(), other.settle!(), settle(), other.settle!()]);
    await settle();
    await other.stop!();
    const byPath = (path: string) =>
      got.filter((_, i) => receiver.calls.slice(-got.length)[i].path === path).map((g) => g.id);
    expect(byPath("/hook")).toEqual(ids);
    expect(byPath("/other")).toEqual(ids);
    await app.call("DELETE", `/webhooks/${extra.id}`);
    guard.close();
  });
});

describe("replay", () => {
  test("one event by its id, with the same id; an unknown one is 404", async () => {
    const ids = await happen(3);
    await settle();
    const reply = await app.call("POST", `/webhooks/${hook.id}/replay`, { body: { event_id: ids[1], until } });
    expect([reply.status, reply.body.data.queued]).toEqual([202, 1]);
    await settle();
    expect(got.map((g) => g.id)).toEqual([...ids, ids[1]]);
    const unknown = await app.call("POST", `/webhooks/${hook.id}/replay`, { body: { event_id: makeId("evt") } });
    expect(unknown.status).toBe(404);
  });
});
