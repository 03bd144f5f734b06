// Packs rows of places and their names into the bytes of a Layer. Pure: reading and writing files is geodata's work.
import { countryCode, headerWords, kind, magic, type PlaceRow, posting, sections } from "./layer.ts";
import { code32, keyOf } from "./text.ts";

export class LayerPacker {
  #rows: PlaceRow[] = [];
  /** Folded name → place ids; the sign bit of the id marks an alternate name. */
  #names = new Map<string, number | number[]>();

  /** Adds a place under its folded names (the first is the main one) and returns its number. */
  add(row: PlaceRow, names: string[], alternates: string[] = []): number {
    const id = this.#rows.push(row) - 1;
    for (const name of names) this.addName(name, id, false);
    for (const name of alternates) this.addName(name, id, true);
    return id;
  }

  addName(folded: string, id: number, alternate: boolean): void {
    if (folded === "") return;
    const value = alternate ? -id - 1 : id;
    const known = this.#names.get(folded);
    if (known === undefined) this.#names.set(folded, value);
    else if (typeof known === "number") {
      if (known !== value && known !== id && known !== -id - 1) this.#names.set(folded, [known, value]);
    } else if (!known.includes(id) && !known.includes(-id - 1)) known.push(value);
  }

  get count(): number {
    return this.#rows.length;
  }

  pack(): Uint8Array<ArrayBuffer> {
    const rows = this.#rows;
    const count = rows.length;
    const text = new TextPool();
    const columns = {
      lat: Int32Array.from(rows, (r) => Math.round(r.lat * 1e6)),
      lon: Int32Array.from(rows, (r) => Math.round(r.lon * 1e6)),
      admin: Uint32Array.from(rows, (r) => (r.admin === "" ? (r.adminCode ?? 0) : code32(`${r.country}.${r.admin}`))),
      population: Uint32Array.from(rows, (r) => r.population),
      name: Uint32Array.from(rows, (r) => text.put(r.name)),
      place: Uint32Array.from(rows, (r) => (r.place ? keyOf(r.place).a : 0)),
      country: Uint16Array.from(rows, (r) => countryCode(r.country)),
      kind: Uint8Array.from(rows, (r) => r.kind),
      rank: Uint8Array.from(rows, (r) => Math.max(0, Math.min(255, Math.round(r.rank)))),
      ...this.#index(),
    };
    return assemble(
      { ...columns, text: text.bytes() },
      count,
      columns.keys.length / 3,
      rows.some((r) => r.kind >= kind.street),
    );
  }

  #index(): { keys: Uint32Array; postings: Uint32Array } {
    let slots = 16;
    while (slots < this.#names.size * 1.6) slots *= 2;
    const keys = new Uint32Array(slots * 3);
    const postings: number[] = [];
    for (const [name, value] of this.#names) {
      const { a, b: half } = keyOf(name);
      const b = half || 1;
      let slot = (a ^ (b >>> 7)) & (slots - 1);
      while (keys[slot * 3 + 1] !== 0) slot = (slot + 1) & (slots - 1);
      keys.set([a, b, postings.length], slot * 3);
      const ids = typeof value === "number" ? [value] : value;
      const id = (v: number) => (v < 0 ? -v - 1 : v);
      if (ids.length > 1) ids.sort((x, y) => this.#rows[id(y)].rank - this.#rows[id(x)].rank || id(x) - id(y));
      ids.forEach((v, i) => postings.push(posting(id(v), v < 0, i === ids.length - 1)));
    }
    return { keys, postings: Uint32Array.from(postings) };
  }
}

/** Names, each once, each with its length in front. */
class TextPool {
  #seen = new Map<string, number>();
  #chunks: Uint8Array[] = [];
  #size = 0;
  #encoder = new TextEncoder();

  put(name: string): number {
    const known = this.#seen.get(name);
    if (known !== undefined) return known;
    let bytes = this.#encoder.encode(name);
    if (bytes.length > 255) bytes = this.#encoder.encode(name.slice(0, 60));
    const at = this.#size;
    this.#chunks.push(Uint8Array.of(bytes.length), bytes);
    this.#size += bytes.length + 1;
    this.#seen.set(name, at);
    return at;
  }

  bytes(): Uint8Array {
    return new Uint8Array(Buffer.concat(this.#chunks));
  }
}

function assemble(
  columns: Record<string, ArrayBufferView>,
  count: number,
  slots: number,
  streets: boolean,
): Uint8Array<ArrayBuffer> {
  const head = new Uint32Array(headerWords);
  head[0] = magic;
  head[1] = count;
  head[headerWords - 1] = slots;
  head[14] = streets ? 1 : 0;
  let at = headerWords * 4;
  sections.forEach((name, i) => {
    head[2 + i] = at;
    at += Math.ceil(columns[name].byteLength / 8) * 8;
  });
  const out = new Uint8Array(at);
  out.set(new Uint8Array(head.buffer), 0);
  sections.forEach((name, i) => {
    const column = columns[name];
    out.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), head[2 + i]);
  });
  return out;
}
