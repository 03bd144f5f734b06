// `npm run bench -- <name> [--quick]`: runs benchmarks/<name>.bench.ts and stores its figures as a dated JSON.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join, resolve } from "node:path";
import { spawnSync } from "node:child_process";

export interface Bench {
  help: string;
  /** Runs alternating rounds and returns the figures; prints its own table through `say`. */
  run(options: {
    quick: boolean;
    flags: Record<string, string>;
    say(line: string): void;
  }): Promise<Record<string, unknown>>;
}

const folder = resolve(import.meta.dir, "../benchmarks");
const names = () =>
  readdirSync(folder)
    .filter((f) => f.endsWith(".bench.ts"))
    .map((f) => f.slice(0, -9))
    .sort();

if (import.meta.main) process.exit(await main(process.argv.slice(2)));

async function main(argv: string[]): Promise<number> {
  const name = argv.find((a) => !a.startsWith("--"));
  if (!name || !names().includes(name)) {
    console.error(
      `${name ? `There is no benchmark "${name}".` : "Name a benchmark."} Benchmarks: ${names().join(", ")}`,
    );
    return 2;
  }
  installPeers();
  const bench: Bench = (await import(join(folder, `${name}.bench.ts`))).default;
  const flags = Object.fromEntries(
    argv.filter((a) => a.startsWith("--")).map((a) => [a.slice(2).split("=")[0], a.split("=")[1] ?? "yes"]),
  );
  const figures = await bench.run({ quick: "quick" in flags, flags, say: (line) => console.log(line) });
  const at = new Date().toISOString();
  const machine = {
    cpu: cpus()[0]?.model,
    cores: cpus().length,
    memory_gb: Math.round(totalmem() / 2 ** 30),
    bun: Bun.version,
  };
  const results = join(folder, "results");
  mkdirSync(results, { recursive: true });
  const file = join(results, `${at.slice(0, 19).replaceAll(":", "")}Z-${name}.json`);
  writeFileSync(file, `${JSON.stringify({ name, at, machine, figures }, null, 2)}\n`);
  console.log(`stored ${file.slice(folder.length - "benchmarks".length)}`);
  return 0;
}

/** The peers we measure against are installed here alone, so that the service never carries them. */
function installPeers(): void {
  const peers = join(folder, "peers");
  if (!existsSync(join(peers, "package.json")) || existsSync(join(peers, "node_modules"))) return;
  console.error("Installing the peers (npm install in benchmarks/peers) …");
  const npm = spawnSync("npm", ["install", "--ignore-scripts", "--loglevel=error"], {
    cwd: peers,
    stdio: ["ignore", 2, 2],
  });
  if (npm.status !== 0) throw new Error("npm install failed in benchmarks/peers");
}
