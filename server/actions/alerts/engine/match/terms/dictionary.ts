// Every distinct term of every stored alert, found by a hash that is computed while reading. Terms are reference-counted:
// the last alert that needs one removes it. Knows nothing of queries.
import { grown } from "./growing.ts";
import { Recent } from "./recent.ts";
import { LONG, META, STRIDE, TEXT, TEXT_BYTES, USERS, WIDE, hashOf } from "./record.ts";
import { Table } from "./table.ts";

const FIRST_BITS = 16;
// A filter that falls out of the near cache costs more than the words it turns away.
const MAX_BITS = 21;
const MAX_CONTESTED = 10_000;

export class Dictionary {
  /** Public for the reader's loops, which cannot afford a call for every word. */
  records = new Int32Array(64 * STRIDE);
  filter = new Int32Array(1 << (FIRST_BITS - 5));
  filterShift = 32 - FIRST_BITS;
  readonly recent = new Recent();
  count = 1;
  live = 0;

  #units = new Uint16Array(this.records.buffer);
  #bytes = new Uint8Array(this.records.buffer);
  #pool = new Uint16Array(256);
  #poolEnd = 0;
  #poolWaste = 0;
  #free: number[] = [];
  readonly #table = new Table();
  readonly #contested = new Set<number>();

  get bytes(): number {
    return (
      this.records.byteLength + this.filter.byteLength + this.#table.bytes + this.recent.bytes + this.#pool.byteLength
    );
  }

  /** The term's id, or 0. With `fold` the text is the original, which folds unit by unit; else it is folded already. */
  find(hash: number, kind: number, text: string, from = 0, to = text.length, fold: Uint16Array | null = null): number {
    const table = this.#table;
    for (let place = table.placeOf(hash); ; place = table.next(hash, place)) {
      const id = table.idAt(place);
      if (id === 0 || (table.hashAt(place) === hash && this.is(id, kind, text, from, to, fold))) return id;
    }
  }

  is(id: number, kind: number, text: string, from: number, to: number, fold: Uint16Array | null): boolean {
    const at = id * STRIDE;
    if (this.records[at + META] >>> 4 !== (((to - from) << 4) | kind)) return false;
    const units = this.#textUnits(at);
    let u = this.#textPlace(at);
    for (let i = from; i < to; i++, u++) {
      const unit = text.charCodeAt(i);
      if (units[u] !== (fold ? fold[unit] : unit)) return false;
    }
    return true;
  }

