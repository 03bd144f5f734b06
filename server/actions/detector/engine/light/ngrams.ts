// Hashes the canonical tokens of a text into the slots of the light model: four families, each a set of distinct slots.
// The same code makes the training rows and the answers, so the two cannot drift apart.
import type { Tokens } from "../text/canonical.ts";

/** Character 3/4/5-grams · word 1/2/3-grams · 2/3/4-grams of word shapes, where rare words are reduced to their ending. */
export const FAMILIES = ["characters", "words", "shapes"] as const;
const FAMILY_BITS = [19, 19, 18] as const;
export const FAMILY_START = [0, 1 << 19, 1 << 20] as const;
export const SLOTS = (1 << 20) + (1 << 18);

const MAX_CHARACTERS = 6_000;
const MAX_FEATURES = 1 << 16;

export interface Features {
  /** Distinct slots; family f occupies ids[from[f] .. from[f + 1]). */
  ids: Int32Array;
  from: Int32Array;
}

export function newFeatures(): Features {
  return { ids: new Int32Array(MAX_FEATURES), from: new Int32Array(FAMILIES.length + 1) };
}

const CHARACTER_SHIFT = 32 - FAMILY_BITS[0];
const stamp = new Uint8Array(SLOTS);
let round = 0;

/** The words kept as they are in the shape family: hashes of the most widely used words. */
export type CommonWords = Set<number>;

const shapes = new Int32Array(32_768);

/** Reads the tokens [first, last). */
export function extract(t: Tokens, common: CommonWords, into: Features, first = 0, last = t.count): void {
  if (++round === 256) {
    stamp.fill(0);
    round = 1;
  }
  const { ids, from } = into;
  from[0] = 0;
  from[1] = last > first ? characters(t.bytes, t.starts[first], t.ends[last - 1] + 1, ids) : 0;
  from[2] = wordGrams(t, ids, from[1], first, last);
  from[3] = shapeGrams(t, common, ids, from[2], first, last);
}

function characters(b: Uint8Array, start: number, end: number, ids: Int32Array): number {
  const n = Math.min(end, start + MAX_CHARACTERS);
  const mark = round;
  let at = 0;
  let slot = 0;
  for (let i = start; i + 3 <= n; i++) {
    let h = Math.imul((b[i] << 16) | (b[i + 1] << 8) | b[i + 2], 0x9e3779b1);
    h ^= h >>> 15;
    slot = Math.imul(h, 0x85ebca6b) >>> CHARACTER_SHIFT;
    if (stamp[slot] !== mark) {
      stamp[slot] = mark;
      ids[at++] = slot;
    }
    // The last two places have no room for a longer one.
    if (i + 4 > n) continue;
    h = Math.imul(h ^ b[i + 3], 0x01000193);
    slot = Math.imul(h ^ (h >>> 13), 0xc2b2ae35) >>> CHARACTER_SHIFT;
    if (stamp[slot] !== mark) {
      stamp[slot] = mark;
      ids[at++] = slot;
    }
    if (i + 5 > n) continue;
    h = Math.imul(h ^ b[i + 4], 0x01000193);
    slot = Math.imul(h ^ (h >>> 14), 0x27d4eb2f) >>> CHARACTER_SHIFT;
    if (stamp[slot] !== mark) {
      stamp[slot] = mark;
      ids[at++] = slot;
    }
  }
  return at;
}

function wordGrams(t: Tokens, ids: Int32Array, at: number, first: number, n: number): number {
  const start = FAMILY_START[1];
  const shift = 32 - FAMILY_BITS[1];
  const mark = round;
  for (let i = first; i < n; i++) {
    let h = t.hashes[i];
    for (let k = 1; k <= 3; k++) {
      const slot = start + (Math.imul(h ^ (h >>> 15), 0x85ebca6b) >>> shift);
      if (stamp[slot] !== mark) {
        stamp[slot] = mark;
        ids[at++] = slot;
      }
      if (i + k >= n) break;
      h = Math.imul(h, 0x9e3779b1) ^ Math.imul(t.hashes[i + k], 0x165667b1);
    }
  }
  return at;
}

/** The slot of the run of `size` tokens that begins at `at`; the same as `wordGrams` gives it. */
export function wordSlot(t: Tokens, at: number, size: number): number {
  let h = t.hashes[at];
  for (let k = 1; k < size; k++) h = Math.imul(h, 0x9e3779b1) ^ Math.imul(t.hashes[at + k], 0x165667b1);
  return FAMILY_START[1] + (Math.imul(h ^ (h >>> 15), 0x85ebca6b) >>> (32 - FAMILY_BITS[1]));
}

function shapeGrams(t: Tokens, common: CommonWords, ids: Int32Array, at: number, first: number, n: number): number {
  const start = FAMILY_START[2];
  const shift = 32 - FAMILY_BITS[2];
  const mark = round;
  for (let i = first; i < n; i++) shapes[i] = t.isWord[i] === 0 || common.has(t.hashes[i]) ? t.hashes[i] : ending(t, i);
  for (let i = first; i < n; i++) {
    let h = shapes[i] ^ 0x3c6ef372;
    for (let k = 1; k <= 4; k++) {
      if (k > 1) {
        const slot = start + (Math.imul(h ^ (h >>> 15), 0x85ebca6b) >>> shift);
        if (stamp[slot] !== mark) {
          stamp[slot] = mark;
          ids[at++] = slot;
        }
      }
      if (i + k >= n) break;
      h = Math.imul(h, 0x9e3779b1) ^ Math.imul(shapes[i + k], 0x165667b1);
    }
  }
  return at;
}

/** A rare word as its last two letters, whether it is long, and whether it is a number or hyphenated. */
function ending(t: Tokens, i: number): number {
  const start = t.starts[i];
  const end = t.ends[i];
  const b = t.bytes;
  if (b[start] === 48) return 0x4e554d30;
  if (b[start] === 1) return 0x464f5230;
  const size = end - start;
  const bucket = size <= 4 ? 0 : size <= 7 ? 1 : 2;
  return Math.imul((b[end - 1] << 10) ^ (b[end - 2] << 2) ^ bucket ^ 0x5bd10000, 0x2c1b3c6d);
}
