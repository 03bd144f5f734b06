// What a command is: words and flags in, an exit code out.
import type { Config } from "../config.ts";

export interface CommandInput {
  words: string[];
  /** By name without dashes; a switch is "true". */
  flags: Record<string, string>;
}

/** Resolves to the exit code; 0 unless said. */
export type Command = (input: CommandInput) => Promise<number | void> | number | void;

/** A command of the service itself, which has settings. */
export type OperatorCommand = (input: OperatorInput) => ReturnType<Command>;

export interface OperatorInput extends CommandInput {
  /** Reads the configuration when the command needs it, and throws its faults. */
  config(): Config;
}

/** Documented in docs/guides/command-line.md. */
export const EXIT = { done: 0, failed: 1, usage: 2, key: 3, unreachable: 4, quota: 5 } as const;

export interface Explained {
  message: string;
  code: number;
}

/** A mistake of whoever typed the command: printed without a stack. */
export class UsageError extends Error {
  override name = "UsageError";
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.usage) {
    super(message);
    this.exitCode = exitCode;
  }
}
