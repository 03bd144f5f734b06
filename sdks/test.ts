// Every SDK suite and every example against one real service; ends with `N passed, M failed`.
// A language that is not on the machine is skipped in one loud line, and fails the run where CI=true.
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { readStories, startHost } from "./cases/host.ts";
import { startConnector } from "./cases/service.ts";
import { runExamples } from "./suites/examples.ts";
import { runGuides } from "./suites/guides.ts";
import { findGo, runGo } from "./suites/go.ts";
import { findPython, runPython } from "./suites/python.ts";
import { createReport, type Place } from "./suites/report.ts";
import { runTypescript } from "./suites/typescript.ts";

const root = resolve(import.meta.dir, "..");
const cache = join(root, ".cache/sdks");
mkdirSync(cache, { recursive: true });

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
  findPython(reports.Python, root),
  findGo(reports.Go),
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
    runTypescript(reports.TypeScript, place),
    python ? runPython(reports.Python, place, python) : null,
    go ? runGo(reports.Go, place) : null,
  ]);
  await runExamples(reports.examples, place, { typescript, python: installed, go });
  await runGuides(reports.guides, place, { typescript, python: installed, go });
} finally {
  host.stop();
  await service.stop();
}

const missing = !python || !go;
const totals = { passed: 0, failed: 0 };
for (const [name, { passed, failed, skipped }] of Object.entries(reports)) {
  console.log(`${name}: ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  totals.passed += passed;
  totals.failed += failed;
}
if (missing && process.env.CI === "true") {
  console.error("FAILED: a language was skipped, which CI does not allow.");
  totals.failed++;
}
console.log(`in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
console.log(`${totals.passed} passed, ${totals.failed} failed`);
process.exit(totals.failed === 0 ? 0 : 1);
