// One version story: package, API, SDKs and changelog say the same.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { contract } from "../contracts.ts";
import { buildOpenapi } from "./openapi.ts";
import { version } from "./version.ts";

const read = (path: string) => readFileSync(join(import.meta.dir, "../..", path), "utf8");

test("the API has the version of the package", () => {
  expect(buildOpenapi(contract).info.version).toBe(version);
});

test.each<[string, RegExp]>([
  ["sdks/typescript/package.json", /"version": "([^"]+)"/],
  ["sdks/typescript/src/version.ts", /version = "([^"]+)"/],
  ["sdks/python/pyproject.toml", /^version = "([^"]+)"/m],
  ["sdks/python/src/action_connector/_version.py", /__version__ = "([^"]+)"/],
  ["sdks/go/client.go", /const Version = "([^"]+)"/],
  ["sdks/typescript/CHANGELOG.md", /^## (\S+)/m],
  ["sdks/python/CHANGELOG.md", /^## (\S+)/m],
  ["sdks/go/CHANGELOG.md", /^## (\S+)/m],
  ["CHANGELOG.md", /^## (\S+)/m],
])("%s", (path, pattern) => {
  expect(pattern.exec(read(path))?.[1]).toBe(version);
});
