// `npm run check`: everything that is judged without running the service. Each check prints its own hints.
import { join, resolve } from "node:path";

const root = resolve(import.meta.dir, "..");
const bun = process.execPath;
const bin = (name: string) => join(root, "node_modules", ".bin", name);

const checks: [string, string[]][] = [
  ["tidy", [bun, "tools/tidy.ts"]],
  ["types", ["node", join(root, "node_modules/typescript/bin/tsc"), "--noEmit"]],
  ["lint", ["node", bin("biome"), "lint", "--diagnostic-level=warn", "."]],
  ["format", ["node", bin("biome"), "format", "."]],
  ["generated", [bun, "tools/generate.ts", "--check"]],
  ["compatible", [bun, "tools/compatible.ts"]],
];

export const checkCount = checks.length;

/** Runs them all and returns the names of those that failed. */
export function runChecks(): string[] {
  return checks.flatMap(([name, command]) => {
    const ran = Bun.spawnSync(command, { cwd: root, stdout: "pipe", stderr: "pipe" });
    console.log(`${ran.exitCode === 0 ? "ok  " : "FAIL"} ${name}`);
    if (ran.exitCode === 0) return [];
    console.log(ran.stdout.toString().slice(-6000) + ran.stderr.toString().slice(-6000));
    return [name];
  });
}

if (import.meta.main) process.exit(runChecks().length === 0 ? 0 : 1);
