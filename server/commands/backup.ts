// `connector backup FILE` and `connector restore FILE`.
import { backupTo, type OnProgress, restoreFrom } from "../store/backup.ts";
import { withGround } from "./ground.ts";
import type { Command } from "./index.ts";
import { UsageError } from "./usage-error.ts";

const onProgress: OnProgress = (table, done, total) => {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${table} ${done}${total ? `/${total}` : ""}`);
};

function report(verb: string, file: string, counts: Record<string, number>): void {
  if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  console.log(`${verb} ${rows} rows of ${Object.keys(counts).length} tables: ${file}`);
}

export const backup: Command = {
  usage: "backup FILE",
  summary:
    "Write everything into one file, from one consistent snapshot, while the service runs. Keep DATA_DIR/secret with it.",
  run: ({ words, config }) => {
    const [file] = words;
    if (!file) throw new UsageError(`Usage: connector ${backup.usage}`);
    return withGround(config(), async ({ platform }) =>
      report("kept", file, await backupTo(platform.db, file, onProgress)),
    );
  },
};

export const restore: Command = {
  usage: "restore FILE",
  summary: "Fill an empty store from a backup; all or nothing.",
  run: ({ words, config }) => {
    const [file] = words;
    if (!file) throw new UsageError(`Usage: connector ${restore.usage}`);
    return withGround(config(), async ({ platform }) =>
      report("restored", file, await restoreFrom(platform.db, file, onProgress)),
    );
  },
};
