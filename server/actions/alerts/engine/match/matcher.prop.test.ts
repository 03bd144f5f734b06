import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describeWithData, sharedData } from "../../../../../tests/shared-data.ts";
import { DEFAULT_MATCH, QueryError, type MatchOptions } from "../query/ast.ts";
import { Analysis, matches } from "../query/evaluate.ts";
import { parseQuery } from "../query/parse.ts";
import { contents, queries } from "../query/query.arbitrary.ts";
import { Matcher } from "./matcher.ts";

const options: fc.Arbitrary<MatchOptions> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(DEFAULT_MATCH) },
  fc.record({
    fields: fc.constantFrom(15, 3, 1),
    wholeWord: fc.boolean(),
    caseSensitive: fc.boolean(),
    diacritics: fc.constantFrom("fold", "exact"),
    hashtags: fc.constantFrom("unify", "strict"),
  }),
);

describe("the matcher", () => {
  test("finds exactly what the plain evaluation finds, through creates and deletes", () => {
    let asked = 0;
    let hits = 0;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(queries, options), { minLength: 1, maxLength: 30 }),
        fc.array(contents, { minLength: 1, maxLength: 6 }),
        fc.array(fc.nat(29), { maxLength: 10 }),
        (stored, documents, deleted) => {
          const matcher = new Matcher();
          const nodes = new Map(stored.map(([q, o], i) => [i + 1, parseQuery(q, o)]));
          for (const [number, node] of nodes) if (!tryAdd(matcher, number, node)) nodes.delete(number);
          const check = () => {
            for (const content of documents) {
              const about = new Analysis(content);
              const expected = [...nodes].filter(([, node]) => matches(node, about)).map(([number]) => number);
              expect(matcher.matching(content).sort((a, b) => a - b)).toEqual(expected);
              asked += nodes.size;
              hits += expected.length;
            }
          };
          check();
          for (const d of deleted) expect(matcher.remove(d + 1)).toBe(nodes.delete(d + 1));
          check();
          expect(matcher.size).toBe(nodes.size);
        },
      ),
      { numRuns: 400, verbose: 1 },
    );
    // The vocabulary must make them meet, or the test proves nothing.
    expect(hits / asked).toBeGreaterThan(0.02);
  });

  test("an alert counts for the next document, and its number can be used again", () => {
    const matcher = new Matcher();
    matcher.add(7, parseQuery("acme"));
    expect(matcher.matching({ text: "acme" })).toEqual([7]);
    matcher.add(7, parseQuery("other"));
    expect([matcher.matching({ text: "acme" }), matcher.matching({ text: "other" })]).toEqual([[], [7]]);
    expect([matcher.remove(7), matcher.remove(7), matcher.size]).toEqual([true, false, 0]);
  });

  test("refuses what would match nearly everything", () => {
    for (const query of ["NOT a", "-a -b", "a OR NOT b", "NOT (a AND NOT b)"]) {
      expect(() => new Matcher().add(1, parseQuery(query)), query).toThrow(QueryError);
    }
    for (const query of ["NOT (NOT a OR b)", "price<3", "lang:en -x"]) new Matcher().add(1, parseQuery(query));
  });

  test("twenty thousand come and go", () => {
    const matcher = new Matcher();
    for (let i = 1; i <= 20_000; i++) matcher.add(i, parseQuery(`word${i % 7000} ${i % 3 ? "" : "-other"}`));
    for (let i = 1; i <= 20_000; i += 2) matcher.remove(i);
    const text = "word2 word3 word6999";
    const expected = [2, 3, 6999].flatMap((w) => [w, w + 7000, w + 14000]).filter((n) => n <= 20_000 && n % 2 === 0);
    expect(matcher.matching({ text }).sort((a, b) => a - b)).toEqual(expected.sort((a, b) => a - b));
    for (let i = 2; i <= 20_000; i += 2) matcher.remove(i);
    expect([matcher.size, matcher.match({ text })]).toEqual([0, 0]);
  });
});

function tryAdd(matcher: Matcher, number: number, node: ReturnType<typeof parseQuery>): boolean {
  try {
    matcher.add(number, node);
    return true;
  } catch (error) {
    if (error instanceof QueryError && error.code === "unbounded") return false;
    throw error;
  }
}

describeWithData("alerts/bench-luwak", "the given Luwak documents", () => {
  test("every expected pair and no other", () => {
    const folder = resolve(sharedData, "alerts/bench-luwak");
    const lines = (file: string) =>
      gunzipSync(readFileSync(resolve(folder, file)))
        .toString()
        .trim()
        .split("\n")
        .map((l) => JSON.parse(l));
    const matcher = new Matcher();
    readFileSync(resolve(folder, "queries.txt"), "utf8")
      .trim()
      .split("\n")
      .forEach((q, i) => matcher.add(i + 1, parseQuery(q)));
    const expected = new Set(lines("expected.jsonl.gz").flatMap(({ q, docs }) => docs.map((d: number) => `${q}:${d}`)));
    const found = new Set(
      lines("docs.jsonl.gz").flatMap(({ text }, d) => matcher.matching({ text }).map((n) => `${n - 1}:${d}`)),
    );
    expect(found.size).toBe(expected.size);
    expect([...found].filter((pair) => !expected.has(pair))).toEqual([]);
  });
});
