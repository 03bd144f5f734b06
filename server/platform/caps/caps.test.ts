// At every cap, however many requests come at once: never one too many.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Harness, startHarness } from "../../../tests/harness.ts";

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

const CREATIONS: { kind: string; path: string; body(n: number): unknown }[] = [
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
  { kind: "analyses", path: "/detector/analyze", body: (n) => ({ content: `${n} ${text}`, store: true }) },
];

async function lowerCap(kind: string, rows: number, bytes = 1_000_000_000): Promise<void> {
  const { sql } = app.service.platform.db;
  await sql`update plan_caps set max_rows = ${rows}, max_bytes = ${bytes} where plan = 'max' and kind = ${kind}`;
}

describe.each(CREATIONS)("$kind", ({ kind, path, body }) => {
  test(`403 plan_limit_reached for all but ${CAP} of ${AT_ONCE} at once; removing one makes room for one`, async () => {
    const { testKey: key } = await app.openAccount("max");
    const before = (await app.call("GET", "/user/profile", { key })).body.data.limits[kind].used;
    await lowerCap(kind, before + CAP);
    const replies = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, n) => app.call("POST", path, { key, body: body(n) })),
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
