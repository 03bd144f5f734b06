// Runs one command: finds it, reads its flags, and turns what it throws into a message and an exit code.
import { nearest } from "../lib/nearest.ts";
import { catalog, isCommand } from "./catalog.mjs";
import { type Command, EXIT, type Explained, UsageError } from "./command.ts";
import { readFlags } from "./flags.ts";
import * as user from "./user.ts";

/** Where a command comes from: the small part that needs the SDK alone, or the service. */
export interface CommandSet {
  loadCommand(name: string): Promise<Command>;
  explainFailure(error: unknown, command: string): Explained | null;
}

/** Resolves to the exit code; `loadOperator` brings the commands of the service when one is called. */
export async function runCommand(argv: string[], loadOperator: () => Promise<CommandSet>): Promise<number> {
  const [name = "help", ...rest] = argv;
  if (!isCommand(name)) {
    const near = nearest(name, Object.keys(catalog));
    console.error(`There is no command "${name}".${near ? ` Did you mean ${near}?` : ""} Hint: connector help`);
    return EXIT.usage;
  }
  const set: CommandSet = user.isUserCommand(name) ? user : await loadOperator();
  try {
    const input = readFlags(name, rest);
    const command = await set.loadCommand(name);
    return (await command(input)) ?? EXIT.done;
  } catch (error) {
    const explained =
      error instanceof UsageError ? { message: error.message, code: error.exitCode } : set.explainFailure(error, name);
    if (explained === null) throw error;
    console.error(explained.message);
    return explained.code;
  }
}
