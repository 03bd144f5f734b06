// Runs one command: finds it, parses its flags, and turns what it throws into a message and an exit code.
import { readConfig } from "../config.ts";
import { nearest } from "../lib/nearest.ts";
import type { CommandName } from "./command.ts";
import { explainFailure } from "./failure.ts";
import { commands } from "./index.ts";

/** Resolves to the exit code: 0 done, 1 failed, 2 wrong words, wrong settings, or the machine is not ready. */
export async function runCommand(argv: string[]): Promise<number> {
  const { words, flags } = parseFlags(argv);
  const name = words.shift() ?? "help";
  if (!Object.hasOwn(commands, name)) {
    const near = nearest(name, Object.keys(commands));
    console.error(`There is no command "${name}".${near ? ` Did you mean ${near}?` : ""} Hint: connector help`);
    return 2;
  }
  try {
    const command = await commands[name as CommandName]();
    return (await command({ words, flags, config: () => readConfig() })) ?? 0;
  } catch (error) {
    const message = explainFailure(error);
    if (message === null) throw error;
    console.error(message);
    return 2;
  }
}

/** `--name value`, `--name=value` and `--name` become flags; the rest are words. */
export function parseFlags(argv: string[]): { words: string[]; flags: Record<string, string> } {
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
