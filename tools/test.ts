// `npm test`: the checks, every test, the audit of what the tests saw, and the SDKs; ends with one line of counts.
// With words it runs only the test files whose path holds one of them: npm test -- keys
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Glob } from "bun";
import { ensureBase } from "../server/actions/delivery/providers/geodata/load.ts";
import { systemClock } from "../server/lib/clock.ts";
import { startEmbedded } from "../server/store/embedded.ts";
import { checkCount, runChecks } from "./check.ts";
import { ensurePackages } from "../tests/packages.ts";

const root = resolve(import.meta.dir, "..");
const words = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "connector-tests-"));
const seen = join(folder, "seen");
const totals = { passed: 0, failed: 0, skipped: 0 };

/** One file may take this long; `npm run chaos` gives more. */
const FILE_MS = Number(process.env.CONNECTOR_TEST_FILE_MS ?? 300_000);
const AUDIT = "tests/audit.test.ts";
const IGNORED = /node_modules|^sdks\/|^examples\/|^\.cache/;
const files = [...new Glob("**/*.test.ts").scanSync({ cwd: root })].filter((f) => !IGNORED.test(f) && f !== AUDIT);

writeFileSync(seen, "");
// Made once here, or every test process of a fresh checkout would make its own.
ensureBase();
Bun.spawnSync(["chmod", "755", folder]);
const store = await startEmbedded(folder, systemClock);
try {
  if (words.length > 0) await runFiles(files.filter((file) => words.some((word) => file.includes(word))));
  else await runEverything();
} finally {
  await store.stop();
  rmSync(folder, { recursive: true, force: true });
}
const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : "";
console.log(`\n${totals.passed} passed, ${totals.failed} failed${skipped}`);
process.exit(totals.failed === 0 && totals.passed > 0 ? 0 : 1);

async function runEverything(): Promise<void> {
  ensurePackages();
  const failedChecks = runChecks();
  totals.passed += checkCount - failedChecks.length;
  totals.failed += failedChecks.length;
  await runFiles(files);
  await runFile(AUDIT);
  await runSdks();
}

/** A process a file, as many at a time as there are cores; the ones that take longest begin first. */
async function runFiles(paths: string[]): Promise<void> {
  const slow = /chaos|week|integration|matrix|bench|kill/;
  const queue = paths.toSorted((a, b) => Number(slow.test(b)) - Number(slow.test(a)) || (a < b ? -1 : 1));
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) await runFile(next);
  };
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, worker));
}

async function runFile(path: string): Promise<void> {
  const startedMs = systemClock.monotonic();
  const child = Bun.spawn([process.execPath, "test", "--timeout", "120000", `./${path}`], {
    cwd: root,
    env: {
      ...process.env,
      CONNECTOR_TEST_SEEN: seen,
      CONNECTOR_TEST_POSTGRES: store.url,
    },
    stdout: "pipe",
    stderr: "pipe",
    timeout: FILE_MS,
    killSignal: "SIGKILL",
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const code = await child.exited;
  const text = out + err;
  const count = (word: string) => Number(new RegExp(`^ *(\\d+) ${word}$`, "m").exec(text)?.[1] ?? 0);
  const [passed, failed, skipped] = [count("pass"), count("fail"), count("skip")];
  const broke = code !== 0 && failed === 0 ? 1 : 0;
  const seconds = ((systemClock.monotonic() - startedMs) / 1000).toFixed(1);
  console.log(`${failed + broke > 0 ? "FAIL" : "ok  "} ${path}  ${passed} passed  ${seconds} s`);
  if (failed + broke > 0) console.log(text.slice(-12_000));
  else for (const line of text.split("\n")) if (/SKIP|^\(skip\)/.test(line)) console.log(`     ${line}`);
  // Asked for by name, a file also shows what it measured; the first line is the runner's own.
  if (words.length > 0 && failed + broke === 0)
    for (const line of out.trim().split("\n").slice(1)) if (line !== "") console.log(`     ${line}`);
  totals.passed += passed;
  totals.failed += failed + broke;
  totals.skipped += skipped;
}

/** The SDKs bring their own runner, which names each language that this machine lacks and ends with a line of counts. */
async function runSdks(): Promise<void> {
  const runner = join(root, "sdks", "test.ts");
  if (!existsSync(runner)) return;
  const log = join(folder, "sdks.log");
  const child = Bun.spawn([process.execPath, runner], { cwd: root, stdout: Bun.file(log), stderr: "inherit" });
  const code = await child.exited;
  const text = readFileSync(log, "utf8");
  const last = text.trimEnd().split("\n").at(-1) ?? "";
  const [, passed = "0", failed = "0"] = /^(?:\w+: )?(\d+) passed, (\d+) failed/.exec(last) ?? [];
  console.log(code === 0 ? `ok   sdks  ${passed} passed` : text);
  totals.passed += Number(passed);
  totals.failed += Number(failed) + (code !== 0 && failed === "0" ? 1 : 0);
}
