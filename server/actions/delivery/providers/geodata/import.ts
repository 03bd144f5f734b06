// `connector geodata import FILE`: recognises a file, makes a layer of it and puts that beside the others.
import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { FORMAT_VERSION, Layer } from "../../engine/geocoder/layer.ts";
import { geonamesKind, placeRow, postalRow } from "./files/geonames.ts";
import type { ImportedRow } from "./files/imported-row.ts";
import { LayerImport } from "./imported-layer.ts";
import { ensureBase } from "./load.ts";
import { openAddressesReader } from "./files/open-addresses.ts";
import { chunksOf, headOf, linesOf } from "./files/open-file.ts";
import { readPbf } from "./files/osm-pbf.ts";
import { readOsmRows } from "./files/osm-rows.ts";
import { readOsmXml } from "./files/osm-xml.ts";

export interface Imported {
  format: "geonames-postal" | "geonames-places" | "openaddresses" | "osm-pbf" | "osm-xml";
  rows: number;
  file: string;
  bytes: number;
}

export class UnknownFormat extends Error {}

/** Rows between two collections of garbage: left alone, the lines read so far fill a gigabyte. */
const COLLECT_EVERY = 50_000;

/** Makes a layer of the file in `intoDir`; importing the same file again replaces it. */
export async function importFile(file: string, intoDir: string, country = ""): Promise<Imported> {
  mkdirSync(intoDir, { recursive: true });
  const target = join(intoDir, `${basename(file).replace(/[^\w.-]/g, "_")}.acg`);
  const layer = new LayerImport(new Layer(Bun.mmap(ensureBase(), { shared: false })), `${target}.${process.pid}`);
  try {
    const format = await readInto(file, country.toUpperCase(), (row) => {
      layer.add(row);
      if (layer.rows % COLLECT_EVERY === 0) Bun.gc(true);
    });
    Bun.gc(true);
    const bytes = layer.write(target);
    return { format, rows: layer.rows, file: target, bytes };
  } finally {
    layer.close();
  }
}

async function readInto(file: string, country: string, add: (row: ImportedRow) => void): Promise<Imported["format"]> {
  if (/\.pbf$/i.test(file)) {
    await readOsmRows((visitor) => readPbf(file, visitor), country, add);
    return "osm-pbf";
  }
  const head = await headOf(file);
  if (/<osm\b/.test(head)) {
    await readOsmRows((visitor) => readOsmXml(chunksOf(file), visitor), country, add);
    return "osm-xml";
  }
  const first = head.split(/\r?\n/)[0];
  const geonames = geonamesKind(first);
  if (geonames) {
    for await (const line of linesOf(file)) {
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
  for await (const line of linesOf(file)) {
    const row = header ? null : read(line);
    header = false;
    if (row) add(row);
  }
  return "openaddresses";
}

/** A folder of layers as it is; a folder of raw files imported first, once, into a temporary place. */
export async function importFolder(dir: string): Promise<string> {
  const all = readdirSync(dir, { recursive: true }).map(String).sort();
  if (all.some((f) => f.endsWith(".acg") && !f.includes("/"))) return dir;
  const raw = all.filter((f) => /\.(tsv|txt|csv|pbf|osm|zip)(\.gz)?$/i.test(f)).map((f) => join(dir, f));
  const stamp = raw.map((f) => `${f} ${statSync(f).size} ${statSync(f).mtimeMs}`).join("|");
  const target = join(tmpdir(), "action-connector-geodata", `folder-${FORMAT_VERSION}-${Bun.hash(stamp).toString(36)}`);
  if (existsSync(target)) return target;
  // Under another name until all of it is there: half a folder must not pass for the whole.
  const part = `${target}.${process.pid}.part`;
  mkdirSync(part, { recursive: true });
  for (const file of raw) await tryImport(file, part);
  renameSync(part, target);
  return target;
}

async function tryImport(file: string, target: string): Promise<void> {
  try {
    const done = await importFile(file, target);
    console.error(`imported ${done.rows} rows of ${basename(file)} (${done.format})`);
  } catch (error) {
    if (!(error instanceof UnknownFormat)) throw error;
    console.error(`left out: ${error.message}`);
  }
}
