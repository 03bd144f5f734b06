// What every consumer check gets, and how tools are installed for it.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Report, run } from "../../sdks/suites/report.ts";

export interface Bench {
  root: string;
  /** Where this run may write. */
  cache: string;
  openapi: string;
  service: { url: string; key: string };
  report: Report;
}

const INSTALL_MS = 600_000;

/** A folder with npm packages; null when they cannot be had. */
export async function npmTools({ cache, report }: Bench, packages: string[]): Promise<string | null> {
  const folder = join(cache, "npm");
  return ensure(folder, packages, report, async () => {
    if (!existsSync(join(folder, "package.json"))) writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
    const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    return run(["npm", "install", ...flags, ...packages], { cwd: folder, timeoutMs: INSTALL_MS });
  });
}

/** A virtual environment with Python packages; null when they cannot be had. */
export async function pythonTools({ cache, report }: Bench, packages: string[]): Promise<string | null> {
  const folder = join(cache, "python");
  return ensure(folder, packages, report, async () => {
    const made = await run(["python3", "-m", "venv", folder]);
    const pip = [join(folder, "bin/pip"), "install", "--quiet", "--disable-pip-version-check", ...packages];
    return made.code === 0 ? run(pip, { timeoutMs: INSTALL_MS }) : made;
  });
}

async function ensure(
  folder: string,
  packages: string[],
  report: Report,
  install: () => Promise<{ code: number; all: string }>,
): Promise<string | null> {
  mkdirSync(folder, { recursive: true });
  const stamp = join(folder, "installed");
  const known = existsSync(stamp) ? readFileSync(stamp, "utf8").split("\n") : [];
  const wanted = packages.filter((name) => !known.includes(name));
  if (wanted.length === 0) return folder;
  const { code, all } = await install();
  if (code !== 0) {
    report.skip(`${wanted.join(", ")} could not be installed:\n${all.slice(-800)}`);
    return null;
  }
  writeFileSync(stamp, [...known, ...wanted].join("\n"));
  return folder;
}

/** A fresh folder for what a generator writes. */
export function freshFolder({ cache }: Bench, name: string): string {
  const folder = join(cache, "out", name);
  mkdirSync(folder, { recursive: true });
  return folder;
}
