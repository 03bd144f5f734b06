// Plain JavaScript behind `npm start`, `npm test` and `connector`: installs from the lock file when it is newer than
// what is installed, then hands over to Bun straight from its platform package (so install scripts may be off).
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const [major] = process.versions.node.split(".").map(Number);
if (major < 18) {
  console.error(`Node ${process.versions.node} is too old. Hint: install Node 18 or newer.`);
  process.exit(1);
}

const changedAt = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);
const installed = join(root, "node_modules", ".package-lock.json");
if (changedAt(join(root, "package-lock.json")) > changedAt(installed)) {
  console.error("Installing what is missing (npm ci) …");
  const npm = spawnSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (npm.status !== 0) {
    console.error("npm ci failed. Hint: check the network or the registry setting, then run the command again.");
    process.exit(1);
  }
}

/** The Bun binary that npm put beside us: in a platform package, or in `bun` itself once its install script has run. */
function findBun() {
  const modules = dirname(dirname(createRequire(join(root, "package.json")).resolve("bun/package.json")));
  const scope = join(modules, "@oven");
  const folders = [join(modules, "bun"), ...(existsSync(scope) ? readdirSync(scope).map((e) => join(scope, e)) : [])];
  // The install script names the binary bun.exe on every platform.
  const candidates = folders.flatMap((folder) => ["bun", "bun.exe"].map((name) => join(folder, "bin", name)));
  const bun = candidates.find((path) => existsSync(path) && spawnSync(path, ["--version"]).status === 0);
  if (bun) return bun;
  console.error(
    `No Bun for ${process.platform}-${process.arch} was installed. Hint: delete node_modules and try again.`,
  );
  process.exit(1);
}

const [command = "help", ...rest] = process.argv.slice(2);
const script =
  command === "tool" ? [join(root, "tools", `${rest.shift()}.ts`)] : [join(root, "server", "main.ts"), command];
const child = spawn(findBun(), ["run", "--no-install", "--max-http-header-size=65536", ...script, ...rest], {
  stdio: "inherit",
  env: process.env,
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
