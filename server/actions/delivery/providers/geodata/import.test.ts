import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync, gzipSync } from "node:zlib";
import { importFile, UnknownFormat } from "./import.ts";
import { loadGeocoder } from "./load.ts";
import { type OsmNode, type OsmWay, readPbf } from "./osm-pbf.ts";

const folder = mkdtempSync(join(tmpdir(), "geodata-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let made = 0;
function imported(name: string, content: string | Uint8Array, country = "") {
  const dir = join(folder, String(made++));
  const file = join(folder, name);
  writeFileSync(file, content);
  return { done: importFile(file, dir, country), geocoder: loadGeocoder({ importedDir: dir }) };
}

const node = (lat: number, lon: number, tags: Record<string, string>) =>
  `<node id="1" lat="${lat}" lon="${lon}">${Object.entries(tags)
    .map(([k, v]) => `<tag k="${k}" v="${v}"/>`)
    .join("")}</node>`;

describe("geodata import", () => {
  test("a GeoNames postal file, in both its widths and gzipped, lifts a village to its postcode", () => {
    const wide = "DE\t99999\tKleinkleckersdorf\tBayern\tBY\t\t00\tKreis\t09\t48.5\t11.9\t4";
    const narrow = "DE\t99999\tKleinkleckersdorf\tBayern\tBY\t48.5\t11.9";
    for (const line of [wide, narrow]) {
      const { done, geocoder } = imported("postal.tsv.gz", gzipSync(`${line}\n`));
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

  test("a GeoNames places file", () => {
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
    const { done, geocoder } = imported("places.txt", row.join("\t"));
    expect([done.format, done.rows]).toEqual(["geonames-places", 1]);
    expect(geocoder.geocode("Little Spotville")).toMatchObject({ precision: "locality", lon: 11.9 });
  });

  test("an OpenAddresses CSV lifts to the house, and to the street where the house is not known", () => {
    const csv =
      "LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH\n" +
      '-80.2531,26.2452,1235,UNIVERSITY DR,,"CORAL SPRINGS",,FL,33071,,\n';
    const { done, geocoder } = imported("oa.csv", csv, "us");
    expect(done.format).toBe("openaddresses");
    const house = geocoder.geocode("1235 University Drive, Coral Springs, FL 33071");
    expect(house).toMatchObject({ precision: "rooftop", lat: 26.2452, lon: -80.2531, country: "US" });
    expect(geocoder.geocode("9999 UNIVERSITY DR, CORAL SPRINGS, FL 33071")).toMatchObject({ precision: "street" });
  });

  test("an OpenStreetMap extract in XML: settlements and houses", () => {
    const village = { place: "village", name: "Kleinkleckersdorf", "name:en": "Tom &amp; Jerry" };
    const house = { "addr:housenumber": "7", "addr:street": "Dorfstraße", "addr:city": "Kleinkleckersdorf" };
    const xml = `<?xml version="1.0"?><osm version="0.6">${node(48.5, 11.9, village)}${node(48.501, 11.901, house)}</osm>`;
    const { done, geocoder } = imported("x.osm", xml, "DE");
    expect([done.format, done.rows]).toEqual(["osm-xml", 2]);
    expect(geocoder.geocode("Dorfstr. 7, Kleinkleckersdorf")).toMatchObject({ precision: "rooftop", lat: 48.501 });
  });

  test("refuses what it does not know, and says what it saw", () => {
    expect(() => imported("x.txt", "hello world")).toThrow(UnknownFormat);
    expect(() => imported("x.pbf", new Uint8Array(64).fill(255))).toThrow("not an .osm.pbf");
  });
});

describe("the .osm.pbf reader", () => {
  test("reads dense nodes, plain nodes and ways, with tags and negative deltas", () => {
    const nodes: OsmNode[] = [];
    const ways: OsmWay[] = [];
    readPbf(tinyPbf(), { node: (n) => nodes.push(n), way: (w) => ways.push(w) });
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
