// The table of SDK features names real checks: each name is found in the suites.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Glob } from "bun";
import { shownBy } from "./peers.ts";

const root = resolve(import.meta.dir, "../..");
const files = [...new Glob("sdks/{cases,suites,typescript/tests,python/tests}/**/*.{ts,mjs,json,py}").scanSync(root)];
const suites = files.map((file) => readFileSync(join(root, file), "utf8")).join("\n");
const page = readFileSync(join(root, "docs/sdks.md"), "utf8");

test.each(Object.entries(shownBy))("%s", (question, names) => {
  expect(page).toContain(`| ${question} |`);
  for (const name of names.filter((n) => !n.startsWith("npm run"))) expect(suites).toContain(name);
});
