// Reads an .osm.pbf file block by block from disk: nodes and ways with their tags. The Protocol Buffers wire format by hand;
// relations, versions and authors are skipped.
import { closeSync, openSync, readSync } from "node:fs";
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

/** What of the file is wanted; the rest is skipped unread. */
export interface OsmVisitor {
  node?(node: OsmNode): void;
  way?(way: OsmWay): void;
}

const MAX_HEADER_BYTES = 65_536;
const MAX_BLOB_BYTES = 64 << 20;

export function readPbf(file: string, visitor: OsmVisitor): void {
  const fd = openSync(file, "r");
  const read = (at: number, size: number): Buffer => {
    const buffer = Buffer.alloc(size);
    return buffer.subarray(0, readSync(fd, buffer, 0, size, at));
  };
  try {
    for (let at = 0, head = read(0, 4); head.length === 4; head = read(at, 4)) {
      const headerSize = head.readUInt32BE(0);
      if (headerSize > MAX_HEADER_BYTES) throw new Error("not an .osm.pbf file");
      const header = fields(read(at + 4, headerSize));
      const size = header.numbers.get(3)?.[0] ?? 0;
      if (size > MAX_BLOB_BYTES) throw new Error("not an .osm.pbf file");
      const blob = read(at + 4 + headerSize, size);
      if (blob.length < size) throw new Error("the .osm.pbf file is cut short");
      if (text(header.bytes.get(1)?.[0]) === "OSMData") readBlock(unpack(blob), visitor);
      at += 4 + headerSize + size;
    }
  } finally {
    closeSync(fd);
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
  const groups = (top.bytes.get(2) ?? []).map(fields);
  const hasWays = groups.some((group) => group.bytes.has(3));
  if (hasWays ? !visitor.way : !visitor.node) return;
  const strings = (fields(top.bytes.get(1)?.[0] ?? new Uint8Array()).bytes.get(1) ?? []).map(text);
  const granularity = top.numbers.get(17)?.[0] ?? 100;
  const latOffset = top.numbers.get(19)?.[0] ?? 0;
  const lonOffset = top.numbers.get(20)?.[0] ?? 0;
  const lat = (value: number) => (latOffset + granularity * value) / 1e9;
  const lon = (value: number) => (lonOffset + granularity * value) / 1e9;
  for (const parts of groups) {
    if (visitor.node) {
      for (const dense of parts.bytes.get(2) ?? []) readDense(dense, strings, lat, lon, visitor.node.bind(visitor));
      for (const node of parts.bytes.get(1) ?? []) {
        const f = fields(node);
        const [id, y, x] = [1, 8, 9].map((n) => unzigzag(f.numbers.get(n)?.[0] ?? 0));
        visitor.node({ id, lat: lat(y), lon: lon(x), tags: tagsOf(f, strings) });
      }
    }
    for (const way of visitor.way ? (parts.bytes.get(3) ?? []) : []) {
      const f = fields(way);
      visitor.way!({ id: f.numbers.get(1)?.[0] ?? 0, nodes: deltas(f.bytes.get(8)?.[0]), tags: tagsOf(f, strings) });
    }
  }
}

const NO_TAGS = new Map<string, string>();

function readDense(
  dense: Uint8Array,
  strings: string[],
  lat: (v: number) => number,
  lon: (v: number) => number,
  visit: (node: OsmNode) => void,
): void {
  const f = fields(dense);
  const ids = deltas(f.bytes.get(1)?.[0]);
  const lats = deltas(f.bytes.get(8)?.[0]);
  const lons = deltas(f.bytes.get(9)?.[0]);
  const keys = varints(f.bytes.get(10)?.[0]);
  let at = 0;
  for (let i = 0; i < ids.length; i++) {
    const tags = at < keys.length && keys[at] !== 0 ? new Map<string, string>() : NO_TAGS;
    while (at < keys.length && keys[at] !== 0) {
      tags.set(strings[keys[at]], strings[keys[at + 1]]);
      at += 2;
    }
    at++;
    visit({ id: ids[i], lat: lat(lats[i]), lon: lon(lons[i]), tags });
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
