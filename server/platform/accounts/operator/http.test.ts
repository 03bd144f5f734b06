import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Harness, startHarness } from "../../../../tests/harness.ts";

let app: Harness;
beforeAll(async () => {
  app = await startHarness({
    config: { METRICS_TOKEN: "a token nobody sees", NOMINATIM_URL: "http://ada:hidden@127.0.0.1:1/", LOG: "warn" },
  });
});
afterAll(() => app.stop());

const UNKNOWN = "usr_01KB2M3N4P5Q6R7S8T9V0W1X2Y";

describe("GET /admin/accounts", () => {
  test("200 lists accounts newest first with keys and today's requests; filters and pages", async () => {
    const free = await app.openAccount("free");
    await app.call("GET", "/user/profile", { key: free.testKey });
    // Reading usage writes what was counted.
    await app.call("GET", "/usage", { key: free.testKey });
    const page = (await app.call("GET", "/admin/accounts?limit=1")).body.data;
    expect(page.items).toMatchObject([
      { user_id: free.id, plan: "free", keys: 2, requests_today: 1, suspended_at: null },
    ]);
    const next = (await app.call("GET", `/admin/accounts?limit=1&cursor=${page.next_cursor}`)).body.data;
    expect(next.items[0].user_id).toBe(app.account.id);
    const ids = async (query: string) =>
      (await app.call("GET", `/admin/accounts?${query}`)).body.data.items.map((a: any) => a.user_id);
    expect(await ids("plan=free")).toEqual([free.id]);
    expect(await ids(`search=${free.id.slice(-8).toLowerCase()}`)).toEqual([free.id]);
    expect(await ids("suspended=true")).toEqual([]);
    expect(await ids("search=100%25_")).toEqual([]);
  });
});

describe("PATCH /admin/accounts/{id}", () => {
  const change = (id: string, body: unknown) => app.call("PATCH", `/admin/accounts/${id}`, { body });

  test("200 changes plan, name and suspension; the keys feel it, and the audit log keeps it", async () => {
    const account = await app.openAccount("free");
    const changed = await change(account.id, { plan: "plus", name: "Acme" });
    expect(changed.body.data).toMatchObject({ plan: "plus", name: "Acme", suspended_at: null });
    await app.service.refreshKeys();
    const profile = await app.call("GET", "/user/profile", { key: account.testKey });
    expect(profile.body.data).toMatchObject({ plan: "plus", name: "Acme", quota: { limit: 500 } });
    expect((await change(account.id, { suspended: true })).body.data.suspended_at).toBe("2026-11-01T12:00:00Z");
    await app.service.refreshKeys();
    const refused = await app.call("GET", "/user/profile", { key: account.testKey });
    expect([refused.status, refused.body.error.code]).toEqual([403, "account_suspended"]);
    expect((await change(account.id, { suspended: false })).body.data.suspended_at).toBeNull();
    await app.service.refreshKeys();
    const log = await app.call("GET", "/audit-log?action=account.changed", { key: account.liveKey });
    expect(log.body.data.items.map((e: any) => e.detail)).toEqual([
      { suspended: false },
      { suspended: true },
      { plan: "plus", name: "Acme" },
    ]);
  });

  test("404 for an account that is none", async () => {
    expect((await change(UNKNOWN, { plan: "max" })).body.error.code).toBe("not_found");
  });

  test("409 for the account of the key itself: nobody locks themselves out", async () => {
    const reply = await change(app.account.id, { suspended: true });
    expect([reply.status, reply.body.error.code]).toEqual([409, "conflict"]);
  });
});

describe("GET /admin/plans", () => {
  test("200 shows quotas, limits and how many accounts have each", async () => {
    const { items } = (await app.call("GET", "/admin/plans")).body.data;
    expect(items.map((p: any) => [p.name, p.requests_per_minute])).toEqual([
      ["free", 100],
      ["plus", 500],
      ["max", 2000],
    ]);
    expect(items[2].accounts).toBeGreaterThan(0);
    expect(items[0].limits).toContainEqual({ kind: "webhooks", rows: 5, megabytes: 1 });
  });
});

describe("GET /admin/settings", () => {
  test("200 shows every setting, and of a secret only that it is set", async () => {
    const reply = await app.call("GET", "/admin/settings");
    const of = (name: string) => reply.body.data.items.find((s: any) => s.name === `CONNECTOR_${name}`);
    expect(of("METRICS_TOKEN")).toMatchObject({ value: null, changed: true, secret: true });
    expect(of("SECRET")).toMatchObject({ value: null, changed: true, secret: true });
    expect(of("LOG")).toMatchObject({ value: "warn", changed: true, secret: false });
    expect(of("NOMINATIM_URL").value).toBe("http://ada:…@127.0.0.1:1/");
    expect(of("REQUEST_LOG_DAYS")).toMatchObject({ value: "7", default: "7", changed: false });
    expect(reply.text).not.toMatch(/a token nobody sees|hidden|long enough to be one/);
  });
});

describe("GET /admin/health", () => {
  test("200 says whether the service is ready, and what waits", async () => {
    const { data } = (await app.call("GET", "/admin/health")).body;
    expect(data).toMatchObject({ ready: true, missing: [], jobs_dead: 0, webhook_retries: 0, disk_free_bytes: null });
  });
});

describe("GET /providers", () => {
  const of = async (name: string) =>
    (await app.call("GET", "/providers")).body.data.items.find((p: any) => p.name === name);

  test("200 says who is not set up and what would do it", async () => {
    expect(await of("alpaca")).toMatchObject({
      action: "stock",
      state: "not_configured",
      hint: "The operator sets it up with CONNECTOR_STOCK_ALPACA_KEY and CONNECTOR_STOCK_ALPACA_SECRET.",
    });
  });

  test("200 says when a provider fails, and when it answers again", async () => {
    expect(await of("nominatim")).toMatchObject({ state: "idle", calls: 0 });
    const { providers } = app.service.platform;
    let status = 503;
    const way = providers.watch("nominatim", { fetch: async () => ({ status }) as any });
    await way.fetch("http://127.0.0.1:1/");
    expect(await of("nominatim")).toMatchObject({ state: "failing", failures: 1, last_error: "it answered 503" });
    await app.clock.advance(1_000);
    status = 200;
    await way.fetch("http://127.0.0.1:1/");
    expect(await of("nominatim")).toMatchObject({ state: "working", calls: 2, failures: 1 });
    const broken = providers.watch("nominatim", { fetch: () => Promise.reject({ code: "timeout" }) });
    await app.clock.advance(1_000);
    await broken.fetch("http://127.0.0.1:1/").catch(() => {});
    expect(await of("nominatim")).toMatchObject({ state: "failing", last_error: "it could not be reached (timeout)" });
  });
});
