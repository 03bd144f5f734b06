// Scores the robots.txt engine on {robotsTxt, url, userAgent, allowed}; cases marked googleSpecific are counted apart.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isAllowed, parseRobots } from "../../server/actions/shopping/engine/robots/robots.ts";
import type { EvalOptions, Suite } from "../eval.ts";

interface Row {
  file: string;
  robotsTxt: string;
  url: string;
  userAgent: string;
  allowed: boolean;
  googleSpecific?: boolean;
}

export default {
  help: "robots.txt decisions (DIR/robots-spec-test.json)",
  run({ data, limit }: EvalOptions) {
    const rows: Row[] = JSON.parse(readFileSync(join(data, "robots-spec-test.json"), "utf8")).slice(0, limit);
    const result = { n: 0, ok: 0, google_n: 0, google_ok: 0, failures: [] as unknown[] };
    for (const row of rows) {
      const right = isAllowed(parseRobots(row.robotsTxt), row.userAgent, row.url) === row.allowed;
      if (row.googleSpecific) {
        result.google_n++;
        if (right) result.google_ok++;
      } else {
        result.n++;
        if (right) result.ok++;
      }
      if (!right && result.failures.length < 20)
        result.failures.push({
          file: row.file,
          url: row.url,
          userAgent: row.userAgent,
          allowed: row.allowed,
          google: row.googleSpecific ?? false,
          robotsTxt: row.robotsTxt.slice(0, 120),
        });
    }
    return result;
  },
  table: (r) =>
    `robots.txt  standard ${r.ok}/${r.n}   beyond the standard ${r.google_ok}/${r.google_n}\n${r.failures.map((f: unknown) => `  ${JSON.stringify(f)}`).join("\n")}`,
} satisfies Suite;
