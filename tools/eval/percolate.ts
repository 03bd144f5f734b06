// Scores the matcher: stored queries against documents, compared pair by pair with the expected matches.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { Matcher } from "../../server/actions/alerts/engine/match/matcher.ts";
import { parseQuery } from "../../server/actions/alerts/engine/query/parse.ts";
import type { Suite } from "../eval.ts";

export default {
  help: "percolate: stored queries against documents (DIR = alerts, in bench-luwak/)",
  run({ data, limit }) {
    const folder = join(data, "bench-luwak");
    const lines = (file: string) =>
      gunzipSync(readFileSync(join(folder, file)))
        .toString()
        .split("\n")
        .filter(Boolean)
        .map((l) => JSON.parse(l));
    const documents: { title: string; text: string }[] = lines("docs.jsonl.gz").slice(0, limit);
    const queries = readFileSync(join(folder, "queries.txt"), "utf8").split("\n").filter(Boolean);
    const matcher = new Matcher();
    queries.forEach((query, i) => matcher.add(i + 1, parseQuery(query)));
    const found = new Set<string>();
    documents.forEach(({ text }, d) => {
      for (const number of matcher.matching({ text })) found.add(`${number - 1}:${d}`);
    });
    const expected = new Set<string>();
    for (const { q, docs } of lines("expected.jsonl.gz"))
      for (const d of docs) if (d < documents.length) expected.add(`${q}:${d}`);
    const start = performance.now();
    let rounds = 0;
    for (; performance.now() - start < 1000; rounds++) for (const { text } of documents) matcher.match({ text });
    const seconds = (performance.now() - start) / 1000;
    return {
      documents: documents.length,
      queries: queries.length,
      expected: expected.size,
      found: found.size,
      missing: [...expected].filter((pair) => !found.has(pair)).length,
      extra: [...found].filter((pair) => !expected.has(pair)).length,
      documents_per_second: Math.round((rounds * documents.length) / seconds),
    };
  },
  table: (r) =>
    `percolate: ${r.documents} documents, ${r.queries} queries: ${r.found} found of ${r.expected} expected, ` +
    `${r.missing} missing, ${r.extra} extra; ${r.documents_per_second} documents/s`,
} satisfies Suite;
