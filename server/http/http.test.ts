// The door itself: envelope, problem+json, methods, ids, headers, health.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Harness, startHarness } from "../../tests/harness.ts";

let app: Harness;
beforeAll(async () => {
  app = await startHarness({ config: { CORS_ORIGINS: ["https://app.example"] } });
});
afterAll(() => app.stop());

const order = {
  pickup: { address: "1 Main St, Evanston, IL", time: "2026-11-01T15:00:00Z" },
  dropoff: { address: "Chicago, IL" },
};

describe("errors", () => {
  test("the same members under application/problem+json at top level", async () => {
    const plain = await app.call("POST", "/delivery/schedule", { body: {} });
    const problem = await app.call("POST", "/delivery/schedule", {
      body: {},
      headers: { Accept: "application/problem+json" },
    });
    expect(problem.headers.get("Content-Type")).toBe("application/problem+json");
    const { request_id: a, ...nested } = plain.body.error;
    const { request_id: b, ...top } = problem.body;
    expect(top).toEqual(nested);
    expect(a).not.toBe(b);
  });

  test("all faults of one request come together, each with pointer and hint", async () => {
    const { body } = await app.call("POST", "/delivery/schedule", {
      body: { pickup: { adress: 1, time: "soon" }, dropof: {} },
    });
    expect(body.error.errors.map((e: any) => [e.pointer, e.code])).toEqual([
      ["/dropoff", "required"],
      ["/pickup/address", "required"],
      ["/pickup/adress", "unknown"],
      ["/pickup/time", "format"],
      ["/dropof", "unknown"],
    ]);
    expect(body.error.errors.every((e: any) => e.hint.length > 0)).toBe(true);
  });

  test("the address in an error's type leads to that error's hint", async () => {
    const { error } = (await app.call("GET", "/user/profile", { key: null })).body;
    const page = await (await fetch(error.type)).text();
    expect(page).toContain('<section id="missing_api_key">');
    expect(error.type).toEndWith("#missing_api_key");
  });

  test("404 for what is not there, 405 with Allow for the wrong method, 204 for OPTIONS", async () => {
    expect((await app.call("GET", "/nothing", { key: null })).body.error.code).toBe("not_found");
    const wrong = await app.call("DELETE", "/user/profile", { key: null });
    expect([wrong.status, wrong.headers.get("Allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    const options = await app.call("OPTIONS", "/delivery/schedule", { key: null });
    expect([options.status, options.headers.get("Allow")]).toEqual([204, "POST, OPTIONS"]);
  });

  test("an unexpected failure is 500 with no stack, no SQL and no cause in it", async () => {
    const { sql } = app.service.platform.db;
    await sql`alter table audit rename to audit_hidden`;
    const reply = await app.call("GET", "/audit-log");
    await sql`alter table audit_hidden rename to audit`;
    expect([reply.status, reply.body.error.code]).toEqual([500, "internal_error"]);
    expect(reply.text).not.toMatch(/audit_hidden|select|relation|\.ts/);
  });
});

describe("idempotency", () => {
  const once = (key: string, body: unknown = order) =>
    app.call("POST", "/delivery/schedule", { body, headers: { "Idempotency-Key": key } });

  test("the same key and body replay byte for byte, quoted or bare, under both mounts", async () => {
    const first = await once("abc");
    const again = await once('"abc"');
    const other = await app.call("POST", "//v1/delivery/schedule", {
      body: order,
      headers: { "Idempotency-Key": "abc" },
    });
    expect([again.text, other.text]).toEqual([first.text, first.text]);
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    const [{ n }] = await app.service.platform.db
      .sql`select count(*)::int as n from deliveries where id = ${first.body.data.delivery_id}`;
    expect(n).toBe(1);
  });

  test("another body is 422, another tenant's same key is its own", async () => {
    await once("def");
    expect((await once("def", { ...order, notes: "x" })).body.error.code).toBe("idempotency_key_reused");
    const account = await app.openAccount();
    const theirs = await app.call("POST", "/delivery/schedule", {
      key: account.testKey,
      body: order,
      headers: { "Idempotency-Key": "def" },
    });
    expect(theirs.headers.get("Idempotent-Replayed")).toBeNull();
  });

  test("a 400 is not kept; a 422 is, with its first request id", async () => {
    expect((await once("ghi", {})).status).toBe(400);
    expect((await once("ghi")).status).toBe(200);
    const past = { ...order, pickup: { ...order.pickup, time: "2026-10-01T00:00:00Z" } };
    const refused = await once("jkl", past);
    expect(refused.body.error.code).toBe("pickup_time_in_past");
    expect((await once("jkl", past)).text).toBe(refused.text);
  });

  test("is forgotten after 24 hours", async () => {
    const first = await once("mno");
    await app.clock.advance(24 * 3_600_000 + 1);
    const later = { ...order, pickup: { ...order.pickup, time: "2026-11-02T15:00:00Z" } };
    const second = await once("mno", later);
    expect(second.body.error?.code ?? second.body.data.delivery_id).not.toBe(first.body.data.delivery_id);
  });

  test("two replicas that race for one key give one delivery and one answer", async () => {
    const other = await startHarness({ databaseUrl: app.databaseUrl, clock: app.clock });
    const later = { ...order, pickup: { ...order.pickup, time: "2026-11-03T09:00:00Z" }, external_id: "raced" };
    const options = { key: app.key, body: later, headers: { "Idempotency-Key": "race" } };
    const replies = await Promise.all([
      app.call("POST", "/delivery/schedule", options),
      other.call("POST", "/delivery/schedule", options),
    ]);
    const answered = replies.filter((r) => r.status === 200);
    expect(new Set(answered.map((r) => r.text)).size).toBe(1);
    const [{ n }] = await app.service.platform.db
      .sql`select count(*)::int as n from events where data ->> 'external_id' = 'raced'`;
    expect(n).toBe(1);
    await other.stop();
  });
});

describe("around it", () => {
  test("health, readiness, metrics and the document need no key", async () => {
    expect((await app.call("GET", "//health/live", { key: null })).body).toEqual({ status: "live" });
    expect((await app.call("GET", "//health/ready", { key: null })).body).toEqual({ status: "ready", missing: [] });
    const metrics = await app.call("GET", "//metrics", { key: null });
    expect(metrics.text).toContain('connector_requests_total{route="delivery.schedule",status="200"}');
    expect((await app.call("GET", "//openapi.json", { key: null })).body.openapi).toBe("3.1.0");
  });

  test("every answer has its own request id; a client's is not taken for ours", async () => {
    const reply = await app.call("GET", "/user/profile", { headers: { "X-Request-Id": "mine" } });
    expect(reply.headers.get("X-Request-Id")).toMatch(/^req_[0-9A-Z]{26}$/);
    expect(reply.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(reply.headers.get("Cache-Control")).toBe("no-store");
  });

  test("CORS for the listed origin alone", async () => {
    const allowed = await app.call("OPTIONS", "/delivery/schedule", {
      key: null,
      headers: { Origin: "https://app.example" },
    });
    expect(allowed.headers.get("Access-Control-Allow-Origin")).toBe("https://app.example");
    const other = await app.call("GET", "/user/profile", { headers: { Origin: "https://evil.example" } });
    expect(other.headers.get("Access-Control-Allow-Origin")).toBeNull();
  });

  test("a key in the query string is not a key", async () => {
    expect((await app.call("GET", `/user/profile?api_key=${app.key}`, { key: null })).status).toBe(401);
  });
});
