// The Python SDK: type-checked, built into a wheel, installed from it into a clean folder, and put through the stories.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, countStories, type Ran, type Place, type Report, run } from "./report.ts";

const packages = ["httpx>=0.25,<1", "mypy>=1.11", "hatchling>=1.21"];

export interface Python {
  /** The interpreter with httpx. */
  interpreter: string;
  /** Where the wheel was installed. */
  clean: string;
}

/** The interpreter of a virtual environment under .cache/python, made on demand; null when there is no Python. */
export async function findPython(report: Report, root: string): Promise<string | null> {
  const folder = join(root, ".cache/python");
  const interpreter = join(folder, process.platform === "win32" ? "Scripts/python.exe" : "bin/python");
  const stamp = join(folder, "packages");
  if (existsSync(interpreter) && existsSync(stamp) && readFileSync(stamp, "utf8") === packages.join(" "))
    return interpreter;
  const version = "import sys; sys.exit(sys.version_info < (3, 9))";
  let found: string | null = null;
  for (const name of ["python3", "python"]) if (!found && (await run([name, "-c", version])).code === 0) found = name;
  if (!found) {
    report.skip("PYTHON IS MISSING: no Python 3.9 or newer on this machine, so its SDK was NOT tested.");
    return null;
  }
  const made = await run([found, "-m", "venv", folder]);
  const installed =
    made.code === 0
      ? await run([interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...packages])
      : made;
  if (installed.code !== 0) {
    report.skip(
      `PYTHON'S PACKAGES ARE MISSING (${packages.join(", ")}), so its SDK was NOT tested:\n${installed.all.slice(-800)}`,
    );
    return null;
  }
  writeFileSync(stamp, packages.join(" "));
  return interpreter;
}

export async function runPython(report: Report, place: Place, interpreter: string): Promise<Python | null> {
  const { root, cache, hostUrl, stories } = place;
  const sdk = join(root, "sdks/python");
  const clean = join(cache, "python");
  rmSync(clean, { recursive: true, force: true });
  mkdirSync(join(clean, "wheel"), { recursive: true });
  const cacheDir = ["--cache-dir", join(root, ".cache/mypy")];
  const typed = check(report, "mypy --strict", [interpreter, "-m", "mypy", "--strict", ...cacheDir, "src", "tests"], {
    cwd: sdk,
  });

  const pip = [interpreter, "-m", "pip", "--quiet", "--disable-pip-version-check"];
  const build = [...pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", join(clean, "wheel"), sdk];
  if (!(await check(report, "builds a wheel", build))) return null;
  const wheel = join(clean, "wheel", readdirSync(join(clean, "wheel"))[0]);
  const install = [...pip, "install", "--no-deps", "--target", join(clean, "site"), wheel];
  if (!(await check(report, "installs from the wheel", install))) return null;
  await checkMetadata(report, join(clean, "site"));

  const env = {
    PYTHONPATH: join(clean, "site"),
    ACTION_CONNECTOR_STORIES: hostUrl,
    PYTHONDONTWRITEBYTECODE: "1",
    PYTHONUTF8: "1",
  };
  const ran = await run([interpreter, "-m", "unittest", "discover", "-s", "tests", "-v"], { cwd: sdk, env });
  countTests(report, ran);
  countStories(report, "stories", ran, stories * 2);
  await typed;
  return { interpreter, clean: join(clean, "site") };
}

async function checkMetadata(report: Report, site: string): Promise<void> {
  const info = readdirSync(site).find((name) => name.endsWith(".dist-info"));
  const text = info ? readFileSync(join(site, info, "METADATA"), "utf8") : "";
  const wanted = [
    /^Name: action-connector$/m,
    /^Requires-Python: >=3\.9$/m,
    /^License(-Expression)?: Apache-2\.0$/m,
    /^Requires-Dist: httpx/m,
    /A first call/,
  ];
  const missing = wanted.filter((pattern) => !pattern.test(text)).map(String);
  if (!existsSync(join(site, "action_connector/py.typed"))) missing.push("py.typed");
  if ((text.match(/^Requires-Dist:/gm) ?? []).length !== 1) missing.push("httpx alone");
  if (missing.length > 0) report.fail("metadata", `missing: ${missing.join(", ")}`);
  else report.ok("metadata");
}

/** Unit tests by name; the stories are counted one by one elsewhere. */
function countTests(report: Report, ran: Ran): void {
  const results = [...ran.all.matchAll(/^(\w+) \(([\w.]+)\)(?:\n[^\n]*)? \.\.\. (ok|skipped|FAIL|ERROR)/gm)].filter(
    ([, , where]) => !where.includes("test_stories"),
  );
  for (const [, name, , result] of results) {
    if (result === "ok") report.ok(name);
    else if (result === "skipped") report.skip(`${name}: ${/skipped '([^']*)'/.exec(ran.all)?.[1]}`);
  }
  const unitFailed = /^(FAIL|ERROR): (?!.*test_stories)/m.test(ran.all);
  if (unitFailed || results.length === 0) report.fail("unit tests", ran.all.slice(-4000));
}
