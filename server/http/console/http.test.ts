// Guarantees of the console's server side: the key is kept from scripts and other pages, and requests count like any other.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Harness, startHarness } from "../../../tests/harness.ts";
import { buildBundle } from "./bundle.ts";

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
});
afterAll(() => app.stop());

const OWN = { "x-console-mode": "test" };

const signIn = (key: string, headers: Record<string, string> = OWN) =>
  app.call("POST", "//console/session", {
    key: null,
    body: { key },
    headers: { "Content-Type": "application/json", ...headers },
  });

async function cookieOf(key: string, mode = "test"): Promise<string> {
  const reply = await signIn(key, { "x-console-mode": mode });
  expect(reply.status).toBe(200);
  return reply.headers.get("set-cookie")!.split(";")[0];
}

const ask = (path: string, headers: Record<string, string>, method = "GET", body?: unknown) =>
  app.call(method, `//console/api/v1${path}`, { key: null, headers, body });

describe("GET /console", () => {
  test("the page comes with a policy that allows only its own files", async () => {
    const page = await app.call("GET", "//console", { key: null, headers: { accept: "text/html" } });
    expect(page.status).toBe(200);
    const policy = page.headers.get("content-security-policy")!;
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toContain("unsafe");
    expect(page.text).not.toMatch(/<script(?! type="module" src="\/)|style=/);
  });

  test("its files are served packed; one that is not there is not found", async () => {
    const headers = { accept: "*/*", "accept-encoding": "gzip" };
    const script = await app.call("GET", "//console/assets/main.js", { key: null, headers });
    expect(script.headers.get("content-type")).toContain("text/javascript");
    expect((await app.call("GET", "//console/assets/none.js", { key: null })).status).toBe(404);
  });

  test("the first load is at most 150 kB packed, and each further page at most 60 kB", async () => {
    const files = await buildBundle();
    const size = (names: Iterable<string>) =>
      [...names].reduce((sum, name) => sum + Bun.gzipSync(files.get(name)!, { level: 9 }).length, 0);
    const named = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1]);
    /** A file with everything that it imports. */
    const withImports = (name: string, known = new Set<string>()): Set<string> => {
      if (known.has(name)) return known;
      known.add(name);
      for (const next of named(files.get(name)!, /(?:from|import)"\.\/([^"]+)"/g)) withImports(next, known);
      return known;
    };
    const start = withImports("main.js");
    const pages = named(files.get("main.js")!, /import\("\.\/([^"]+)"\)/g).map((page) => withImports(page));
    expect(pages.length).toBe(8);
    // Home is part of the first load.
    expect(size(new Set([...start, ...pages[0], "console.css", "icon.svg"]))).toBeLessThan(150_000);
    for (const page of pages) expect(size([...page].filter((name) => !start.has(name)))).toBeLessThan(60_000);
    expect(size(["world.json"])).toBeLessThan(60_000);
  });
});

describe("a session", () => {
  test("is an http-only cookie of the same site that does not show the key", async () => {
    const reply = await signIn(app.key);
    const cookie = reply.headers.get("set-cookie")!;
    expect(cookie).toMatch(/; Path=\/console; HttpOnly; SameSite=Strict; Max-Age=43200$/);
    expect(cookie).not.toContain(app.key);
    expect(reply.text).not.toContain(app.key);
    expect(reply.body.data).toMatchObject({ mode: "test", plan: "max" });
  });

  test("needs a right key, and a page of our own", async () => {
    expect((await signIn("ac_test_wrong")).status).toBe(401);
    const foreign = await signIn(app.key, {});
    expect(foreign.body.error.code).toBe("origin_not_allowed");
    expect((await signIn(app.key, { ...OWN, "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await app.call("DELETE", "//console/session", { key: null })).status).toBe(403);
  });

  test("asks in the name of its key, in the mode that the page names", async () => {
    const cookie = `${await cookieOf(app.key)}; ${await cookieOf(app.account.liveKey, "live")}`;
    for (const mode of ["test", "live"]) {
      const reply = await ask("/user/profile", { cookie, "x-console-mode": mode });
      expect(reply.body.data.mode).toBe(mode);
    }
    const known = await app.call("GET", "//console/session", { key: null, headers: { cookie } });
    expect(known.body.data.sessions.map((s: any) => s.mode)).toEqual(["test", "live"]);
  });

  test("without the header, or from another site, it asks nothing: a cookie alone is no permission", async () => {
    const cookie = await cookieOf(app.key);
    for (const headers of [{}, { ...OWN, "sec-fetch-site": "cross-site" }, { ...OWN, "sec-fetch-site": "same-site" }]) {
      const reply = await ask("/user/profile", { cookie, ...headers });
      expect([reply.status, reply.body.error.code]).toEqual([401, "missing_api_key"]);
    }
    const live = await ask("/user/profile", { cookie, "x-console-mode": "live" });
    expect(live.status).toBe(401);
  });

  test("a changed cookie is no session", async () => {
    const cookie = await cookieOf(app.key);
    expect((await ask("/user/profile", { cookie: `${cookie.slice(0, -4)}AAAA`, ...OWN })).status).toBe(401);
    const moved = cookie.replace("console_test", "console_live");
    expect((await ask("/user/profile", { cookie: moved, "x-console-mode": "live" })).status).toBe(401);
  });

  test("its requests count against the quota of the key like any other", async () => {
    const other = await app.openAccount();
    const cookie = await cookieOf(other.testKey);
    const left = (reply: { headers: Headers }) => Number(/r=(\d+)/.exec(reply.headers.get("ratelimit")!)![1]);
    const before = left(await app.call("GET", "/user/profile", { key: other.testKey }));
    expect(left(await ask("/user/profile", { cookie, ...OWN }))).toBe(before - 1);
    expect(left(await app.call("GET", "/user/profile", { key: other.testKey }))).toBe(before - 2);
  });

  test("writes carry their body through", async () => {
    const cookie = await cookieOf(app.key);
    const headers = { cookie, ...OWN, "Content-Type": "application/json" };
    const made = await ask("/alerts/create", headers, "POST", { query: "harbour", channels: [{ type: "sse" }] });
    expect([made.status, made.body.error?.detail]).toEqual([201, undefined]);
    expect((await ask(`/alerts/${made.body.data.id}`, { cookie, ...OWN })).body.data.query.source).toBe("harbour");
  });

  test("ends with its key, after twelve hours, and on sign-out", async () => {
    const key = await app.makeKey(app.account);
    const cookie = await cookieOf(key);
    const modes = async (given: string) =>
      (await app.call("GET", "//console/session", { key: null, headers: { cookie: given } })).body.data.sessions.length;
    expect(await modes(cookie)).toBe(1);
    const { id } = (await app.call("GET", "/user/profile", { key })).body.data.key;
    await app.call("DELETE", `/keys/${id}`);
    await app.service.refreshKeys();
    expect(await modes(cookie)).toBe(0);
    const fresh = await cookieOf(app.key);
    app.clock.advance(12 * 3_600_000);
    expect(await modes(fresh)).toBe(0);
    const out = await app.call("DELETE", "//console/session", { key: null, headers: OWN });
    expect(out.headers.getSetCookie()).toHaveLength(2);
    expect(out.headers.get("set-cookie")).toContain("Max-Age=0");
  });
});
