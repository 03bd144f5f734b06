// Positions of terms in the current document, for alerts that need them: chained per term, in one array.
import { grown } from "./terms/growing.ts";

const WIDTH = 6;
const FROM = 0;
const TO = 1;
const START = 2;
const END = 3;
const ENTRY = 4;
const NEXT = 5;
/** So many occurrences are searched one by one before they are indexed. */
const MAX_STEPS = 16;

const placeOf = (entry: number, from: number) => entry * 0x1_0000_0000 + from;

export class Occurrences {
  /** Words from-to, units start-end of the entry's text, the entry, the next of the same term or -1. */
  #cells = new Int32Array(WIDTH * 64);
  #count = 0;
  #firsts = new Int32Array(0);
  /** For terms that occur often: from place to cell. */
  readonly #byPlace = new Map<number, Map<number, number>>();

  get bytes(): number {
    return this.#firsts.byteLength;
  }

  /** Begins a document; `terms` is how many ids there are. */
  begin(terms: number): void {
    this.#count = 0;
    if (this.#byPlace.size > 0) this.#byPlace.clear();
    this.#firsts = grown(this.#firsts, terms);
  }

  /** The term has not been met in this document. */
  none(term: number): void {
    this.#firsts[term] = -1;
  }

  add(term: number, from: number, to: number, start: number, end: number, entry: number): void {
    const at = this.#count++ * WIDTH;
    if (at + WIDTH > this.#cells.length) this.#cells = grown(this.#cells, at + WIDTH);
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

  /** The occurrence of a term that begins at this word of the entry, or -1. A term has at most one there. */
  startingAt(term: number, entry: number, from: number): number {
    const cells = this.#cells;
    let steps = 0;
    for (let at = this.#firsts[term]; at >= 0; at = cells[at + NEXT]) {
      if (cells[at + FROM] === from && cells[at + ENTRY] === entry) return at;
      if (++steps === MAX_STEPS) return this.#placesOf(term).get(placeOf(entry, from)) ?? -1;
    }
    return -1;
  }

  /** Without it a phrase over two frequent words would cost the product of their counts. */
  #placesOf(term: number): Map<number, number> {
    let places = this.#byPlace.get(term);
    if (places) return places;
    places = new Map();
    const cells = this.#cells;
    for (let at = this.#firsts[term]; at >= 0; at = cells[at + NEXT]) {
      places.set(placeOf(cells[at + ENTRY], cells[at + FROM]), at);
    }
    this.#byPlace.set(term, places);
    return places;
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
