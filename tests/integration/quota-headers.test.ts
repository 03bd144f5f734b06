// The quota as a client meets it: exact over the wire, on an owned clock.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Harness, startHarness } from "../harness.ts";

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
});
afterAll(() => app.stop());

describe("quota", () => {
  test("the free plan admits exactly 100, refuses the 101st, and frees slots one by one", async () => {
    const { testKey: key } = await app.openAccount("free");
    for (let i = 0; i < 100; i++) {
      const reply = await app.call("GET", "/user/profile", { key });
      expect([reply.status, reply.headers.get("RateLimit")]).toEqual([
        200,
        `"free";r=${99 - i};t=${60 - Math.floor((i * 100) / 1000)}`,
      ]);
      await app.clock.advance(100);
    }
    const refused = await app.call("GET", "/user/profile", { key });
    expect(refused.status).toBe(429);
    expect(refused.headers.get("Retry-After")).toBe("50");
    expect(refused.headers.get("Retry-After-Ms")).toBe("50000");
    await app.clock.advance(49_999);
    expect((await app.call("GET", "/user/profile", { key })).status).toBe(429);
    await app.clock.advance(1);
    expect((await app.call("GET", "/user/profile", { key })).status).toBe(200);
    expect((await app.call("GET", "/user/profile", { key })).status).toBe(429);
  });

  test("is the tenant's, not the key's; the other world has its own", async () => {
    const account = await app.openAccount("free");
    const second = await app.makeKey(account);
    for (let i = 0; i < 100; i++) await app.call("GET", "/user/profile", { key: i % 2 ? second : account.testKey });
    expect((await app.call("GET", "/user/profile", { key: second })).status).toBe(429);
    expect((await app.call("GET", "/user/profile", { key: account.liveKey })).status).toBe(200);
  });

  test("a wall clock that is set back or forward changes nothing", async () => {
    const { testKey: key } = await app.openAccount("free");
    for (let i = 0; i < 100; i++) await app.call("GET", "/user/profile", { key });
    const before = app.clock.now();
    app.clock.jump(before + 3_600_000);
    expect((await app.call("GET", "/user/profile", { key })).status).toBe(429);
    app.clock.jump(before - 3_600_000);
    expect((await app.call("GET", "/user/profile", { key })).status).toBe(429);
    app.clock.jump(before);
  });

  test("headers stand on every authenticated answer: 200, 400, 403, 404, 405, 415, 429", async () => {
    const { testKey: key } = await app.openAccount("plus");
    const narrow = await app.makeKey(app.account, { scopes: ["usage:read"] });
    const replies = [
      await app.call("GET", "/user/profile", { key }),
      await app.call("POST", "/delivery/schedule", { key, body: {} }),
      await app.call("GET", "/user/profile", { key: narrow }),
      await app.call("GET", "/nothing/here", { key }),
      await app.call("PATCH", "/user/profile", { key }),
      await app.call("POST", "/delivery/schedule", { key, body: "x", headers: { "Content-Type": "text/plain" } }),
    ];
    expect(replies.map((r) => r.status)).toEqual([200, 400, 403, 404, 405, 415]);
    for (const reply of replies) {
      for (const name of [
        "RateLimit",
        "RateLimit-Policy",
        "X-RateLimit-Limit",
        "X-RateLimit-Remaining",
        "X-RateLimit-Reset",
        "X-Request-Id",
      ]) {
        expect([reply.status, name, reply.headers.get(name)]).not.toEqual([reply.status, name, null]);
      }
    }
    expect(replies[4].headers.get("Allow")).toBe("GET, HEAD, OPTIONS");
  });

  test("bad keys are counted by address: 20 get 401, the next 429, and a good key still passes", async () => {
    const bad = "acn_test_0000000000000000000000000000000hmXx1";
    const statuses: number[] = [];
    for (let i = 0; i < 22; i++)
      statuses.push((await app.call("GET", "/user/profile", { key: i % 2 ? bad : "garbage" })).status);
    expect(statuses).toEqual([...Array(20).fill(401), 429, 429]);
    expect((await app.call("GET", "/user/profile")).status).toBe(200);
    await app.clock.advance(60_000);
    expect((await app.call("GET", "/user/profile", { key: bad })).status).toBe(401);
  });
});
