// `connector migrate`: brings the store up to date and says what that took.
import type { OperatorCommand } from "../command.ts";
import { formatTime } from "../../lib/time.ts";
import { listMigrations } from "../../store/migrate.ts";
import { withPlatform } from "./with-platform.ts";

export const migrateCommand: OperatorCommand = ({ config }) =>
  withPlatform(config(), async ({ db }) => {
    for (const { name, appliedMs } of await listMigrations(db)) console.log(`${name}  ${formatTime(appliedMs)}`);
  });
