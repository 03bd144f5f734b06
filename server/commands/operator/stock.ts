// `connector stock import|replay`: an operator's own directory of securities, and recorded prices for an account.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { importInstruments, replayFile } from "../../actions/stock/operator.ts";
import { findTenant } from "../../platform/keys/index.ts";
import { withPlatform } from "./with-platform.ts";
import { type OperatorCommand, type OperatorInput, UsageError } from "../command.ts";
import { usageOf } from "../help.mjs";

export const stock: OperatorCommand = (input) => {
  const [verb, ...files] = input.words;
  if (verb === "import" && files.length > 0) return importFiles(input, files);
  if (verb === "replay" && files.length === 1) return replay(input, files[0]);
  throw new UsageError(usageOf("stock"));
};

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new UsageError(`${file} cannot be read.`);
  }
}

function importFiles({ flags, config }: OperatorInput, files: string[]): Promise<void> {
  const texts = files.map(read);
  return withPlatform(config(), async (platform) => {
    const report = await importInstruments(platform.db, texts);
    const skipped = report.skipped.slice(0, 10).map(({ row, why }) => `  left out: row ${row}: ${why}`);
    if (report.imported === 0)
      throw new UsageError(
        [
          `None of ${report.rows} rows names a security, so nothing was changed. Hint: the file needs the columns symbol, name and mic.`,
          ...skipped,
        ].join("\n"),
      );
    if (flags.json) return console.log(JSON.stringify(report));
    console.log(
      `${report.imported} of ${report.rows} rows imported. They replace the ${report.replaced} securities of the import before; a running service sees them within a minute.`,
    );
    for (const line of skipped) console.log(line);
  });
}

function replay({ flags, config }: OperatorInput, file: string): Promise<void> {
  if (!flags.account) throw new UsageError("--account is missing.");
  const mode = flags.mode ?? "test";
  if (mode !== "test" && mode !== "live") throw new UsageError("--mode must be test or live.");
  const text = read(file);
  return withPlatform(config(), async (platform) => {
    const tenantId = await findTenant(platform.db.sql, flags.account, mode);
    if (tenantId === null) throw new UsageError(`There is no account ${flags.account}.`);
    const report = await replayFile(
      platform.db,
      tenantId,
      text,
      { name: basename(file), currency: flags.currency ?? "USD" },
      platform.clock.now(),
    );
    if (flags.json) return console.log(JSON.stringify(report));
    console.log(
      `${report.rows} rows; ${report.symbols.length} securities are answered as a replay, at their own dates (a running service sees them within 15 seconds): ${report.symbols.slice(0, 20).join(", ")}`,
    );
    for (const { row, why } of report.skipped.slice(0, 10)) console.log(`  left out: row ${row}: ${why}`);
  });
}
