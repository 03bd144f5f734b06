// Every distinct term of every stored alert, found by a hash computed while reading. Terms are counted, so that the
// last alert that needs one takes it along. Knows nothing of queries.
import { grown } from "./growing.ts";

/** What a term is looked for in; each has its own hash seed, so that "#x" and "x" never meet. */
export const WORD_TERM = 1;
export const UNSPACED_TERM = 2;
export const PREFIX_TERM = 3;
export const TAG_TERM = 4;
export const META_TERM = 5;
const SEEDS = [0, 0x811c9dc5 | 0, 0x3ade68b1, 0x5bd1e995, 0x1b873593, 0x6a09e667];
export const PRIME = 0x01000193;

// One record a term, one cache line: a known word of a document costs one look into the table and one here.
/** Integers of a record: hash · length << 8 | kind << 4 | flags · document stamp · postings · text · postings. */
export const STRIDE = 16;
export const META = 1;
export const STAMP = 2;
/** Number of postings inside the record, or minus the place of their list. */
export const HEAD = 3;
export const INLINE = 10;
export const INLINE_MOST = STRIDE - INLINE;
/** Text of so many units stands in the record; of a longer one the place in the pool. */
export const TEXT = 4;
export const TEXT_MOST = (INLINE - TEXT) * 2;
/** Flag: some alert needs to know where this term stands, not only that it does. */
export const POSITIONAL = 1;

export function hashOf(kind: number, text: string): number {
  let hash = SEEDS[kind];
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), PRIME);
  return hash;
}

export function seedOf(kind: number): number {
  return SEEDS[kind];
}

const SEGMENTS = 256;
const FIRST_SEGMENT = 16;
const FIRST_BITS = 16;
const MOST_BITS = 24;

export class Dictionary {
  /** Public for the reader's loops, which cannot afford a call for every word. */
  records = new Int32Array(64 * STRIDE);
  units = new Uint16Array(this.records.buffer);
  filter = new Int32Array(1 << (FIRST_BITS - 5));
  filterShift = 32 - FIRST_BITS;
  // The table is 256 small ones: a full one is doubled alone, so that no single create pays for all the others.
  /** Pairs of hash and id. */
  table = new Int32Array(SEGMENTS * FIRST_SEGMENT * 2);
  readonly bases = new Int32Array(SEGMENTS);
  readonly masks = new Int32Array(SEGMENTS).fill(FIRST_SEGMENT - 1);
  count = 1;
  live = 0;

  #pool = new Uint16Array(256);
  #poolEnd = 0;
  #poolWaste = 0;
  #refs = new Int32Array(64);
  #free: number[] = [];
  #tableEnd = SEGMENTS * FIRST_SEGMENT * 2;
  #counts = new Int32Array(SEGMENTS);
  #spare = new Map<number, number[]>();

  constructor() {
    for (let s = 0; s < SEGMENTS; s++) this.bases[s] = s * FIRST_SEGMENT * 2;
  }

  get bytes(): number {
    return (
      this.records.byteLength +
      this.filter.byteLength +
      this.table.byteLength +
      this.#refs.byteLength +
      this.#pool.byteLength
    );
  }

  /** The term's id, or 0. With `fold` the text is the original, which folds unit by unit; else it is folded already. */
  find(hash: number, kind: number, text: string, from = 0, to = text.length, fold: Uint16Array | null = null): number {
    const segment = hash >>> 24;
    const base = this.bases[segment];
    const mask = this.masks[segment];
    for (let i = hash & mask; ; i = (i + 1) & mask) {
      const id = this.table[base + 2 * i + 1];
      if (id === 0 || (this.table[base + 2 * i] === hash && this.is(id, kind, text, from, to, fold))) return id;
    }
  }

  is(id: number, kind: number, text: string, from: number, to: number, fold: Uint16Array | null): boolean {
    const at = id * STRIDE;
    if (this.records[at + META] >>> 4 !== (((to - from) << 4) | kind)) return false;
    const long = to - from > TEXT_MOST;
    const units = long ? this.#pool : this.units;
    let u = long ? this.records[at + TEXT] : (at + TEXT) * 2;
    for (let i = from; i < to; i++, u++) {
      const unit = text.charCodeAt(i);
      if (units[u] !== (fold ? fold[unit] : unit)) return false;
    }
    return true;
  }

  /** Finds or makes the term and counts one more user of it. */
  acquire(kind: number, text: string): number {
    const hash = hashOf(kind, text);
    const id = this.find(hash, kind, text) || this.#create(hash, kind, text);
    this.#refs[id]++;
    return id;
  }

