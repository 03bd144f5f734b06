// Every command by name, loaded when it is called: a command that needs no engine loads none.
import type { Command, CommandName } from "./command.ts";

export const commands: Record<CommandName, () => Promise<Command>> = {
  start: async () => (await import("./operator/start.ts")).start,
  work: async () => (await import("./operator/work.ts")).work,
  migrate: async () => (await import("./operator/migrate.ts")).migrateCommand,
  accounts: async () => (await import("./operator/accounts.ts")).accounts,
  keys: async () => (await import("./operator/keys.ts")).keys,
  health: async () => (await import("./operator/health.ts")).health,
  jobs: async () => (await import("./operator/jobs.ts")).jobs,
  audit: async () => (await import("./operator/audit.ts")).audit,
  backup: async () => (await import("./operator/backup.ts")).backup,
  restore: async () => (await import("./operator/backup.ts")).restore,
  geodata: async () => (await import("./operator/geodata.ts")).geodata,
  stock: async () => (await import("./operator/stock.ts")).stock,
  try: async () => (await import("./operator/try.ts")).tryCommand,
  mcp: async () => (await import("./user/mcp.ts")).mcp,
  help: async () => (await import("./operator/settings-help.ts")).printSettings,
};
