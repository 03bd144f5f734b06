// `connector backup FILE` and `connector restore FILE`.
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { checkBackup } from "../../store/backup/file.ts";
import { restoreFrom } from "../../store/backup/restore.ts";
import { backupTo, type OnProgress } from "../../store/backup/write.ts";
import { fingerprintOf } from "../../store/secret.ts";
import { type OperatorCommand, UsageError } from "../command.ts";
import { usageOf } from "../help.mjs";
import { withPlatform } from "./with-platform.ts";

const onProgress: OnProgress = (table, done, total) => {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${table} ${done}${total ? `/${total}` : ""}`);
};

function report(verb: string, file: string, counts: Record<string, number>): void {
  if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  console.log(`${verb} ${rows} rows of ${Object.keys(counts).length} tables: ${file}`);
}

export const backup: OperatorCommand = ({ words: [file], config }) => {
  if (!file) throw new UsageError(usageOf("backup"));
  if (!existsSync(dirname(resolve(file)))) throw new UsageError(`The folder of ${file} does not exist.`);
  return withPlatform(config(), async ({ db, secret }) =>
    report("kept", file, await backupTo(db, { file, fingerprint: fingerprintOf(secret), onProgress })),
  );
};

export const restore: OperatorCommand = async ({ words: [file], flags, config }) => {
  if (!file) throw new UsageError(usageOf("restore"));
  const withoutSecret = "without-secret" in flags;
  // A damaged file is refused before a store is started for it.
  await checkBackup(file);
  await withPlatform(config(), async ({ db, secret }) => {
    const fingerprint = withoutSecret ? null : fingerprintOf(secret);
    report("restored", file, await restoreFrom(db, { file, fingerprint, onProgress }));
  });
  if (withoutSecret)
    console.error(
      "The secret may be another one: then every key answers 401 and webhook secrets cannot be read. Hint: connector keys create",
    );
};
