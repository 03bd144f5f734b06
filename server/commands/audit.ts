// `connector audit verify`.
import { verifyChain } from "../platform/audit/index.ts";
import { withGround } from "./ground.ts";
import type { Command } from "./index.ts";
import { UsageError } from "./usage-error.ts";

export const audit: Command = {
  usage: "audit verify",
  summary: "Walk the audit log's hash chain and name the first row that does not hold.",
  run: ({ words, config }) => {
    if (words[0] !== "verify") throw new UsageError(`Usage: connector ${audit.usage}`);
    return withGround(config(), async ({ platform }) => {
      const report = await verifyChain(platform.db);
      if (report.ok) console.log(`${report.rows} rows hold; head ${report.head}`);
      else console.error(`Broken after ${report.rows} rows: ${report.reason}.`);
      return report.ok ? 0 : 1;
    });
  },
};
