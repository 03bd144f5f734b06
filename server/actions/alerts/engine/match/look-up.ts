// The hot loops that look words up, over the rows of the last tokenisation. Plain functions over typed arrays, small
// enough for the compiler to keep everything in registers. reader.ts handles the rest.
import { foldTable } from "../text/chars.ts";
import { CUT_MAX, ends, hashes, KEPT_INTS, kept, starts } from "../text/kernel/kernel.ts";
import type { Dictionary } from "./terms/dictionary.ts";
import { SPREAD } from "./terms/recent.ts";
import { ASKED, ID, LONG, META, STAMP, STRIDE, TEXT, WORD_TERM } from "./terms/record.ts";

const ROWS = CUT_MAX / 2 + 1;

// One document is read at a time, so these serve every matcher of the thread.
/** Rows that may be known words. */
export const rows = new Int32Array(ROWS);
/** Of these: where in `recent` its line is, or -1 when it found none free. */
export const places = new Int32Array(ROWS);
/** Indexes of those whose word is still to be compared with its term. */
const unproved = new Int32Array(ROWS);
let unprovedCount = 0;
/** Rows that found no line. */
export const left = new Int32Array(ROWS);
let without = 0;
export const leftCount = () => without;

/** Lists the rows that pass the filter; says how many. */
export function sift({ filter, filterShift }: Dictionary, count: number): number {
  const wordShift = filterShift + 5;
  let passed = 0;
  for (let k = 0; k < count; k++) {
    const hash = hashes[k];
    // Written always, kept only if its bit is set: no branch to guess wrong.
    rows[passed] = k;
    passed += (filter[hash >>> wordShift] >>> (hash >>> filterShift)) & 1;
  }
  return passed;
}

/**
 * Stamps the line of each row in `recent` with the document and the field, trusting the hash. Lines that are news in
 * this document are listed in `found` from `foundCount` on (the new count is returned), and the first word of each line
 * in this field goes to `unproved`.
 */
export function stampByHash(
  dictionary: Dictionary,
  count: number,
  document: number,
  field: number,
  found: Int32Array,
  foundCount: number,
): number {
  const { cells, shift } = dictionary.recent;
  const stampNow = document << 8;
  const done = stampNow | field;
  // All lines are touched before any is looked at, so that the waits for memory overlap.
  const missing = unproved;
  let missed = 0;
  for (let k = 0; k < count; k++) {
    const hash = hashes[rows[k]];
    const at = (Math.imul(hash, SPREAD) >>> shift) * STRIDE;
    const difference = cells[at] ^ hash;
    places[k] = at;
    missing[missed] = hash;
    missed += (difference | -difference) >>> 31;
  }
  if (missed > 1) dictionary.warm(missing, missed);
  let waiting = 0;
  let lost = 0;
  for (let k = 0; k < count; k++) {
    const at = places[k];
    const hash = hashes[rows[k]];
    if (cells[at] !== hash && !dictionary.recall(at, hash, document)) {
      places[k] = -1;
      left[lost++] = rows[k];
      continue;
    }
    // No branch from here on: whether a word is news is anybody's guess.
    const stamp = cells[at + STAMP];
    const fresh = (((stamp ^ stampNow) >>> 8) + 0xffffff) >>> 24;
    cells[at + STAMP] = done | (stamp & 255 & (fresh - 1));
    found[foundCount] = at;
    foundCount += fresh;
    unproved[waiting] = k;
    waiting += fresh | ((((stamp & field) - 1) >>> 31) & 1);
  }
  unprovedCount = waiting;
  without = lost;
  return foundCount;
}

/**
 * Whether every word in `unproved` is letter for letter the term its hash said; if not, the stamps are worth nothing.
 * A term that some alert asks for has its record stamped as well.
 */
export function proves(dictionary: Dictionary, text: string, base: number): boolean {
  const { cells } = dictionary.recent;
  const { records } = dictionary;
  for (let w = 0; w < unprovedCount; w++) {
    const at = places[unproved[w]];
    const id = cells[at + ID];
    if (id === 0) continue;
    const row = rows[unproved[w]];
    if (!isWord(dictionary, text, base, row, at)) {
      dictionary.contest(hashes[row]);
      return false;
    }
    if ((cells[at + META] & ASKED) !== 0) records[id * STRIDE + STAMP] = cells[at + STAMP];
  }
  return true;
}

/** Whether the row's word is the term whose copy stands at this line of `recent`; `base` is where in the text the cut began. */
export function isWord(dictionary: Dictionary, text: string, base: number, row: number, at: number): boolean {
  const { cells } = dictionary.recent;
  const size = ends[row] - starts[row];
  if (cells[at + META] >>> 4 !== ((size << 4) | WORD_TERM)) return false;
  if ((cells[at + META] & LONG) !== 0)
    return dictionary.is(cells[at + ID], WORD_TERM, text, base + starts[row], base + ends[row], foldTable);
  const own = row * KEPT_INTS;
  const term = at + TEXT;
  return (
    ((kept[own] ^ cells[term]) |
      (kept[own + 1] ^ cells[term + 1]) |
      (kept[own + 2] ^ cells[term + 2]) |
      (kept[own + 3] ^ cells[term + 3])) ===
    0
  );
}
