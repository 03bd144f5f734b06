// What a command is: words and flags in, an exit code out.
import type { Config } from "../config.ts";
import type { catalog } from "./catalog.mjs";

export type CommandName = keyof typeof catalog;

export interface CommandInput {
  words: string[];
  flags: Record<string, string>;
  /** Reads the configuration when the command needs it, and throws its faults. */
  config(): Config;
}

/** Resolves to the exit code; 0 unless said. */
export type Command = (input: CommandInput) => Promise<number | void> | number | void;

/** A mistake of whoever typed the command: printed without a stack. */
export class UsageError extends Error {
  override name = "UsageError";
}
