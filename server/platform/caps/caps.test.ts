// At every cap, however many requests come at once: never one too many.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Harness, startHarness } from "../../../tests/harness.ts";
import { readCaps } from "../plans/caps.ts";

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
});
afterAll(() => app.stop());

const CAP = 5;
const AT_ONCE = 40;
const text = "The committee met on Tuesday and agreed to widen the road by the river before the winter comes. ".repeat(
  6,
);

interface Creation {
  kind: string;
  path: string;
  body(n: number): unknown;
  headers?(n: number): Record<string, string>;
}

const CREATIONS: Creation[] = [
  { kind: "keys", path: "/keys", body: () => ({ name: "k", mode: "test", scopes: ["profile:read"] }) },
  { kind: "webhooks", path: "/webhooks", body: (n) => ({ url: `https://example.com/${n}` }) },
  { kind: "couriers", path: "/delivery/couriers", body: (n) => ({ name: `Courier ${n}` }) },
  {
    kind: "deliveries",
    path: "/delivery/schedule",
    body: () => ({
      pickup: { address: "1 Main St, Evanston, IL", time: "2026-11-01T15:00:00Z" },
      dropoff: { address: "Chicago, IL" },
    }),
  },
  { kind: "levels", path: "/stock/levels", body: (n) => ({ symbol: "AAPL", above: `${1000 + n}.00` }) },
  { kind: "alerts", path: "/alerts/create", body: (n) => ({ tag: `tag${n}` }) },
  {
    kind: "feeds",
    path: "/alerts/create",
    body: (n) => ({ tag: `feed${n}`, sources: [{ type: "feed", url: `https://feeds.demo.test/${n}.xml` }] }),
  },
  { kind: "content", path: "/alerts/content", body: (n) => ({ text: `Content ${n}` }) },
  {
    kind: "idempotency_records",
    path: "/delivery/couriers",
    body: (n) => ({ name: `Kept ${n}` }),
    headers: (n) => ({ "Idempotency-Key": `kept-${n}` }),
  },
  {
    kind: "events",
    path: "/delivery/schedule",
    body: () => ({
      pickup: { address: "1 Main St, Evanston, IL", time: "2026-11-01T16:00:00Z" },
      dropoff: { address: "Chicago, IL" },
    }),
  },
  { kind: "analyses", path: "/detector/analyze", body: (n) => ({ content: `${n} ${text}`, store: true }) },
];

async function lowerCap(kind: string, rows: number, bytes = 1_000_000_000): Promise<void> {
  const { sql } = app.service.platform.db;
  await sql`update plan_caps set max_rows = ${rows}, max_bytes = ${bytes} where plan = 'max' and kind = ${kind}`;
}

describe.each(CREATIONS)("$kind", ({ kind, path, body, headers }) => {
  test(`403 plan_limit_reached for all but ${CAP} of ${AT_ONCE} at once; removing one makes room for one`, async () => {
    const { testKey: key } = await app.openAccount("max");
    const before = (await app.call("GET", "/user/profile", { key })).body.data.limits[kind].used;
    await lowerCap(kind, before + CAP);
    const replies = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, n) => app.call("POST", path, { key, body: body(n), headers: headers?.(n) })),
    );
    const made = replies.filter((reply) => reply.status < 300);
    const refused = replies.filter((reply) => reply.status >= 300);
    expect(refused.map((reply) => reply.body.error.code)).toEqual(Array(AT_ONCE - CAP).fill("plan_limit_reached"));
    expect(made.length).toBe(CAP);
    expect(refused[0].body.error).toMatchObject({ limit: kind, status: 403 });
    await app.clock.advance(60_000);
    const { limits } = (await app.call("GET", "/user/profile", { key })).body.data;
    expect(limits[kind].used).toBe(before + CAP);
    expect(limits[kind].used_bytes).toBeGreaterThan(0);
    await lowerCap(kind, 1_000_000_000);
  });
});

test("bytes are capped as well as rows, and what is removed is counted back", async () => {
  const { testKey: key } = await app.openAccount("max");
  await lowerCap("webhooks", 1_000, 3_000);
  const create = () =>
    app.call("POST", "/webhooks", { key, body: { url: "https://example.com/", description: "x".repeat(200) } });
  const made = [];
  let last = await create();
  for (; last.status === 201 && made.length < 20; last = await create()) made.push(last.body.data.id);
  expect([last.status, last.body.error.code]).toEqual([403, "plan_limit_reached"]);
  expect((await app.call("DELETE", `/webhooks/${made[0]}`, { key })).status).toBe(200);
  expect((await create()).status).toBe(201);
});

test("events that no request asked for are counted and never refused: a delivery goes on when the log is full", async () => {
  const { testKey: key } = await app.openAccount("max");
  const body = {
    pickup: { address: "1 Main St, Evanston, IL", time: "2026-11-01T15:00:00Z" },
    dropoff: { address: "Chicago, IL" },
  };
  const { delivery_id: id } = (await app.call("POST", "/delivery/schedule", { key, body })).body.data;
  await lowerCap("events", 1);
  expect((await app.call("POST", "/delivery/schedule", { key, body })).body.error.code).toBe("plan_limit_reached");
  await app.clock.advance(86_400_000);
  await app.service.settle();
  const { status } = (await app.call("GET", `/delivery/${id}`, { key })).body.data;
  expect(status).not.toBe("scheduled");
  expect((await app.call("GET", "/user/profile", { key })).body.data.limits.events.used).toBeGreaterThan(1);
});

test("an operator's own caps are read, and a mistake among them is named", () => {
  expect(readCaps(["free.alerts=5/1"]).alerts.free).toEqual([5, 1]);
  expect(() => readCaps(["free.alerts=5"])).toThrow("free.alerts=500/20");
  expect(() => readCaps(["free.alarms=5/1"])).toThrow("alarms");
  expect(() => readCaps(["gold.alerts=5/1"])).toThrow("gold");
});
