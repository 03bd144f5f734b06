// Gathers streets and their houses for a layer. Streets stay in memory as columns; houses go to scratch files, sorted file by
// file at the end, so that a country of many million houses needs little memory.
import { closeSync, openSync, writeSync } from "node:fs";
import { HOUSE_WORDS, packNumber, readHouseNumber } from "../../engine/geocoder/houses.ts";
import { countryCode, countryText, kind, type Layer } from "../../engine/geocoder/layer.ts";
import { Column, type LayerPacker } from "../../engine/geocoder/pack.ts";
import { packTown, streetKey } from "../../engine/geocoder/streets.ts";
import { code32, foldName, type Key } from "../../engine/geocoder/text.ts";
import { canonName } from "../../engine/geocoder/words.ts";
import type { ImportedRow } from "./files/imported-row.ts";
import { HouseSpill } from "./house-spill.ts";
import type { NearestCity } from "./nearest-city.ts";

/** Pieces of one street lie within this many degrees of its first piece; farther away it is another of the name. */
const STREET_DEGREES = 0.1;
/** "12-18" is the houses 12 and 18; a wider range is a slip. */
const WIDEST_RANGE = 60;
/** Towns of cells of 0.01° and of names that are remembered. */
const MAX_REMEMBERED = 200_000;

interface Town {
  id: number;
  isNamed: boolean;
}

export class StreetImport {
  readonly #streets = {
    /** Next street of the same name and town elsewhere, -1 at the end. */
    twin: new Column(Int32Array),
    a: new Column(Uint32Array),
    b: new Column(Uint32Array),
    lat: new Column(Int32Array),
    lon: new Column(Int32Array),
    town: new Column(Int32Array),
    place: new Column(Uint32Array),
    country: new Column(Uint16Array),
    named: new Column(Uint8Array),
    pieces: new Column(Uint32Array),
    sumLat: new Column(Float64Array),
    sumLon: new Column(Float64Array),
    houses: new Column(Uint32Array),
    name: new Column(Uint32Array),
  };
  readonly #first = new Map<number, number>();
  readonly #names = new Names();
  readonly #towns = new Map<string, Town>();
  readonly #keys = new Map<string, Key>();
  readonly #spill: HouseSpill;

  constructor(
    private readonly base: Layer,
    private readonly cities: NearestCity,
    scratch: string,
  ) {
    this.#spill = new HouseSpill(scratch);
  }

  /** Returns the row's place where the base layer does not know it. */
  add(row: ImportedRow): string | null {
    const street = this.#streetOf(row);
    if (street < 0) return null;
    const s = this.#streets;
    s.pieces.set(street, s.pieces.at(street) + 1);
    s.sumLat.set(street, s.sumLat.at(street) + row.lat);
    s.sumLon.set(street, s.sumLon.at(street) + row.lon);
    this.#addHouses(street, row);
    return s.town.at(street) < 0 && s.named.at(street) === 1 ? row.place! : null;
  }

  #addHouses(street: number, row: ImportedRow): void {
    const s = this.#streets;
    if (!row.number) return;
    for (const packed of numbersOf(row.number)) {
      s.houses.set(street, s.houses.at(street) + 1);
      this.#spill.add(street, packed, Math.round(row.lat * 1e6), Math.round(row.lon * 1e6));
    }
  }

  /** Adds the streets to the packer, writes its bytes and then the houses. Returns the size of the file. */
  write(packer: LayerPacker, file: string): number {
    const before = packer.count;
    const count = this.#streets.a.length;
    for (let i = 0; i < count; i++) this.#pack(packer, i);
    this.#first.clear();
    Bun.gc(true);
    const bytes = packer.pack();
    const fd = openSync(file, "w");
    try {
      writeSync(fd, bytes);
      if (count === 0) return bytes.length;
      const starts = new Uint32Array(before + count + 1);
      for (let i = 0; i < count; i++) starts[before + i + 1] = starts[before + i] + this.#streets.houses.at(i);
      writeSync(fd, new Uint8Array(starts.buffer));
      for (const rows of this.#spill.sorted()) writeSync(fd, new Uint8Array(rows.buffer));
      return bytes.length + starts.byteLength + 4 * HOUSE_WORDS * starts[before + count];
    } finally {
      closeSync(fd);
    }
  }

  close(): void {
    this.#spill.close();
  }

  #streetOf(row: ImportedRow): number {
    const s = this.#streets;
    const key = this.#keyOf(row.name);
    const town = this.#townOf(row);
    const country = row.country || (town.id >= 0 ? countryText(this.base.country[town.id]) : this.#countryAt(row));
    if (country === "") return -1;
    const [lat, lon] = [Math.round(row.lat * 1e6), Math.round(row.lon * 1e6)];
    const place = this.#placeKey(row, town);
    // 53 bits of name and town: two million streets meet by chance once in ten thousand imports.
    const hash = ((key.a ^ Math.imul(place, 0x9e3779b1)) >>> 0) * 2 ** 21 + (key.b & 0x1fffff);
    let last = -1;
    for (let i = this.#first.get(hash) ?? -1; i >= 0; i = s.twin.at(i)) {
      const near = STREET_DEGREES * 1e6;
      if (Math.abs(s.lat.at(i) - lat) < near && Math.abs(s.lon.at(i) - lon) < 1.5 * near) return i;
      last = i;
    }
    const id = s.a.length;
    if (last < 0) this.#first.set(hash, id);
    else s.twin.set(last, id);
    s.twin.push(-1);
    s.a.push(key.a);
    s.b.push(key.b);
    s.lat.push(lat);
    s.lon.push(lon);
    s.town.push(town.id);
    s.place.push(place);
    s.country.push(countryCode(country));
    s.named.push(town.isNamed ? 1 : 0);
    for (const counted of [s.houses, s.pieces, s.sumLat, s.sumLon]) counted.push(0);
    s.name.push(this.#names.put(`${row.name}${this.#suffix(row, town)}`));
    return id;
  }

  #countryAt({ lat, lon }: ImportedRow): string {
    return this.cities.near(lat, lon, "").country;
  }

  #suffix(row: ImportedRow, town: Town): string {
    if (row.place && !isPostcode(row.place)) return `, ${row.place}`;
    return town.id >= 0 ? `, ${this.base.nameOf(town.id)}` : "";
  }

  #placeKey(row: ImportedRow, town: Town): number {
    const name = row.place ?? (town.id >= 0 ? this.base.nameOf(town.id) : "");
    return name === "" ? 0 : code32(canonName(foldName(name)));
  }

  #keyOf(name: string): Key {
    let key = this.#keys.get(name);
    if (!key) {
      if (this.#keys.size >= MAX_REMEMBERED) this.#keys.clear();
      this.#keys.set(name, (key = streetKey(foldName(name))));
    }
    return key;
  }

  /** The town that the row names, which may be unknown to the base layer (-1), else the one its point lies in. */
  #townOf({ lat, lon, country, place }: ImportedRow): Town {
    const coarse = `${Math.floor(lat * 10)} ${Math.floor(lon * 10)}`;
    const memo = place ? `${place} ${coarse}` : `${Math.floor(lat * 100)} ${Math.floor(lon * 100)}`;
    let town = this.#towns.get(memo);
    if (!town) {
      town =
        place && !isPostcode(place)
          ? { id: this.cities.townNamed(place, lat, lon, country), isNamed: true }
          : { id: this.cities.townAt(lat, lon, country), isNamed: false };
      if (this.#towns.size >= MAX_REMEMBERED) this.#towns.clear();
      this.#towns.set(memo, town);
    }
    return town;
  }

  #pack(packer: LayerPacker, i: number): void {
    const { base } = this;
    const s = this.#streets;
    const town = s.town.at(i);
    const [lat, lon] = town < 0 ? [0, 0] : [base.lat[town] / 1e6, base.lon[town] / 1e6];
    const id = packer.add(
      {
        kind: kind.street,
        name: this.#names.at(s.name.at(i)),
        lat: s.sumLat.at(i) / s.pieces.at(i),
        lon: s.sumLon.at(i) / s.pieces.at(i),
        country: countryText(s.country.at(i)),
        admin: "",
        adminCode: town < 0 ? 0 : base.admin[town],
        population: town < 0 ? 0 : packTown(lat, lon, s.named.at(i) === 1),
        rank: town < 0 ? 0 : base.rank[town],
        placeCode: s.place.at(i),
      },
      [],
    );
    packer.addKey({ a: s.a.at(i), b: s.b.at(i) }, id);
  }
}

