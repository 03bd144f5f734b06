// Methods, HEAD, and what is served without a key.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Harness, startHarness } from "../../tests/harness.ts";
import { routes } from "../contracts.ts";
import { containsNetwork, networkOf } from "../lib/network.ts";

let app: Harness;
let small: Harness;
beforeAll(async () => {
  app = await startHarness({ config: { KEYLESS_PER_MINUTE: 1_000_000 } });
  small = await startHarness({ config: { KEYLESS_PER_MINUTE: 3, METRICS_TOKEN: "scrape-me", TRUST_PROXY: 1 } });
});
afterAll(async () => {
  await small.stop();
  await app.stop();
});

describe("a path that exists with another method", () => {
  const api = routes.filter((route) => route.mount !== "root" && !route.path.includes("{"));
  const paths = [...new Set(api.map((route) => route.path))];

  test.each(paths)("405 with Allow for %s", async (path) => {
    const allowed = api.filter((route) => route.path === path).map((route) => route.method as string);
    for (const method of ["GET", "POST", "PATCH", "DELETE", "PUT"].filter((m) => !allowed.includes(m))) {
      const { status, headers, body } = await app.call(method, path);
      expect([method, status, body.error.code]).toEqual([method, 405, "method_not_allowed"]);
      expect(
        headers
          .get("Allow")!
          .split(", ")
          .filter((m) => m !== "HEAD" && m !== "OPTIONS"),
      ).toEqual(allowed);
    }
  });
});

describe("HEAD", () => {
  test.each([
    "/api/v1/user/profile",
    "/api/v1/keys",
    "/api/v1/keys/unknown",
    "/openapi.json",
    "/docs/errors",
    "/nothing/here",
  ])("%s has the status and the length of GET, and no body", async (path) => {
    const headers = { Authorization: `Bearer ${app.key}`, "Accept-Encoding": "identity" };
    const get = await fetch(app.url + path, { headers });
    const head = await fetch(app.url + path, { headers, method: "HEAD" });
    expect(head.status).toBe(get.status);
    const length = (await get.arrayBuffer()).byteLength;
    expect(Math.abs(Number(head.headers.get("Content-Length")) - length)).toBeLessThan(8);
    expect((await head.arrayBuffer()).byteLength).toBe(0);
  });

  test("200 of a stream ends at once and leaves no stream open", async () => {
    const headers = { Authorization: `Bearer ${app.key}` };
    const head = await fetch(`${app.url}/api/v1/events/stream`, { headers, method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });
});

describe("without a key", () => {
  const from = (address: string, path: string, headers: Record<string, string> = {}) =>
    fetch(small.url + path, { headers: { "X-Forwarded-For": address, ...headers } });

  test("429 past the limit of an address (IPv6: of a /64); health is never limited; others are not touched", async () => {
    for (const [one, other] of [
      ["203.0.113.7", "203.0.113.8"],
      ["2001:db8:1:2::1", "2001:db8:1:3::1"],
    ]) {
      const neighbour = one.replace("::1", "::ffff:2");
      const statuses = [];
      for (const at of [one, neighbour, one, neighbour]) statuses.push((await from(at, "/docs/errors")).status);
      expect(statuses).toEqual([200, 200, 200, 429]);
      expect((await from(one, "/health/live")).status).toBe(200);
      expect((await from(other, "/docs/errors")).status).toBe(200);
    }
  });

  test("401 /metrics without its token, 200 with it; without a token set only this machine may ask", async () => {
    expect((await from("203.0.113.9", "/metrics")).status).toBe(401);
    expect((await from("203.0.113.9", "/metrics", { Authorization: "Bearer wrong" })).status).toBe(401);
    expect((await from("203.0.113.9", "/metrics", { Authorization: "Bearer scrape-me" })).status).toBe(200);
    expect((await fetch(`${app.url}/metrics`)).status).toBe(200);
    const forwarded = await fetch(`${app.url}/metrics`, { headers: { "X-Forwarded-For": "127.0.0.1" } });
    expect(forwarded.status).toBe(401);
  });

  test("429 bad keys of one IPv6 /64 are counted together", async () => {
    const bad = { Authorization: "Bearer acn_test_000000000000000000000000000000000000" };
    const statuses = [];
    for (let host = 1; host <= 21; host++) {
      statuses.push((await from(`2001:db8:7:7::${host.toString(16)}`, "/api/v1/user/profile", bad)).status);
    }
    expect(statuses).toEqual([...Array(20).fill(401), 429]);
  });
});

test("networks: the /64 of an IPv6 address however it is written, and which network holds which", () => {
  expect(networkOf("203.0.113.7")).toBe("203.0.113.7");
  expect(networkOf("::ffff:203.0.113.7")).toBe("203.0.113.7");
  expect(networkOf("2001:DB8::1")).toBe("2001:db8:0:0::/64");
  expect(networkOf("2001:db8:0:0:1:2:3:4")).toBe("2001:db8:0:0::/64");
  expect(networkOf("::1")).toBe("0:0:0:0::/64");
  expect(containsNetwork("10.0.0.0/8", "10.1.0.0/16")).toBe(true);
  expect(containsNetwork("10.0.0.0/8", "10.1.2.3")).toBe(true);
  expect(containsNetwork("10.1.0.0/16", "10.0.0.0/8")).toBe(false);
  expect(containsNetwork("10.0.0.0/8", "2001:db8::/32")).toBe(false);
});
