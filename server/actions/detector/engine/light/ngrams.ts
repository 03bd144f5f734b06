// Hashes the canonical tokens of a text into the slots of the light model: two families, each a set of distinct slots.
// The same code makes the training rows and the answers, so the two cannot drift apart.
import type { Tokens } from "../text/canonical.ts";

/** 1/2/3-grams of words · 2/3/4-grams of word shapes, where rare words are reduced to their ending. */
export const FAMILIES = ["words", "shapes"] as const;
const FAMILY_BITS = [18, 18] as const;
export const FAMILY_START = [0, 1 << 18] as const;
export const SLOTS = 1 << 19;

const MAX_GRAMS = 1 << 16;

/** What a slot's n-gram is told apart by from others that fall into the slot; 0 marks a slot without one. */
export type Tags = Uint8Array;
export const TAG_BITS = 7;

export interface Features {
  /** Distinct slots; family f occupies ids[from[f] .. from[f + 1]). */
  ids: Int32Array;
  from: Int32Array;
}

export function newFeatures(): Features {
  return { ids: new Int32Array(MAX_GRAMS), from: new Int32Array(FAMILIES.length + 1) };
}

const stamp = new Uint8Array(SLOTS);
let round = 0;

/** The words kept as they are in the shape family: hashes of the most widely used words. */
export type CommonWords = Set<number>;

const shapes = new Int32Array(32_768);
const grams = newFeatures();

/** Reads the tokens [first, last): the distinct slots of those n-grams that the model knows. */
export function extract(t: Tokens, common: CommonWords, tags: Tags, into: Features, first = 0, last = t.count): void {
  if (++round === 256) {
    stamp.fill(0);
    round = 1;
  }
  hashGrams(t, common, grams, first, last);
  const { ids, from } = into;
  const mark = round;
  let at = 0;
  for (let f = 0; f < FAMILIES.length; f++) {
    const start = FAMILY_START[f];
    const shift = 32 - FAMILY_BITS[f];
    from[f] = at;
    for (let k = grams.from[f]; k < grams.from[f + 1]; k++) {
      const hash = grams.ids[k];
      const slot = start + (hash >>> shift);
      if (tags[slot] !== tagOf(hash, shift) || stamp[slot] === mark) continue;
      stamp[slot] = mark;
      ids[at++] = slot;
    }
  }
  from[FAMILIES.length] = at;
}

function tagOf(hash: number, shift: number): number {
  return ((hash >>> (shift - TAG_BITS)) & ((1 << TAG_BITS) - 1)) + 1;
}

/** The bits of a hash that decide slot and tag, as one number. */
export function keyOf(hash: number, family: number): number {
  return hash >>> (32 - FAMILY_BITS[family] - TAG_BITS);
}

/** Every n-gram's hash, with repeats; its upper bits give the slot, the next ones the tag. */
export function hashGrams(t: Tokens, common: CommonWords, into: Features, first = 0, last = t.count): void {
  const { ids, from } = into;
  from[0] = 0;
  from[1] = wordGrams(t, ids, 0, first, last);
  from[2] = shapeGrams(t, common, ids, from[1], first, last);
}

function wordGrams(t: Tokens, ids: Int32Array, at: number, first: number, n: number): number {
  for (let i = first; i < n; i++) {
    let h = t.hashes[i];
    for (let k = 1; k <= 3; k++) {
      ids[at++] = mix(h);
      if (i + k >= n) break;
      h = join(h, t.hashes[i + k]);
    }
  }
  return at;
}

/** The slot of the run of `size` tokens that begins at `at`, the same as `extract` gives it; -1 for one the model does not know. */
export function wordSlot(t: Tokens, tags: Tags, at: number, size: number): number {
  let h = t.hashes[at];
  for (let k = 1; k < size; k++) h = join(h, t.hashes[at + k]);
  const hash = mix(h);
  const shift = 32 - FAMILY_BITS[0];
  const slot = FAMILY_START[0] + (hash >>> shift);
  return tags[slot] === tagOf(hash, shift) ? slot : -1;
}

function shapeGrams(t: Tokens, common: CommonWords, ids: Int32Array, at: number, first: number, n: number): number {
  for (let i = first; i < n; i++) shapes[i] = t.isWord[i] === 0 || common.has(t.hashes[i]) ? t.hashes[i] : ending(t, i);
  for (let i = first; i < n; i++) {
    let h = shapes[i] ^ 0x3c6ef372;
    for (let k = 1; k <= 4; k++) {
      if (k > 1) ids[at++] = mix(h);
      if (i + k >= n) break;
      h = join(h, shapes[i + k]);
    }
  }
  return at;
}

function join(hash: number, next: number): number {
  return Math.imul(hash, 0x9e3779b1) ^ Math.imul(next, 0x165667b1);
}

function mix(hash: number): number {
  return Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
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
