// Scores hashtag extraction: every list in hashtags.json, with indices where a row expects them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { extractHashtags } from "../../server/actions/alerts/engine/text/hashtags.ts";
import { DataError, type Suite } from "../eval.ts";

interface Row {
  description: string;
  text: string;
  expected: (string | { hashtag: string; indices: number[] })[];
}

export default {
  help: "hashtags: extraction against expected tags and indices (DIR = alerts)",
  run({ data, limit }) {
    const file = join(data, "hashtags.json");
    const parsed = JSON.parse(readFileSync(file, "utf8"));
    const rows = (Array.isArray(parsed) ? parsed : Object.values<Row[]>(parsed).flat()).slice(0, limit) as Row[];
    if (!rows.every((r) => typeof r.text === "string" && Array.isArray(r.expected)))
      throw new DataError(`${file} has rows without text and expected`);
    const failures = rows.flatMap(({ description, text, expected }) => {
      const found = extractHashtags(text);
      const got = expected.map((e, i) =>
        typeof e === "string" ? found[i]?.tag : { hashtag: found[i]?.tag, indices: [found[i]?.start, found[i]?.end] },
      );
      const right = found.length === expected.length && JSON.stringify(got) === JSON.stringify(expected);
      return right ? [] : [{ description, text, expected, found }];
    });
    return { n: rows.length, ok: rows.length - failures.length, failures };
  },
  table: (r) =>
    `hashtags: ${r.ok} of ${r.n} right\n${r.failures.map((f: Row) => `  ${f.description}: ${f.text}`).join("\n")}`,
} satisfies Suite;
