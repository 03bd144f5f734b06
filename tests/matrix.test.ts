// What holds for every route, proved on every route: who may call, how often, in what form.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import type { Route, Scope } from "../server/contract/define.ts";
import { routes } from "../server/contracts.ts";
import { type Account, expectError, type Harness, noteSeen, startHarness } from "./harness.ts";
import { sampleOf, samplePath, sampleQuery } from "./sample.ts";

let app: Harness;
let spent: Account;
beforeAll(async () => {
  app = await startHarness();
  spent = await app.openAccount("free");
  for (let i = 0; i < 100; i++) await app.call("GET", "/user/profile", { key: spent.testKey });
});
afterAll(() => app.stop());

const guarded = routes.filter((route) => route.mount !== "root" && route.scope !== null);
const writing = guarded.filter((route) => route.method !== "GET");

const pathOf = (route: Route) => samplePath(route.path, route.params) + sampleQuery(route.query);
/** A body of the right shape. The key is a test key, which may not even ask for a live one. */
const bodyOf = (route: Route) => {
  const body: any = route.body ? sampleOf(route.body) : undefined;
  return body?.mode === "live" ? { ...body, mode: "test" } : body;
};

describe.each(guarded.map((route) => [`${route.method} ${route.path}`, route] as const))("%s", (_, route) => {
  const call = (options: Parameters<Harness["call"]>[2] = {}) =>
    app.call(route.method, pathOf(route), { body: bodyOf(route), ...options });

  test("401 without a key and with one that is none, with a challenge", async () => {
    const missing = await call({ key: null });
    expectError(missing, 401, "missing_api_key");
    expect(missing.headers.get("WWW-Authenticate")).toStartWith("Bearer");
    const wrong = await call({ key: "acn_test_none" });
    expect([401, 429]).toContain(wrong.status);
    if (wrong.status === 401) expectError(wrong, 401, "invalid_api_key");
    else expectError(wrong, 429, "auth_attempts_exceeded");
    expect(missing.headers.get("RateLimit")).toBeNull();
  });

  test("403 names the scope that is missing", async () => {
    const other: Scope = route.scope === "usage:read" ? "profile:read" : "usage:read";
    const reply = await call({ key: await app.makeKey(app.account, { scopes: [other] }) });
    expect([reply.status, reply.body.error.code, reply.body.error.required_scope]).toEqual([
      403,
      "insufficient_scope",
      route.scope,
    ]);
    expect(reply.headers.get("RateLimit")).not.toBeNull();
  });

  test("429 when the quota is spent, with everything a client needs to wait", async () => {
    const reply = await call({ key: spent.testKey });
    expect([reply.status, reply.body.error.code, reply.body.error.retryable]).toEqual([
      429,
      "rate_limit_exceeded",
      true,
    ]);
    expect(reply.body.error.violated_policies).toEqual(["free"]);
    expect(Number(reply.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
    expect(reply.headers.get("RateLimit")).toBe('"free";r=0;t=60');
  });

  test("400 for an unknown query parameter, by name", async () => {
    const glue = pathOf(route).includes("?") ? "&" : "?";
    const reply = await app.call(route.method, `${pathOf(route)}${glue}zzz=1`, { body: bodyOf(route) });
    expect(reply.status).toBe(400);
    expect(reply.body.error.errors.some((e: any) => e.pointer === "/zzz" && e.code === "unknown")).toBe(true);
  });

  test("406 when nothing acceptable can be produced", async () => {
    expect((await call({ headers: { Accept: "image/x-none" } })).status).toBe(406);
  });

  test("414 and 431 in the one envelope", async () => {
    const long = await app.call(
      route.method,
      `${pathOf(route)}${pathOf(route).includes("?") ? "&" : "?"}zzz=${"a".repeat(9_000)}`,
      { body: bodyOf(route) },
    );
    expect([long.status, long.body.error.code]).toEqual([414, "uri_too_long"]);
    const heavy = await call({ headers: { "X-Heavy": "a".repeat(16_500) } });
    // Without the larger header limit of tools/run.mjs, Bun itself answers 431 with no body.
    expect([heavy.status, heavy.body?.error.code ?? "headers_too_large"]).toEqual([431, "headers_too_large"]);
  });
});

describe.each(writing.map((route) => [`${route.method} ${route.path}`, route] as const))("%s", (_, route) => {
  const path = () => pathOf(route);

  test("415 for another media type, 400 for what is not JSON", async () => {
    const other = await app.call(route.method, path(), {
      body: "<a/>",
      headers: { "Content-Type": "application/xml" },
    });
    expect([other.status, other.body.error.code]).toEqual([415, "unsupported_media_type"]);
    const broken = await app.call(route.method, path(), { body: "{" });
    expect([broken.status, broken.body.error.code]).toEqual([400, "invalid_json"]);
  });

  test("413 before a too large body is read", async () => {
    expect(await sendHead(route, path(), 2 ** 31)).toBe(413);
  });

  test("400 for an idempotency key that is none", async () => {
    const reply = await app.call(route.method, path(), {
      body: bodyOf(route),
      headers: { "Idempotency-Key": "a b" },
    });
    expect([reply.status, reply.body.error.code]).toEqual([400, "idempotency_key_invalid"]);
  });

  test("409 while the same idempotency key is in flight", async () => {
    const headers = { "Idempotency-Key": `flight-${route.id}` };
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => app.call(route.method, path(), { body: {}, headers })),
    );
    const busy = replies.filter((r) => r.body?.error?.code === "idempotency_in_progress");
    expect(busy.length).toBeGreaterThan(0);
    expect(busy.every((r) => r.status === 409 && r.headers.get("Retry-After") === "1")).toBe(true);
  });

  test("422 when the idempotency key was used with another body", async () => {
    const { sql } = app.service.platform.db;
    const [{ tenant_id, id }] =
      await sql`select k.tenant_id, k.id from keys k join tenants t on t.id = k.tenant_id where t.account_id = ${app.account.id} and t.mode = 'test' and k.last = ${app.key.slice(-4)}`;
    // An answer that shows a secret is replayed to the same key alone.
    const owner = route.secretAnswer ? `${tenant_id} ${id}` : tenant_id;
    const pathname = new URL(`http://x/v1${path()}`).pathname;
    const digest = createHash("sha256")
      .update(`${owner}\0${route.method}\0${pathname}\0used-${route.id}`)
      .digest("base64url");
    await sql`insert into idempotency (digest, tenant_id, fingerprint, status, body, created_at)
      values (${digest}, ${tenant_id}, 'another', 200, '{}', ${new Date(app.clock.now())})`;
    const reply = await app.call(route.method, path(), {
      body: bodyOf(route) ?? {},
      headers: { "Idempotency-Key": `used-${route.id}` },
    });
    expect([reply.status, reply.body.error.code]).toEqual([422, "idempotency_key_reused"]);
  });
});

