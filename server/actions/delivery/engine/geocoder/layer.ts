// The binary form of a set of places: columns and a hash index over one buffer, so that a file maps straight into memory.
import { Houses } from "./houses.ts";
import type { Key } from "./text.ts";

const PLACE_KINDS = ["country", "region", "district", "locality", "postcode", "street", "address"] as const;
export type PlaceKind = (typeof PLACE_KINDS)[number];
export const kind = { country: 0, region: 1, district: 2, locality: 3, postcode: 4, street: 5, address: 6 } as const;

/** Raise it when the bytes, or the way keys are made, change: older files are then refused rather than misread. */
export const FORMAT_VERSION = 7;
export const magic = 0x00474341 | (FORMAT_VERSION << 24); // "ACG" and the version
export const HEADER_WORDS = 16;
/** The word of the header that says where the house numbers begin; 0 in a layer without streets. */
export const HOUSES_AT = 14;
const LAST_BIT = 0x80000000;
const ALTERNATE_BIT = 0x40000000;
const ID_MASK = 0x3fffffff;

/** The sections of a layer, in file order; every one starts on a multiple of 8. */
export const SECTIONS = [
  "lat",
  "lon",
  "admin",
  "population",
  "name",
  "place",
  "country",
  "kind",
  "rank",
  "keys",
  "postings",
  "text",
] as const;
export type Section = (typeof SECTIONS)[number];

export class Layer {
  readonly count: number;
  readonly lat: Int32Array;
  readonly lon: Int32Array;
  /** code32 of "CC.ADMIN1", 0 when unknown. */
  readonly admin: Uint32Array;
  /** Of a street: the middle of its town, see packTown. */
  readonly population: Uint32Array;
  /** Offset of the display name in `text`. */
  readonly name: Uint32Array;
  /** First half of the key of the place a postcode or street belongs to, 0 when unknown. */
  readonly place: Uint32Array;
  /** Two ASCII letters. */
  readonly country: Uint16Array;
  readonly kind: Uint8Array;
  /** How likely this place is meant, 0–255, before anything else is known. */
  readonly rank: Uint8Array;
  readonly #keys: Uint32Array;
  readonly #postings: Uint32Array;
  readonly #text: Uint8Array;
  readonly #mask: number;
  /** Null in a layer without streets. */
  readonly houses: Houses | null;
  readonly #decoder = new TextDecoder();

  constructor(bytes: Uint8Array) {
    const whole = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
    const head = new Uint32Array(whole.buffer, whole.byteOffset, HEADER_WORDS);
    if (head[0] !== magic >>> 0) throw new Error("not a gazetteer layer of this version");
    const at = (i: number) => whole.byteOffset + head[2 + i];
    const size = (i: number) => (i + 1 < SECTIONS.length ? head[3 + i] : whole.byteLength) - head[2 + i];
    const u32 = (i: number) => new Uint32Array(whole.buffer, at(i), size(i) >>> 2);
    this.count = head[1];
    if (head[HOUSES_AT] % 4 !== 0) throw new Error("its streets are of an earlier version");
    this.houses = head[HOUSES_AT] > 0 ? new Houses(whole.buffer, whole.byteOffset + head[HOUSES_AT], this.count) : null;
    this.lat = new Int32Array(whole.buffer, at(0), this.count);
    this.lon = new Int32Array(whole.buffer, at(1), this.count);
    this.admin = u32(2);
    this.population = u32(3);
    this.name = u32(4);
    this.place = u32(5);
    this.country = new Uint16Array(whole.buffer, at(6), this.count);
    this.kind = new Uint8Array(whole.buffer, at(7), this.count);
    this.rank = new Uint8Array(whole.buffer, at(8), this.count);
    const slots = head[HEADER_WORDS - 1];
    this.#keys = new Uint32Array(whole.buffer, at(9), slots * 3);
    this.#mask = slots - 1;
    this.#postings = u32(10);
    this.#text = new Uint8Array(whole.buffer, at(11), size(11));
  }

  /** Where the postings of a key begin, or -1. */
  find(key: Key): number {
    const keys = this.#keys;
    const a = key.a >>> 0;
    const b = key.b >>> 0 || 1;
    for (let slot = (a ^ (b >>> 7)) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const at = slot * 3;
      if (keys[at + 1] === 0) return -1;
      if (keys[at] === a && keys[at + 1] === b) return keys[at + 2];
    }
  }

  /** Visits the places of a key, most likely first, at most `most`. */
  each(start: number, visit: (id: number, alternate: boolean) => void, most = Infinity): void {
    for (let at = start; at < start + most; at++) {
      const posting = this.#postings[at];
      visit(posting & ID_MASK, (posting & ALTERNATE_BIT) !== 0);
      if (posting & LAST_BIT) return;
    }
  }

  nameOf(id: number): string {
    const start = this.name[id];
    return this.#decoder.decode(this.#text.subarray(start + 1, start + 1 + this.#text[start]));
  }
}

export interface PlaceRow {
  kind: number;
  lat: number;
  lon: number;
  country: string;
  /** "FL", "02"; empty when unknown. */
  admin: string;
  /** The code itself, where only that is known. */
  adminCode?: number;
  population: number;
  rank: number;
  name: string;
  /** Folded name of the place a postcode or street belongs to. */
  place?: string;
  /** The code of that name, where only that is known. */
  placeCode?: number;
}

/** A posting as it lies in the file. */
export const posting = (id: number, alternate: boolean, last: boolean): number =>
  (id | (alternate ? ALTERNATE_BIT : 0) | (last ? LAST_BIT : 0)) >>> 0;

export const countryCode = (cc: string): number => (cc.charCodeAt(0) << 8) | cc.charCodeAt(1);
export const countryText = (code: number): string => String.fromCharCode(code >> 8, code & 255);
