// Packs rows of places and their names into the bytes of a Layer. Pure: reading and writing files is geodata's work.
import { countryCode, HEADER_WORDS, HOUSES_AT, kind, magic, type PlaceRow, posting, SECTIONS } from "./layer.ts";
import { code32, type Key, keyOf } from "./text.ts";

/** A growing column: plain arrays of a million numbers cost several times as much. */
export class Column<T extends Float64Array | Int32Array | Uint32Array | Uint16Array | Uint8Array> {
  length = 0;
  #values: T;
  constructor(private readonly make: new (size: number) => T) {
    this.#values = new make(1024);
  }
  push(value: number): void {
    if (this.length === this.#values.length) {
      const wider = new this.make(this.length * 2);
      wider.set(this.#values);
      this.#values = wider;
    }
    this.#values[this.length++] = value;
  }
  at(i: number): number {
    return this.#values[i];
  }
  set(i: number, value: number): void {
    this.#values[i] = value;
  }
  done(): T {
    return this.#values.slice(0, this.length) as T;
  }
}

export class LayerPacker {
  readonly #columns = {
    lat: new Column(Int32Array),
    lon: new Column(Int32Array),
    admin: new Column(Uint32Array),
    population: new Column(Uint32Array),
    name: new Column(Uint32Array),
    place: new Column(Uint32Array),
    country: new Column(Uint16Array),
    kind: new Column(Uint8Array),
    rank: new Column(Uint8Array),
  };
  readonly #text = new TextPool();
  /** One entry per name of a place: both halves of its key, and the posting that is to be found under it. */
  readonly #entries = { a: new Column(Uint32Array), b: new Column(Uint32Array), posting: new Column(Uint32Array) };
  #streets = false;

  /** Adds a place under its folded names (the first is the main one) and returns its number. */
  add(row: PlaceRow, names: string[], alternates: string[] = []): number {
    const c = this.#columns;
    const id = c.lat.length;
    c.lat.push(Math.round(row.lat * 1e6));
    c.lon.push(Math.round(row.lon * 1e6));
    c.admin.push(row.admin === "" ? (row.adminCode ?? 0) : code32(`${row.country}.${row.admin}`));
    c.population.push(row.population);
    // A street and its town are rarely twice in the data: remembering every such name would cost more than it saves.
    c.name.push(row.kind === kind.street ? this.#text.append(row.name) : this.#text.put(row.name));
    c.place.push(row.place ? keyOf(row.place).a : (row.placeCode ?? 0));
    c.country.push(countryCode(row.country));
    c.kind.push(row.kind);
    c.rank.push(Math.max(0, Math.min(255, Math.round(row.rank))));
    if (row.kind >= kind.street) this.#streets = true;
    for (const name of names) this.addName(name, id, false);
    for (const name of alternates) this.addName(name, id, true);
    return id;
  }

  addName(folded: string, id: number, alternate: boolean): void {
    if (folded !== "") this.addKey(keyOf(folded), id, alternate);
  }

  addKey(key: Key, id: number, alternate = false): void {
    this.#entries.a.push(key.a);
    this.#entries.b.push(key.b || 1);
    this.#entries.posting.push(posting(id, alternate, false));
  }

  get count(): number {
    return this.#columns.lat.length;
  }

  /** With streets among the rows, the section of house numbers (`Houses`) must be written right behind these bytes. */
  pack(): Uint8Array<ArrayBuffer> {
    const c = this.#columns;
    const { keys, postings } = this.#index();
    const columns = {
      lat: c.lat.done(),
      lon: c.lon.done(),
      admin: c.admin.done(),
      population: c.population.done(),
      name: c.name.done(),
      place: c.place.done(),
      country: c.country.done(),
      kind: c.kind.done(),
      rank: c.rank.done(),
      keys,
      postings,
      text: this.#text.bytes(),
    };
    return assemble(columns, this.count, keys.length / 3, this.#streets);
  }

  /** Groups the entries by key with a hash table of linked lists, then writes the table the Layer reads. */
  #index(): { keys: Uint32Array; postings: Uint32Array } {
    const a = this.#entries.a.done();
    const b = this.#entries.b.done();
    const { firsts, next } = groupByKey(a, b);
    const slots = slotsFor(firsts.length);
    const keys = new Uint32Array(slots * 3);
    const postings = new Column(Uint32Array);
    for (const first of firsts) {
      let slot = slotOf(a[first], b[first], slots - 1);
      while (keys[slot * 3 + 1] !== 0) slot = (slot + 1) & (slots - 1);
      keys[slot * 3] = a[first];
      keys[slot * 3 + 1] = b[first];
      keys[slot * 3 + 2] = postings.length;
      const found = this.#postingsOf(first, next);
      found.forEach(({ id, alternate }, i) => postings.push(posting(id, alternate, i === found.length - 1)));
    }
    return { keys, postings: postings.done() };
  }

  /** The places of one key, most likely first; a place named twice by the key keeps its first entry. */
  #postingsOf(first: number, next: Int32Array): { id: number; alternate: boolean }[] {
    const found: { id: number; alternate: boolean }[] = [];
    const seen = new Set<number>();
    for (let e = first; e >= 0; e = next[e]) {
      const value = this.#entries.posting.at(e);
      const id = value & 0x3fffffff;
      if (seen.has(id)) continue;
      seen.add(id);
      found.push({ id, alternate: (value & 0x40000000) !== 0 });
    }
    const rank = this.#columns.rank;
    return found.length > 1 ? found.sort((x, y) => rank.at(y.id) - rank.at(x.id) || x.id - y.id) : found;
  }
}