  #textUnits(at: number): Uint16Array | Uint8Array {
    const flags = this.records[at + META];
    return (flags & LONG) !== 0 ? this.#pool : (flags & WIDE) !== 0 ? this.#units : this.#bytes;
  }

  #textPlace(at: number): number {
    const flags = this.records[at + META];
    return (flags & LONG) !== 0 ? this.records[at + TEXT] : (at + TEXT) * ((flags & WIDE) !== 0 ? 2 : 4);
  }

  /** Finds or makes the term and counts one more user of it. */
  acquire(kind: number, text: string): number {
    const hash = hashOf(kind, text);
    const id = this.find(hash, kind, text) || this.#create(hash, kind, text);
    this.records[id * STRIDE + USERS]++;
    return id;
  }

  release(id: number): void {
    const at = id * STRIDE;
    if (--this.records[at + USERS] > 0) return;
    this.changed(id);
    this.#table.remove(this.records[at], id);
    const meta = this.records[at + META];
    if ((meta & LONG) !== 0) this.#poolWaste += meta >>> 8;
    this.records.fill(0, at, at + STRIDE);
    this.#free.push(id);
    this.live--;
    if (this.#poolWaste > 65536 && this.#poolWaste > this.#poolEnd / 2) this.#compact();
  }

  flag(id: number, flag: number): void {
    const at = id * STRIDE + META;
    if ((this.records[at] & flag) === flag) return;
    this.records[at] |= flag;
    this.changed(id);
  }

  /** The record of this term is about to differ from its copy. */
  changed(id: number): void {
    this.recent.forget(this.records[id * STRIDE]);
  }

  /**
   * Fills the line of `recent` with what is known of the hash. False when it cannot: another word of this document holds
   * it, or several words have the hash, and only their letters decide which is meant.
   */
  recall(at: number, hash: number, document: number): boolean {
    if (this.recent.holdsOut(at, document) || this.#contested.has(hash)) return false;
    const id = this.#table.onlyIdOf(hash);
    if (id < 0) return false;
    this.recent.copy(at, hash, id, this.records);
    return true;
  }

  /** A word was met that has the hash of a term and is not it: from now on its letters are looked at first. */
  contest(hash: number): void {
    if (this.#contested.size >= MAX_CONTESTED) this.#contested.clear();
    this.#contested.add(hash);
    this.recent.forget(hash);
  }

  /** Touches what `recall` will look at for each of these hashes, all at once rather than one after the other. */
  warm(hashes: Int32Array, count: number): void {
    const table = this.#table;
    const { records } = this;
    for (let k = 0; k < count; k++) hashes[k] = table.idAt(table.placeOf(hashes[k]));
    for (let k = 0; k < count; k++) hashes[k] = records[hashes[k] * STRIDE];
  }

  kindOf(id: number): number {
    return (this.records[id * STRIDE + META] >>> 4) & 15;
  }

  textOf(id: number): string {
    const at = id * STRIDE;
    const units = this.#textUnits(at);
    const from = this.#textPlace(at);
    const to = from + (this.records[at + META] >>> 8);
    let text = "";
    for (let u = from; u < to; u++) text += String.fromCharCode(units[u]);
    return text;
  }

  passes(hash: number): boolean {
    return ((this.filter[hash >>> (this.filterShift + 5)] >>> (hash >>> this.filterShift)) & 1) !== 0;
  }

  /** Lets words with this hash through the filter. Bits are never taken back: a stale one costs a probe. */
  mark(hash: number): void {
    this.filter[hash >>> (this.filterShift + 5)] |= 1 << (hash >>> this.filterShift);
  }

  /** Makes room for so many terms at once, as when all alerts are loaded at start. */
  reserve(terms: number): void {
    this.#growRecords(terms + 1);
    if (this.live === 0) this.#table.reserve(terms);
    this.#widen(terms);
  }

  /** True when the filter has become too full for its size and `refill` should be given every hash again. */
  get crowded(): boolean {
    return this.live * 8 > 1 << (32 - this.filterShift) && this.filterShift > 32 - MAX_BITS;
  }

  refill(extraHashes: Iterable<number>): void {
    this.#widen(this.live);
    for (let id = 1; id < this.count; id++)
      if (this.records[id * STRIDE + USERS] > 0) this.mark(this.records[id * STRIDE]);
    for (const hash of extraHashes) this.mark(hash);
  }

  #widen(terms: number): void {
    let bits = 32 - this.filterShift;
    while (terms * 16 > 2 ** bits && bits < MAX_BITS) bits++;
    this.recent.fit(terms);
    this.filterShift = 32 - bits;
    this.filter = new Int32Array(1 << (bits - 5));
    if (this.live > 0)
      for (let id = 1; id < this.count; id++)
        if (this.records[id * STRIDE + USERS] > 0) this.mark(this.records[id * STRIDE]);
  }

  #growRecords(count: number): void {
    if (this.records.length >= count * STRIDE) return;
    this.records = grown(this.records, count * STRIDE);
    this.#units = new Uint16Array(this.records.buffer);
    this.#bytes = new Uint8Array(this.records.buffer);
  }

  #create(hash: number, kind: number, text: string): number {
    const id = this.#free.pop() ?? this.count++;
    this.#growRecords(id + 1);
    const at = id * STRIDE;
    this.records[at] = hash;
    this.records[at + META] = (text.length << 8) | (kind << 4) | shapeOf(text);
    if ((this.records[at + META] & LONG) !== 0) {
      this.#pool = grown(this.#pool, this.#poolEnd + text.length);
      this.records[at + TEXT] = this.#poolEnd;
      this.#poolEnd += text.length;
    }
    const units = this.#textUnits(at);
    const from = this.#textPlace(at);
    for (let i = 0; i < text.length; i++) units[from + i] = text.charCodeAt(i);
    this.live++;
    this.#table.add(hash, id);
    this.mark(hash);
    this.changed(id);
    return id;
  }

  #compact(): void {
    const fresh = new Uint16Array(this.#poolEnd - this.#poolWaste + 1024);
    let end = 0;
    for (let id = 1; id < this.count; id++) {
      const meta = this.records[id * STRIDE + META];
      if ((meta & LONG) === 0) continue;
      const length = meta >>> 8;
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

function shapeOf(text: string): number {
  let all = 0;
  for (let i = 0; i < text.length; i++) all |= text.charCodeAt(i);
  const wide = all > 255;
  return (text.length * (wide ? 2 : 1) > TEXT_BYTES ? LONG : 0) | (wide ? WIDE : 0);
}
