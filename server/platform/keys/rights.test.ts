// No key reaches beyond its own rights, its own end or its own networks, neither through other keys nor through answers.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Harness, startHarness } from "../../../tests/harness.ts";

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
});
afterAll(() => app.stop());

const SMALL = ["keys:write", "profile:read"] as const;
const BIG = [...SMALL, "delivery:write"] as const;

async function makeKey(body: Record<string, unknown> = {}, key = app.key): Promise<{ id: string; key: string }> {
  const made = await app.call("POST", "/keys", { key, body: { name: "k", mode: "test", scopes: SMALL, ...body } });
  expect(made.status).toBe(201);
  return made.body.data;
}

const refusal = ({ status, body }: { status: number; body: any }) => [status, body.error?.code];

describe("a key with fewer scopes than another", () => {
  test.each([
    ["PATCH", "", { ip_allowlist: [] }],
    ["PATCH", "", { expires_at: null }],
    ["PATCH", "", { scopes: ["keys:write"] }],
    ["PATCH", "", { name: "mine" }],
    ["DELETE", "", undefined],
    ["POST", "/roll", { grace_seconds: 0 }],
  ])("403 for %s /keys/{id}%s with %j; the other key stays as it was", async (method, path, body) => {
    const small = await makeKey();
    const big = await makeKey({ scopes: BIG, ip_allowlist: ["10.0.0.0/8"] });
    const refused = await app.call(method, `/keys/${big.id}${path}`, { key: small.key, body });
    expect(refusal(refused)).toEqual([403, "insufficient_scope"]);
    const listed = (await app.call("GET", "/keys?limit=100")).body.data.items.find((k: any) => k.id === big.id);
    expect(listed).toMatchObject({ name: "k", scopes: [...BIG], ip_allowlist: ["10.0.0.0/8"], revoked_at: null });
  });
});

describe("a key that ends and is bound to networks", () => {
  const guards = { expires_at: "2026-11-02T00:00:00Z", ip_allowlist: ["127.0.0.0/8"] };

  test("201 hands its guards on to the keys that it makes", async () => {
    const bound = await makeKey(guards);
    const child = await app.call("POST", "/keys", { key: bound.key, body: { name: "c", mode: "test", scopes: SMALL } });
    expect(child.body.data).toMatchObject(guards);
  });

  test.each([
    [{ expires_at: null }, "/expires_at"],
    [{ expires_at: "2026-11-03T00:00:00Z" }, "/expires_at"],
    [{ ip_allowlist: [] }, "/ip_allowlist/0"],
    [{ ip_allowlist: ["127.0.0.1", "0.0.0.0/0"] }, "/ip_allowlist/1"],
  ])("400 when it asks for a key with %j", async (body, pointer) => {
    const bound = await makeKey(guards);
    const refused = await app.call("POST", "/keys", {
      key: bound.key,
      body: { name: "c", mode: "test", scopes: SMALL, ...body },
    });
    expect([refused.status, refused.body.error.errors[0].pointer]).toEqual([400, pointer]);
  });

  test("400 when it loosens itself, 403 when it rolls or loosens a freer one", async () => {
    const bound = await makeKey(guards);
    const free = await makeKey();
    const self = await app.call("PATCH", `/keys/${bound.id}`, { key: bound.key, body: { ip_allowlist: [] } });
    expect(self.status).toBe(400);
    const other = await app.call("PATCH", `/keys/${free.id}`, { key: bound.key, body: { scopes: ["profile:read"] } });
    expect(refusal(other)).toEqual([403, "insufficient_scope"]);
    const rolled = await app.call("POST", `/keys/${free.id}/roll`, { key: bound.key });
    expect(refusal(rolled)).toEqual([403, "insufficient_scope"]);
  });
});

describe("POST /keys/{id}/roll", () => {
  test("201 without a body: the old key works for a day, and the answer names it", async () => {
    const old = await makeKey();
    const { status, body } = await app.call("POST", `/keys/${old.id}/roll`);
    expect([status, body.data.old_key_id, body.data.old_key_expires_at]).toEqual([201, old.id, "2026-11-02T12:00:00Z"]);
  });

  test("409 when the end of a rolled key is put off; 200 when it is brought forward", async () => {
    const old = await makeKey();
    await app.call("POST", `/keys/${old.id}/roll`, { body: { grace_seconds: 3600 } });
    for (const expires_at of [null, "2026-11-05T00:00:00Z"]) {
      const refused = await app.call("PATCH", `/keys/${old.id}`, { body: { expires_at } });
      expect(refusal(refused)).toEqual([409, "wrong_state"]);
    }
    const sooner = await app.call("PATCH", `/keys/${old.id}`, { body: { expires_at: "2026-11-01T12:10:00Z" } });
    expect(sooner.status).toBe(200);
  });
});

