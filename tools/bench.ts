// `npm run bench -- <name…> [--quick] [--before=PATH]`: runs benchmarks/<name>.bench.ts one after the other, stores their figures
// as dated JSON and prints one table. With --before the checkout at PATH runs along in the same rounds.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join, resolve } from "node:path";
import { spawnSync } from "node:child_process";

/** One line of the table: a figure beside its aim, and what the checkout given by --before reached in the same rounds. */
export interface Compared {
  what: string;
  before: number | null;
  now: number | null;
  aim: string;
}

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
  const asked = argv.filter((a) => !a.startsWith("--"));
  const unknown = asked.filter((name) => !names().includes(name));
  if (asked.length === 0 || unknown.length > 0) {
    const fault = unknown.length > 0 ? `There is no benchmark "${unknown[0]}".` : "Name a benchmark.";
    console.error(`${fault} Benchmarks: ${names().join(", ")}`);
    return 2;
  }
  installPeers();
  const flags = Object.fromEntries(
    argv.filter((a) => a.startsWith("--")).map((a) => [a.slice(2).split("=")[0], a.split("=")[1] ?? "yes"]),
  );
  const rows: Compared[] = [];
  for (const name of asked) rows.push(...(await runBench(name, flags)));
  if (rows.length > 0) console.log(`\n${tableOf(rows)}`);
  return 0;
}

async function runBench(name: string, flags: Record<string, string>): Promise<Compared[]> {
  const bench: Bench = (await import(join(folder, `${name}.bench.ts`))).default;
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
  return (figures.compared as Compared[] | undefined) ?? [];
}

function tableOf(rows: Compared[]): string {
  const show = (value: number | null) => (value === null ? "–" : String(Math.round(value * 1000) / 1000));
  const lines = rows.map(({ what, before, now, aim }) => `| ${what} | ${show(before)} | ${show(now)} | ${aim} |`);
  return ["| | before | now | aim |", "|---|---|---|---|", ...lines].join("\n");
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
