// Extracts of addresses for the street suite: given rows of Florida, a small OpenStreetMap extract, and a made-up country.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { kind, Layer } from "../../../../server/actions/delivery/engine/geocoder/layer.ts";
import { countryText } from "../../../../server/actions/delivery/engine/geocoder/layer.ts";
import { ensureBase } from "../../../../server/actions/delivery/providers/geodata/load.ts";
import { chunksOf } from "../../../../server/actions/delivery/providers/geodata/files/open-file.ts";
import { readOsmRows } from "../../../../server/actions/delivery/providers/geodata/files/osm-rows.ts";
import { readOsmXml } from "../../../../server/actions/delivery/providers/geodata/files/osm-xml.ts";

export interface House {
  number: number;
  street: string;
  town: string;
  /** What an address adds behind the town, e.g. "FL" or "Germany". */
  region: string;
  country: string;
  lat: number;
  lon: number;
}

export interface Extract {
  name: string;
  houses: House[];
  write(house: House): string;
}

/** Addresses of Florida among the given rows of the geocoder: sparse, a few numbers a street. */
export function florida(data: string): Extract {
  const houses: House[] = [];
  for (const line of readFileSync(join(data, "geocoder/expected_coords.csv"), "utf8").split("\n")) {
    const found = /^pelias-fuzzy\/florida[^,]*,"(\d+) ([^,"]+), ([^,"]+), FL, [^"]*",([-\d.]+),([-\d.]+)/.exec(line);
    if (!found) continue;
    const street = found[2].replace(/\s+(STE|UNIT|APT|SUITE|#|LOT|BLDG).*$/, "").trim();
    houses.push({
      number: Number(found[1]),
      street,
      town: found[3],
      region: "FL",
      country: "US",
      lat: Number(found[4]),
      lon: Number(found[5]),
    });
  }
  return { name: "Florida, given rows", houses, write: american };
}

/** A few dozen houses; the numbers carry no town, which is Monaco. */
export async function monaco(data: string): Promise<Extract> {
  const folder = join(data, "osm");
  const file = readdirSync(folder).find((name) => /\.osm\.gz$/.test(name));
  const houses: House[] = [];
  const add = (row: { kind: string; name: string; number?: string; lat: number; lon: number }) => {
    const number = Number.parseInt(row.number ?? "", 10);
    const { name: street, lat, lon } = row;
    if (row.kind === "address" && number > 0)
      houses.push({ number, street, town: "Monaco", region: "Monaco", country: "MC", lat, lon });
  };
  if (file) await readOsmRows((visitor) => readOsmXml(chunksOf(join(folder, file)), visitor), "MC", add);
  return { name: "Monaco, OpenStreetMap", houses, write: (h) => `${h.number} ${h.street}, ${h.town}` };
}

const american = (h: House): string => `${h.number} ${h.street}, ${h.town}, ${h.region}`;
const german = (h: House): string => `${h.street} ${h.number}, ${h.town}, ${h.region}`;

const GERMAN_FIRST =
  "Haupt Bahnhof Garten Schul Kirch Berg Linden Wald Ring Mühlen Wiesen Goethe Schiller Birken Feld Brunnen".split(" ");
const GERMAN_LAST = ["straße", "weg", "gasse", "allee", "platz"];
const ENGLISH_FIRST =
  "Main Oak Maple Cedar Washington Park Lake Hill Pine Elm Church Spring River Mill Sunset Jackson".split(" ");
const ENGLISH_LAST = ["Street", "Avenue", "Road", "Drive", "Lane"];

/** Towns where they really are, with streets that bend, sides that drift apart, skipped numbers and names that all towns share. */
export function madeUp(random: () => number, country: "DE" | "US", towns: number): Extract {
  const base = new Layer(Bun.mmap(ensureBase(), { shared: false }));
  const all: number[] = [];
  for (let id = 0; id < base.count; id++)
    if (base.kind[id] === kind.locality && base.population[id] > 2000 && countryText(base.country[id]) === country)
      all.push(id);
  const [firsts, lasts] = country === "DE" ? [GERMAN_FIRST, GERMAN_LAST] : [ENGLISH_FIRST, ENGLISH_LAST];
  const regions = regionNames(base);
  const houses: House[] = [];
  for (let i = 0; i < towns; i++) {
    const town = all[Math.floor(random() * all.length)];
    const names = new Set<string>();
    for (let j = 0; j < 25; j++) {
      const last = pick(lasts, random);
      names.add(country === "DE" ? pick(firsts, random) + last : `${pick(firsts, random)} ${last}`);
    }
    const about = {
      town: base.nameOf(town),
      region: country === "DE" ? "Germany" : (regions.get(base.admin[town]) ?? "USA"),
      country,
    };
    for (const street of names)
      houses.push(...drawStreet(base.lat[town] / 1e6, base.lon[town] / 1e6, { street, ...about }, random));
  }
  return { name: `made up, ${country}`, houses, write: country === "DE" ? german : american };
}

function regionNames(base: Layer): Map<number, string> {
  const names = new Map<number, string>();
  for (let id = 0; id < base.count; id++) if (base.kind[id] === kind.region) names.set(base.admin[id], base.nameOf(id));
  return names;
}

type Named = Pick<House, "street" | "town" | "region" | "country">;
const KM_PER_DEGREE = 111.2;

function drawStreet(lat: number, lon: number, about: Named, random: () => number): House[] {
  const squeeze = Math.cos((lat * Math.PI) / 180);
  const at = { y: lat + (random() - 0.5) * 0.03, x: lon + (random() - 0.5) * 0.04 };
  let heading = random() * 2 * Math.PI;
  const bend = (random() - 0.5) * 0.12;
  const length = 0.15 + random() * random() * 2.5;
  const sides = [1, 2].map((number) => ({ number, km: 0, step: 0.012 + random() * 0.02 }));
  const houses: House[] = [];
  for (let km = 0; km < length; km += 0.005) {
    heading += bend * 0.1 + (random() - 0.5) * 0.06;
    at.y += (0.005 * Math.sin(heading)) / KM_PER_DEGREE;
    at.x += (0.005 * Math.cos(heading)) / KM_PER_DEGREE / squeeze;
    for (const [i, side] of sides.entries()) {
      if (km < side.km) continue;
      const back = (i === 0 ? 1 : -1) * (0.008 + random() * 0.012);
      const y = at.y + (back * Math.cos(heading)) / KM_PER_DEGREE;
      const x = at.x - (back * Math.sin(heading)) / KM_PER_DEGREE / squeeze;
      houses.push({ ...about, number: side.number, lat: y, lon: x });
      side.number += random() < 0.12 ? 2 + 2 * Math.ceil(random() * 3) : 2;
      side.km = km + side.step * (0.6 + random() * 0.8) * (random() < 0.05 ? 4 : 1);
    }
  }
  return houses;
}

const pick = <T>(list: readonly T[], random: () => number): T => list[Math.floor(random() * list.length)];
