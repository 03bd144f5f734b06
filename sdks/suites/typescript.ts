// The TypeScript SDK: built, packed, looked over, installed in a clean folder, and put through the stories from there.
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runRuntimes } from "./runtimes.ts";
import { check, countStories, type Place, type Report, run, type Wants } from "./report.ts";

const MAX_GZIPPED = 12 * 1024;

/** Gives the clean folder that has the package installed, for the examples. */
export async function runTypescript(report: Report, place: Place, wants: Wants): Promise<string | null> {
  const { root, cache, hostUrl, stories } = place;
  const sdk = join(root, "sdks/typescript");
  const clean = join(cache, "typescript");
  const bin = (name: string) => join(root, "node_modules/.bin", name);
  rmSync(clean, { recursive: true, force: true });
  mkdirSync(clean, { recursive: true });

  if (wants("typescript")) {
    await countUnitTests(report, sdk);
    await check(report, "types of sources and suites", [bin("tsc"), "--noEmit", "-p", join(root, "sdks")]);
  }
  if (
    !(await check(report, "builds and packs", ["npm", "pack", "--silent", "--pack-destination", clean], { cwd: sdk }))
  )
    return null;
  const tarball = join(clean, readdirSync(clean).find((name) => name.endsWith(".tgz"))!);
  writeFileSync(join(clean, "package.json"), '{ "private": true, "type": "module" }\n');
  const install = ["npm", "install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", tarball];
  if (!(await check(report, "installs in a clean folder", install, { cwd: clean }))) return null;
  if (wants("runtimes")) await runRuntimes(report, place, clean);
  if (!wants("typescript")) return clean;

  await check(report, "publint", [bin("publint"), "run", tarball, "--strict"]);
  await check(report, "are the types wrong", [bin("attw"), tarball]);
  await checkSize(report, sdk);
  await checkTypes(report, clean, bin("tsc"));
  await check(report, "can be required", ["node", "-e", `${requires}`], { cwd: clean });
  await check(report, "runs where there is nothing but the web's own", ["node", join(sdk, "tests/bare.mjs")], {
    cwd: clean,
  });

  copyFileSync(join(sdk, "tests/stories.mjs"), join(clean, "stories.mjs"));
  for (const runtime of ["node", process.execPath]) {
    const name = runtime === "node" ? "Node" : "Bun";
    countStories(report, name, await run([runtime, "stories.mjs", hostUrl], { cwd: clean }), stories);
  }
  return clean;
}

const requires =
  'const { ActionConnector, version } = require("action-connector"); if (!ActionConnector || !version) process.exit(1)';

async function countUnitTests(report: Report, sdk: string): Promise<void> {
  const { code, all } = await run([process.execPath, "test", "./tests"], { cwd: sdk });
  const count = (word: string) => Number(new RegExp(`^ *(\\d+) ${word}$`, "m").exec(all)?.[1] ?? 0);
  report.passed += count("pass");
  if (code !== 0) report.fail("unit tests", all.slice(-4000));
  for (const line of all.split("\n")) if (line.startsWith("SKIPPED")) report.skip(line.slice(8));
}

async function checkSize(report: Report, sdk: string): Promise<void> {
  const built = await Bun.build({ entrypoints: [join(sdk, "dist/esm/index.js")], minify: true, target: "browser" });
  const size = Bun.gzipSync(new Uint8Array(await built.outputs[0].arrayBuffer()), { level: 9 }).length;
  if (size <= MAX_GZIPPED) report.ok("size");
  else report.fail("size", `${size} bytes gzipped; ${MAX_GZIPPED} are allowed`);
  console.log(`TypeScript bundle: ${size} bytes gzipped of ${MAX_GZIPPED}`);
}

/** The declarations as an importing and as a requiring project see them. */
async function checkTypes(report: Report, clean: string, tsc: string): Promise<void> {
  const use = [
    'import { ActionConnector, NotFoundError, type Delivery } from "action-connector";',
    'const client = new ActionConnector({ apiKey: "k", baseUrl: "https://x.example" });',
    "export async function ids(): Promise<string[]> {",
    '  const one: Delivery = await client.delivery.schedule({ pickup: { address: "a b c", time: "t" }, dropoff: { address: "d e f" } });',
    "  const all = [one.delivery_id];",
    "  for await (const item of client.delivery.list({ limit: 5 })) all.push(item.delivery_id);",
    "  try {",
    '    const { data, requestId } = await client.delivery.get("x").withResponse();',
    '    all.push(data.status, requestId ?? "");',
    "  } catch (error) {",
    "    if (error instanceof NotFoundError) all.push(error.code ?? error.detail);",
    "  }",
    "  // @ts-expect-error a field that does not exist",
    "  all.push(one.nonsense);",
    "  return all;",
    "}",
    "",
  ].join("\n");
  writeFileSync(join(clean, "use.mts"), use);
  writeFileSync(join(clean, "use.cts"), use);
  const command = [
    tsc,
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
    "use.mts",
    "use.cts",
  ];
  await check(report, "types of an import and of a require", command, { cwd: clean });
}
