import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync, gzipSync } from "node:zlib";
import { importFile, UnknownFormat } from "./import.ts";
import type { Place } from "../../engine/geocoder/index.ts";
import { systemClock } from "../../../../lib/clock.ts";
import type { ImportedRow } from "./files/imported-row.ts";
import { createGeocoderSource, loadGeocoder } from "./load.ts";
import { readOsmRows } from "./files/osm-rows.ts";
import { readOsmXml } from "./files/osm-xml.ts";
import { type OsmNode, type OsmWay, readPbf } from "./files/osm-pbf.ts";

const folder = mkdtempSync(join(tmpdir(), "geodata-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let made = 0;
async function imported(name: string, content: string | Uint8Array, country = "") {
  const dir = join(folder, String(made++));
  const file = join(folder, name);
  writeFileSync(file, content);
  return { done: await importFile(file, dir, country), geocoder: loadGeocoder({ importedDir: dir }) };
}

const node = (lat: number, lon: number, tags: Record<string, string>) =>
  `<node id="1" lat="${lat}" lon="${lon}">${Object.entries(tags)
    .map(([k, v]) => `<tag k="${k}" v="${v}"/>`)
    .join("")}</node>`;

describe("geodata import", () => {
  test("a GeoNames postal file, in both its widths and gzipped, lifts a village to its postcode", async () => {
    const wide = "DE\t99999\tKleinkleckersdorf\tBayern\tBY\t\t00\tKreis\t09\t48.5\t11.9\t4";
    const narrow = "DE\t99999\tKleinkleckersdorf\tBayern\tBY\t48.5\t11.9";
    for (const line of [wide, narrow]) {
      const { done, geocoder } = await imported("postal.tsv.gz", gzipSync(`${line}\n`));
      expect([done.format, done.rows]).toEqual(["geonames-postal", 1]);
      expect(geocoder.geocode("Hauptstr. 3, 99999 Kleinkleckersdorf, Germany")).toMatchObject({
        precision: "postcode",
        lat: 48.5,
        lon: 11.9,
        country: "DE",
      });
      expect(geocoder.geocode("Kleinkleckersdorf")).toMatchObject({ precision: "locality", lat: 48.5 });
    }
  });

  test("a GeoNames places file", async () => {
    const row = [
      "1",
      "Kleinkleckersdorf",
      "Kleinkleckersdorf",
      "Little Spotville",
      "48.5",
      "11.9",
      "P",
      "PPL",
      "DE",
      "",
      "02",
      "",
      "",
      "",
      "800",
      "",
      "",
      "Europe/Berlin",
      "2026-01-01",
    ];
    const { done, geocoder } = await imported("places.txt", row.join("\t"));
    expect([done.format, done.rows]).toEqual(["geonames-places", 1]);
    expect(geocoder.geocode("Little Spotville")).toMatchObject({ precision: "locality", lon: 11.9 });
  });

  test("an OpenAddresses CSV lifts to the house, and to the street where the house is not known", async () => {
    const csv =
      "LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH\n" +
      '-80.2531,26.2452,1235,UNIVERSITY DR,,"CORAL SPRINGS",,FL,33071,,\n';
    const { done, geocoder } = await imported("oa.csv", csv, "us");
    expect(done.format).toBe("openaddresses");
    const house = geocoder.geocode("1235 University Drive, Coral Springs, FL 33071");
    expect(house).toMatchObject({ precision: "rooftop", lat: 26.2452, lon: -80.2531, country: "US" });
    expect(geocoder.geocode("9999 UNIVERSITY DR, CORAL SPRINGS, FL 33071")).toMatchObject({ precision: "street" });
  });

  test("an OpenStreetMap extract in XML: settlements and houses", async () => {
    const village = { place: "village", name: "Kleinkleckersdorf", "name:en": "Tom &amp; Jerry" };
    const house = { "addr:housenumber": "7", "addr:street": "Dorfstraße", "addr:city": "Kleinkleckersdorf" };
    const xml = `<?xml version="1.0"?><osm version="0.6">${node(48.5, 11.9, village)}${node(48.501, 11.901, house)}</osm>`;
    const { done, geocoder } = await imported("x.osm", xml, "DE");
    expect([done.format, done.rows]).toEqual(["osm-xml", 2]);
    expect(geocoder.geocode("Dorfstr. 7, Kleinkleckersdorf")).toMatchObject({ precision: "rooftop", lat: 48.501 });
  });

  test("a house between known ones is placed on its own side of the street; past the end, a little further on", async () => {
    const csv = ["LON,LAT,NUMBER,STREET,CITY"];
    for (let number = 1; number <= 40; number++)
      if (number % 10 !== 5 && number % 10 !== 6)
        csv.push(
          `${(11.9 + number * 0.0001).toFixed(5)},${number % 2 ? 48.5 : 48.501},${number},Lange Straße,Pfaffenhofen`,
        );
    const { geocoder } = await imported("sides.csv", csv.join("\n"), "DE");
    const at = (number: number | string) => geocoder.geocode(`Lange Str. ${number}, Pfaffenhofen, Germany`) as Place;
    expect(at(15)).toMatchObject({ precision: "street", lat: 48.5, confidence: expect.any(Number) });
    expect(at(15).lon).toBeCloseTo(11.9015, 5);
    expect(at(16).lat).toBeCloseTo(48.501, 5);
    expect(at("14a")).toMatchObject({ precision: "street", lat: 48.501 });
    expect(at(44).lon).toBeCloseTo(11.9044, 3);
    expect(at(14)).toMatchObject({
      precision: "rooftop",
      label: expect.stringContaining("14 Lange Straße, Pfaffenhofen"),
    });
  });

  test("a street counts only in the town that the text names", async () => {
    const csv = "LON,LAT,NUMBER,STREET,CITY\n11.575,48.137,5,Seltene Gasse,München\n";
    const { geocoder } = await imported("towns.csv", csv, "DE");
    expect(geocoder.geocode("Seltene Gasse 5, München")).toMatchObject({ precision: "rooftop" });
    expect(geocoder.geocode("Seltene Gasse 5, Munich, Germany")).toMatchObject({ precision: "rooftop" });
    for (const town of ["Dachau", "Berlin", "85221 Dachau"]) {
      const found = geocoder.geocode(`Seltene Gasse 5, ${town}, Germany`) as Place;
      expect([town, found.precision]).toEqual([town, town.startsWith("8") ? "postcode" : "locality"]);
    }
  });

  test("ways whose points do not fit at once are read in rounds, with the same rows", async () => {
    const nodes = Array.from({ length: 60 }, (_, i) => `<node id="${i + 1}" lat="${42 + i / 1000}" lon="1.5"/>`);
    const ways = Array.from(
      { length: 20 },
      (_, i) =>
        `<way id="${i}"><nd ref="${3 * i + 1}"/><nd ref="${3 * i + 2}"/><nd ref="${3 * i + 3}"/><tag k="highway" v="residential"/><tag k="name" v="Street ${i}"/></way>`,
    );
    const xml = `<osm version="0.6">${nodes.join("")}${ways.join("\n")}</osm>`;
    async function* pieces() {
      for (let at = 0; at < xml.length; at += 100) yield new TextEncoder().encode(xml.slice(at, at + 100));
    }
    const rowsOf = async (maxPoints: number) => {
      const rows: ImportedRow[] = [];
      await readOsmRows(
        (visitor) => readOsmXml(pieces(), visitor),
        "AD",
        (row) => rows.push(row),
        maxPoints,
      );
      return rows;
    };
    const whole = await rowsOf(1000);
    expect(whole).toHaveLength(20);
    expect(whole[19].lat).toBeCloseTo(42.058, 6);
    expect(await rowsOf(7)).toEqual(whole);
  });

  test("a running geocoder sees an import and a removal without a restart", async () => {
    const dir = join(folder, "live");
    let now = 0;
    const geocoder = createGeocoderSource({ importedDir: dir }, { ...systemClock, now: () => now });
    const ask = async () => ((await geocoder()).geocode("Neue Gasse 7, Dachau, Germany") as Place).precision;
    expect(await ask()).toBe("locality");
    const file = join(folder, "live.csv");
    writeFileSync(file, "LON,LAT,NUMBER,STREET,CITY\n11.434,48.26,7,Neue Gasse,Dachau\n");
    const done = await importFile(file, dir, "DE");
    now += 3000;
    expect(await ask()).toBe("rooftop");
    rmSync(done.file);
    now += 3000;
    expect(await ask()).toBe("locality");
  });

  test("refuses what it does not know, and says what it saw", async () => {
    expect(imported("x.txt", "hello world")).rejects.toThrow(UnknownFormat);
    expect(imported("x.pbf", new Uint8Array(64).fill(255))).rejects.toThrow("not an .osm.pbf");
  });
});

describe("the .osm.pbf reader", () => {
  test("reads dense nodes, plain nodes and ways, with tags and negative deltas", async () => {
    const nodes: OsmNode[] = [];
    const ways: OsmWay[] = [];
    const file = join(folder, "tiny.osm.pbf");
    writeFileSync(file, tinyPbf());
    readPbf(file, { node: (n) => nodes.push(n), way: (w) => ways.push(w) });
    expect(nodes.map((n) => [n.id, n.lat, n.lon])).toEqual([
      [10, 42.5, 1.5],
      [7, 42.4, -1.6],
      [5, 1, 2],
    ]);
    expect(nodes[1].tags).toEqual(new Map([["place", "town"]]));
    expect(ways).toEqual([{ id: 3, nodes: [10, 7], tags: new Map([["place", "town"]]) }]);
  });
});

/** A file of one block, written by hand from the format's description. */
function tinyPbf(): Uint8Array {
  const varint = (n: number): number[] => (n < 128 ? [n] : [(n % 128) + 128, ...varint(Math.floor(n / 128))]);
  const zigzag = (n: number) => varint(n >= 0 ? n * 2 : -n * 2 - 1);
  const bytes = (field: number, data: number[]) => [...varint(field * 8 + 2), ...varint(data.length), ...data];
  const number = (field: number, value: number) => [...varint(field * 8), ...varint(value)];
  const text = (s: string) => [...Buffer.from(s)];
  const strings = bytes(
    1,
    ["", "place", "town"].flatMap((s) => bytes(1, text(s))),
  );
  const dense = bytes(2, [
    ...bytes(1, [...zigzag(10), ...zigzag(-3)]),
    ...bytes(8, [...zigzag(425_000_000), ...zigzag(-1_000_000)]),
    ...bytes(9, [...zigzag(15_000_000), ...zigzag(-31_000_000)]),
    ...bytes(10, [0, 1, 2, 0]),
  ]);
  const plain = bytes(1, [
    ...[1 * 8],
    ...zigzag(5),
    ...[8 * 8],
    ...zigzag(10_000_000),
    ...[9 * 8],
    ...zigzag(20_000_000),
  ]);
  const way = bytes(3, [
    ...number(1, 3),
    ...bytes(2, [1]),
    ...bytes(3, [2]),
    ...bytes(8, [...zigzag(10), ...zigzag(-3)]),
  ]);
  const block = [...strings, ...bytes(2, dense), ...bytes(2, plain), ...bytes(2, way)];
  const blob = [...number(2, block.length), ...bytes(3, [...deflateSync(Uint8Array.from(block))])];
  const header = [...bytes(1, text("OSMData")), ...number(3, blob.length)];
  return Uint8Array.from([0, 0, 0, header.length, ...header, ...blob]);
}
