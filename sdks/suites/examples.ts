// Runs every example against the real service, and holds the three languages to the same output.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Python } from "./python.ts";
import { type Ran, type Place, type Report, run } from "./report.ts";

export interface Tools {
  typescript: string | null;
  python: Python | null;
  go: boolean;
}

export async function runExamples(report: Report, place: Place, tools: Tools): Promise<void> {
  const folder = join(place.root, "examples");
  const stories = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  if (tools.typescript) await checkTypescript(report, place, stories, tools.typescript);
  if (tools.python) await checkPython(report, folder, tools.python);
  const binaries = tools.go ? await buildGo(report, folder, place.cache) : null;
  for (const story of stories) {
    const ran: Record<string, Ran> = {};
    const env = { ACTION_CONNECTOR_BASE_URL: place.serviceUrl, ACTION_CONNECTOR_API_KEY: place.key };
    if (tools.typescript)
      ran.typescript = await run([process.execPath, join(tools.typescript, `${story}.ts`)], {
        cwd: tools.typescript,
        env,
      });
    if (tools.python)
      ran.python = await run([tools.python.interpreter, join(folder, story, "python/main.py")], {
        env: { ...env, PYTHONPATH: tools.python.clean, PYTHONUTF8: "1" },
      });
    if (binaries) ran.go = await run([join(binaries, story)], { env });
    judge(report, story, ran);
  }
  await runReadmes(report, place, tools);
}

/** The first call of each README, as it stands there but for the date. */
async function runReadmes(report: Report, place: Place, tools: Tools): Promise<void> {
  const { root, cache, serviceUrl, key } = place;
  const env = { ACTION_CONNECTOR_BASE_URL: serviceUrl, ACTION_CONNECTOR_API_KEY: key };
  const tomorrow = new Date(Math.ceil(Date.now() / 3_600_000 + 24) * 3_600_000).toISOString().replace(".000", "");
  const firstCall = (language: string) => {
    const text = readFileSync(join(root, "sdks", language, "README.md"), "utf8");
    const [, code] = /## A first call\s+```\w+\n([\s\S]*?)```/.exec(text) ?? [];
    return (code ?? "").replace(/\d{4}-\d\d-\d\dT[\d:]+Z/, tomorrow);
  };
  const ran: Record<string, Ran> = {};
  if (tools.typescript) {
    const file = join(tools.typescript, "readme.ts");
    writeFileSync(file, firstCall("typescript"));
    ran.typescript = await run([process.execPath, file], { cwd: tools.typescript, env });
  }
  if (tools.python) {
    const file = join(cache, "readme.py");
    writeFileSync(file, firstCall("python"));
    ran.python = await run([tools.python.interpreter, file], { env: { ...env, PYTHONPATH: tools.python.clean } });
  }
  if (tools.go) {
    // The folder of another module, which the Go suite made.
    writeFileSync(join(cache, "go/main.go"), firstCall("go"));
    ran.go = await run(["go", "run", "."], { cwd: join(cache, "go"), env });
  }
  judge(report, "README's first call", ran);
}

function judge(report: Report, story: string, ran: Record<string, Ran>): void {
  let first: string | null = null;
  for (const [language, { code, out, all }] of Object.entries(ran)) {
    const name = `${story} in ${language}`;
    const shape = shapeOf(out);
    first ??= shape;
    if (code !== 0 || shape === "") report.fail(name, `ended with ${code}\n${all}`);
    else if (shape !== first) report.fail(name, `printed\n${out}\nwhere another language printed\n${first}`);
    else report.ok(name);
  }
}

/** What may differ between two runs: ids, times, numbers, and so on. */
function shapeOf(text: string): string {
  return text
    .replaceAll(/\b[a-z]{3}_[0-9A-Z]{26}\b/g, "<id>")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .replaceAll(/-?\d+([.,]\d+)*/g, "<n>")
    .trim();
}

async function checkTypescript(report: Report, place: Place, stories: string[], clean: string): Promise<void> {
  for (const story of stories)
    copyFileSync(join(place.root, "examples", story, "typescript/main.ts"), join(clean, `${story}.ts`));
  const tsc = join(place.root, "node_modules/.bin/tsc");
  const flags = [
    "--noEmit",
    "--ignoreConfig",
    "--strict",
    "--target",
    "es2022",
    "--lib",
    "es2022,dom,dom.iterable",
    "--module",
    "nodenext",
    "--types",
    "",
  ];
  const ran = await run([tsc, ...flags, ...stories.map((story) => `${story}.ts`)], { cwd: clean });
  if (ran.code === 0) report.ok("types of the examples");
  else report.fail("types of the TypeScript examples", ran.all);
}

async function checkPython(report: Report, folder: string, { interpreter, clean }: Python): Promise<void> {
  const cache = join(folder, "../.cache/sdks/python-examples");
  mkdirSync(cache, { recursive: true });
  const stories = readdirSync(folder).filter((story) => existsSync(join(folder, story, "python/main.py")));
  // All are called main.py; under names of their own one run can check them together.
  const files = stories.map((story) => join(cache, `${story}_story.py`));
  stories.forEach((story, i) => copyFileSync(join(folder, story, "python/main.py"), files[i]));
  const command = [
    interpreter,
    "-m",
    "mypy",
    "--strict",
    "--cache-dir",
    join(folder, "../.cache/mypy-examples"),
    ...files,
  ];
  const ran = await run(command, { env: { MYPYPATH: clean } });
  if (ran.code === 0) report.ok("mypy of the examples");
  else report.fail("mypy of the Python examples", ran.all);
}

async function buildGo(report: Report, folder: string, cache: string): Promise<string | null> {
  const binaries = join(cache, "go-examples");
  const stories = readdirSync(folder).filter((story) => existsSync(join(folder, story, "go/main.go")));
  const vet = await run(["go", "vet", "./..."], { cwd: folder });
  if (vet.code !== 0) {
    report.fail("go vet of the examples", vet.all);
    return null;
  }
  for (const story of stories) {
    const built = await run(["go", "build", "-o", join(binaries, story), `./${story}/go`], { cwd: folder });
    if (built.code !== 0) {
      report.fail(`go build of ${story}`, built.all);
      return null;
    }
  }
  report.ok("go vet and build of the examples");
  return binaries;
}
