// `npm run eval -- <suite> --data DIR [--limit N] [--json]`: scores the very engine that serves requests.
// Each suite is a file in tools/eval/ (or one folder down) with a default export of type Suite; this frame parses, prints and exits.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

export interface EvalOptions {
  data: string;
  limit: number;
  flags: Record<string, string>;
  /** Draws a progress bar on a terminal, and says nothing elsewhere. */
  progress(done: number, total: number): void;
}

export interface Suite {
  help: string;
  /** Returns the JSON object of the last line. Throws DataError when the data cannot be read. */
  run(options: EvalOptions): Promise<Record<string, unknown>> | Record<string, unknown>;
  /** The table for people. */
  table(result: any): string;
}

export class DataError extends Error {}

const folder = join(import.meta.dir, "eval");
/** Name → path below the folder; those of one action may lie together one folder down. */
const suites = () =>
  new Map(
    ["", ...readdirSync(folder).filter((f) => !f.includes(".") && f !== "views")].flatMap((below) =>
      readdirSync(join(folder, below))
        .filter((f) => f.endsWith(".ts"))
        .map((f): [string, string] => [f.slice(0, -3), join(folder, below, f)]),
    ),
  );

if (import.meta.main) process.exit(await main(process.argv.slice(2)));

async function main(argv: string[]): Promise<number> {
  const { words, flags } = parse(argv);
  const name = words[0];
  if (!name || !suites().has(name)) {
    console.error(
      `${name ? `There is no suite "${name}".` : "Name a suite."} Suites: ${[...suites().keys()].sort().join(", ")}`,
    );
    console.error("Usage: npm run eval -- <suite> --data DIR [--limit N] [--json]");
    return 2;
  }
  const data = flags.data;
  if (!data || !existsSync(data)) {
    console.error(
      `${data ? `${data} does not exist.` : "--data is missing."} Hint: --data DIR, laid out as the matching folder of ../shared/data`,
    );
    return 2;
  }
  const suite: Suite = (await import(suites().get(name)!)).default;
  try {
    const limit = flags.limit ? Number(flags.limit) : Infinity;
    const result = await suite.run({ data, limit, flags, progress });
    if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
    console.log(suite.table(result));
    if (flags.json) console.log(JSON.stringify({ suite: name, ...result }));
    return 0;
  } catch (error) {
    if (!(error instanceof DataError) && (error as any)?.code !== "ENOENT") throw error;
    console.error(`The data cannot be read: ${(error as Error).message}`);
    return 2;
  }
}

function parse(argv: string[]) {
  const words: string[] = [];
  const flags: Record<string, string> = {};
  for (let i = 0; i < argv.length; i++) {
    if (!argv[i].startsWith("--")) words.push(argv[i]);
    else if (argv[i].includes("=")) flags[argv[i].slice(2).split("=")[0]] = argv[i].slice(argv[i].indexOf("=") + 1);
    else if (i + 1 < argv.length && !argv[i + 1].startsWith("--")) flags[argv[i].slice(2)] = argv[++i];
    else flags[argv[i].slice(2)] = "yes";
  }
  return { words, flags };
}

function progress(done: number, total: number): void {
  if (!process.stderr.isTTY) return;
  const filled = Math.round((30 * done) / Math.max(1, total));
  process.stderr.write(`\r[${"█".repeat(filled)}${"·".repeat(30 - filled)}] ${done}/${total}`);
}
