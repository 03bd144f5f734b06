// Hostile texts as large as a request may carry. What is quadratic on one of them runs for minutes and ends by time-out.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { hostileShapes } from "../../../../tests/hostile-shapes.ts";
import { dedupeKeys, passageKeys } from "./deliver/dedupe.ts";
import { discoverFeeds } from "./feed/discover.ts";
import { htmlToText } from "./feed/html/html.ts";
import { readFeed } from "./feed/read.ts";
import { Matcher } from "./match/matcher.ts";
import { DEFAULT_MATCH } from "./query/ast.ts";
import { Analysis, matches } from "./query/evaluate.ts";
import { analyseForHighlights, highlightsOf } from "./query/highlight.ts";
import { parseQuery } from "./query/parse.ts";

setDefaultTimeout(120_000);

const LENGTH = 200_000;
const text = (...parts: [unit: string, count: number][]) => parts.map(([unit, count]) => unit.repeat(count)).join("");

describe("a query that matches", () => {
  const rows: [name: string, query: string, body: string][] = [
    ["ideographs", "中 OR b1", text(["中", LENGTH])],
    ["hashtags", "#a OR b1", text(["#a ", LENGTH / 3])],
    ["hashtags and addresses", "#a OR b1", text(["#a http://a.b ", LENGTH / 14])],
    ["one word", "a OR b1", text(["a ", LENGTH / 2])],
    ["two words near, far apart but once", "a NEAR/5 b", text(["b ", LENGTH / 4], ["a ", LENGTH / 4])],
    ["a phrase that occurs once", '"b a"', text(["b ", LENGTH / 4], ["a ", LENGTH / 4])],
    ["exact spelling in a run that folding lengthens", "=東京 OR a", `${text(["㌔東京", LENGTH / 3])} a`],
    ["words outside hashtags", "a", `${text(["#a ", LENGTH / 3])} a`],
  ];
  test.each(rows)("%s: matched and highlighted, 20 places at most", (name, query, body) => {
    const options = { ...DEFAULT_MATCH, ...(name.includes("outside") ? { hashtags: "strict" as const } : {}) };
    const node = parseQuery(query, options);
    const content = { title: "z", text: body };
    const matcher = new Matcher();
    matcher.add(1, node);
    expect(matcher.match(content)).toBe(1);
    expect(matches(node, new Analysis(content))).toBe(true);
    const { highlights } = highlightsOf(node, analyseForHighlights(content));
    expect(highlights.length).toBeLessThanOrEqual(20);
    expect(passageKeys(content, "s", highlights).length).toBeGreaterThan(0);
  });
});

test("a word longer than the kernel takes, behind a separator, is read once and not for ever", () => {
  const matcher = new Matcher();
  matcher.add(1, parseQuery("kettle"));
  expect(matcher.match({ text: `kettle "${"a".repeat(100_000)}" end` })).toBe(1);
});

describe("a query that does not match", () => {
  test.each([
    ["a phrase in the wrong order", '"a b"', text(["b ", LENGTH / 4], ["a ", LENGTH / 4])],
    ["two words too far apart", "a NEAR/5 b", text(["a ", LENGTH / 5], ["x ", 60], ["b ", LENGTH / 5])],
  ])("%s", (_, query, body) => {
    const node = parseQuery(query);
    const matcher = new Matcher();
    matcher.add(1, node);
    expect(matcher.match({ text: body })).toBe(0);
    expect(matches(node, new Analysis({ text: body }))).toBe(false);
  });
});

const bytes = (value: string) => new TextEncoder().encode(value);

describe("every hostile shape", () => {
  test.each(hostileShapes.map((shape) => [shape.name, shape] as const))("%s", (_, shape) => {
    const body = shape.make(LENGTH / 2);
    expect(readFeed(bytes(body)).items.length).toBeGreaterThanOrEqual(0);
    expect(readFeed(bytes(`<rss><channel>${body}`)).format).toBeString();
    expect(discoverFeeds(body, "https://a.example/").length).toBeGreaterThanOrEqual(0);
    expect(htmlToText(body).length).toBeLessThanOrEqual(2 * body.length);
    const cut = shape.make(LENGTH / 4);
    const node = parseQuery('a OR 中 OR #a OR "a a" OR (a NEAR/5 b)');
    const matcher = new Matcher();
    matcher.add(1, node);
    const count = matcher.match({ text: cut });
    expect(count === 1).toBe(matches(node, new Analysis({ text: cut })));
    expect(dedupeKeys({ text: cut }, "auto", "").length).toBe(1);
  });
});
