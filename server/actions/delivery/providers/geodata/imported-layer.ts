// Turns rows of any source into one layer file: places and postcodes in memory, streets and their houses by way of street-import.ts.
import { renameSync } from "node:fs";
import { kind, type Layer, type PlaceRow } from "../../engine/geocoder/layer.ts";
import { LayerPacker } from "../../engine/geocoder/pack.ts";
import { foldName } from "../../engine/geocoder/text.ts";
import { canonName } from "../../engine/geocoder/words.ts";
import type { ImportedRow } from "./files/imported-row.ts";
import { NearestCity } from "./nearest-city.ts";
import { StreetImport } from "./street-import.ts";

interface Gathered {
  row: ImportedRow;
  lat: number;
  lon: number;
  n: number;
}

export class LayerImport {
  #packer = new LayerPacker();
  #places = new Map<string, Gathered>();
  #regions: NearestCity;
  #streets: StreetImport;
  rows = 0;

  /** `scratch` names files that may be written and removed again. */
  constructor(base: Layer, scratch: string) {
    this.#regions = new NearestCity(base);
    this.#streets = new StreetImport(base, this.#regions, scratch);
  }

  add(row: ImportedRow): void {
    if (!Number.isFinite(row.lat) || !Number.isFinite(row.lon) || Math.abs(row.lat) > 90 || Math.abs(row.lon) > 180)
      return;
    if (row.name === "") return;
    this.rows++;
    if (row.kind === "place") return this.#gather(`${row.country} ${row.name}`, row);
    if (row.kind !== "postcode") {
      const place = this.#streets.add(row);
      if (place) this.#gather(`${row.country} ${place}`, { ...row, kind: "place", name: place, place: undefined });
      return;
    }
    this.#put(kind.postcode, `${row.name} ${row.place ?? ""}`.trim(), row, [foldName(row.name)], 40);
    if (row.place) this.#gather(`${row.country} ${row.place}`, { ...row, kind: "place", name: row.place });
  }

  /** Writes the layer, under another name until it is whole. Returns its size. */
  write(target: string): number {
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
    this.#places.clear();
    const part = `${target}.part`;
    const bytes = this.#streets.write(this.#packer, part);
    renameSync(part, target);
    return bytes;
  }

  /** Removes the scratch files, whether or not the layer was written. */
  close(): void {
    this.#streets.close();
  }

  /** Rows of one name that lie together are one place; two villages of one name stay two. */
  #gather(key: string, row: ImportedRow): void {
    for (let twin = 0; twin < 50; twin++) {
      const known = this.#places.get(`${key} ${twin}`);
      if (!known) {
        this.#places.set(`${key} ${twin}`, { row, lat: row.lat, lon: row.lon, n: 1 });
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
      adminCode: region.admin,
      population: row.population ?? 0,
      rank,
      place,
    };
    this.#packer.add(packed, names, alternates);
  }
}