const isPostcode = (place: string): boolean => /\d/.test(place);

/** "12", "12a", "12-18", "4;6": the numbers of a house, packed. */
function numbersOf(text: string): number[] {
  return text
    .toLowerCase()
    .split(/[;,]/)
    .flatMap((one) => {
      const [low, high] = one.split(/[-–/]/).map((part) => readHouseNumber(part.trim()));
      if (!low) return [];
      const isRange = high && high.number > low.number && high.number - low.number <= WIDEST_RANGE;
      return isRange ? [packNumber(low), packNumber(high)] : [packNumber(low)];
    });
}

/** Names as bytes in one growing buffer: a million strings would cost ten times as much. */
class Names {
  #bytes = Buffer.alloc(1 << 16);
  #size = 0;

  put(name: string): number {
    const text = name.slice(0, 80);
    if (this.#size + 1 + 4 * text.length > this.#bytes.length) {
      const wider = Buffer.alloc(this.#bytes.length * 2);
      this.#bytes.copy(wider);
      this.#bytes = wider;
    }
    const at = this.#size;
    const written = this.#bytes.write(text, at + 2);
    this.#bytes.writeUInt16LE(written, at);
    this.#size += written + 2;
    return at;
  }

  at(offset: number): string {
    return this.#bytes.toString("utf8", offset + 2, offset + 2 + this.#bytes.readUInt16LE(offset));
  }
}
