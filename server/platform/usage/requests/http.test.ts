import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Harness, startHarness } from "../../../../tests/harness.ts";

let app: Harness;
beforeAll(async () => {
  app = await startHarness({ config: { REQUEST_LOG_DAYS: 1 } });
});
afterAll(() => app.stop());

const MINUTE_MS = 60_000;
const list = async (key: string, query = "") =>
  (await app.call("GET", `/usage/requests?limit=100${query}`, { key })).body.data.items;

describe("GET /usage/requests", () => {
  test("200 lists what was asked, newest first, with path, status, code, key and route, and no body", async () => {
    const { testKey: key } = await app.openAccount();
    const profile = await app.call("GET", "/user/profile", { key });
    const body = { pickup: { address: "secret words" } };
    const refused = await app.call("POST", "/delivery/schedule?zzz=1", { key, body });
    const items = await list(key);
    expect(items.map((r: any) => [r.method, r.path, r.route, r.action, r.status, r.error_code])).toEqual([
      ["POST", "/api/v1/delivery/schedule?zzz=1", "delivery.schedule", "delivery", 400, "validation_failed"],
      ["GET", "/api/v1/user/profile", "user.profile", "user", 200, null],
    ]);
    expect(items[0].id).toBe(refused.body.error.request_id);
    expect(items[1].key_id).toBe(profile.body.data.key.id);
    expect(items[1].duration_ms).toBeGreaterThanOrEqual(0);
    expect(JSON.stringify(items)).not.toContain("secret words");
  });

  test("200 filters, and pages with a cursor that holds only for the same filters", async () => {
    const { testKey: key } = await app.openAccount();
    for (let i = 0; i < 3; i++) await app.call("GET", `/stock/markets?limit=${i + 1}`, { key });
    await app.call("GET", "/delivery/dlv_01KB2M3N4P5Q6R7S8T9V0W1X2Y", { key });
    const paths = async (query: string) => (await list(key, query)).map((r: any) => r.path);
    expect(await paths("&action=stock")).toHaveLength(3);
    expect(await paths("&outcome=failed")).toEqual(["/api/v1/delivery/dlv_01KB2M3N4P5Q6R7S8T9V0W1X2Y"]);
    expect(await paths("&status=404&error_code=not_found&route=delivery.get&method=GET")).toHaveLength(1);
    const [{ id, key_id }] = await list(key, "&action=delivery");
    expect(await list(key, `&request_id=${id}&key_id=${key_id}`)).toHaveLength(1);
    expect(await paths("&since=2030-01-01T00:00:00Z")).toEqual([]);
    const first = (await app.call("GET", "/usage/requests?limit=2&action=stock", { key })).body.data;
    expect(first.has_more).toBe(true);
    const next = await app.call("GET", `/usage/requests?limit=2&action=stock&cursor=${first.next_cursor}`, { key });
    expect(next.body.data.items.map((r: any) => r.path)).toEqual(["/api/v1/stock/markets?limit=1"]);
    const other = await app.call("GET", `/usage/requests?cursor=${first.next_cursor}`, { key });
    expect([other.status, other.body.error.code]).toEqual([400, "invalid_cursor"]);
  });

  test("an account sees its own world alone", async () => {
    const account = await app.openAccount();
    await app.call("GET", "/user/profile", { key: account.liveKey });
    expect(await list(account.testKey)).toEqual([]);
    expect(await list(account.liveKey)).toHaveLength(1);
  });

  test("a flood keeps the newest and costs nobody else an entry", async () => {
    const flooding = await app.openAccount();
    const quiet = await app.openAccount();
    await app.call("GET", "/user/profile", { key: quiet.testKey });
    for (let i = 0; i < 520; i++) await app.call("GET", `/nothing/${i}`, { key: flooding.testKey });
    const paths = new Set((await allOf(flooding.testKey)).map((r: any) => r.path));
    expect(paths.has("/api/v1/nothing/519")).toBe(true);
    expect(paths.has("/api/v1/nothing/0")).toBe(false);
    expect(paths.size).toBeLessThanOrEqual(501);
    expect(await list(quiet.testKey)).toHaveLength(1);
  });

  test("requests are forgotten after CONNECTOR_REQUEST_LOG_DAYS", async () => {
    const { testKey: key } = await app.openAccount();
    await app.call("GET", "/user/profile", { key });
    expect(await list(key)).toHaveLength(1);
    await app.clock.advance(25 * 60 * MINUTE_MS);
    await list(key);
    expect((await list(key)).map((r: any) => r.route)).toEqual(["usage.requests"]);
  });
});

