// Chooses the n-grams that the light model knows: those that many data families share. What one family alone says is its topic.
import { canonicalise, newTokens } from "../server/actions/detector/engine/text/canonical.ts";
import {
  type CommonWords,
  FAMILIES,
  FAMILY_START,
  hashGrams,
  keyOf,
  newFeatures,
  SLOTS,
  TAG_BITS,
  type Tags,
} from "../server/actions/detector/engine/light/ngrams.ts";
import { CHUNK_WORDS } from "../server/actions/detector/engine/light/model.ts";
import type { Row } from "./rows.ts";

/** An n-gram has to occur in so many families. */
const MIN_FAMILIES = 5;
const TEXTS_OF_FAMILY = 500;

/** For every slot, the tag of the n-gram in it that the most families share. */
export function chooseGrams(rows: Row[], common: CommonWords): Tags {
  const texts = [...Map.groupBy(rows, (row) => `${row.family} ${row.ai}`).values()].map((list) =>
    list.slice(0, TEXTS_OF_FAMILY).map((row) => row.text),
  );
  const tags = new Uint8Array(SLOTS);
  const sizes = FAMILIES.map((_, f) => ((FAMILY_START[f + 1] ?? SLOTS) - FAMILY_START[f]) << TAG_BITS);
  const spread = sizes.map((size) => new Uint8Array(size));
  const latest = sizes.map((size) => new Uint8Array(size));
  const tokens = newTokens();
  const grams = newFeatures();
  texts.forEach((list, n) => {
    for (const text of list) {
      canonicalise(text, tokens, CHUNK_WORDS);
      hashGrams(tokens, common, grams);
      for (let f = 0; f < FAMILIES.length; f++) {
        for (let k = grams.from[f]; k < grams.from[f + 1]; k++) {
          const key = keyOf(grams.ids[k], f);
          if (latest[f][key] === n + 1) continue;
          latest[f][key] = n + 1;
          spread[f][key]++;
        }
      }
    }
  });
  for (let f = 0; f < FAMILIES.length; f++) {
    let known = 0;
    for (let slot = 0; slot < sizes[f] >> TAG_BITS; slot++) {
      let best = MIN_FAMILIES - 1;
      for (let tag = 0; tag < 1 << TAG_BITS; tag++) {
        const families = spread[f][(slot << TAG_BITS) + tag];
        if (families <= best) continue;
        best = families;
        tags[FAMILY_START[f] + slot] = tag + 1;
      }
      if (best >= MIN_FAMILIES) known++;
    }
    console.log(`${FAMILIES[f]}: ${known} n-grams in ${sizes[f] >> TAG_BITS} slots`);
  }
  return tags;
}
