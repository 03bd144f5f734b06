// The packed form of the world's postcodes: columns of small numbers, compressed together. Written once by
// tools/geodata/pack-postal.ts, read whenever the base layer is made.
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";

export interface PostalRow {
  country: string;
  code: string;
  /** The place as the post writes it. */
  place: string;
  lat: number;
  lon: number;
  /** Code of the region, as the base layer has it; 0 when unknown. */
  admin: number;
}

/** A place of the postal rows, with how many of their postcodes it has. */
export interface VillageRow extends Omit<PostalRow, "code"> {
  codes: number;
}

interface Head {
  version: number;
  source: string;
  postcodes: [country: string, rows: number][];
  admins: number[];
  /** Length of each stream in bytes. */
  streams: number[];
}

const VERSION = 1;
/** Steps per degree: about 55 m, far finer than a postcode. */
const STEPS = 2000;

/** Rows of one place closer than this (in steps) are one village; farther apart they are two of one name. */
const VILLAGE_STEPS = 0.1 * STEPS;

/**
 * Rows must be sorted by country; rows that stand near each other in order should lie near each other on the map.
 * `isNew` says which villages no other source knows: only those are handed out when the data is read.
 */
export function encodePostal(source: string, rows: PostalRow[], isNew: (village: VillageRow) => boolean): Uint8Array {
  const admins = [...new Set(rows.map((row) => row.admin))];
  const villages = new Villages();
  for (const row of rows) villages.add({ ...row, lat: Math.round(row.lat * STEPS), lon: Math.round(row.lon * STEPS) });
  const streams = [
    ...encodePlaces(rows, new Map(admins.map((admin, i) => [admin, i]))),
    ...encodeCodes(rows),
    Uint8Array.from(villages.list(), (village) => (isNew(village) ? 1 : 0)),
  ];
  const head: Head = { version: VERSION, source, postcodes: runs(rows), admins, streams: streams.map((s) => s.length) };
  const headBytes = new TextEncoder().encode(JSON.stringify(head));
  const size = new Uint8Array(Uint32Array.of(headBytes.length).buffer);
  const body = Buffer.concat([size, headBytes, ...streams]);
  return brotliCompressSync(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
}

export function decodePostal(
  packed: Uint8Array,
  visit: { postcode(row: PostalRow): void; village(row: VillageRow): void },
): void {
  const body = brotliDecompressSync(packed);
  const size = body.readUInt32LE(0);
  const head: Head = JSON.parse(body.toString("utf8", 4, 4 + size));
  if (head.version !== VERSION) throw new Error(`postal data of version ${head.version}, wanted ${VERSION}`);
  let at = 4 + size;
  const streams = head.streams.map((length) => body.subarray(at, (at += length)));
  const nextCode = decodeCodes(streams[4], streams[5]);
  const villages = new Villages();
  decodePlaces(head.postcodes, head.admins, streams, (country, place, lat, lon, admin) => {
    villages.add({ country, place, lat, lon, admin });
    visit.postcode({ country, code: nextCode(), place, lat: lat / STEPS, lon: lon / STEPS, admin });
  });
  villages.list().forEach((village, i) => {
    if (streams[6][i] === 1) visit.village(village);
  });
}

/** Gathers rows into villages; the order of the rows decides the order of the villages. */
class Villages {
  readonly #all: VillageRow[] = [];
  #byName = new Map<string, number[]>();
  #country = "";

  /** Latitude and longitude in steps. */
  add({ country, place, lat, lon, admin }: Located): void {
    if (country !== this.#country) {
      this.#country = country;
      this.#byName = new Map();
    }
    const twins = this.#byName.get(place);
    if (!twins) this.#byName.set(place, [this.#all.length]);
    else {
      for (const at of twins) {
        const v = this.#all[at];
        if (Math.abs(v.lat / v.codes - lat) >= VILLAGE_STEPS || Math.abs(v.lon / v.codes - lon) >= 1.5 * VILLAGE_STEPS)
          continue;
        v.lat += lat;
        v.lon += lon;
        v.codes++;
        return;
      }
      twins.push(this.#all.length);
    }
    this.#all.push({ country, place, lat, lon, admin, codes: 1 });
  }

  list(): VillageRow[] {
    return this.#all.map((v) => ({ ...v, lat: v.lat / v.codes / STEPS, lon: v.lon / v.codes / STEPS }));
  }
}

type Located = Omit<PostalRow, "code">;

/** Four streams: names in order of first use; which name each row has; steps of latitude and longitude; regions. */
function encodePlaces(rows: Located[], admins: Map<number, number>): Uint8Array[] {
  const names: string[] = [];
  const known = new Map<string, number>();
  const which: number[] = [];
  const steps: number[] = [];
  const regions: number[] = [];
  let country = "";
  let [lat, lon, last] = [0, 0, -1];
  for (const row of rows) {
    if (row.country !== country) {
      country = row.country;
      known.clear();
    }
    const at = known.get(row.place);
    // 0: the name of the row before; 1: a new name; else how far back in the list it stands.
    if (at === undefined) {
      known.set(row.place, names.length);
      last = names.push(row.place) - 1;
      which.push(1);
    } else if (at === last) which.push(0);
    else {
      which.push(names.length - at + 1);
      last = at;
    }
    const [y, x] = [Math.round(row.lat * STEPS), Math.round(row.lon * STEPS)];
    steps.push(zigzag(y - lat), zigzag(x - lon));
    [lat, lon] = [y, x];
    regions.push(admins.get(row.admin)!);
  }
  return [new TextEncoder().encode(names.join("\n")), numbers(which), numbers(steps), numbers(regions)];
}

function decodePlaces(
  countries: [string, number][],
  admins: number[],
  [nameBytes, whichBytes, stepBytes, regionBytes]: Uint8Array[],
  visit: (country: string, place: string, latSteps: number, lonSteps: number, admin: number) => void,
): void {
  const names = new TextDecoder().decode(nameBytes).split("\n");
  const [which, step, region] = [reader(whichBytes), reader(stepBytes), reader(regionBytes)];
  let [lat, lon, used, last] = [0, 0, 0, -1];
  for (const [country, rows] of countries) {
    for (let i = 0; i < rows; i++) {
      const back = which();
      if (back === 1) last = used++;
      else if (back > 1) last = used - back + 1;
      lat += unzigzag(step());
      lon += unzigzag(step());
      visit(country, names[last], lat, lon, admins[region()]);
    }
  }
}

/** Two streams: how many letters each code shares with the one before, and the rest of it. */
function encodeCodes(rows: PostalRow[]): Uint8Array[] {
  let before = "";
  const shared: number[] = [];
  const rest: string[] = [];
  for (const { code } of rows) {
    let same = 0;
    while (same < Math.min(before.length, code.length) && before[same] === code[same]) same++;
    shared.push(same);
    rest.push(code.slice(same));
    before = code;
  }
  return [Uint8Array.from(shared), new TextEncoder().encode(rest.join("\n"))];
}

function decodeCodes(shared: Uint8Array, restBytes: Uint8Array): () => string {
  const rest = new TextDecoder().decode(restBytes).split("\n");
  let before = "";
  let i = 0;
  return () => {
    before = before.slice(0, shared[i]) + rest[i];
    i++;
    return before;
  };
}

function runs(rows: { country: string }[]): [string, number][] {
  const out: [string, number][] = [];
  for (const { country } of rows) {
    if (out.at(-1)?.[0] === country) out.at(-1)![1]++;
    else out.push([country, 1]);
  }
  return out;
}

const zigzag = (n: number): number => (n < 0 ? -2 * n - 1 : 2 * n);
const unzigzag = (n: number): number => (n & 1 ? -(n + 1) / 2 : n / 2);

/** Whole numbers, seven bits a byte, low bits first. */
function numbers(values: number[]): Uint8Array {
  const out: number[] = [];
  for (let value of values) {
    while (value > 127) {
      out.push((value & 127) | 128);
      value = Math.floor(value / 128);
    }
    out.push(value);
  }
  return Uint8Array.from(out);
}

function reader(bytes: Uint8Array): () => number {
  let at = 0;
  return () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++];
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
}
