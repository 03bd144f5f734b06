// Reads the segments of a JPEG that carry metadata: EXIF, XMP, comments, and the C2PA store that APP11 segments are cut into.
import { type Container, MediaError, Reader, utf8 } from "./bytes.ts";

const XMP = "http://ns.adobe.com/xap/1.0/\0";
const MAX_SEGMENTS = 5_000;

export function readJpeg(bytes: Uint8Array): Container {
  const r = new Reader(bytes);
  const out: Container = { format: "jpeg", width: null, height: null, texts: [], exif: null, xmp: null, jumbf: null };
  const boxes = new Map<number, { order: number; data: Uint8Array }[]>();
  let at = 2;
  for (let n = 0; ; n++) {
    if (n > MAX_SEGMENTS) throw new MediaError("The JPEG has too many segments");
    if (at >= bytes.length) throw new MediaError("The JPEG is truncated: it has no image data");
    if (bytes[at] !== 0xff) throw new MediaError(`The JPEG has no marker at byte ${at}`);
    const marker = bytes[at + 1];
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === 0xd9 || marker === 0xda) break;
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += 2;
      continue;
    }
    const size = r.u16(at + 2);
    if (size < 2) throw new MediaError(`A JPEG segment at byte ${at} says it has ${size} bytes`);
    const data = r.slice(at + 4, size - 2, "A JPEG segment");
    readSegment(marker, data, out, boxes);
    at += 2 + size;
  }
  if (!endsWithImage(bytes, at)) throw new MediaError("The JPEG is truncated: its image data does not end");
  out.jumbf = joinBoxes(boxes);
  return out;
}

function readSegment(
  marker: number,
  data: Uint8Array,
  out: Container,
  boxes: Map<number, { order: number; data: Uint8Array }[]>,
): void {
  const d = new Reader(data);
  const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
  if (isFrame && data.length >= 5) {
    out.height = d.u16(1);
    out.width = d.u16(3);
  } else if (marker === 0xe1 && d.has(0, "Exif\0\0")) out.exif ??= data.subarray(6);
  else if (marker === 0xe1 && d.has(0, XMP)) out.xmp ??= decodeXmp(data.subarray(XMP.length));
  else if (marker === 0xfe) out.texts.push(["Comment", utf8(data)]);
  else if (marker === 0xeb && d.has(0, "JP") && data.length > 16) {
    const instance = d.u16(2);
    const parts = boxes.get(instance) ?? boxes.set(instance, []).get(instance)!;
    parts.push({ order: d.u32(4), data: data.subarray(8) });
  }
}

function decodeXmp(bytes: Uint8Array): string {
  if (bytes[0] === 0 && bytes[1] === 0x3c) return new TextDecoder("utf-16be").decode(bytes);
  if (bytes[0] === 0x3c && bytes[1] === 0) return new TextDecoder("utf-16le").decode(bytes);
  return utf8(bytes);
}

/** Every part repeats the box header of eight bytes; only the first one's counts. */
function joinBoxes(boxes: Map<number, { order: number; data: Uint8Array }[]>): Uint8Array | null {
  for (const parts of boxes.values()) {
    parts.sort((a, b) => a.order - b.order);
    const whole = new Uint8Array(parts.reduce((sum, p, i) => sum + p.data.length - (i ? 8 : 0), 0));
    let at = 0;
    parts.forEach((p, i) => {
      const piece = i ? p.data.subarray(8) : p.data;
      whole.set(piece, at);
      at += piece.length;
    });
    if (new Reader(whole).has(4, "jumb")) return whole;
  }
  return null;
}

function endsWithImage(bytes: Uint8Array, from: number): boolean {
  for (let i = bytes.length - 2; i >= from; i--) if (bytes[i] === 0xff && bytes[i + 1] === 0xd9) return true;
  return false;
}
