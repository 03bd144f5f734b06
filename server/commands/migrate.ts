// `connector migrate`: brings the store up to date and says what that took.
import { withGround } from "./ground.ts";
import type { Command } from "./index.ts";

export const migrateCommand: Command = {
  usage: "migrate",
  summary: "Bring the database up to date (start does it too).",
  run: ({ config }) =>
    withGround(config(), async ({ platform }) => {
      const rows = await platform.db.sql`select name, applied_at from migrations order by name`;
      for (const row of rows) console.log(`${row.name}  ${row.applied_at.toISOString()}`);
    }),
};
