// `connector backup FILE` and `connector restore FILE`.
import { backupTo, type OnProgress, restoreFrom } from "../../store/backup.ts";
import { withPlatform } from "./with-platform.ts";
import { type Command, UsageError } from "../command.ts";
import { usageOf } from "../help.mjs";

const onProgress: OnProgress = (table, done, total) => {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${table} ${done}${total ? `/${total}` : ""}`);
};

function report(verb: string, file: string, counts: Record<string, number>): void {
  if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  console.log(`${verb} ${rows} rows of ${Object.keys(counts).length} tables: ${file}`);
}

export const backup: Command = ({ words: [file], config }) => {
  if (!file) throw new UsageError(usageOf("backup"));
  return withPlatform(config(), async (platform) =>
    report("kept", file, await backupTo(platform.db, file, onProgress)),
  );
};

export const restore: Command = ({ words: [file], config }) => {
  if (!file) throw new UsageError(usageOf("restore"));
  return withPlatform(config(), async (platform) =>
    report("restored", file, await restoreFrom(platform.db, file, onProgress)),
  );
};
