// The command line: start | migrate | accounts | keys | audit | backup | restore | try | help.
// It parses words and prints; every command's work lives elsewhere.
import { ConfigError, readConfig } from "./config.ts";
import { commands } from "./commands/index.ts";
import { StoreError } from "./store/db.ts";
import { UsageError } from "./commands/usage-error.ts";
import { nearest } from "./lib/nearest.ts";

process.exitCode = await main(process.argv.slice(2));

async function main(argv: string[]): Promise<number> {
  const { words, flags } = parse(argv);
  const name = words.shift() ?? "help";
  const command = commands[name];
  if (!command) {
    const near = nearest(name, Object.keys(commands));
    console.error(`There is no command "${name}".${near ? ` Did you mean ${near}?` : ""} Hint: connector help`);
    return 2;
  }
  try {
    return (await command.run({ words, flags, config: () => readConfig() })) ?? 0;
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof StoreError || error instanceof UsageError)) throw error;
    console.error((error as Error).message);
    return 2;
  }
}

function parse(argv: string[]) {
  const words: string[] = [];
  const flags: Record<string, string> = {};
  for (let i = 0; i < argv.length; i++) {
    const [, name, inline] = /^--([a-z][a-z-]*)(?:=(.*))?$/s.exec(argv[i]) ?? [];
    if (!name) words.push(argv[i]);
    else if (inline !== undefined) flags[name] = inline;
    else if (i + 1 < argv.length && !argv[i + 1].startsWith("--")) flags[name] = argv[++i];
    else flags[name] = "true";
  }
  return { words, flags };
}
