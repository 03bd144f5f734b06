// What of OpenStreetMap helps to place an address: settlements, named streets, house numbers. Data © OpenStreetMap, ODbL.
import { Column } from "../../../engine/geocoder/pack.ts";
import type { ImportedRow } from "./imported-row.ts";
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

/** Reads the file once, showing the visitor what it asks for. */
export type OsmSource = (visitor: OsmVisitor) => void | Promise<void>;

/** Points of ways that are kept at once: 16 bytes each. What is more is read in further rounds. */
const MAX_POINTS = 8_000_000;

/** All rows of an extract: first those of nodes, then ways, whose points are looked up in rounds of bounded memory. */
export async function readOsmRows(
  source: OsmSource,
  country: string,
  emit: (row: ImportedRow) => void,
  maxPoints = MAX_POINTS,
): Promise<void> {
  const rows = new OsmRows(country, emit);
  await source({ node: (node) => node.tags.size > 0 && rows.read(node.tags, node.lat, node.lon) });
  for (let from = 0; ; ) {
    const round = await collectPoints(source, from, maxPoints);
    if (round.to === from) return;
    await source({ node: (node) => round.points.place(node) });
    let index = 0;
    await source({
      way(way) {
        if (!isWanted(way)) return;
        const at = index++;
        if (at >= from && at < round.to) rows.way(way, round.points);
      },
    });
    from = round.to;
  }
}

/** The points of as many ways as fit, from the given way on. */
async function collectPoints(source: OsmSource, from: number, maxPoints: number) {
  const ids = new Column(Float64Array);
  let index = 0;
  let to = from;
  await source({
    way(way) {
      if (!isWanted(way)) return;
      const at = index++;
      if (at < from || at > to || ids.length >= maxPoints) return;
      to = at + 1;
      for (const id of pointsOf(way)) ids.push(id);
    },
  });
  return { to, points: new Points(ids.done()) };
}

const isWanted = ({ tags }: OsmWay): boolean =>
  (tags.has("highway") && tags.has("name")) || tags.has("addr:housenumber") || tags.has("place");

/** Two opposite points of an outline give its middle, and three of a road lie along it. */
function pointsOf({ nodes, tags }: OsmWay): number[] {
  const [first, middle] = [nodes[0], nodes[nodes.length >> 1]];
  if (nodes.length < 3) return nodes;
  return tags.has("highway") ? [first, middle, nodes[nodes.length - 1]] : [first, middle];
}

/** Positions of nodes by id, in sorted columns. */
class Points {
  readonly #ids: Float64Array;
  readonly #lat: Int32Array;
  readonly #lon: Int32Array;

  constructor(ids: Float64Array) {
    this.#ids = ids.sort();
    this.#lat = new Int32Array(ids.length).fill(UNPLACED);
    this.#lon = new Int32Array(ids.length);
  }

  place({ id, lat, lon }: OsmNode): void {
    const at = this.#find(id);
    if (at < 0) return;
    this.#lat[at] = Math.round(lat * 1e7);
    this.#lon[at] = Math.round(lon * 1e7);
  }

  middleOf(ids: number[]): { lat: number; lon: number } | null {
    let [lat, lon, n] = [0, 0, 0];
    for (const id of ids) {
      const at = this.#find(id);
      if (at < 0 || this.#lat[at] === UNPLACED) continue;
      lat += this.#lat[at] / 1e7;
      lon += this.#lon[at] / 1e7;
      n++;
    }
    return n === 0 ? null : { lat: lat / n, lon: lon / n };
  }

  /** The first of equal ids. */
  #find(id: number): number {
    let [low, high] = [0, this.#ids.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#ids[middle] < id) low = middle + 1;
      else high = middle;
    }
    return this.#ids[low] === id ? low : -1;
  }
}

const UNPLACED = 0x7fffffff;

class OsmRows {
  #emit: (row: ImportedRow) => void;
  #country: string;

  constructor(country: string, emit: (row: ImportedRow) => void) {
    this.#country = country;
    this.#emit = emit;
  }

  way(way: OsmWay, points: Points): void {
    const at = points.middleOf(pointsOf(way));
    if (!at) return;
    const name = way.tags.get("name");
    if (way.tags.has("highway") && name) this.#emit({ kind: "street", country: this.#country, name, ...at });
    this.read(way.tags, at.lat, at.lon);
  }

  read(tags: Map<string, string>, lat: number, lon: number): void {
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
      this.#emit({ kind: "address", country, name: street, number, place, lat, lon });
    }
    const postcode = tags.get("addr:postcode");
    if (name && people !== undefined && postcode)
      this.#emit({ kind: "postcode", country, name: postcode, place: name, lat, lon });
  }
}
