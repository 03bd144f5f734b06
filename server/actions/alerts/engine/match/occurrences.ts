// Positions of terms in the current document, for alerts that need them: chained per term, in one array.
import { grown } from "./terms/growing.ts";

const WIDTH = 6;
const FROM = 0;
const TO = 1;
const START = 2;
const END = 3;
const ENTRY = 4;
const NEXT = 5;

export class Occurrences {
  /** Words from-to, units start-end of the entry's text, the entry, the next of the same term or -1. */
  #cells = new Int32Array(WIDTH * 64);
  #count = 0;
  #firsts = new Int32Array(0);

  get bytes(): number {
    return this.#firsts.byteLength;
  }

  /** Begins a document; `terms` is how many ids there are. */
  begin(terms: number): void {
    this.#count = 0;
    this.#firsts = grown(this.#firsts, terms);
  }

  /** The term has not been met in this document. */
  none(term: number): void {
    this.#firsts[term] = -1;
  }

  add(term: number, from: number, to: number, start: number, end: number, entry: number): void {
    const at = this.#count++ * WIDTH;
    if (at === this.#cells.length) this.#cells = grown(this.#cells, at + WIDTH);
    const cells = this.#cells;
    cells[at + FROM] = from;
    cells[at + TO] = to;
    cells[at + START] = start;
    cells[at + END] = end;
    cells[at + ENTRY] = entry;
    cells[at + NEXT] = this.#firsts[term];
    this.#firsts[term] = at;
  }

  /** The first of a term that is in the document, or -1. */
  firstOf(term: number): number {
    return this.#firsts[term];
  }
  nextOf(at: number): number {
    return this.#cells[at + NEXT];
  }
  from(at: number): number {
    return this.#cells[at + FROM];
  }
  to(at: number): number {
    return this.#cells[at + TO];
  }
  start(at: number): number {
    return this.#cells[at + START];
  }
  end(at: number): number {
    return this.#cells[at + END];
  }
  entry(at: number): number {
    return this.#cells[at + ENTRY];
  }
}
