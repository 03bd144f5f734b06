// Makes the packed postcodes that ship with the service from a GeoNames postal file (CC BY 4.0):
//   bun tools/geodata/pack-postal.ts FILE.tsv.gz
// The result is committed; run it again only for a newer file.
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { kind, Layer } from "../../server/actions/delivery/engine/geocoder/layer.ts";
import { foldName, keyOf } from "../../server/actions/delivery/engine/geocoder/text.ts";
import { canonName } from "../../server/actions/delivery/engine/geocoder/words.ts";
import { packBase } from "../../server/actions/delivery/providers/geodata/base.ts";
import { postalRow } from "../../server/actions/delivery/providers/geodata/files/geonames.ts";
import { NearestCity } from "../../server/actions/delivery/providers/geodata/nearest-city.ts";
import {
  encodePostal,
  type PostalRow,
  type VillageRow,
} from "../../server/actions/delivery/providers/geodata/postal-format.ts";

const target = resolve(import.meta.dir, "../../server/actions/delivery/providers/geodata/postal.bin");
/** Two rows of one postcode and place closer than this are one. */
const SAME_DEGREES = 0.03;
/** A point this close to the city's own is the middle of the city, not of the postcode. */
const MIDDLE_DEGREES = 0.004;
/** A city of the base layer with the village's name this close is the village. */
const KNOWN_DEGREES = 0.2;

const [file] = process.argv.slice(2);
if (!file) {
  console.error("Usage: pack-postal.ts FILE.tsv.gz (GeoNames postal codes). Hint: name the file.");
  process.exit(2);
}
const base = new Layer(packBase({ postal: false }));
const regions = new NearestCity(base);
const rows = readRows(file);
const postcodes = dropMiddles(rows);
const packed = encodePostal("GeoNames postal codes, CC BY 4.0", postcodes, isNewVillage);
writeFileSync(target, packed);
console.log(`${rows.length} rows → ${postcodes.length} postcodes, ${packed.length} bytes`);

function readRows(path: string): PostalRow[] {
  const bytes = readFileSync(path);
  const text = new TextDecoder().decode(bytes[0] === 0x1f ? gunzipSync(bytes) : bytes);
  const out: PostalRow[] = [];
  for (const line of text.split("\n")) {
    const row = postalRow(line);
    if (!row || Math.abs(row.lat) > 90 || Math.abs(row.lon) > 180) continue;
    const { country, name: code, lat, lon } = row;
    const place = cleanPlace(row.place ?? "");
    out.push({ country, code, place, lat, lon, admin: regions.near(lat, lon, country).admin });
  }
  const order = (a: PostalRow, b: PostalRow) =>
    compare(a.country, b.country) || compare(a.code, b.code) || compare(a.place, b.place) || a.lat - b.lat;
  return out.sort(order);
}

/** Text in brackets is a remark; a number behind a name is a post office, an arrondissement or a delivery round. */
function cleanPlace(name: string): string {
  const plain = name
    .replace(/\s*\(.*$/, "")
    .replace(/[\s-]+\d{1,3}(\s+CEDEX)?$/i, "")
    .replace(/\s+CEDEX$/i, "")
    .trim();
  return (plain || name).slice(0, 60);
}

/** One row per postcode and place; of several points not the one that is merely the middle of the place. */
function dropMiddles(all: PostalRow[]): PostalRow[] {
  const out: PostalRow[] = [];
  for (let from = 0; from < all.length; ) {
    let to = from + 1;
    while (to < all.length && isSame(all[from], all[to])) to++;
    const group = all.slice(from, to);
    const exact = group.length > 1 ? group.filter((row) => !hasCity(row, MIDDLE_DEGREES)) : group;
    out.push(...distinct(exact.length > 0 ? exact : group));
    from = to;
  }
  return out;
}

function isSame(a: PostalRow, b: PostalRow): boolean {
  return a.country === b.country && a.code === b.code && a.place === b.place;
}

function distinct(group: PostalRow[]): PostalRow[] {
  const out: PostalRow[] = [];
  for (const row of group) if (!out.some((known) => isNear(known, row, SAME_DEGREES))) out.push(row);
  return out;
}

function isNear(a: { lat: number; lon: number }, b: { lat: number; lon: number }, degrees: number): boolean {
  return Math.abs(a.lat - b.lat) < degrees && Math.abs(a.lon - b.lon) < 1.5 * degrees;
}

/** Whether it has a name, and the base layer has no place of this name here. */
function isNewVillage(village: VillageRow): boolean {
  return /\p{L}{2}/u.test(village.place) && !hasCity(village, KNOWN_DEGREES);
}

/** Whether the base layer has a place of the row's name this close. */
function hasCity(row: { place: string; lat: number; lon: number }, degrees: number): boolean {
  const start = base.find(keyOf(canonName(foldName(row.place))));
  if (start < 0) return false;
  let found = false;
  base.each(start, (id) => {
    if (base.kind[id] !== kind.locality) return;
    found ||= isNear(row, { lat: base.lat[id] / 1e6, lon: base.lon[id] / 1e6 }, degrees);
  });
  return found;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
