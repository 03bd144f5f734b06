// Reads an .osm.pbf file block by block: nodes and ways with their tags. The Protocol Buffers wire format by hand;
// relations, versions and authors are skipped.
import { inflateSync } from "node:zlib";

export interface OsmNode {
  id: number;
  lat: number;
  lon: number;
  tags: Map<string, string>;
}

export interface OsmWay {
  id: number;
  nodes: number[];
  tags: Map<string, string>;
}

export interface OsmVisitor {
  node(node: OsmNode): void;
  way(way: OsmWay): void;
}

export function readPbf(file: Uint8Array, visitor: OsmVisitor): void {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  for (let at = 0; at + 4 <= file.length; ) {
    const headerSize = view.getUint32(at);
    if (headerSize > 65_536) throw new Error("not an .osm.pbf file");
    const header = fields(file.subarray(at + 4, at + 4 + headerSize));
    const type = text(header.bytes.get(1)?.[0]);
    const size = header.numbers.get(3)?.[0] ?? 0;
    const start = at + 4 + headerSize;
    if (start + size > file.length) throw new Error("the .osm.pbf file is cut short");
    if (type === "OSMData") readBlock(unpack(file.subarray(start, start + size)), visitor);
    at = start + size;
  }
}

function unpack(blob: Uint8Array): Uint8Array {
  const { bytes } = fields(blob);
  const raw = bytes.get(1)?.[0];
  if (raw) return raw;
  const zlib = bytes.get(3)?.[0];
  if (!zlib) throw new Error("this .osm.pbf uses a compression other than zlib");
  return inflateSync(zlib);
}

function readBlock(block: Uint8Array, visitor: OsmVisitor): void {
  const top = fields(block);
  const strings = (fields(top.bytes.get(1)?.[0] ?? new Uint8Array()).bytes.get(1) ?? []).map(text);
  const granularity = top.numbers.get(17)?.[0] ?? 100;
  const latOffset = top.numbers.get(19)?.[0] ?? 0;
  const lonOffset = top.numbers.get(20)?.[0] ?? 0;
  const degrees = (value: number, offset: number) => (offset + granularity * value) / 1e9;
  for (const group of top.bytes.get(2) ?? []) {
    const parts = fields(group);
    for (const dense of parts.bytes.get(2) ?? [])
      readDense(
        dense,
        strings,
        (v) => degrees(v, latOffset),
        (v) => degrees(v, lonOffset),
        visitor,
      );
    for (const node of parts.bytes.get(1) ?? []) {
      const f = fields(node);
      const [lat, lon] = [8, 9].map((n) => unzigzag(f.numbers.get(n)?.[0] ?? 0));
      visitor.node({
        id: unzigzag(f.numbers.get(1)?.[0] ?? 0),
        lat: degrees(lat, latOffset),
        lon: degrees(lon, lonOffset),
        tags: tagsOf(f, strings),
      });
    }
    for (const way of parts.bytes.get(3) ?? []) {
      const f = fields(way);
      visitor.way({ id: f.numbers.get(1)?.[0] ?? 0, nodes: deltas(f.bytes.get(8)?.[0]), tags: tagsOf(f, strings) });
    }
  }
}

function readDense(
  dense: Uint8Array,
  strings: string[],
  lat: (v: number) => number,
  lon: (v: number) => number,
  visitor: OsmVisitor,
): void {
  const f = fields(dense);
  const ids = deltas(f.bytes.get(1)?.[0]);
  const lats = deltas(f.bytes.get(8)?.[0]);
  const lons = deltas(f.bytes.get(9)?.[0]);
  const keys = varints(f.bytes.get(10)?.[0]);
  let at = 0;
  for (let i = 0; i < ids.length; i++) {
    const tags = new Map<string, string>();
    while (at < keys.length && keys[at] !== 0) {
      tags.set(strings[keys[at]], strings[keys[at + 1]]);
      at += 2;
    }
    at++;
    visitor.node({ id: ids[i], lat: lat(lats[i]), lon: lon(lons[i]), tags });
  }
}

function tagsOf(f: Fields, strings: string[]): Map<string, string> {
  const keys = varints(f.bytes.get(2)?.[0]);
  const values = varints(f.bytes.get(3)?.[0]);
  return new Map(keys.map((key, i) => [strings[key], strings[values[i]]]));
}

interface Fields {
  numbers: Map<number, number[]>;
  bytes: Map<number, Uint8Array[]>;
}

function fields(message: Uint8Array): Fields {
  const out: Fields = { numbers: new Map(), bytes: new Map() };
  const cursor = { at: 0 };
  while (cursor.at < message.length) {
    const tag = varint(message, cursor);
    const field = Math.floor(tag / 8);
    const wire = tag % 8;
    if (wire === 0) push(out.numbers, field, varint(message, cursor));
    else if (wire === 2) {
      const size = varint(message, cursor);
      push(out.bytes, field, message.subarray(cursor.at, cursor.at + size));
      cursor.at += size;
    } else if (wire === 5) cursor.at += 4;
    else if (wire === 1) cursor.at += 8;
    else throw new Error("the .osm.pbf file is damaged");
  }
  return out;
}

/** Up to 53 bits exactly, which holds every id and coordinate of OpenStreetMap. */
function varint(bytes: Uint8Array, cursor: { at: number }): number {
  let value = 0;
  let scale = 1;
  for (;;) {
    const byte = bytes[cursor.at++];
    value += (byte & 127) * scale;
    if (byte < 128) return value;
    scale *= 128;
    if (cursor.at > bytes.length) throw new Error("the .osm.pbf file is damaged");
  }
}

function varints(bytes: Uint8Array | undefined): number[] {
  const out: number[] = [];
  const cursor = { at: 0 };
  while (bytes && cursor.at < bytes.length) out.push(varint(bytes, cursor));
  return out;
}

function deltas(bytes: Uint8Array | undefined): number[] {
  let sum = 0;
  return varints(bytes).map((v) => (sum += unzigzag(v)));
}

const unzigzag = (v: number): number => (v % 2 === 0 ? v / 2 : -(v + 1) / 2);
const decoder = new TextDecoder();
const text = (bytes: Uint8Array | undefined): string => (bytes ? decoder.decode(bytes) : "");

function push<V>(map: Map<number, V[]>, key: number, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
