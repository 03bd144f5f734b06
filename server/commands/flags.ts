// Reads the words and flags of a command line. Which flags a command has, and which take a value, stands in the catalog.
import { nearest } from "../lib/nearest.ts";
import { flagsOf } from "./catalog.mjs";
import { type CommandInput, UsageError } from "./command.ts";

/** `--name value`, `--name=value` and `--switch`; after `--` everything is a word. */
export function readFlags(command: string, argv: string[]): CommandInput {
  const known = flagsOf(command);
  const words: string[] = [];
  const flags: Record<string, string> = {};
  for (let i = 0; i < argv.length; i++) {
    if (argv[i] === "--") return { words: [...words, ...argv.slice(i + 1)], flags };
    const [, name, inline] = /^--([a-z][a-z-]*)(?:=(.*))?$/s.exec(argv[i]) ?? [];
    if (!name) {
      words.push(argv[i]);
      continue;
    }
    const takesValue = known.get(name);
    if (takesValue === undefined) throw new UsageError(unknownFlag(command, name, [...known.keys()]));
    if (!takesValue && inline !== undefined && !/^(true|false)$/.test(inline))
      throw new UsageError(`--${name} takes no value. Hint: write --${name} alone.`);
    if (!takesValue) {
      if (inline !== "false") flags[name] = "true";
      continue;
    }
    const value = inline ?? argv[++i];
    if (value === undefined || (inline === undefined && value.startsWith("--")))
      throw new UsageError(`--${name} needs a value. Hint: connector help ${command}`);
    flags[name] = value;
  }
  return { words, flags };
}

function unknownFlag(command: string, name: string, known: string[]): string {
  const near = nearest(name, known);
  return `connector ${command} has no flag --${name}.${near ? ` Did you mean --${near}?` : ""} Hint: connector help ${command}`;
}
