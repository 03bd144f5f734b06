// `npm test`: the checks, every test, the audit of what the tests saw, and the SDKs; ends with one line of counts.
// With words it runs only the test files whose path holds one of them: npm test -- keys
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Glob } from "bun";
import { runChecks } from "./check.ts";
import { ensurePackages } from "./packages.ts";

const root = resolve(import.meta.dir, "..");
const words = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "connector-tests-"));
const seen = join(folder, "seen");
writeFileSync(seen, "");
const totals = { passed: 0, failed: 0, skipped: 0 };

const audit = "tests/audit.test.ts";
const ignored = /node_modules|^sdks\/|^examples\/|^\.cache/;
const files = [...new Glob("**/*.test.ts").scanSync({ cwd: root })].filter((f) => !ignored.test(f) && f !== audit).sort();

if (words.length > 0) await runFiles(files.filter((file) => words.some((word) => file.includes(word))), "tests");
else await runEverything();
rmSync(folder, { recursive: true, force: true });
console.log(`\n${totals.passed} passed, ${totals.failed} failed${totals.skipped > 0 ? `, ${totals.skipped} skipped` : ""}`);
process.exit(totals.failed === 0 && totals.passed > 0 ? 0 : 1);

async function runEverything(): Promise<void> {
  ensurePackages();
  const failedChecks = runChecks();
  totals.passed += 6 - failedChecks.length;
  totals.failed += failedChecks.length;
  // Two processes for two cores; heavy tests that time nothing but work hard are spread by turns.
  const halves = [files.filter((_, i) => i % 2 === 0), files.filter((_, i) => i % 2 === 1)];
  await Promise.all(halves.map((half, i) => runFiles(half, `half ${i + 1}`)));
  await runFiles([audit], "audit");
  await runSdks();
}

async function runFiles(paths: string[], title: string): Promise<void> {
  if (paths.length === 0) return;
  const child = Bun.spawn([process.execPath, "test", "--timeout", "120000", ...paths.map((p) => `./${p}`)], {
    cwd: root,
    env: { ...process.env, CONNECTOR_TEST_SEEN: seen },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const code = await child.exited;
  const text = out + err;
  const count = (word: string) => Number(new RegExp(`^ *(\\d+) ${word}$`, "m").exec(text)?.[1] ?? 0);
  const [passed, failed, skipped] = [count("pass"), count("fail"), count("skip")];
  const shown = failed > 0 || code !== 0 ? text : text.split("\n").filter((line) => /SKIP|^\(skip\)/.test(line)).join("\n");
  console.log(`${shown}\n${title}: ${passed} passed, ${failed} failed, ${skipped} skipped`);
  totals.passed += passed;
  totals.failed += failed + (code !== 0 && failed === 0 ? 1 : 0);
  totals.skipped += skipped;
}

/** The SDKs bring their own runner, which ends with the same line of counts. */
async function runSdks(): Promise<void> {
  const runner = join(root, "sdks", "test.ts");
  if (!existsSync(runner)) return;
  const log = join(folder, "sdks.log");
  const child = Bun.spawn([process.execPath, runner], { cwd: root, stdout: Bun.file(log), stderr: "inherit" });
  const code = await child.exited;
  const text = readFileSync(log, "utf8");
  const [, passed = "0", failed = "0"] = /^(?:\w+: )?(\d+) passed, (\d+) failed/m.exec(text.trimEnd().split("\n").at(-1) ?? "") ?? [];
  console.log(code === 0 ? `sdks: ${passed} passed, ${failed} failed` : text);
  totals.passed += Number(passed);
  totals.failed += Number(failed) + (code !== 0 && failed === "0" ? 1 : 0);
}
