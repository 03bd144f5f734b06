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

/** One record a term: pool offset · length << 8 | kind << 4 | flags · document stamp · postings. */
export const STRIDE = 4;
export const STAMP = 2;
export const HEAD = 3;
/** Flag: some alert needs to know where this term stands, not only that it does. */
export const POSITIONAL = 1;

export function seedOf(kind: number): number {
  return SEEDS[kind];
}

/** Spreads the running hash of a whole term. */
export function finish(hash: number): number {
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}

export function hashOf(kind: number, text: string): number {
  let hash = SEEDS[kind];
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), PRIME);
  return finish(hash);
}

const SEGMENTS = 256;
const FIRST_SEGMENT = 16;
const FIRST_FILTER = 2048;

export class Dictionary {
  /** Public for the matcher's loop, which cannot afford a call for every word. */
  records = new Int32Array(64 * STRIDE);
  filter = new Int32Array(FIRST_FILTER);
  filterMask = FIRST_FILTER - 1;
  count = 1;
  live = 0;

  #pool = new Uint16Array(1024);
  #poolEnd = 0;
  #poolWaste = 0;
  #refs = new Int32Array(64);
  #free: number[] = [];
  // The table is 256 small ones: a full one is doubled alone, so that no single create pays for all the others.
  #table = new Int32Array(SEGMENTS * FIRST_SEGMENT);
  #tableEnd = SEGMENTS * FIRST_SEGMENT;
  #bases = new Int32Array(SEGMENTS);
  #masks = new Int32Array(SEGMENTS).fill(FIRST_SEGMENT - 1);
  #counts = new Int32Array(SEGMENTS);
  #spare = new Map<number, number[]>();

  constructor() {
    for (let s = 0; s < SEGMENTS; s++) this.#bases[s] = s * FIRST_SEGMENT;
  }

  get bytes(): number {
    return this.records.byteLength + this.filter.byteLength + this.#table.byteLength + this.#refs.byteLength;
  }

  get textBytes(): number {
    return this.#pool.byteLength;
  }

  /** The term's id, or 0. `hash` is finished. */
  find(hash: number, kind: number, text: string): number {
    return this.findIn(hash, kind, text, 0, text.length);
  }