  release(id: number): void {
    if (--this.#refs[id] > 0) return;
    const at = id * STRIDE;
    this.#unlink(this.records[at], id);
    const length = this.records[at + META] >>> 8;
    if (length > TEXT_MOST) this.#poolWaste += length;
    this.records.fill(0, at, at + STRIDE);
    this.#free.push(id);
    this.live--;
    if (this.#poolWaste > 65536 && this.#poolWaste > this.#poolEnd / 2) this.#compact();
  }

  flag(id: number, flag: number): void {
    this.records[id * STRIDE + META] |= flag;
  }

  kindOf(id: number): number {
    return (this.records[id * STRIDE + META] >>> 4) & 15;
  }

  textOf(id: number): string {
    const at = id * STRIDE;
    const length = this.records[at + META] >>> 8;
    const long = length > TEXT_MOST;
    const from = long ? this.records[at + TEXT] : (at + TEXT) * 2;
    let text = "";
    for (let u = from; u < from + length; u++) text += String.fromCharCode((long ? this.#pool : this.units)[u]);
    return text;
  }

  /** Lets words with this hash through the filter. Bits are never taken back: a stale one costs a probe. */
  mark(hash: number): void {
    this.filter[hash >>> (this.filterShift + 5)] |= 1 << (hash >>> this.filterShift);
  }

  /** Makes room for so many terms at once, as when all alerts are loaded at start. */
  reserve(terms: number): void {
    this.#growRecords(terms + 1);
    this.#refs = grown(this.#refs, terms + 1);
    this.table = grown(this.table, terms * 8);
    this.#widen(terms);
  }

  /** True when the filter has become too full for its size and `refill` should be given every hash again. */
  get crowded(): boolean {
    return this.live * 8 > 1 << (32 - this.filterShift) && this.filterShift > 32 - MOST_BITS;
  }

  refill(extraHashes: Iterable<number>): void {
    this.#widen(this.live);
    for (let id = 1; id < this.count; id++) if (this.#refs[id] > 0) this.mark(this.records[id * STRIDE]);
    for (const hash of extraHashes) this.mark(hash);
  }

  #widen(terms: number): void {
    let bits = 32 - this.filterShift;
    while (terms * 16 > 2 ** bits && bits < MOST_BITS) bits++;
    this.filterShift = 32 - bits;
    this.filter = new Int32Array(1 << (bits - 5));
    if (this.live > 0)
      for (let id = 1; id < this.count; id++) if (this.#refs[id] > 0) this.mark(this.records[id * STRIDE]);
  }

  #growRecords(count: number): void {
    if (this.records.length >= count * STRIDE) return;
    this.records = grown(this.records, count * STRIDE);
    this.units = new Uint16Array(this.records.buffer);
  }

  #create(hash: number, kind: number, text: string): number {
    const id = this.#free.pop() ?? this.count++;
    this.#growRecords(id + 1);
    this.#refs = grown(this.#refs, id + 1);
    const at = id * STRIDE;
    this.records[at] = hash;
    this.records[at + META] = (text.length << 8) | (kind << 4);
    if (text.length > TEXT_MOST) {
      this.#pool = grown(this.#pool, this.#poolEnd + text.length);
      for (let i = 0; i < text.length; i++) this.#pool[this.#poolEnd + i] = text.charCodeAt(i);
      this.records[at + TEXT] = this.#poolEnd;
      this.#poolEnd += text.length;
    } else for (let i = 0; i < text.length; i++) this.units[(at + TEXT) * 2 + i] = text.charCodeAt(i);
    this.live++;
    this.#link(hash, id);
    this.mark(hash);
    return id;
  }

  #link(hash: number, id: number): void {
    const segment = hash >>> 24;
    if (++this.#counts[segment] * 2 > this.masks[segment] + 1) this.#double(segment);
    this.#place(segment, hash, id);
  }

  #place(segment: number, hash: number, id: number): void {
    const base = this.bases[segment];
    const mask = this.masks[segment];
    let i = hash & mask;
    while (this.table[base + 2 * i + 1] !== 0) i = (i + 1) & mask;
    this.table[base + 2 * i] = hash;
    this.table[base + 2 * i + 1] = id;
  }

  #unlink(hash: number, id: number): void {
    const segment = hash >>> 24;
    const base = this.bases[segment];
    const mask = this.masks[segment];
    let i = hash & mask;
    while (this.table[base + 2 * i + 1] !== id) i = (i + 1) & mask;
    this.#counts[segment]--;
    for (let j = (i + 1) & mask; this.table[base + 2 * j + 1] !== 0; j = (j + 1) & mask) {
      const want = this.table[base + 2 * j] & mask;
      if (((j - want) & mask) < ((j - i) & mask)) continue;
      this.table[base + 2 * i] = this.table[base + 2 * j];
      this.table[base + 2 * i + 1] = this.table[base + 2 * j + 1];
      i = j;
    }
    this.table[base + 2 * i] = 0;
    this.table[base + 2 * i + 1] = 0;
  }

  #double(segment: number): void {
    const base = this.bases[segment];
    const size = this.masks[segment] + 1;
    const pairs = this.table.slice(base, base + 2 * size);
    this.table.fill(0, base, base + 2 * size);
    const spare = this.#spare.get(size);
    if (spare) spare.push(base);
    else this.#spare.set(size, [base]);
    const reused = this.#spare.get(size * 2)?.pop();
    if (reused === undefined) {
      this.table = grown(this.table, this.#tableEnd + size * 4);
      this.bases[segment] = this.#tableEnd;
      this.#tableEnd += size * 4;
    } else this.bases[segment] = reused;
    this.masks[segment] = size * 2 - 1;
    for (let p = 0; p < pairs.length; p += 2) if (pairs[p + 1] !== 0) this.#place(segment, pairs[p], pairs[p + 1]);
  }

  #compact(): void {
    const fresh = new Uint16Array(this.#poolEnd - this.#poolWaste + 1024);
    let end = 0;
    for (let id = 1; id < this.count; id++) {
      const length = this.records[id * STRIDE + META] >>> 8;
      if (length <= TEXT_MOST) continue;
      const from = this.records[id * STRIDE + TEXT];
      fresh.set(this.#pool.subarray(from, from + length), end);
      this.records[id * STRIDE + TEXT] = end;
      end += length;
    }
    this.#pool = fresh;
    this.#poolEnd = end;
    this.#poolWaste = 0;
  }
}
