// The table of SDK features names real checks: each name is found in the suites.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { shownBy } from "./peers.ts";

const root = resolve(import.meta.dir, "../..");
const FOLDERS = ["sdks/cases", "sdks/suites", "sdks/typescript/tests", "sdks/python/tests"];
const files = FOLDERS.flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(root, folder, name)));
const suites = files
  .filter((file) => /\.(ts|mjs|json|py)$/.test(file))
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");
const page = readFileSync(join(root, "docs/sdks.md"), "utf8");

test.each(Object.entries(shownBy))("%s", (question, names) => {
  expect(page).toContain(`| ${question} |`);
  for (const name of names.filter((n) => !n.startsWith("npm run"))) expect(suites).toContain(name);
});