const slotOf = (a: number, b: number, mask: number): number => (a ^ (b >>> 7)) & mask;

function slotsFor(count: number): number {
  let slots = 16;
  while (slots < count * 1.6) slots *= 2;
  return slots;
}

/** The first entry of each key, and for each entry the next one with the same key (-1 at the end). */
function groupByKey(a: Uint32Array, b: Uint32Array): { firsts: number[]; next: Int32Array } {
  const slots = slotsFor(a.length);
  const heads = new Int32Array(slots).fill(-1);
  const tails = new Int32Array(a.length);
  const next = new Int32Array(a.length).fill(-1);
  const firsts: number[] = [];
  for (let e = 0; e < a.length; e++) {
    let slot = slotOf(a[e], b[e], slots - 1);
    for (;;) {
      const head = heads[slot];
      if (head < 0) {
        heads[slot] = e;
        tails[e] = e;
        firsts.push(e);
        break;
      }
      if (a[head] === a[e] && b[head] === b[e]) {
        next[tails[head]] = e;
        tails[head] = e;
        break;
      }
      slot = (slot + 1) & (slots - 1);
    }
  }
  return { firsts, next };
}

/** Names, each once, each with its length in front. */
class TextPool {
  #seen = new Map<string, number>();
  #bytes = new Uint8Array(1 << 16);
  #size = 0;
  #encoder = new TextEncoder();

  put(name: string): number {
    const known = this.#seen.get(name);
    if (known !== undefined) return known;
    const at = this.append(name);
    this.#seen.set(name, at);
    return at;
  }

  append(name: string): number {
    if (this.#size + 1024 > this.#bytes.length) {
      const wider = new Uint8Array(this.#bytes.length * 2);
      wider.set(this.#bytes);
      this.#bytes = wider;
    }
    const at = this.#size;
    // A name is cut at 255 bytes, between two letters.
    const { written } = this.#encoder.encodeInto(name, this.#bytes.subarray(at + 1, at + 256));
    this.#bytes[at] = written;
    this.#size += written + 1;
    return at;
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#size);
  }
}

function assemble(
  columns: Record<string, ArrayBufferView>,
  count: number,
  slots: number,
  streets: boolean,
): Uint8Array<ArrayBuffer> {
  const head = new Uint32Array(HEADER_WORDS);
  head[0] = magic;
  head[1] = count;
  head[HEADER_WORDS - 1] = slots;
  let at = HEADER_WORDS * 4;
  SECTIONS.forEach((name, i) => {
    head[2 + i] = at;
    at += Math.ceil(columns[name].byteLength / 8) * 8;
  });
  head[HOUSES_AT] = streets ? at : 0;
  const out = new Uint8Array(at);
  out.set(new Uint8Array(head.buffer), 0);
  SECTIONS.forEach((name, i) => {
    const column = columns[name];
    out.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), head[2 + i]);
  });
  return out;
}
