// Every command that loads parts of the service, by name; each is loaded when it is called.
import { readConfig } from "../config.ts";
import type { Command, OperatorCommand } from "./command.ts";

const TABLE: Record<string, () => Promise<OperatorCommand>> = {
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
  // It reads the contracts, so it cannot live with the commands that need the SDK alone.
  mcp: async () => (await import("./user/mcp.ts")).mcp,
  help: async () => (await import("./operator/settings-help.ts")).printSettings,
};

export async function loadCommand(name: string): Promise<Command> {
  const command = await TABLE[name]();
  return (input) => command({ ...input, config: () => readConfig() });
}

export { explainFailure } from "./failure.ts";
