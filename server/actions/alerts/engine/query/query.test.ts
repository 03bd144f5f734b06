import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { DEFAULT_MATCH, QueryError, type Content } from "./ast.ts";
import { canonical, queryOfTag, queryOfTags } from "./canonical.ts";
import { Analysis, matches } from "./evaluate.ts";
import { parseQuery } from "./parse.ts";
import { queries } from "./fixtures/arbitrary.ts";

const ask = (query: string, content: Content | string) =>
  matches(parseQuery(query), new Analysis(typeof content === "string" ? { text: content } : content));

describe("what a query means", () => {
  test.each([
    ["tor", "The Director", false],
    ["tor", "Tor is down", true],
    ["=Tor", "tor is down", false],
    ["=Tor", "Tor is down", true],
    ["acme", "Acme's shop", true],
    ["don't", "DON’T do it", true],
    ['"product launch"', "a Product-Launch today", true],
    ['"product launch"', "a launch of product", false],
    ["acme* -hiring", "acmesoft news", true],
    ["acme* -hiring", "acmesoft is hiring", false],
    ["launch NEAR/2 acme", "acme will launch", true],
    ["launch NEAR/2 acme", "acme will never launch", false],
    ["a OR b c", "b c", true],
    ["a OR b c", "b", false],
    ["(a OR b) AND NOT c", "b c", false],
    ["東京", "私は東京都に住んでいます", true],
    ["京都", "私は東京都に住んでいます", true],
    ['"iphone 手机"', "新iPhone手机", true],
    ["สนามบิน", "ไปสนามบินแล้ว", true],
    ["strasse", "Hauptstraße Straße", true],
    ["c++", "I like C++.", true],
    ["c++", "vitamin C", false],
    [".net", "the .NET runtime", true],
    ["#launch", "see #Launch now", true],
    ["#launch", "see launch now", false],
    ["launch", "see #Launch now", true],
    ["a AND and", "a and", true],
  ])("%s on %s: %p", (query, text, expected) => expect(ask(query, text)).toBe(expected));

  test.each([
    ["tag:kettle price<30", { tags: ["Kettle"], numbers: { price: "29.99" } }, true],
    ["tag:kettle price<30", { tags: ["kettle"], numbers: { price: "30.00" } }, false],
    ["tag:kettle price<30", { tags: ["kettle"] }, false],
    ["price:10..20", { numbers: { price: 20 } }, true],
    ["#black-friday", { tags: ["Black Friday"] }, true],
    ["title:acme", { text: "acme" }, false],
    ["title:(acme OR foo) bar", { title: "Foo", text: "bar" }, true],
    ["lang:en a", { text: "a", lang: "en-GB" }, true],
    ["site:example.com", { url: "https://www.blog.example.com/x" }, true],
    ["site:example.com", { url: "https://badexample.com/x" }, false],
    ["author:ada", { author: "Ada L." }, true],
    ["ada", { author: "Ada L." }, false],
    ['source:"My Blog"', { source: "my-blog" }, true],
  ])("%s", (query, content, expected) => expect(ask(query, content)).toBe(expected));

  test("strict keeps words and hashtags apart", () => {
    const node = parseQuery("launch", { ...DEFAULT_MATCH, hashtags: "strict" });
    expect(matches(node, new Analysis({ text: "#launch", tags: ["launch"] }))).toBe(false);
    expect(matches(node, new Analysis({ text: "#launch launch" }))).toBe(true);
  });

  test("the short forms", () => {
    expect(canonical(queryOfTag("#Launch", DEFAULT_MATCH))).toBe('tag:"launch"');
    expect(canonical(queryOfTags({ any: ["#a", "b c"], none: ["d"] }, DEFAULT_MATCH))).toBe(
      '(tag:"a" OR "b c") AND NOT "d"',
    );
  });
});

describe("what is wrong with a query", () => {
  test.each([
    ["", 0, "a word"],
    ["a AND", 5, "a word"],
    ["a OR OR b", 5, "a word"],
    ["(a b", 4, ")"],
    ["a b)", 3, "the end"],
    ['say "hello', 4, '"'],
    ["ac*me", 2, "* at the end of a word"],
    ["ac*", 0, "at least 3 characters before *"],
    ["colour:red", 0, "title:"],
    ["a NEAR/0 b", 2, "NEAR/1 to NEAR/50"],
    ["a NEAR/3 #b", 9, "a word"],
    ["price<cheap", 6, "a number"],
    ["a ??? b", 2, "a letter or a digit"],
  ])("%s", (query, position, expected) => {
    const error = (() => {
      try {
        parseQuery(query);
      } catch (e) {
        return e as QueryError;
      }
    })();
    expect(error).toBeInstanceOf(QueryError);
    expect([error!.position, error!.expected]).toEqual([position, expect.arrayContaining([expected])]);
  });

  test("any text is parsed or refused with a place in it", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: "grapheme" }), queries), (text) => {
        try {
          parseQuery(text);
        } catch (error) {
          expect(error).toBeInstanceOf(QueryError);
          expect((error as QueryError).position).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test("the canonical spelling means the same query", () => {
    fc.assert(
      fc.property(queries, (text) => {
        const once = canonical(parseQuery(text));
        expect(canonical(parseQuery(once))).toBe(once);
      }),
      { numRuns: 1000 },
    );
  });
});