async function allOf(key: string): Promise<any[]> {
  const items: any[] = [];
  for (let cursor = ""; ; ) {
    const { data } = (await app.call("GET", `/usage/requests?limit=100${cursor}`, { key })).body;
    items.push(...data.items);
    if (!data.next_cursor) return items;
    cursor = `&cursor=${data.next_cursor}`;
  }
}

describe("GET /usage/errors", () => {
  test("200 counts refusals by code, with the hint, the routes and the last request", async () => {
    const { testKey: key } = await app.openAccount();
    await app.call("GET", "/delivery/dlv_01KB2M3N4P5Q6R7S8T9V0W1X2Y", { key });
    await app.call("GET", "/events/evt_01KB2M3N4P5Q6R7S8T9V0W1X2Y", { key });
    const last = await app.call("GET", "/delivery/dlv_01KB2M3N4P5Q6R7S8T9V0W1X2Y", { key });
    await app.call("POST", "/stock/quote", { key, body: {} });
    const { data } = (await app.call("GET", "/usage/errors", { key })).body;
    expect(data.requests).toBe(4);
    expect(data.items[0]).toMatchObject({
      code: "not_found",
      status: 404,
      requests: 3,
      routes: ["delivery.get", "events.get"],
      last_request_id: last.body.error.request_id,
    });
    expect(data.items[1]).toMatchObject({ code: "validation_failed", hint: "Correct the fields listed in errors." });
  });

  test("200 counts what the quota refused, which is no usage", async () => {
    const { testKey: key } = await app.openAccount("free");
    for (let i = 0; i < 103; i++) await app.call("GET", "/user/profile", { key });
    await app.clock.advance(61_000);
    const { data } = (await app.call("GET", "/usage/errors", { key })).body;
    expect(data.items).toMatchObject([{ code: "rate_limit_exceeded", requests: 3 }]);
    expect((await app.call("GET", "/usage", { key })).body.data.failures).toBe(0);
  });

  test("200 counts a replayed refusal by its code", async () => {
    const { testKey: key } = await app.openAccount();
    const headers = { "Idempotency-Key": "the-same" };
    const path = "/delivery/dlv_01KB2M3N4P5Q6R7S8T9V0W1X2Y/cancel";
    for (let i = 0; i < 2; i++) await app.call("POST", path, { key, headers, body: {} });
    const { data } = (await app.call("GET", "/usage/errors", { key })).body;
    expect(data.items).toMatchObject([{ code: "not_found", requests: 2 }]);
  });

  test("400 names a range that cannot be", async () => {
    for (const query of ["from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z", "from=2026-01-01T00:00:00Z"]) {
      const reply = await app.call("GET", `/usage/errors?${query}`);
      expect([reply.status, reply.body.error.errors[0].pointer]).toEqual([400, "/from"]);
    }
  });
});

test("with CONNECTOR_REQUEST_LOG_DAYS=0 nothing is logged, and refusals are still counted", async () => {
  const without = await startHarness({ config: { REQUEST_LOG_DAYS: 0 } });
  try {
    await without.call("GET", "/events/evt_01KB2M3N4P5Q6R7S8T9V0W1X2Y");
    expect((await without.call("GET", "/usage/requests")).body.data.items).toEqual([]);
    expect((await without.call("GET", "/usage/errors")).body.data.requests).toBe(1);
  } finally {
    await without.stop();
  }
});
