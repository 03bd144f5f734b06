// Reads the few EXIF texts in which generators leave their name or their settings. A broken directory is skipped, not guessed.
import { latin1, Reader, utf8 } from "./bytes.ts";

const WANTED: Record<number, string> = {
  270: "ImageDescription",
  271: "Make",
  272: "Model",
  305: "Software",
  315: "Artist",
  37510: "UserComment",
  40092: "XPComment",
};
const SUBDIRECTORY = 0x8769;
const MAX_TEXT = 1 << 20;

export function readExif(bytes: Uint8Array): Record<string, string> {
  const found: Record<string, string> = {};
  const r = new Reader(bytes);
  const little = r.has(0, "II");
  if (!little && !r.has(0, "MM")) return found;
  const queue = [r.bytes.length >= 8 ? r.u32(4, little) : 0];
  const seen = new Set<number>();
  while (queue.length > 0 && seen.size < 8) {
    const at = queue.shift()!;
    if (at < 8 || at + 2 > bytes.length || seen.has(at)) continue;
    seen.add(at);
    const entries = Math.min(r.u16(at, little), 512);
    for (let i = 0; i < entries; i++) {
      const entry = at + 2 + 12 * i;
      if (entry + 12 > bytes.length) break;
      readEntry(r, entry, little, found, queue);
    }
  }
  return found;
}

function readEntry(r: Reader, entry: number, little: boolean, found: Record<string, string>, queue: number[]): void {
  const tag = r.u16(entry, little);
  if (tag === SUBDIRECTORY) {
    queue.push(r.u32(entry + 8, little));
    return;
  }
  const name = WANTED[tag];
  if (!name) return;
  const kind = r.u16(entry + 2, little);
  const size = r.u32(entry + 4, little);
  if (kind !== 1 && kind !== 2 && kind !== 7) return;
  const at = size <= 4 ? entry + 8 : r.u32(entry + 8, little);
  if (size > MAX_TEXT || at + size > r.bytes.length) return;
  found[name] = readText(r.bytes.subarray(at, at + size), little, tag === 0x9c9c).replace(/\0+$/, "");
}

/** UserComment names its encoding in the first eight bytes; writers disagree on the byte order of UNICODE. */
function readText(bytes: Uint8Array, little: boolean, isWide: boolean): string {
  if (isWide) return new TextDecoder("utf-16le").decode(bytes);
  const head = latin1(bytes.subarray(0, 8));
  if (head.startsWith("ASCII\0")) return utf8(bytes.subarray(8));
  if (!head.startsWith("UNICODE\0")) return utf8(bytes.subarray(head.startsWith("\0\0\0\0\0\0\0\0") ? 8 : 0));
  const body = bytes.subarray(8);
  const zerosFirst = body.filter((b, i) => i % 2 === 0 && b === 0).length;
  const zerosSecond = body.filter((b, i) => i % 2 === 1 && b === 0).length;
  const isLittle = zerosFirst === zerosSecond ? little : zerosSecond > zerosFirst;
  return new TextDecoder(isLittle ? "utf-16le" : "utf-16be").decode(body);
}
