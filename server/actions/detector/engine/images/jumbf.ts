// Reads a C2PA manifest store as boxes and CBOR, without judging its signature: what the active manifest says was done.
import { latin1, MediaError, Reader, utf8 } from "./bytes.ts";

const MAX_DEPTH = 12;
const MAX_BOXES = 4_000;

export interface Box {
  type: string;
  /** The label of a superbox. */
  label: string;
  data: Uint8Array;
  children: Box[];
}

export interface Manifest {
  label: string;
  generator: string | null;
  actions: { action: string; source: string | null; agent: string | null }[];
  /** COSE_Sign1 in CBOR. */
  signature: Uint8Array | null;
}

export function readManifests(bytes: Uint8Array): Manifest[] {
  const count = { boxes: 0 };
  const store = readBoxes(bytes, 0, count)[0];
  if (!store || store.type !== "jumb") throw new MediaError("The C2PA block holds no manifest store");
  return store.children.filter((box) => box.type === "jumb").map(readManifest);
}

function readBoxes(bytes: Uint8Array, depth: number, count: { boxes: number }): Box[] {
  if (depth > MAX_DEPTH) throw new MediaError("The C2PA boxes are nested too deep");
  const r = new Reader(bytes);
  const boxes: Box[] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    if (++count.boxes > MAX_BOXES) throw new MediaError("The C2PA block has too many boxes");
    let size = r.u32(at);
    let head = 8;
    if (size === 1) {
      if (r.u32(at + 8) !== 0) throw new MediaError("A C2PA box is larger than the file");
      size = r.u32(at + 12);
      head = 16;
    } else if (size === 0) size = bytes.length - at;
    if (size < head) throw new MediaError(`A C2PA box at byte ${at} says it has ${size} bytes`);
    const type = latin1(bytes.subarray(at + 4, at + 8));
    const data = r.slice(at + head, size - head, `The C2PA box ${JSON.stringify(type)}`);
    const children = type === "jumb" ? readBoxes(data, depth + 1, count) : [];
    boxes.push({ type, data, children, label: labelOf(children) });
    at += size;
  }
  return boxes;
}

/** A description box: a UUID of 16 bytes, toggles, then the label up to a zero. */
function labelOf(children: Box[]): string {
  const description = children.find((box) => box.type === "jumd");
  if (!description || description.data.length < 18) return "";
  const end = description.data.indexOf(0, 17);
  return utf8(description.data.subarray(17, end < 0 ? undefined : end)).slice(0, 200);
}

function readManifest(box: Box): Manifest {
  const manifest: Manifest = { label: box.label, generator: null, actions: [], signature: null };
  for (const part of box.children) {
    if (/^c2pa\.claim(\.v2)?$/.test(part.label)) manifest.generator = generatorOf(content(part));
    if (part.label === "c2pa.signature")
      manifest.signature = part.children.find((child) => child.type === "cbor")?.data ?? null;
    if (part.label !== "c2pa.assertions") continue;
    for (const assertion of part.children) {
      if (!/^c2pa\.actions(\.v2)?(__\d+)?$/.test(assertion.label)) continue;
      const list = (content(assertion) as any)?.actions;
      if (Array.isArray(list)) for (const item of list.slice(0, 100)) manifest.actions.push(actionOf(item));
    }
  }
  return manifest;
}

function content(box: Box): unknown {
  const cbor = box.children.find((child) => child.type === "cbor");
  if (cbor) return decodeCbor(cbor.data);
  const json = box.children.find((child) => child.type === "json");
  return json ? parseJson(json.data) : null;
}

function parseJson(data: Uint8Array): unknown {
  try {
    return JSON.parse(utf8(data));
  } catch {
    throw new MediaError("The C2PA block has JSON that cannot be read");
  }
}

function generatorOf(claim: any): string | null {
  const info = Array.isArray(claim?.claim_generator_info) ? claim.claim_generator_info[0] : claim?.claim_generator_info;
  return text(info?.name) ?? text(claim?.claim_generator);
}

function actionOf(item: any) {
  return {
    action: text(item?.action) ?? "",
    source: text(item?.digitalSourceType) ?? text(item?.parameters?.digitalSourceType),
    agent: text(item?.softwareAgent) ?? text(item?.softwareAgent?.name),
  };
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value.slice(0, 300) : null;
}

/** Stands for "until the end mark". */
const OPEN = -1;

/** CBOR, as much of it as manifests use; bounded in depth and by the bytes there are. */
export function decodeCbor(bytes: Uint8Array): unknown {
  const r = new Reader(bytes);
  let at = 0;
  const size = (low: number): number => {
    if (low < 24) return low;
    if (low === 24) return r.slice(at++, 1, "A CBOR number")[0];
    const wide = low >= 25 && low <= 27 ? 2 << (low - 25) : 0;
    at += wide;
    if (wide === 2) return r.u16(at - 2);
    if (wide === 4) return r.u32(at - 4);
    if (wide === 8) return r.u32(at - 8) * 2 ** 32 + r.u32(at - 4);
    if (low === 31) return OPEN;
    throw new MediaError("The C2PA block has CBOR that cannot be read");
  };
  const ended = () => {
    if (r.slice(at, 1, "A CBOR item")[0] !== 0xff) return false;
    at++;
    return true;
  };
  /** An item without a stated length: it goes on until the byte 0xff. */
  const openItem = (kind: number, depth: number): unknown => {
    const list: unknown[] = [];
    while (!ended()) list.push(item(depth + 1));
    if (kind === 2 || kind === 3) return list.map((part) => (typeof part === "string" ? part : "")).join("");
    if (kind === 4) return list;
    const map: Record<string, unknown> = Object.create(null);
    for (let i = 0; i + 1 < list.length; i += 2) map[String(list[i])] = list[i + 1];
    return map;
  };
  const item = (depth: number): unknown => {
    if (depth > MAX_DEPTH * 2) throw new MediaError("The C2PA CBOR is nested too deep");
    const head = r.slice(at++, 1, "A CBOR item")[0];
    const low = head & 31;
    const kind = head >> 5;
    if (kind === 7) {
      if (low >= 25 && low <= 27) at += 2 << (low - 25);
      return low === 20 ? false : low === 21 ? true : null;
    }
    const n = size(low);
    if (kind === 0) return n;
    if (kind === 1) return -1 - n;
    if (n === OPEN) return openItem(kind, depth);
    if (kind === 2 || kind === 3) {
      const part = r.slice(at, n, "A CBOR text");
      at += n;
      return kind === 2 ? part : utf8(part);
    }
    if (kind === 6) return item(depth + 1);
    if (n > bytes.length) throw new MediaError("The C2PA CBOR says it has more items than bytes");
    if (kind === 4) return Array.from({ length: n }, () => item(depth + 1));
    const map: Record<string, unknown> = Object.create(null);
    for (let i = 0; i < n; i++) {
      const key = item(depth + 1);
      map[String(key)] = item(depth + 1);
    }
    return map;
  };
  return item(0);
}
