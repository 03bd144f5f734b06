// Every command of the command line, by name. A command parses its words and calls what does the work.
import type { Config } from "../config.ts";
import { accounts } from "./accounts.ts";
import { audit } from "./audit.ts";
import { backup, restore } from "./backup.ts";
import { geodata } from "./geodata.ts";
import { help } from "./help.ts";
import { jobs } from "./jobs.ts";
import { keys } from "./keys.ts";
import { migrateCommand } from "./migrate.ts";
import { start } from "./start.ts";
import { stock } from "./stock.ts";
import { tryCommand } from "./try.ts";
import { work } from "./work.ts";

export interface CommandInput {
  words: string[];
  flags: Record<string, string>;
  /** Reads the configuration when the command needs it, and throws its faults. */
  config(): Config;
}

export interface Command {
  usage: string;
  summary: string;
  /** Resolves to the exit code; 0 unless said. */
  run(input: CommandInput): Promise<number | void> | number | void;
}

export const commands: Record<string, Command> = {
  start,
  work,
  migrate: migrateCommand,
  accounts,
  keys,
  jobs,
  audit,
  backup,
  restore,
  geodata,
  stock,
  try: tryCommand,
  help,
};
