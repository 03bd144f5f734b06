// The light model counts only the n-grams it knows, each once, whatever else falls into their slots.
import { describe, expect, test } from "bun:test";
import { canonicalise, newTokens } from "../text/canonical.ts";
import { extract, FAMILIES, FAMILY_START, hashGrams, keyOf, newFeatures, SLOTS, TAG_BITS, wordSlot } from "./ngrams.ts";

const TEXT = "The river ran low, and the river ran cold; nobody swam in it that year.";
const COMMON = new Set<number>();
const tokens = newTokens();
canonicalise(TEXT, tokens);

/** Tags of every n-gram of the text, or of the first word alone. */
function tagsOf(only?: "first word"): Uint8Array {
  const tags = new Uint8Array(SLOTS);
  const grams = newFeatures();
  hashGrams(tokens, COMMON, grams);
  for (let f = 0; f < FAMILIES.length; f++) {
    for (let k = grams.from[f]; k < (only ? 1 : grams.from[f + 1]); k++) {
      const key = keyOf(grams.ids[k], f);
      tags[FAMILY_START[f] + (key >>> TAG_BITS)] = (key & ((1 << TAG_BITS) - 1)) + 1;
    }
  }
  return tags;
}

describe("n-grams", () => {
  test("nothing is counted by a model that knows nothing", () => {
    const features = newFeatures();
    extract(tokens, COMMON, new Uint8Array(SLOTS), features);
    expect([...features.from]).toEqual([0, 0, 0]);
    expect(wordSlot(tokens, new Uint8Array(SLOTS), 0, 1)).toBe(-1);
  });

  test("a known word is counted once, however often it occurs", () => {
    const features = newFeatures();
    const tags = tagsOf("first word");
    extract(tokens, COMMON, tags, features);
    expect(features.from[1]).toBe(1);
    expect(features.ids[0]).toBe(wordSlot(tokens, tags, 0, 1));
    expect(wordSlot(tokens, tags, 1, 1)).toBe(-1);
  });

  test("the slot of a phrase is among those that were counted", () => {
    const features = newFeatures();
    const tags = tagsOf();
    extract(tokens, COMMON, tags, features);
    const words = new Set(features.ids.subarray(0, features.from[1]));
    for (let size = 1; size <= 3; size++) expect(words).toContain(wordSlot(tokens, tags, 2, size));
    for (const slot of features.ids.subarray(features.from[1], features.from[2]))
      expect(slot).toBeGreaterThanOrEqual(FAMILY_START[1]);
  });

  test("an n-gram in the slot of another is told apart by its tag", () => {
    const features = newFeatures();
    const tags = tagsOf("first word");
    const slot = wordSlot(tokens, tags, 0, 1);
    tags[slot] = (tags[slot] % 127) + 1;
    extract(tokens, COMMON, tags, features);
    expect(features.from[1]).toBe(0);
  });
});
