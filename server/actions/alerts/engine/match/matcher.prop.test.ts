import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { DEFAULT_MATCH, QueryError, type MatchOptions } from "../query/ast.ts";
import { Analysis, matches } from "../query/evaluate.ts";
import { parseQuery } from "../query/parse.ts";
import { contents, queries } from "../query/fixtures/arbitrary.ts";
import { Matcher } from "./matcher.ts";
import { hashOf, WORD_TERM } from "./terms/record.ts";

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

describe("many words", () => {
  // Few enough terms that the copies of their records crowd each other out, in documents that hold most of them.
  test("crowded copies lose and double nothing, in several fields, through creates and deletes", () => {
    const word = fc.nat(700).map((n) => `w${n.toString(36)}`);
    const texts = fc.array(word, { minLength: 1, maxLength: 400 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(texts, texts), { minLength: 2, maxLength: 6 }),
        fc.integer({ min: 1, max: 500 }),
        (documents, gone) => {
          const matcher = new Matcher();
          const stored = new Map<number, string>();
          for (let n = 0; n < 500; n++) {
            stored.set(n + 1, `w${n.toString(36)}`);
            stored.set(n + 1001, `w${n.toString(36)} -w${(n + 1).toString(36)}`);
          }
          for (const [number, query] of stored) matcher.add(number, parseQuery(query));
          for (const [title, text] of documents) {
            const there = new Set([...title, ...text]);
            const expected = [...stored].flatMap(([number, query]) => {
              const [has, hasNot] = query.split(" -");
              return there.has(has) && !(hasNot && there.has(hasNot)) ? [number] : [];
            });
            const found = matcher.matching({ title: title.join(" "), text: text.join(", ") });
            expect(found.sort((a, b) => a - b)).toEqual(expected.sort((a, b) => a - b));
            matcher.remove(gone);
            stored.delete(gone);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  test("words of one hash are told apart", () => {
    const twins = ["costarring", "liquid"];
    expect(new Set(twins.map((w) => hashOf(WORD_TERM, w))).size).toBe(1);
    for (const [a, b] of [twins, twins.toReversed()]) {
      const matcher = new Matcher();
      matcher.add(1, parseQuery(a));
      for (let again = 0; again < 2; again++) {
        expect(matcher.matching({ text: b })).toEqual([]);
        expect(matcher.matching({ text: `${b} and ${a}` })).toEqual([1]);
        expect(matcher.matching({ title: a, text: `${a} ${b} Li\u00ADquid` })).toEqual([1]);
      }
      matcher.add(2, parseQuery(b));
      expect(matcher.matching({ text: `${a} ${b}` }).sort()).toEqual([1, 2]);
      expect(matcher.matching({ text: b })).toEqual([2]);
    }
  });

  test("a text longer than the kernel takes at once, and a run without any break", () => {
    const matcher = new Matcher();
    for (const [i, query] of ["needle", '"last words"', "東京", "strasse"].entries())
      matcher.add(i + 1, parseQuery(query));
    const hay = "hay ".repeat(30_000);
    expect(matcher.matching({ text: `${hay}needle ${hay}last words` }).sort()).toEqual([1, 2]);
    expect(matcher.matching({ text: `${"x".repeat(100_000)}needle` })).toEqual([]);
    expect(matcher.matching({ text: `${"x".repeat(100_000)} needle` })).toEqual([1]);
    expect(matcher.matching({ text: `${"京".repeat(70_000)}東京${"京".repeat(70_000)} STRAßE` }).sort()).toEqual([
      3, 4,
    ]);
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