describe("a stream", () => {
  const streams = guarded.filter((route) => route.produces === "text/event-stream");
  test.each(streams.map((route) => [`${route.method} ${route.path}`, route] as const))(
    "%s opens with 200",
    async (_, route) => {
      const leave = new AbortController();
      const response = await fetch(`${app.url}/api/v1${pathOf(route)}`, {
        headers: { Authorization: `Bearer ${app.key}`, Accept: "text/event-stream" },
        signal: leave.signal,
      });
      noteSeen(route.id, response.status);
      expect([response.status, response.headers.get("Content-Type")]).toEqual([
        200,
        expect.stringContaining("text/event-stream"),
      ]);
      expect(response.headers.get("RateLimit")).not.toBeNull();
      leave.abort();
    },
  );
});

describe("503 overloaded", () => {
  test("every guarded route fails closed when the shared quota store is away", async () => {
    const cut = await startHarness({ databaseUrl: app.databaseUrl, config: { REDIS_URL: "redis://127.0.0.1:1" } });
    for (const route of guarded) {
      const reply = await cut.call(route.method, pathOf(route), { key: app.key, body: bodyOf(route) });
      expect([route.id, reply.status, reply.body.error.code]).toEqual([route.id, 503, "overloaded"]);
      expect(reply.headers.get("Retry-After")).toBe("1");
    }
    await cut.stop();
  });
});

describe("a foreign id and an unknown id", () => {
  const taking = guarded.filter((route) => route.path.includes("{id}"));
  test.each(taking.map((route) => [`${route.method} ${route.path}`, route] as const))(
    "%s gives an unknown id 404 or 400, never another's object",
    async (_, route) => {
      const reply = await app.call(route.method, pathOf(route), { body: bodyOf(route) });
      expect([400, 404, 422]).toContain(reply.status);
    },
  );
});

/** Sends only the head of a request with the given Content-Length, and returns the status that comes back. */
async function sendHead(route: Route, path: string, length: number): Promise<number> {
  const { hostname, port } = new URL(app.url);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let text = "";
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data: (s, chunk) => {
        text += chunk.toString();
        const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
        if (status) {
          resolve(Number(status));
          s.end();
        }
      },
      close: () => reject(new Error(`closed after "${text}"`)),
      error: (_, error) => reject(error),
    },
  });
  const type = route.consumes?.[0] ?? "application/json";
  socket.write(
    `${route.method} /api/v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${app.key}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`,
  );
  const status = await promise;
  noteSeen(route.id, status);
  return status;
}