  /** The same for a folded slice, without cutting it out. */
  findIn(hash: number, kind: number, text: string, from: number, to: number): number {
    const segment = hash >>> 24;
    const base = this.#bases[segment];
    const mask = this.#masks[segment];
    const meta = ((to - from) << 8) | (kind << 4);
    for (let i = hash & mask; ; i = (i + 1) & mask) {
      const id = this.#table[base + i];
      if (id === 0) return 0;
      if ((this.records[id * STRIDE + 1] & ~15) === meta && this.#equal(id, text, from, to)) return id;
    }
  }

  /** The same for units of the original that fold one to one through `fold`. */
  findFolded(hash: number, text: string, from: number, to: number, fold: Uint16Array): number {
    const segment = hash >>> 24;
    const base = this.#bases[segment];
    const mask = this.#masks[segment];
    const meta = ((to - from) << 8) | (WORD_TERM << 4);
    probe: for (let i = hash & mask; ; i = (i + 1) & mask) {
      const id = this.#table[base + i];
      if (id === 0) return 0;
      if ((this.records[id * STRIDE + 1] & ~15) !== meta) continue;
      for (let at = from, p = this.records[id * STRIDE]; at < to; at++, p++) {
        if (this.#pool[p] !== fold[text.charCodeAt(at)]) continue probe;
      }
      return id;
    }
  }

  /** Finds or makes the term and counts one more user of it. */
  acquire(kind: number, text: string): number {
    const hash = hashOf(kind, text);
    let id = this.find(hash, kind, text);
    if (id === 0) {
      id = this.#create(hash, kind, text);
      this.mark(hash);
    }
    this.#refs[id]++;
    return id;
  }

  release(id: number): void {
    if (--this.#refs[id] > 0) return;
    const hash = this.#hashOfId(id);
    this.#unlink(hash, id);
    this.#poolWaste += this.records[id * STRIDE + 1] >>> 8;
    this.records.fill(0, id * STRIDE, (id + 1) * STRIDE);
    this.#free.push(id);
    this.live--;
    if (this.#poolWaste > 65536 && this.#poolWaste > this.#poolEnd / 2) this.#compact();
  }

  flag(id: number, flag: number): void {
    this.records[id * STRIDE + 1] |= flag;
  }

  kindOf(id: number): number {
    return (this.records[id * STRIDE + 1] >>> 4) & 15;
  }

  textOf(id: number): string {
    const from = this.records[id * STRIDE];
    const length = this.records[id * STRIDE + 1] >>> 8;
    return String.fromCharCode(...this.#pool.subarray(from, from + length));
  }

  /** Lets words with this finished hash through the filter. Bits are never taken back: a stale one costs a probe. */
  mark(hash: number): void {
    this.filter[(hash >>> 5) & this.filterMask] |= 1 << hash;
  }

  /** Makes room for so many terms at once, as when all alerts are loaded at start. */
  reserve(terms: number, units: number): void {
    this.records = grown(this.records, (terms + 1) * STRIDE);
    this.#refs = grown(this.#refs, terms + 1);
    this.#pool = grown(this.#pool, units);
    this.#table = grown(this.#table, terms * 3);
  }

  /** True when the filter has become too full for its size and `refill` should be given every hash again. */
  get crowded(): boolean {
    return this.live > this.filter.length * 4 && this.filter.length < 1 << 18;
  }

  refill(extraHashes: Iterable<number>): void {
    let words = this.filter.length;
    while (this.live > words * 2 && words < 1 << 18) words *= 2;
    this.filter = new Int32Array(words);
    this.filterMask = words - 1;
    for (let id = 1; id < this.count; id++) if (this.#refs[id] > 0) this.mark(this.#hashOfId(id));
    for (const hash of extraHashes) this.mark(hash);
  }

  #equal(id: number, text: string, from: number, to: number): boolean {
    for (let p = this.records[id * STRIDE], at = from; at < to; at++, p++) {
      if (this.#pool[p] !== text.charCodeAt(at)) return false;
    }
    return true;
  }

  #hashOfId(id: number): number {
    const from = this.records[id * STRIDE];
    const meta = this.records[id * STRIDE + 1];
    let hash = SEEDS[(meta >>> 4) & 15];
    for (let p = from; p < from + (meta >>> 8); p++) hash = Math.imul(hash ^ this.#pool[p], PRIME);
    return finish(hash);
  }

  #create(hash: number, kind: number, text: string): number {
    const id = this.#free.pop() ?? this.count++;
    this.records = grown(this.records, (id + 1) * STRIDE);
    this.#refs = grown(this.#refs, id + 1);
    this.#pool = grown(this.#pool, this.#poolEnd + text.length);
    for (let i = 0; i < text.length; i++) this.#pool[this.#poolEnd + i] = text.charCodeAt(i);
    this.records[id * STRIDE] = this.#poolEnd;
    this.records[id * STRIDE + 1] = (text.length << 8) | (kind << 4);
    this.records[id * STRIDE + STAMP] = 0;
    this.records[id * STRIDE + HEAD] = 0;
    this.#poolEnd += text.length;
    this.live++;
    this.#link(hash, id);
    return id;
  }

  #link(hash: number, id: number): void {
    const segment = hash >>> 24;
    if (++this.#counts[segment] * 2 > this.#masks[segment] + 1) this.#double(segment);
    this.#place(segment, hash, id);
  }

  #place(segment: number, hash: number, id: number): void {
    const base = this.#bases[segment];
    const mask = this.#masks[segment];
    let i = hash & mask;
    while (this.#table[base + i] !== 0) i = (i + 1) & mask;
    this.#table[base + i] = id;
  }

  #unlink(hash: number, id: number): void {
    const segment = hash >>> 24;
    const base = this.#bases[segment];
    const mask = this.#masks[segment];
    let i = hash & mask;
    while (this.#table[base + i] !== id) i = (i + 1) & mask;
    this.#counts[segment]--;
    for (let j = (i + 1) & mask; this.#table[base + j] !== 0; j = (j + 1) & mask) {
      const want = this.#hashOfId(this.#table[base + j]) & mask;
      if (((j - want) & mask) < ((j - i) & mask)) continue;
      this.#table[base + i] = this.#table[base + j];
      i = j;
    }
    this.#table[base + i] = 0;
  }

  #double(segment: number): void {
    const base = this.#bases[segment];
    const size = this.#masks[segment] + 1;
    const ids = this.#table.slice(base, base + size);
    this.#table.fill(0, base, base + size);
    this.#spare.set(size, [...(this.#spare.get(size) ?? []), base]);
    const reused = this.#spare.get(size * 2)?.pop();
    if (reused === undefined) {
      this.#table = grown(this.#table, this.#tableEnd + size * 2);
      this.#bases[segment] = this.#tableEnd;
      this.#tableEnd += size * 2;
    } else this.#bases[segment] = reused;
    this.#masks[segment] = size * 2 - 1;
    for (const id of ids) if (id !== 0) this.#place(segment, this.#hashOfId(id), id);
  }

  #compact(): void {
    const fresh = new Uint16Array(Math.max(1024, this.#poolEnd - this.#poolWaste + 1024));
    let end = 0;
    for (let id = 1; id < this.count; id++) {
      if (this.#refs[id] === 0) continue;
      const from = this.records[id * STRIDE];
      const length = this.records[id * STRIDE + 1] >>> 8;
      fresh.set(this.#pool.subarray(from, from + length), end);
      this.records[id * STRIDE] = end;
      end += length;
    }
    this.#pool = fresh;
    this.#poolEnd = end;
    this.#poolWaste = 0;
  }
}
