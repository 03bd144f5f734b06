// Reads the RIFF chunks of a WebP that carry metadata.
import { type Container, latin1, MediaError, Reader, utf8 } from "./bytes.ts";

const MAX_CHUNKS = 5_000;

export function readWebp(bytes: Uint8Array): Container {
  const r = new Reader(bytes);
  const out: Container = { format: "webp", width: null, height: null, texts: [], exif: null, xmp: null, jumbf: null };
  const end = 8 + r.u32(4, true);
  if (end > bytes.length)
    throw new MediaError(`The WebP is truncated: it says it has ${end} bytes and has ${bytes.length}`);
  let at = 12;
  for (let n = 0; at + 8 <= end; n++) {
    if (n > MAX_CHUNKS) throw new MediaError("The WebP has too many chunks");
    const type = latin1(r.slice(at, 4, "A chunk type"));
    const size = r.u32(at + 4, true);
    const data = r.slice(at + 8, size, `The WebP chunk ${JSON.stringify(type)}`);
    if (type === "EXIF") out.exif = new Reader(data).has(0, "Exif\0\0") ? data.subarray(6) : data;
    else if (type === "XMP ") out.xmp = utf8(data);
    else if (type === "C2PA") out.jumbf ??= data;
    else if (type === "VP8X" && size >= 10) {
      out.width = 1 + (data[4] | (data[5] << 8) | (data[6] << 16));
      out.height = 1 + (data[7] | (data[8] << 8) | (data[9] << 16));
    } else if (type === "VP8 " && size >= 10 && out.width === null) {
      out.width = (data[6] | (data[7] << 8)) & 0x3fff;
      out.height = (data[8] | (data[9] << 8)) & 0x3fff;
    }
    at += 8 + size + (size & 1);
  }
  return out;
}
