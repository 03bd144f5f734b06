import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fillBlock, foldTable, SEPARATOR, SLOW } from "../chars.ts";
import { cut, ends, hashes, KEPT_INTS, kept, load, starts, stoppedAt } from "./kernel.ts";

const SEED = 0x811c9dc5 | 0;
for (let block = 0; block < 256; block++) fillBlock(block << 8);

/** What the kernel should say, unit by unit. */
function plainly(text: string, from: number) {
  const words: { hash: number; start: number; end: number; folded: string }[] = [];
  for (let i = from; i < text.length; ) {
    if (foldTable[text.charCodeAt(i)] === SEPARATOR) {
      i++;
      continue;
    }
    const start = i;
    let hash = SEED;
    let folded = "";
    for (; i < text.length && foldTable[text.charCodeAt(i)] !== SEPARATOR; i++) {
      const unit = foldTable[text.charCodeAt(i)];
      if (unit === SLOW) return { words, stop: start };
      hash = Math.imul(hash ^ unit, 0x01000193);
      folded += String.fromCharCode(unit);
    }
    words.push({ hash, start, end: i, folded });
  }
  return { words, stop: text.length };
}

/** The kept form: a byte a unit, or two, or nothing. */
function packed(folded: string): number[] {
  const bytes = new Uint8Array(KEPT_INTS * 4);
  const units = [...folded].map((c) => c.charCodeAt(0));
  const wide = units.some((u) => u > 255);
  if (!wide) units.slice(0, bytes.length).forEach((u, i) => (bytes[i] = u));
  else if (units.length <= bytes.length / 2) new Uint16Array(bytes.buffer).set(units);
  return [...new Int32Array(bytes.buffer)];
}

const letter = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(..."abcxyzABCXYZ019_ -.,'#@[`{/:") },
  { weight: 2, arbitrary: fc.constantFrom(..."éßÿĀžΑωЖя“—\u00a0ﬁ東ا") },
  { weight: 1, arbitrary: fc.nat(0xffff).map((n) => String.fromCharCode(n)) },
);
const run = fc.tuple(fc.constantFrom("a", "Zq", "é", "ж", " "), fc.nat(40)).map(([s, n]) => s.repeat(n));
const texts = fc
  .array(fc.oneof({ weight: 9, arbitrary: letter }, { weight: 1, arbitrary: run }), { maxLength: 400 })
  .map((list) => list.join(""));

describe("the kernel", () => {
  test("cuts, folds, hashes and keeps as the table says, from any break on", () => {
    fc.assert(
      fc.property(texts, (text) => {
        load(text);
        for (let from = 0; ; ) {
          const { words, stop } = plainly(text, from);
          expect(cut(from, text.length, SEED)).toBe(words.length);
          expect(stoppedAt()).toBe(stop);
          words.forEach(({ hash, start, end, folded }, k) => {
            expect([hashes[k], starts[k], ends[k]]).toEqual([hash, start, end]);
            // Of longer words nothing is asked.
            if (folded.length <= KEPT_INTS * 4)
              expect([...kept.subarray(k * KEPT_INTS, (k + 1) * KEPT_INTS)]).toEqual(packed(folded));
          });
          if (stop === text.length) break;
          from = stop;
          while (from < text.length && foldTable[text.charCodeAt(from)] !== SEPARATOR) from++;
        }
      }),
      { numRuns: 1500 },
    );
  });
});
