// Every command by name, loaded when it is called: a command that needs no engine loads none.
import type { Command, CommandName } from "./command.ts";

export const commands: Record<CommandName, () => Promise<Command>> = {
  start: async () => (await import("./start.ts")).start,
  work: async () => (await import("./work.ts")).work,
  migrate: async () => (await import("./migrate.ts")).migrateCommand,
  accounts: async () => (await import("./accounts.ts")).accounts,
  keys: async () => (await import("./keys.ts")).keys,
  jobs: async () => (await import("./jobs.ts")).jobs,
  audit: async () => (await import("./audit.ts")).audit,
  backup: async () => (await import("./backup.ts")).backup,
  restore: async () => (await import("./backup.ts")).restore,
  geodata: async () => (await import("./geodata.ts")).geodata,
  stock: async () => (await import("./stock.ts")).stock,
  try: async () => (await import("./try.ts")).tryCommand,
  help: async () => (await import("./settings-help.ts")).printSettings,
};
