// A hash table from hash to term ids, made of 256 small tables: a full one is doubled alone, so that no single insert pays
// for all. A removed id leaves no gap.
import { grown } from "./growing.ts";

const SEGMENTS = 256;
const FIRST_SIZE = 16;
const LOAD = 2;

export class Table {
  /** Pairs of hash and id; id 0 ends a search. */
  #cells = new Int32Array(SEGMENTS * FIRST_SIZE * 2);
  readonly #bases = new Int32Array(SEGMENTS);
  readonly #masks = new Int32Array(SEGMENTS);
  readonly #counts = new Int32Array(SEGMENTS);
  #end = 0;
  #spare = new Map<number, number[]>();

  constructor() {
    this.#divide(FIRST_SIZE);
  }

  get bytes(): number {
    return this.#cells.byteLength;
  }

  /** Makes room beforehand; only for an empty table. */
  reserve(ids: number): void {
    let size = FIRST_SIZE;
    while (size < (ids / SEGMENTS) * LOAD * 1.1) size *= 2;
    this.#divide(size);
  }

  /** The first place to look for the hash; then `next` of it, until `idAt` is 0. */
  placeOf(hash: number): number {
    return this.#bases[hash >>> 24] + (hash & this.#masks[hash >>> 24]) * 2;
  }
  next(hash: number, place: number): number {
    const base = this.#bases[hash >>> 24];
    return base + (((place - base) / 2 + 1) & this.#masks[hash >>> 24]) * 2;
  }
  hashAt(place: number): number {
    return this.#cells[place];
  }
  idAt(place: number): number {
    return this.#cells[place + 1];
  }

  /** The only id of this hash; 0 when there is none, -1 when there are several. */
  onlyIdOf(hash: number): number {
    let only = 0;
    for (let place = this.placeOf(hash); this.#cells[place + 1] !== 0; place = this.next(hash, place)) {
      if (this.#cells[place] !== hash) continue;
      if (only !== 0) return -1;
      only = this.#cells[place + 1];
    }
    return only;
  }

  add(hash: number, id: number): void {
    const segment = hash >>> 24;
    if (++this.#counts[segment] * LOAD > this.#masks[segment] + 1) this.#double(segment);
    this.#place(hash, id);
  }

  remove(hash: number, id: number): void {
    const cells = this.#cells;
    const segment = hash >>> 24;
    const base = this.#bases[segment];
    const mask = this.#masks[segment];
    let i = hash & mask;
    while (cells[base + 2 * i + 1] !== id) i = (i + 1) & mask;
    this.#counts[segment]--;
    for (let j = (i + 1) & mask; cells[base + 2 * j + 1] !== 0; j = (j + 1) & mask) {
      const want = cells[base + 2 * j] & mask;
      if (((j - want) & mask) < ((j - i) & mask)) continue;
      cells[base + 2 * i] = cells[base + 2 * j];
      cells[base + 2 * i + 1] = cells[base + 2 * j + 1];
      i = j;
    }
    cells[base + 2 * i] = 0;
    cells[base + 2 * i + 1] = 0;
  }

  #divide(size: number): void {
    this.#end = SEGMENTS * size * 2;
    this.#cells = new Int32Array(this.#end);
    this.#masks.fill(size - 1);
    for (let s = 0; s < SEGMENTS; s++) this.#bases[s] = s * size * 2;
  }

  #place(hash: number, id: number): void {
    let place = this.placeOf(hash);
    while (this.#cells[place + 1] !== 0) place = this.next(hash, place);
    this.#cells[place] = hash;
    this.#cells[place + 1] = id;
  }

  #double(segment: number): void {
    const base = this.#bases[segment];
    const size = this.#masks[segment] + 1;
    const pairs = this.#cells.slice(base, base + 2 * size);
    this.#cells.fill(0, base, base + 2 * size);
    const spare = this.#spare.get(size);
    if (spare) spare.push(base);
    else this.#spare.set(size, [base]);
    const reused = this.#spare.get(size * 2)?.pop();
    if (reused === undefined) {
      this.#cells = grown(this.#cells, this.#end + size * 4);
      this.#bases[segment] = this.#end;
      this.#end += size * 4;
    } else this.#bases[segment] = reused;
    this.#masks[segment] = size * 2 - 1;
    for (let p = 0; p < pairs.length; p += 2) if (pairs[p + 1] !== 0) this.#place(pairs[p], pairs[p + 1]);
  }
}
