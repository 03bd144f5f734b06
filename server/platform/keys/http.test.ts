import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Harness, startHarness } from "../../../tests/harness.ts";

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
});
afterAll(() => app.stop());

const order = { name: "shop", mode: "test", scopes: ["profile:read", "keys:write"] };

describe("POST /keys", () => {
  test("201 shows the key once, and the key works", async () => {
    const made = await app.call("POST", "/keys", { body: order });
    expect(made.status).toBe(201);
    expect(made.body.data.key).toMatch(/^acn_test_[0-9A-Za-z]{36}$/);
    const profile = await app.call("GET", "/user/profile", { key: made.body.data.key });
    expect(profile.body.data.scopes).toEqual(order.scopes);
    const stored = await app.service.platform.db.sql`select * from keys where id = ${made.body.data.id}`;
    expect(JSON.stringify(stored)).not.toContain(made.body.data.key);
  });

  test("201 in the world of the asking key, unless another is named", async () => {
    const { status, body } = await app.call("POST", "/keys", {
      body: { name: "same world", scopes: ["profile:read"] },
    });
    expect([status, body.data.mode]).toEqual([201, (await app.call("GET", "/user/profile")).body.data.mode]);
  });

  test("403 when a scope is asked that the asking key lacks", async () => {
    const small = (await app.call("POST", "/keys", { body: order })).body.data.key;
    const more = await app.call("POST", "/keys", { key: small, body: { ...order, scopes: ["delivery:write"] } });
    expect([more.status, more.body.error.code]).toEqual([403, "insufficient_scope"]);
    expect(more.body.error.detail).toContain("delivery:write");
  });

  test("403 when a test key asks for a live key", async () => {
    const made = await app.call("POST", "/keys", { body: { ...order, mode: "live" } });
    expect([made.status, made.body.error.code]).toEqual([403, "insufficient_scope"]);
  });

  test("400 when the key would already be expired, and for a network that is none", async () => {
    const past = await app.call("POST", "/keys", { body: { ...order, expires_at: "2020-01-01T00:00:00Z" } });
    expect(past.body.error.errors[0].pointer).toBe("/expires_at");
    const odd = await app.call("POST", "/keys", { body: { ...order, ip_allowlist: ["300.1.2.3"] } });
    expect(odd.body.error.errors[0].pointer).toBe("/ip_allowlist/0");
  });

  test("201 replayed byte for byte with the same idempotency key, though the secret is not stored in the clear", async () => {
    const headers = { "Idempotency-Key": "make-once" };
    const first = await app.call("POST", "/keys", { body: order, headers });
    const again = await app.call("POST", "/keys", { body: order, headers });
    expect(again.text).toBe(first.text);
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    const records = await app.service.platform.db.sql`select body from idempotency`;
    expect(JSON.stringify(records)).not.toContain(first.body.data.key);
  });
});

describe("DELETE /keys/{id}", () => {
  test("200 revokes at once; the key then gets 401 revoked_api_key", async () => {
    const { id, key } = (await app.call("POST", "/keys", { body: order })).body.data;
    expect((await app.call("GET", "/user/profile", { key })).status).toBe(200);
    expect((await app.call("DELETE", `/keys/${id}`)).body.data.revoked_at).toBe("2026-11-01T12:00:00Z");
    const refused = await app.call("GET", "/user/profile", { key });
    expect([refused.status, refused.body.error.code]).toEqual([401, "revoked_api_key"]);
    expect(refused.headers.get("WWW-Authenticate")).toContain("invalid_token");
  });

  test("another replica learns of it within its next poll", async () => {
    const other = await startHarness({ databaseUrl: app.databaseUrl, clock: app.clock });
    const { id, key } = (await app.call("POST", "/keys", { body: order })).body.data;
    expect((await other.call("GET", "/user/profile", { key })).status).toBe(200);
    await app.call("DELETE", `/keys/${id}`);
    await other.service.refreshKeys();
    expect((await other.call("GET", "/user/profile", { key })).status).toBe(401);
    await other.stop();
  });
});

describe("POST /keys/{id}/roll", () => {
  test("201 and the old key works until the grace ends, not after", async () => {
    const old = (await app.call("POST", "/keys", { body: order })).body.data;
    const made = await app.call("POST", `/keys/${old.id}/roll`, { body: { grace_seconds: 60 } });
    expect(made.status).toBe(201);
    expect((await app.call("GET", "/user/profile", { key: old.key })).status).toBe(200);
    await app.clock.advance(60_000);
    const expired = await app.call("GET", "/user/profile", { key: old.key });
    expect([expired.status, expired.body.error.code]).toEqual([401, "expired_api_key"]);
    expect((await app.call("GET", "/user/profile", { key: made.body.data.key })).status).toBe(200);
    const [event] = await app.service.platform.db.sql`select type, data from events where type = 'key.rolled'`;
    expect(event.data.old_key_id).toBe(old.id);
  });

  test("409 when the key is revoked", async () => {
    const { id } = (await app.call("POST", "/keys", { body: order })).body.data;
    await app.call("DELETE", `/keys/${id}`);
    expect((await app.call("POST", `/keys/${id}/roll`, { body: { grace_seconds: 0 } })).body.error.code).toBe(
      "wrong_state",
    );
    expect((await app.call("PATCH", `/keys/${id}`, { body: { name: "x" } })).status).toBe(409);
  });
});

describe("PATCH /keys/{id}", () => {
  test("200 narrows a key, and 400 for an empty change", async () => {
    const { id, key } = (await app.call("POST", "/keys", { body: order })).body.data;
    const changed = await app.call("PATCH", `/keys/${id}`, { body: { scopes: ["keys:write"], name: "narrow" } });
    expect(changed.body.data.name).toBe("narrow");
    expect((await app.call("GET", "/user/profile", { key })).status).toBe(403);
    expect((await app.call("PATCH", `/keys/${id}`, { body: {} })).status).toBe(400);
  });

  test("403 ip_not_allowed from an address that is not on the list", async () => {
    const { id, key } = (await app.call("POST", "/keys", { body: order })).body.data;
    await app.call("PATCH", `/keys/${id}`, { body: { ip_allowlist: ["203.0.113.0/24"] } });
    expect((await app.call("GET", "/user/profile", { key })).body.error.code).toBe("ip_not_allowed");
    await app.call("PATCH", `/keys/${id}`, { body: { ip_allowlist: ["127.0.0.0/8"] } });
    expect((await app.call("GET", "/user/profile", { key })).status).toBe(200);
  });
});

describe("GET /keys", () => {
  test("200 in pages, newest first, never the other world's", async () => {
    const account = await app.openAccount("plus");
    for (let i = 0; i < 4; i++)
      await app.call("POST", "/keys", { key: account.testKey, body: { ...order, name: `k${i}` } });
    const first = await app.call("GET", "/keys?limit=3", { key: account.testKey });
    expect(first.body.data.items.map((k: any) => k.name)).toEqual(["k3", "k2", "k1"]);
    const second = await app.call("GET", `/keys?limit=3&cursor=${first.body.data.next_cursor}`, {
      key: account.testKey,
    });
    expect(second.body.data.items.map((k: any) => k.name)).toEqual(["k0", "First test key"]);
    expect(second.body.data).toMatchObject({ has_more: false, next_cursor: null });
    const foreign = await app.call("GET", `/keys?cursor=${first.body.data.next_cursor}`);
    expect([foreign.status, foreign.body.error.code]).toEqual([400, "invalid_cursor"]);
  });
});
