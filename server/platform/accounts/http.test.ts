import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Harness, startHarness } from "../../../tests/harness.ts";

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
});
afterAll(() => app.stop());

const verify = () => app.service.platform.audit.verify(app.service.platform.db);

describe("GET /user/profile", () => {
  test("200 tells who, what, and what is left", async () => {
    const account = await app.openAccount("plus");
    const { body } = await app.call("GET", "/user/profile", { key: account.liveKey });
    expect(body).toMatchObject({
      success: true,
      data: {
        user_id: account.id,
        name: "Ada",
        plan: "plus",
        mode: "live",
        quota: { limit: 500, remaining: 499, window_seconds: 60, reset_at: "2026-11-01T12:01:00Z" },
      },
    });
  });

  test("200 under both mounts, and with the specification's Content-Type on a GET", async () => {
    for (const path of ["//api/v1/user/profile", "//v1/user/profile"]) {
      expect((await app.call("GET", path, { headers: { "Content-Type": "application/json" } })).status).toBe(200);
    }
  });

  test("usage counts what was called, today and this month", async () => {
    const account = await app.openAccount();
    for (let i = 0; i < 5; i++) await app.call("GET", "/user/profile", { key: account.testKey });
    await app.call("GET", "/nothing", { key: account.testKey });
    await app.clock.advance(31_000);
    const { data } = (await app.call("GET", "/user/profile", { key: account.testKey })).body;
    expect(data.usage).toEqual({ today: 6, this_month: 6 });
  });
});

describe("POST /admin/accounts", () => {
  test("201 makes an account whose keys work and cannot make accounts", async () => {
    const made = await app.call("POST", "/admin/accounts", { body: { name: "Bob", plan: "free" } });
    expect(made.status).toBe(201);
    const key = made.body.data.test_key.key;
    expect((await app.call("GET", "/user/profile", { key })).body.data).toMatchObject({
      name: "Bob",
      plan: "free",
      email: null,
    });
    expect((await app.call("POST", "/admin/accounts", { key, body: { name: "Eve", plan: "max" } })).status).toBe(403);
  });
});

describe("GET /usage", () => {
  test("200 by route and minute, failures apart", async () => {
    const { testKey: key } = await app.openAccount();
    await app.call("GET", "/user/profile", { key });
    await app.call("POST", "/delivery/schedule", { key, body: {} });
    const { data } = (await app.call("GET", "/usage?by=minute&to=2026-11-02T00:00:00Z", { key })).body;
    expect(data).toMatchObject({ requests: 2, failures: 1 });
    expect(data.rows.map((r: any) => r.route)).toEqual(["delivery.schedule", "user.profile"]);
  });

  test("400 for a range that is empty or too long", async () => {
    expect((await app.call("GET", "/usage?from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z")).status).toBe(400);
    expect(
      (await app.call("GET", "/usage?by=minute&from=2026-10-01T00:00:00Z&to=2026-11-01T00:00:00Z")).body.error.hint,
    ).toContain("shorter");
  });

  test("200 by key when asked, or of one key", async () => {
    const account = await app.openAccount();
    const other = await app.makeKey(account, { scopes: ["profile:read"] });
    await app.call("GET", "/user/profile", { key: account.testKey });
    for (let i = 0; i < 2; i++) await app.call("GET", "/user/profile", { key: other });
    const rowsOf = async (query: string) =>
      (await app.call("GET", `/usage?to=2026-11-01T13:00:00Z&${query}`, { key: account.testKey })).body.data;
    const profile = ({ rows }: any) => rows.filter((row: any) => row.route === "user.profile");
    const all = await rowsOf("by_key=true");
    expect([
      all.mode,
      profile(all)
        .map((row: any) => row.requests)
        .sort(),
    ]).toEqual(["test", [1, 2]]);
    const together = profile(await rowsOf("by=hour"));
    expect(together.map((row: any) => [row.requests, row.key_id])).toEqual([[3, null]]);
    const busy = profile(all).find((row: any) => row.requests === 2).key_id;
    expect(profile(await rowsOf(`key_id=${busy}`))[0].requests).toBe(2);
  });
});

describe("GET /audit-log", () => {
  test("200 shows what was done in this world of this account alone, newest first, and the chain holds", async () => {
    const { testKey: key } = await app.openAccount();
    const made = await app.call("POST", "/keys", { key, body: { name: "a", mode: "test", scopes: ["audit:read"] } });
    await app.call("DELETE", `/keys/${made.body.data.id}`, { key });
    const { items } = (await app.call("GET", "/audit-log", { key })).body.data;
    expect(items.map((i: any) => i.action)).toEqual(["key.revoked", "key.created"]);
    expect(items[0].request_id).toStartWith("req_");
    expect(await verify()).toMatchObject({ ok: true });
  });

  test("a row that was changed or removed behind our back is found", async () => {
    const { sql } = app.service.platform.db;
    await expect(sql`update audit set actor = 'nobody' where seq = 2`.execute()).rejects.toThrow(/never changed/);
    await sql.unsafe(
      "alter table audit disable trigger all; update audit set actor = 'nobody' where seq = 2; alter table audit enable trigger all",
    );
    expect(await verify()).toMatchObject({
      ok: false,
      brokenAt: 2,
      reason: "row 2 was altered",
    });
    await sql.unsafe(
      "alter table audit disable trigger all; delete from audit where seq = 2; alter table audit enable trigger all",
    );
    expect(await verify()).toMatchObject({
      ok: false,
      brokenAt: 2,
      reason: "row 2 is missing",
    });
  });

  test("a row that was rehashed without the secret is found", async () => {
    const other = await startHarness();
    const { audit, db } = other.service.platform;
    expect(await audit.verify(db)).toMatchObject({ ok: true });
    await db.sql.unsafe(`alter table audit disable trigger all;
      update audit set actor = 'nobody', hash = encode(sha256('anything'), 'hex') where seq = 1;
      alter table audit enable trigger all`);
    expect(await audit.verify(db)).toMatchObject({ ok: false, brokenAt: 1, reason: "row 1 was altered" });
    await other.stop();
  });
});