describe("an idempotent answer that shows a secret", () => {
  test("is replayed to the key that got it, and to no other of the same world", async () => {
    const small = await makeKey();
    const body = { name: "sec", mode: "test", scopes: ["delivery:write", "keys:write"] };
    const headers = { "Idempotency-Key": "mk-1" };
    const first = await app.call("POST", "/keys", { body, headers });
    const again = await app.call("POST", "/keys", { body, headers });
    expect(again.text).toBe(first.text);
    const other = await app.call("POST", "/keys", { key: small.key, body, headers });
    expect(refusal(other)).toEqual([403, "insufficient_scope"]);
    const equal = await makeKey({ scopes: [...BIG] });
    const own = await app.call("POST", "/keys", { key: equal.key, body, headers });
    expect(own.body.data.key).not.toBe(first.body.data.key);
  });

  test("is not replayed to a key that has lost the right to it", async () => {
    const big = await makeKey({ scopes: BIG });
    const body = { name: "sec", mode: "test", scopes: ["delivery:write"] };
    const headers = { "Idempotency-Key": "mk-2" };
    expect((await app.call("POST", "/keys", { key: big.key, body, headers })).status).toBe(201);
    await app.call("PATCH", `/keys/${big.id}`, { body: { scopes: SMALL } });
    const again = await app.call("POST", "/keys", { key: big.key, body, headers });
    expect(refusal(again)).toEqual([403, "insufficient_scope"]);
  });
});

describe("the two worlds", () => {
  test("201 a test key with admin makes an account without a live key; a live one with both", async () => {
    const body = { name: "acme", plan: "free" };
    const test = (await app.call("POST", "/admin/accounts", { body })).body.data;
    expect(test.live_key).toBeNull();
    expect(test.test_key.mode).toBe("test");
    const live = (await app.call("POST", "/admin/accounts", { key: app.account.liveKey, body })).body.data;
    expect(live.live_key.mode).toBe("live");
  });

  test("200 two accounts may carry one e-mail address", async () => {
    const body = { name: "acme", plan: "free", email: "a@example.com" };
    const statuses = [1, 2].map(async () => (await app.call("POST", "/admin/accounts", { body })).status);
    expect(await Promise.all(statuses)).toEqual([201, 201]);
  });

  test("200 GET /audit-log shows a test key nothing of the live world", async () => {
    const { testKey, liveKey } = await app.openAccount();
    const order = { name: "a", scopes: ["audit:read"] };
    await app.call("POST", "/keys", { key: liveKey, body: { ...order, mode: "live" } });
    await app.call("POST", "/keys", { key: testKey, body: { ...order, mode: "test" } });
    const modesOf = async (key: string) =>
      (await app.call("GET", "/audit-log", { key })).body.data.items.map((i: any) => [i.action, i.mode]);
    expect(await modesOf(testKey)).toEqual([["key.created", "test"]]);
    expect(await modesOf(liveKey)).toEqual([
      ["key.created", "live"],
      ["account.created", null],
    ]);
  });

  test("200 GET /audit-log by actor, action, target and time", async () => {
    const { liveKey: key } = await app.openAccount();
    const { id } = (await app.call("POST", "/keys", { key, body: { name: "a", mode: "live", scopes: ["audit:read"] } }))
      .body.data;
    await app.call("DELETE", `/keys/${id}`, { key });
    const actions = async (query: string) =>
      (await app.call("GET", `/audit-log?${query}`, { key })).body.data.items.map((i: any) => i.action);
    expect(await actions("actor=operator")).toEqual(["account.created"]);
    expect(await actions("action=key.revoked")).toEqual(["key.revoked"]);
    expect(await actions(`target=${id}`)).toEqual(["key.revoked", "key.created"]);
    expect(await actions("until=2026-11-01T12:00:00Z")).toEqual([]);
    expect((await actions("since=2026-11-01T12:00:00Z")).length).toBe(3);
  });
});
