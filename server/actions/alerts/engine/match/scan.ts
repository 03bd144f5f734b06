// The two hot loops: cutting text into hashed words, and looking the promising ones up. Plain functions over typed
// arrays, kept small so that the compiler keeps everything in registers. What they cannot do alone, reader.ts does.
import { SEPARATOR, SLOW } from "../text/chars.ts";
import { META, PRIME, STAMP, STRIDE, TEXT, TEXT_MOST, WORD_TERM, seedOf, type Dictionary } from "./dictionary.ts";
import { grown } from "./growing.ts";

const WORD_SEED = seedOf(WORD_TERM);

/** Words that may be known: one row each, over parallel arrays. */
export class Candidates {
  count = 0;
  /** Where the scan stopped, and how many words it has passed. */
  at = 0;
  position = 0;
  hashes = new Int32Array(4096);
  starts = new Int32Array(4096);
  ends = new Int32Array(4096);
  positions = new Int32Array(4096);
  ids = new Int32Array(4096);
  /** Rows whose word is still to be compared with its term. */
  unproved = new Int32Array(4096);
  unprovedCount = 0;

  reserve(words: number): void {
    if (this.hashes.length > words) return;
    this.hashes = grown(this.hashes, words + 1);
    this.starts = grown(this.starts, words + 1);
    this.ends = grown(this.ends, words + 1);
    this.positions = grown(this.positions, words + 1);
    this.ids = grown(this.ids, words + 1);
    this.unproved = grown(this.unproved, words + 1);
  }
}

/** Scans words up to the end, or to the start of one that needs the slow path (then `at` is short of the end). */
export function scanWords(
  text: string,
  fold: Uint16Array,
  filter: Int32Array,
  filterShift: number,
  into: Candidates,
): void {
  const { hashes, starts, ends, positions } = into;
  const wordShift = filterShift + 5;
  const length = text.length;
  let count = into.count;
  let position = into.position;
  let i = into.at;
  while (i < length) {
    let unit = fold[text.charCodeAt(i)];
    if (unit === SEPARATOR) {
      i++;
      continue;
    }
    const start = i;
    let hash = WORD_SEED;
    while (unit > SLOW) {
      hash = Math.imul(hash ^ unit, PRIME);
      if (++i === length) break;
      unit = fold[text.charCodeAt(i)];
    }
    if (unit === SLOW) {
      i = start;
      break;
    }
    // Written always, kept only if its bit is set: no branch to guess wrong.
    hashes[count] = hash;
    starts[count] = start;
    ends[count] = i;
    positions[count] = position++;
    count += (filter[hash >>> wordShift] >>> (hash >>> filterShift)) & 1;
  }
  into.count = count;
  into.position = position;
  into.at = i;
}

/**
 * Stamps each word whose hash is known with the document and the field, trusting the hash; new terms are listed in
 * `found` from `foundCount` on (the new count is returned), and the first word of each term in this field goes to
 * `unproved`. One step for all words before the next step, so that the waits for memory overlap.
 */
export function stampByHash(
  dictionary: Dictionary,
  words: Candidates,
  stampNow: number,
  field: number,
  found: Int32Array,
  foundCount: number,
): number {
  const { table, bases, masks, records } = dictionary;
  const { count, hashes, ids, unproved } = words;
  // First where each belongs, without a branch: a branch on a load that is still under way stops all that follow.
  const differences = unproved;
  for (let k = 0; k < count; k++) {
    const hash = hashes[k];
    const segment = hash >>> 24;
    const at = bases[segment] + (hash & masks[segment]) * 2;
    differences[k] = table[at] ^ hash;
    ids[k] = table[at + 1];
  }
  for (let k = 0; k < count; k++) {
    if (differences[k] !== 0 && ids[k] !== 0) ids[k] = probeOn(table, bases, masks, hashes[k]);
  }
  const done = stampNow | field;
  // Record 0 stands for "unknown": stamped beforehand, it is never news.
  records[STAMP] = done;
  let waiting = 0;
  for (let k = 0; k < count; k++) {
    const id = ids[k];
    const cell = id * STRIDE + STAMP;
    const stamp = records[cell];
    const fresh = (((stamp ^ stampNow) >>> 8) + 0xffffff) >>> 24;
    records[cell] = done | (stamp & 255 & (fresh - 1));
    found[foundCount] = id;
    foundCount += fresh;
    unproved[waiting] = k;
    waiting += fresh | ((((stamp & field) - 1) >>> 31) & 1);
  }
  words.unprovedCount = waiting;
  return foundCount;
}

/** The id of the hash, which is not at its own place, or 0. */
function probeOn(table: Int32Array, bases: Int32Array, masks: Int32Array, hash: number): number {
  const mask = masks[hash >>> 24];
  const base = bases[hash >>> 24];
  let at = (hash + 1) & mask;
  while (table[base + 2 * at] !== hash && table[base + 2 * at + 1] !== 0) at = (at + 1) & mask;
  return table[base + 2 * at + 1];
}

/** Whether every word in `unproved` is letter for letter the term its hash said; if not, the stamps are worth nothing. */
export function proves(text: string, fold: Uint16Array, dictionary: Dictionary, words: Candidates): boolean {
  const { unproved, unprovedCount, ids, starts, ends } = words;
  const { records, units } = dictionary;
  for (let w = 0; w < unprovedCount; w++) {
    const k = unproved[w];
    const at = ids[k] * STRIDE;
    if (at === 0) continue;
    const start = starts[k];
    const size = ends[k] - start;
    if (records[at + META] >>> 4 !== ((size << 4) | WORD_TERM)) return false;
    if (size > TEXT_MOST) {
      if (!dictionary.is(ids[k], WORD_TERM, text, start, start + size, fold)) return false;
      continue;
    }
    const first = (at + TEXT) * 2;
    let difference = 0;
    for (let u = 0; u < size; u++) difference |= units[first + u] ^ fold[text.charCodeAt(start + u)];
    if (difference !== 0) return false;
  }
  return true;
}

export function isWord(
  text: string,
  fold: Uint16Array,
  dictionary: Dictionary,
  start: number,
  end: number,
  id: number,
): boolean {
  const { records, units } = dictionary;
  const size = end - start;
  if (records[id * STRIDE + META] >>> 4 !== ((size << 4) | WORD_TERM)) return false;
  if (size > TEXT_MOST) return dictionary.is(id, WORD_TERM, text, start, end, fold);
  const first = (id * STRIDE + TEXT) * 2;
  let difference = 0;
  for (let u = 0; u < size; u++) difference |= units[first + u] ^ fold[text.charCodeAt(start + u)];
  return difference === 0;
}
