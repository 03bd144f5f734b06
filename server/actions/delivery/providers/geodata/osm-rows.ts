// What of OpenStreetMap helps to place an address: settlements, named streets, house numbers. Data © OpenStreetMap, ODbL.
import type { ImportedRow } from "./imported-layer.ts";
import type { OsmNode, OsmVisitor, OsmWay } from "./osm-pbf.ts";

/** People to assume where the map says nothing. */
const settlements: Record<string, number> = {
  city: 150_000,
  town: 12_000,
  village: 900,
  hamlet: 150,
  suburb: 5000,
  neighbourhood: 1000,
  quarter: 3000,
  isolated_dwelling: 10,
};

/** Collects rows from a stream of nodes and ways; nodes come first, as OpenStreetMap files are sorted. */
export class OsmRows implements OsmVisitor {
  #positions = new Map<number, number>();
  #lat: number[] = [];
  #lon: number[] = [];
  #emit: (row: ImportedRow) => void;
  #country: string;

  constructor(country: string, emit: (row: ImportedRow) => void) {
    this.#country = country;
    this.#emit = emit;
  }

  node(node: OsmNode): void {
    this.#positions.set(node.id, this.#lat.length);
    this.#lat.push(node.lat);
    this.#lon.push(node.lon);
    if (node.tags.size > 0) this.#read(node.tags, node.lat, node.lon);
  }

  way(way: OsmWay): void {
    const named = way.tags.has("highway") && way.tags.has("name");
    if (!named && !way.tags.has("addr:housenumber") && !way.tags.has("place")) return;
    let lat = 0;
    let lon = 0;
    let n = 0;
    for (const id of way.nodes) {
      const at = this.#positions.get(id);
      if (at === undefined) continue;
      lat += this.#lat[at];
      lon += this.#lon[at];
      n++;
    }
    if (n === 0) return;
    if (named)
      this.#emit({ kind: "street", country: this.#country, name: way.tags.get("name")!, lat: lat / n, lon: lon / n });
    this.#read(way.tags, lat / n, lon / n);
  }

  #read(tags: Map<string, string>, lat: number, lon: number): void {
    const country = this.#country;
    const name = tags.get("name");
    const people = settlements[tags.get("place") ?? ""];
    if (name && people !== undefined) {
      const alternates = [...tags]
        .filter(([key]) => /^(alt_name|old_name|name:.+|int_name)$/.test(key))
        .map(([, value]) => value);
      const population = Number.parseInt(tags.get("population") ?? "", 10) || people;
      this.#emit({
        kind: "place",
        country,
        name,
        lat,
        lon,
        population,
        alternates: alternates.flatMap((alt) => alt.split(";")),
      });
    }
    const street = tags.get("addr:street") ?? tags.get("addr:place");
    const number = tags.get("addr:housenumber");
    if (street && number) {
      const place = tags.get("addr:city") ?? tags.get("addr:postcode");
      for (const one of number.split(/[;,]/))
        this.#emit({ kind: "address", country, name: street, number: one.trim(), place, lat, lon });
    }
    const postcode = tags.get("addr:postcode");
    if (name && people !== undefined && postcode)
      this.#emit({ kind: "postcode", country, name: postcode, place: name, lat, lon });
  }
}
