// A cache of recently read words, each with a copy of its term's record: most words of a text repeat, and a copy costs one
// line of a near cache instead of two of a far one. A copy is dropped when its term changes, and is not evicted while
// the document that marked it is read.
import { ID, STAMP, STRIDE } from "./record.ts";

const LEAST = 64;
const MAX_LINES = 65_536;
const TERMS_A_LINE = 8;
/** The hash is weak in its middle: words that differ in one letter would meet. */
export const SPREAD = 0x9e3779b1 | 0;

export class Recent {
  /** Public for the reader's loops. A line without a term says that no term has its hash. */
  cells = new Int32Array(0);
  shift = 0;

  constructor() {
    this.#clear(LEAST);
  }

  get bytes(): number {
    return this.cells.byteLength;
  }

  /** Grows with the dictionary; what was there is read again when it is next met. */
  fit(terms: number): void {
    const now = this.cells.length / STRIDE;
    let lines = now;
    while (lines < MAX_LINES && lines * TERMS_A_LINE < terms) lines *= 2;
    if (lines > now) this.#clear(lines);
  }

  clear(): void {
    this.#clear(this.cells.length / STRIDE);
  }

  placeOf(hash: number): number {
    return (Math.imul(hash, SPREAD) >>> this.shift) * STRIDE;
  }

  /** The term of this hash has come, gone or changed. */
  forget(hash: number): void {
    const at = this.placeOf(hash);
    if (this.cells[at] === hash) this.cells[at] = this.#hashElsewhere(at);
  }

  /** Whether the line was stamped by this document and so must stay. */
  holdsOut(at: number, document: number): boolean {
    return this.cells[at + STAMP] >>> 8 === document;
  }

  /** Fills the line with a copy of the record, or with the news that there is none. */
  copy(at: number, hash: number, id: number, records: Int32Array): void {
    const { cells } = this;
    if (id === 0) cells.fill(0, at, at + STRIDE);
    else for (let i = 0; i < STRIDE; i++) cells[at + i] = records[id * STRIDE + i];
    cells[at] = hash;
    cells[at + ID] = id;
  }

  #clear(lines: number): void {
    this.shift = 32 - Math.log2(lines);
    this.cells = new Int32Array(lines * STRIDE);
    for (let at = 0; at < this.cells.length; at += STRIDE) this.cells[at] = this.#hashElsewhere(at);
  }

  /** A hash that belongs to another line, so that no word takes an empty line for its own. */
  #hashElsewhere(at: number): number {
    return at === 0 ? 1 : 0;
  }
}
