// Packages that only these checks need: installed into .cache, each once and at an exact version.
import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";

export const ROOT = resolve(import.meta.dir, "../..");
const CACHE = join(ROOT, ".cache", "conformance");

/** The folder of an npm package, installed when it is not there yet. */
export function npmPackage(name: string, version: string): string {
  const folder = join(CACHE, `${name.replaceAll("/", "-")}-${version}`);
  const installed = join(folder, "node_modules", name);
  if (existsSync(installed)) return installed;
  mkdirSync(folder, { recursive: true });
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  runOrThrow(["npm", "install", "--prefix", folder, ...flags, `${name}@${version}`]);
  return installed;
}

/** A Python with these packages. */
export function pythonWith(...packages: string[]): string {
  const folder = join(CACHE, "python");
  const python = join(folder, "bin", "python");
  if (!existsSync(python)) {
    mkdirSync(CACHE, { recursive: true });
    runOrThrow(["python3", "-m", "venv", folder]);
    runOrThrow([python, "-m", "pip", "install", "--quiet", ...packages]);
  }
  return python;
}

function runOrThrow(command: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(command, { stdout: "inherit", stderr: "pipe" });
  if (exitCode !== 0) throw new Error(`${command.join(" ")} failed: ${stderr}`);
}
