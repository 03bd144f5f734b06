// Turns rows of any source into one layer: fills in country and region from the nearest known city, and makes the keys.
import { kind, type Layer, type PlaceRow } from "../../engine/geocoder/layer.ts";
import { LayerPacker } from "../../engine/geocoder/pack.ts";
import { foldName } from "../../engine/geocoder/text.ts";
import { canonName, streetKey } from "../../engine/geocoder/words.ts";

export interface ImportedRow {
  kind: "postcode" | "place" | "address" | "street";
  lat: number;
  lon: number;
  /** Two letters; filled in from the nearest known city when empty. */
  country: string;
  /** The postcode, the place, the street. */
  name: string;
  number?: string;
  /** The place a postcode or street belongs to. */
  place?: string;
  population?: number;
  alternates?: string[];
}

export class LayerImport {
  #packer = new LayerPacker();
  #places = new Map<string, { row: ImportedRow; lat: number; lon: number; n: number }>();
  #streets = new Map<string, { row: ImportedRow; lat: number; lon: number; n: number }>();
  #regions: NearestCity;
  rows = 0;

  constructor(base: Layer) {
    this.#regions = new NearestCity(base);
  }

  add(row: ImportedRow): void {
    if (!Number.isFinite(row.lat) || !Number.isFinite(row.lon) || Math.abs(row.lat) > 90 || Math.abs(row.lon) > 180)
      return;
    if (row.name === "") return;
    this.rows++;
    if (row.kind === "place") return this.#gather(this.#places, `${row.country} ${row.name}`, row);
    if (row.kind === "street") return this.#gather(this.#streets, `${row.place ?? ""} ${row.name}`, row);
    if (row.kind === "postcode") {
      this.#put(kind.postcode, `${row.name} ${row.place ?? ""}`.trim(), row, [foldName(row.name)], 40);
      if (row.place)
        this.#gather(this.#places, `${row.country} ${row.place}`, { ...row, kind: "place", name: row.place });
      return;
    }
    const line = `${row.number ?? ""} ${row.name}`.trim();
    this.#put(kind.address, [line, row.place].filter((x) => x).join(", "), row, [streetKey(foldName(line))], 60);
    this.#gather(this.#streets, `${row.place ?? ""} ${row.name}`, { ...row, kind: "street" });
  }

  pack(): Uint8Array<ArrayBuffer> {
    for (const { row, lat, lon, n } of this.#places.values()) {
      const at = { ...row, lat: lat / n, lon: lon / n };
      const names = [canonName(foldName(row.name))];
      const spelled = (row.alternates ?? [])
        .map((alt) => canonName(foldName(alt)))
        .filter((alt) => !names.includes(alt));
      const people = row.population ?? 0;
      // Known from a postal file alone: a village, unless the base layer knows better.
      const rank =
        people > 0 ? 34 * Math.max(0, Math.log10(Math.max(people, 200)) - 2) + 5 : 11 + Math.min(9, 2 * Math.log2(n));
      this.#put(kind.locality, row.name, at, names, rank, spelled);
    }
    for (const { row, lat, lon, n } of this.#streets.values()) {
      const at = { ...row, lat: lat / n, lon: lon / n };
      this.#put(
        kind.street,
        [row.name, row.place].filter((x) => x).join(", "),
        at,
        [streetKey(foldName(row.name))],
        50,
      );
    }
    this.#places.clear();
    this.#streets.clear();
    return this.#packer.pack();
  }

  /** Rows of one name that lie together are one place; two villages of one name stay two. */
  #gather(
    into: Map<string, { row: ImportedRow; lat: number; lon: number; n: number }>,
    key: string,
    row: ImportedRow,
  ): void {
    for (let twin = 0; twin < 50; twin++) {
      const known = into.get(`${key} ${twin}`);
      if (!known) {
        into.set(`${key} ${twin}`, { row, lat: row.lat, lon: row.lon, n: 1 });
        return;
      }
      if (Math.abs(known.lat / known.n - row.lat) < 0.1 && Math.abs(known.lon / known.n - row.lon) < 0.15) {
        known.lat += row.lat;
        known.lon += row.lon;
        known.n++;
        return;
      }
    }
  }

  #put(of: number, name: string, row: ImportedRow, names: string[], rank: number, alternates: string[] = []): void {
    const region = this.#regions.near(row.lat, row.lon, row.country);
    const place = row.place ? canonName(foldName(row.place)) : undefined;
    const country = row.country || region.country;
    if (country === "") return;
    const packed: PlaceRow = {
      kind: of,
      name,
      lat: row.lat,
      lon: row.lon,
      country,
      admin: "",
      population: row.population ?? 0,
      rank,
      place,
    };
    this.#packer.add({ ...packed, adminCode: region.admin }, names, alternates);
  }
}

/** The region of a point is that of the nearest city of the base layer, within about 25 km. */
export class NearestCity {
  #cells = new Map<number, number[]>();
  #base: Layer;

  constructor(base: Layer) {
    this.#base = base;
    for (let id = 0; id < base.count; id++) {
      if (base.kind[id] !== kind.locality) continue;
      const cell = cellOf(base.lat[id] / 1e6, base.lon[id] / 1e6);
      const list = this.#cells.get(cell);
      if (list) list.push(id);
      else this.#cells.set(cell, [id]);
    }
  }

  near(lat: number, lon: number, country: string): { country: string; admin: number } {
    const base = this.#base;
    let best = -1;
    let least = 1;
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -1; dx <= 1; dx++) {
        for (const id of this.#cells.get(cellOf(lat + dy * CELL_DEGREES, lon + dx * CELL_DEGREES)) ?? []) {
          if (country !== "" && base.country[id] !== ((country.charCodeAt(0) << 8) | country.charCodeAt(1))) continue;
          const away = Math.abs(base.lat[id] / 1e6 - lat) + Math.abs(base.lon[id] / 1e6 - lon);
          if (away < least) {
            least = away;
            best = id;
          }
        }
      }
    }
    if (best < 0) return { country, admin: 0 };
    const code = base.country[best];
    return { country: String.fromCharCode(code >> 8, code & 255), admin: base.admin[best] };
  }
}

const CELL_DEGREES = 0.2;
const cellOf = (lat: number, lon: number): number =>
  Math.floor((lat + 100) / CELL_DEGREES) * 10_000 + Math.floor((lon + 200) / CELL_DEGREES);
