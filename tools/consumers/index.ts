// `npm run consumers`: other people's tools read openapi.json. Each generator makes a client, which is compiled and makes
// one real call; two linters find nothing; with the word `schemathesis` that tool tries the running service
// (`schemathesis:delivery,stock` only those paths, for machines that cannot give it ten minutes), with `peers` the SDKs
// are held beside Stripe's and OpenAI's. The tools are installed into .cache/consumers on demand: the product needs none.
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { startConnector } from "../../sdks/cases/service.ts";
import { createReport } from "../../sdks/suites/report.ts";
import { checkGo } from "./go.ts";
import { checkJava } from "./java.ts";
import { checkLinters } from "./lint.ts";
import { checkPeers } from "./peers.ts";
import { checkPython } from "./python.ts";
import { checkSchemathesis } from "./schemathesis.ts";
import { checkTypescript } from "./typescript.ts";
import type { Bench } from "./bench.ts";

const root = resolve(import.meta.dir, "../..");
const cache = join(root, ".cache/consumers");
mkdirSync(cache, { recursive: true });

const all = { lint: checkLinters, typescript: checkTypescript, python: checkPython, go: checkGo, java: checkJava };
const heavy = { schemathesis: checkSchemathesis, peers: checkPeers };
const words = process.argv.slice(2);
const known: Record<string, (bench: Bench, parts?: string[]) => Promise<void>> = { ...all, ...heavy };
const unknown = words.filter((word) => !known[word.split(":")[0]]);
if (unknown.length > 0) {
  console.error(
    `Unknown: ${unknown.join(", ")}. Hint: use ${Object.keys(known).join(", ")}, or nothing for all but the last two.`,
  );
  process.exit(2);
}

const report = createReport("consumers");
const service = await startConnector({ CONNECTOR_LOG_REQUESTS: "none", CONNECTOR_TRUST_PROXY: "1" });
try {
  const bench: Bench = { root, cache, openapi: join(root, "openapi.json"), service, report };
  for (const word of words.length > 0 ? words : Object.keys(all)) {
    const [name, parts] = word.split(":");
    await known[name](bench, parts?.split(","));
  }
} finally {
  await service.stop();
}
console.log(
  `${report.passed} passed, ${report.failed} failed${report.skipped > 0 ? `, ${report.skipped} skipped` : ""}`,
);
process.exit(report.failed === 0 ? 0 : 1);
