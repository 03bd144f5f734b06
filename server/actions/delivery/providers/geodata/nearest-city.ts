// The places of the base layer around a point: which region it lies in, and which town a street belongs to.
import { flatKm } from "../../engine/geo.ts";
import { countryCode, kind, type Layer } from "../../engine/geocoder/layer.ts";
import { reachOf } from "../../engine/geocoder/streets.ts";
import { foldName, keyOf } from "../../engine/geocoder/text.ts";
import { canonName } from "../../engine/geocoder/words.ts";

/** A street's town is at most this far from it. */
const MAX_TOWN_KM = 30;
const CELL_DEGREES = 0.2;
const CELL_COLUMNS = 10_000;
const cellOf = (lat: number, lon: number): number =>
  Math.floor((lat + 100) / CELL_DEGREES) * CELL_COLUMNS + Math.floor((lon + 200) / CELL_DEGREES);

export class NearestCity {
  #base: Layer;
  /** Localities sorted by cell, and where each cell begins. */
  #sorted: Uint32Array;
  #cells = new Map<number, number>();

  constructor(base: Layer) {
    this.#base = base;
    const counts = new Map<number, number>();
    const cell = (id: number) => cellOf(base.lat[id] / 1e6, base.lon[id] / 1e6);
    let total = 0;
    for (let id = 0; id < base.count; id++) {
      if (base.kind[id] !== kind.locality) continue;
      counts.set(cell(id), (counts.get(cell(id)) ?? 0) + 1);
      total++;
    }
    this.#sorted = new Uint32Array(total);
    let at = 0;
    for (const [key, count] of counts) {
      this.#cells.set(key, at);
      at += count;
    }
    const next = new Map(this.#cells);
    for (let id = 0; id < base.count; id++) {
      if (base.kind[id] !== kind.locality) continue;
      const slot = next.get(cell(id))!;
      this.#sorted[slot] = id;
      next.set(cell(id), slot + 1);
    }
  }

  /** The region of a point is that of the nearest city of the base layer, within about 25 km. */
  near(lat: number, lon: number, country: string): { country: string; admin: number } {
    const base = this.#base;
    let best = -1;
    let least = 1;
    this.#around(lat, lon, country, (id) => {
      const away = Math.abs(base.lat[id] / 1e6 - lat) + Math.abs(base.lon[id] / 1e6 - lon);
      if (away >= least) return;
      least = away;
      best = id;
    });
    if (best < 0) return { country, admin: 0 };
    const code = base.country[best];
    return { country: String.fromCharCode(code >> 8, code & 255), admin: base.admin[best] };
  }

  /** The town a point lies in: near to its middle, measured by how far the town reaches; -1 when there is none. */
  townAt(lat: number, lon: number, country: string): number {
    const base = this.#base;
    let best = -1;
    let least = Infinity;
    this.#around(lat, lon, country, (id) => {
      const km = flatKm(lat, lon, base.lat[id] / 1e6, base.lon[id] / 1e6);
      const share = km / reachOf(base.rank[id]);
      if (km > MAX_TOWN_KM || share >= least) return;
      least = share;
      best = id;
    });
    return best;
  }

  /** The place of this name nearest to a point; -1 when there is none. */
  townNamed(name: string, lat: number, lon: number, country: string): number {
    const base = this.#base;
    const start = base.find(keyOf(canonName(foldName(name))));
    let best = -1;
    let least = MAX_TOWN_KM;
    if (start < 0) return best;
    base.each(start, (id) => {
      if (base.kind[id] !== kind.locality || (country !== "" && base.country[id] !== countryCode(country))) return;
      const km = flatKm(lat, lon, base.lat[id] / 1e6, base.lon[id] / 1e6);
      if (km >= least) return;
      least = km;
      best = id;
    });
    return best;
  }

  #around(lat: number, lon: number, country: string, visit: (id: number) => void): void {
    const base = this.#base;
    const wanted = country === "" ? 0 : countryCode(country);
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -1; dx <= 1; dx++) {
        const cell = cellOf(lat + dy * CELL_DEGREES, lon + dx * CELL_DEGREES);
        let at = this.#cells.get(cell);
        if (at === undefined) continue;
        for (; at < this.#sorted.length; at++) {
          const id = this.#sorted[at];
          if (cellOf(base.lat[id] / 1e6, base.lon[id] / 1e6) !== cell) break;
          if (wanted === 0 || base.country[id] === wanted) visit(id);
        }
      }
    }
  }
}
