// `connector geodata import FILE`: recognises a file, makes a layer of it and puts that beside the others.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { gunzipSync, inflateRawSync } from "node:zlib";
import { FORMAT_VERSION, Layer } from "../../engine/geocoder/layer.ts";
import { geonamesKind, placeRow, postalRow } from "./geonames.ts";
import { type ImportedRow, LayerImport } from "./imported-layer.ts";
import { ensureBase } from "./load.ts";
import { openAddressesReader } from "./open-addresses.ts";
import { readPbf } from "./osm-pbf.ts";
import { OsmRows } from "./osm-rows.ts";
import { readOsmXml } from "./osm-xml.ts";

export interface Imported {
  format: "geonames-postal" | "geonames-places" | "openaddresses" | "osm-pbf" | "osm-xml";
  rows: number;
  file: string;
  bytes: number;
}

export class UnknownFormat extends Error {}

/** Makes a layer of the file in `intoDir`; importing the same file again replaces it. */
export function importFile(file: string, intoDir: string, country = ""): Imported {
  const layer = new LayerImport(new Layer(readFileSync(ensureBase())));
  const format = readInto(file, country.toUpperCase(), (row) => layer.add(row));
  const bytes = layer.pack();
  mkdirSync(intoDir, { recursive: true });
  const target = join(intoDir, `${basename(file).replace(/[^\w.-]/g, "_")}.acg`);
  writeFileSync(`${target}.part`, bytes);
  renameSync(`${target}.part`, target);
  return { format, rows: layer.rows, file: target, bytes: bytes.length };
}

function readInto(file: string, country: string, add: (row: ImportedRow) => void): Imported["format"] {
  const bytes = openPacked(file);
  if (/\.pbf$/i.test(file)) {
    readPbf(bytes, new OsmRows(country, add));
    return "osm-pbf";
  }
  const head = new TextDecoder().decode(bytes.subarray(0, 4000));
  if (/<osm\b/.test(head)) {
    readOsmXml(new TextDecoder().decode(bytes), new OsmRows(country, add));
    return "osm-xml";
  }
  const first = head.split(/\r?\n/)[0];
  const geonames = geonamesKind(first);
  if (geonames) {
    for (const line of linesOf(bytes)) {
      const row = geonames === "postal" ? postalRow(line) : placeRow(line);
      if (row) add(row);
    }
    return `geonames-${geonames}`;
  }
  const read = openAddressesReader(first, country);
  if (!read) {
    throw new UnknownFormat(
      `${basename(file)} is not a GeoNames postal or places file, an OpenAddresses CSV, an .osm or an .osm.pbf (first line: ${first.slice(0, 80)})`,
    );
  }
  let header = true;
  for (const line of linesOf(bytes)) {
    const row = header ? null : read(line);
    header = false;
    if (row) add(row);
  }
  return "openaddresses";
}

/** The bytes of a file, out of gzip or out of the first useful member of a zip. */
function openPacked(file: string): Uint8Array {
  const bytes = readFileSync(file);
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return gunzipSync(bytes);
  if (bytes.length > 30 && bytes.readUInt32LE(0) === 0x04034b50) return unzipLargest(bytes);
  return bytes;
}

function unzipLargest(zip: Buffer): Uint8Array {
  let end = zip.length - 22;
  while (end > 0 && zip.readUInt32LE(end) !== 0x06054b50) end--;
  let at = zip.readUInt32LE(end + 16);
  let best = { size: -1, packed: 0, start: 0, method: 0 };
  for (let i = zip.readUInt16LE(end + 10); i > 0; i--) {
    const name = zip.toString("utf8", at + 46, at + 46 + zip.readUInt16LE(at + 28));
    const size = zip.readUInt32LE(at + 24);
    if (!/readme/i.test(name) && size > best.size) {
      best = {
        size,
        packed: zip.readUInt32LE(at + 20),
        start: zip.readUInt32LE(at + 42),
        method: zip.readUInt16LE(at + 10),
      };
    }
    at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  const data = best.start + 30 + zip.readUInt16LE(best.start + 26) + zip.readUInt16LE(best.start + 28);
  const packed = zip.subarray(data, data + best.packed);
  return best.method === 0 ? packed : inflateRawSync(packed);
}

function* linesOf(bytes: Uint8Array): Generator<string> {
  const decoder = new TextDecoder();
  for (let at = 0; at < bytes.length; ) {
    let end = bytes.indexOf(10, at);
    if (end < 0) end = bytes.length;
    const stop = end > at && bytes[end - 1] === 13 ? end - 1 : end;
    if (stop > at) yield decoder.decode(bytes.subarray(at, stop));
    at = end + 1;
  }
}

/** A folder of layers as it is; a folder of raw files imported first, once, into a temporary place. */
export function importFolder(dir: string): string {
  const all = readdirSync(dir, { recursive: true }).map(String).sort();
  if (all.some((f) => f.endsWith(".acg") && !f.includes("/"))) return dir;
  const raw = all.filter((f) => /\.(tsv|txt|csv|pbf|osm|zip)(\.gz)?$/i.test(f)).map((f) => join(dir, f));
  const stamp = raw.map((f) => `${f} ${statSync(f).size} ${statSync(f).mtimeMs}`).join("|");
  const target = join(tmpdir(), "action-connector-geodata", `folder-${FORMAT_VERSION}-${Bun.hash(stamp).toString(36)}`);
  if (existsSync(target)) return target;
  // Under another name until all of it is there: half a folder must not pass for the whole.
  const part = `${target}.${process.pid}.part`;
  mkdirSync(part, { recursive: true });
  for (const file of raw) tryImport(file, part);
  renameSync(part, target);
  return target;
}

function tryImport(file: string, target: string): void {
  try {
    const done = importFile(file, target);
    console.error(`imported ${done.rows} rows of ${basename(file)} (${done.format})`);
  } catch (error) {
    if (!(error instanceof UnknownFormat)) throw error;
    console.error(`left out: ${error.message}`);
  }
}
