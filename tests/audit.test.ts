// The audit: every route declares its scope, what is served is what is documented, and every declared status of every
// route was really seen by some test of this run (npm test hands over the record).
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SCOPES } from "../server/contract/define.ts";
import { statusesOf } from "../server/contract/openapi.ts";
import { routes } from "../server/contracts.ts";

const record = process.env.CONNECTOR_TEST_SEEN;
const seen = new Set(record && existsSync(record) ? readFileSync(record, "utf8").split("\n") : []);

test("every route declares its scope, or says that it needs none", () => {
  for (const route of routes) expect(route.scope === null || SCOPES.includes(route.scope)).toBe(true);
});

test("ids and paths are unique, and a namespace is a word", () => {
  expect(new Set(routes.map((r) => r.id)).size).toBe(routes.length);
  expect(new Set(routes.map((r) => `${r.method} ${r.path}`)).size).toBe(routes.length);
  for (const route of routes) expect(route.id).toMatch(/^[a-z]+(\.[a-z_]+){1,2}$/);
});

test("the committed openapi.json documents every api route and no other", () => {
  const document = JSON.parse(readFileSync(join(import.meta.dir, "../openapi.json"), "utf8"));
  const documented = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((m) => `${m.toUpperCase()} ${path}`),
  );
  const served = routes.filter((r) => r.mount !== "root").map((r) => `${r.method} /api/v1${r.path}`);
  expect(documented.sort()).toEqual(served.sort());
});

test.skipIf(!record)("every declared status of every route was really seen", () => {
  const missing = routes
    .filter((r) => r.mount !== "root")
    .flatMap((route) =>
      statusesOf(route)
        .filter((status) => !seen.has(`${route.id} ${status}`))
        .map((status) => `${route.id} ${status}`),
    );
  expect(missing).toEqual([]);
});
