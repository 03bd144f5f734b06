// `connector audit verify`.
import { withPlatform } from "./with-platform.ts";
import { type OperatorCommand, UsageError } from "../command.ts";
import { usageOf } from "../help.mjs";

export const audit: OperatorCommand = ({ words, config }) => {
  if (words[0] !== "verify") throw new UsageError(usageOf("audit"));
  return withPlatform(config(), async (platform) => {
    const report = await platform.audit.verify(platform.db);
    if (report.ok) console.log(`${report.rows} rows hold; head ${report.head}`);
    else console.error(`Broken after ${report.rows} rows: ${report.reason}.`);
    return report.ok ? 0 : 1;
  });
};
