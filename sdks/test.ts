// `npm run sdks`: every SDK suite, example and guide against one real service; ends with `N passed, M failed`.
// With words only those parts: typescript, python, go, examples, guides, and runtimes (Chromium and workerd, which is
// installed on demand; `SDK_RUNTIMES=1` adds it to a whole run). A language that is not on the machine is skipped in one
// loud line.
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { readStories, startHost } from "./cases/host.ts";
import { startConnector } from "./cases/service.ts";
import { runExamples } from "./suites/examples.ts";
import { runGuides } from "./suites/guides.ts";
import { findGo, runGo } from "./suites/go.ts";
import { findPython, runPython } from "./suites/python.ts";
import { createReport, type Place, type Wants } from "./suites/report.ts";
import { runTypescript } from "./suites/typescript.ts";

const root = resolve(import.meta.dir, "..");
const cache = join(root, ".cache/sdks");
mkdirSync(cache, { recursive: true });

const PARTS = ["typescript", "python", "go", "examples", "guides", "runtimes"];
const words = process.argv.slice(2);
const unknown = words.filter((word) => !PARTS.includes(word));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(", ")}. Hint: use ${PARTS.join(", ")}, or nothing for all but the last.`);
  process.exit(2);
}
const wants: Wants = (part) =>
  words.length > 0 ? words.includes(part) : part !== "runtimes" || Boolean(process.env.SDK_RUNTIMES);
/** Examples and guides are run with the installed SDKs. */
const needs = (part: string) => wants(part) || wants("examples") || wants("guides");

const reports = {
  TypeScript: createReport("TypeScript"),
  Python: createReport("Python"),
  Go: createReport("Go"),
  examples: createReport("examples"),
  guides: createReport("guides"),
};
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
const startedAt = performance.now();
const [service, python, go] = await Promise.all([
  // Pages of any origin may call: the browser test is one.
  startConnector({ CONNECTOR_CORS_ORIGINS: "*" }),
  needs("python") ? findPython(reports.Python, root) : null,
  needs("go") ? findGo(reports.Go) : null,
]);
const host = await startHost(service);
try {
  const stories = readStories();
  const place: Place = {
    root,
    cache,
    hostUrl: host.url,
    serviceUrl: service.url,
    key: service.key,
    stories: stories.length,
  };
  const [typescript, installed] = await Promise.all([
    needs("typescript") || wants("runtimes") ? runTypescript(reports.TypeScript, place, wants) : null,
    python ? runPython(reports.Python, place, python) : null,
    go ? runGo(reports.Go, place) : null,
  ]);
  if (wants("examples")) await runExamples(reports.examples, place, { typescript, python: installed, go: go === true });
  if (wants("guides")) await runGuides(reports.guides, place, { typescript, python: installed, go: go === true });
} finally {
  host.stop();
  await service.stop();
}

const totals = { passed: 0, failed: 0 };
for (const [name, { passed, failed, skipped }] of Object.entries(reports)) {
  console.log(`${name}: ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  totals.passed += passed;
  totals.failed += failed;
}
console.log(`in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
console.log(`${totals.passed} passed, ${totals.failed} failed`);
process.exit(totals.failed === 0 ? 0 : 1);
