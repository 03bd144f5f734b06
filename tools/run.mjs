// Plain JavaScript behind `npm start`, `npm test` and `connector`: answers help and version itself, installs from the lock
// file when it is newer than what is installed, then hands over to Bun.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { quickAnswer } from "../server/commands/help.mjs";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const MODULES = join(ROOT, "node_modules");
const INSTALLED = join(MODULES, ".package-lock.json");
const OLDEST_NODE = 18;

const [major] = process.versions.node.split(".").map(Number);
if (major < OLDEST_NODE) fail(`Node ${process.versions.node} is too old. Hint: install Node ${OLDEST_NODE} or newer.`);

const argv = process.argv.slice(2);
const answer = quickAnswer(argv, JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).version);
if (answer) {
  (answer.code === 0 ? console.log : console.error)(answer.text);
  process.exit(answer.code);
}
if (argv[0] === "help" && !existsSync(INSTALLED)) {
  console.log(`Every setting is listed in ${join(ROOT, "docs", "config.md")}.`);
  process.exit(0);
}

if (changedMs(join(ROOT, "package-lock.json")) > changedMs(INSTALLED)) install("Installing what is missing (npm ci) …");
const bun = findBun() ?? reinstall();
const [command, ...rest] = argv;
const script =
  command === "tool" ? [join(ROOT, "tools", `${rest.shift()}.ts`)] : [join(ROOT, "server", "main.ts"), command];
const child = spawn(bun, ["run", "--no-install", "--max-http-header-size=65536", ...script, ...rest], {
  stdio: "inherit",
  env: process.env,
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 1)));

function fail(message) {
  console.error(message);
  process.exit(1);
}

function changedMs(path) {
  return existsSync(path) ? statSync(path).mtimeMs : 0;
}

function install(why) {
  console.error(why);
  const npm = spawnSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: ROOT,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (npm.error || npm.status !== 0)
    fail("npm ci failed. Hint: check the network or the registry setting, then run the command again.");
}

/** The Bun that npm brought: in a platform package, or in `bun` itself once its install script has moved it there. */
function findBun() {
  const scope = join(MODULES, "@oven");
  const packages = existsSync(scope) ? readdirSync(scope).map((name) => join(scope, name)) : [];
  // The install script names the binary bun.exe on every platform.
  const candidates = [join(MODULES, "bun"), ...packages].flatMap((folder) =>
    ["bun.exe", "bun"].map((name) => join(folder, "bin", name)),
  );
  return candidates.find((path) => existsSync(path) && spawnSync(path, ["--version"]).status === 0) ?? null;
}

/** A broken install repairs itself once. */
function reinstall() {
  rmSync(INSTALLED, { force: true });
  install(`No Bun for ${process.platform}-${process.arch} is in node_modules. Installing again (npm ci) …`);
  return (
    findBun() ??
    fail(
      `npm brought no Bun that runs on ${process.platform}-${process.arch}. Hint: see which platforms Bun supports, or use the Docker image.`,
    )
  );
}
