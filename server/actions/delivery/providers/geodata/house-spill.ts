// The houses of an import on disk until all are known, in files of as many streets as can be sorted at once.
import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { HOUSE_WORDS } from "../../engine/geocoder/houses.ts";

/** Streets whose houses share a scratch file: some 20 houses each make a file of a few megabytes. */
const STREETS_PER_FILE = 16_384;
const BUFFERED_HOUSES = 4096;
/** A house in a scratch file: street, number, lat, lon. */
const SPILL_WORDS = 4;

/** Where the houses of a file lie, by street and then by number: counted into streets first, each street then sorted. */
function orderOf(spilled: Int32Array, firstStreet: number): Uint32Array {
  const ends = new Uint32Array(STREETS_PER_FILE + 1);
  for (let at = 0; at < spilled.length; at += SPILL_WORDS) ends[spilled[at] - firstStreet + 1]++;
  for (let i = 1; i < ends.length; i++) ends[i] += ends[i - 1];
  const order = new Uint32Array(spilled.length / SPILL_WORDS);
  const next = ends.slice();
  for (let at = 0; at < spilled.length; at += SPILL_WORDS) order[next[spilled[at] - firstStreet]++] = at;
  for (let i = 0; i < STREETS_PER_FILE; i++)
    if (ends[i + 1] - ends[i] > 1)
      order.subarray(ends[i], ends[i + 1]).sort((x, y) => spilled[x + 1] - spilled[y + 1] || x - y);
  return order;
}

/** Houses on disk, in files of as many streets as can be sorted at once. */
export class HouseSpill {
  #files: { fd: number; path: string; buffer: Int32Array; used: number }[] = [];
  constructor(private readonly scratch: string) {}

  add(street: number, packed: number, lat: number, lon: number): void {
    const which = Math.floor(street / STREETS_PER_FILE);
    while (this.#files.length <= which) {
      const path = `${this.scratch}.${this.#files.length}.houses`;
      this.#files.push({
        fd: openSync(path, "w"),
        path,
        buffer: new Int32Array(BUFFERED_HOUSES * SPILL_WORDS),
        used: 0,
      });
    }
    const file = this.#files[which];
    file.buffer.set([street, packed, lat, lon], file.used);
    file.used += SPILL_WORDS;
    if (file.used === file.buffer.length) this.#flush(which);
  }

  /** The houses of each file as rows of the layer: by street, then by number. */
  *sorted(): Generator<Int32Array> {
    for (let which = 0; which < this.#files.length; which++) {
      this.#flush(which);
      const bytes = readFileSync(this.#files[which].path);
      const spilled = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
      const order = orderOf(spilled, which * STREETS_PER_FILE);
      const rows = new Int32Array(order.length * HOUSE_WORDS);
      for (let i = 0; i < order.length; i++)
        for (let word = 0; word < HOUSE_WORDS; word++) rows[i * HOUSE_WORDS + word] = spilled[order[i] + 1 + word];
      yield rows;
      Bun.gc(true);
    }
  }

  close(): void {
    for (const { fd, path } of this.#files) {
      closeSync(fd);
      rmSync(path, { force: true });
    }
    this.#files = [];
  }

  #flush(which: number): void {
    const file = this.#files[which];
    writeSync(file.fd, new Uint8Array(file.buffer.buffer, 0, file.used * 4));
    file.used = 0;
  }
}
