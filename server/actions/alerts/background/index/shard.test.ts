// One document against thousands of hostile phrases: the steps of each tenant are bounded, and none pays for another.
import { describe, expect, test } from "bun:test";
import { Matcher } from "../../engine/match/matcher.ts";
import { parseQuery } from "../../engine/query/parse.ts";
import type { IndexEntry } from "../../rows.ts";
import { MAX_STEPS, type MatchRequest, Shard } from "./shard.ts";

const WORDS = ["north", "south", "east", "west", "left", "right", "above", "below"];
/** Every phrase of four of the words, none of which the document holds in that order. */
const PHRASES = WORDS.flatMap((a) =>
  WORDS.flatMap((b) => WORDS.flatMap((c) => WORDS.map((d) => `"${a} ${b} ${c} ${d}"`))),
)
  .filter((phrase) => new Set(phrase.split(" ")).size < 4)
  .slice(0, 2_000);
const LONG = Array.from({ length: 30_000 }, (_, n) => WORDS[(n * 7 + (n >> 3)) % WORDS.length]).join(" ");

function entry(number: number, tenantId: number, query: string): IndexEntry {
  return { number, tenantId, sources: 3, status: "active", term: null, watch: { query, match: {} }, feeds: ["f"] };
}
const pushed = (tenantId: number, text: string): MatchRequest => ({
  tenants: [tenantId],
  kind: 1,
  contents: [{ text }],
});

function hostileShard(): Shard {
  const shard = new Shard();
  PHRASES.forEach((phrase, n) => shard.put(entry(n + 1, 1, phrase)));
  shard.put(entry(9_001, 2, '"north west" OR "ripe kettle"'));
  return shard;
}

describe("thousands of phrases of one tenant", () => {
  test("look at a bounded number of places in one document; the shard says that it was not all", () => {
    const shard = hostileShard();
    shard.match(pushed(1, LONG));
    expect(shard.takeExceeded()).toBe(1);
    expect(shard.takeExceeded()).toBe(0);
    shard.match(pushed(1, "north south"));
    expect(shard.takeExceeded()).toBe(0);
  });

  test("cost the content of another tenant nothing", () => {
    const shard = hostileShard();
    expect(shard.match(pushed(2, `${LONG} a ripe kettle`))).toEqual([[9_001]]);
    expect(shard.takeExceeded()).toBe(0);
  });

  test("do not hide the matches of another tenant that reads the same feed", () => {
    const found = hostileShard().match({ feed: "f", contents: [{ text: `${LONG} a ripe kettle` }] });
    expect(found[0]).toContain(9_001);
  });
});

test("a single query cannot pass the bound either, and steps are counted, not timed", () => {
  const matcher = new Matcher();
  matcher.add(1, parseQuery('"north south north south north east"'));
  let asked = 0;
  matcher.match({ text: LONG.repeat(10) }, () => {
    asked++;
    matcher.maxSteps = 1_000;
    return true;
  });
  expect(asked).toBe(1);
  expect(matcher.steps).toBeLessThanOrEqual(1_000 + 10);
  expect(MAX_STEPS).toBeLessThanOrEqual(1_000_000);
});
