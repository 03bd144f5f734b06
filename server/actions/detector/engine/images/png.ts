// Reads the chunks of a PNG that carry metadata. Compressed text is unpacked up to a limit, so that no chunk can be a bomb.
import { inflateSync } from "node:zlib";
import { type Container, latin1, MediaError, Reader, utf8 } from "./bytes.ts";

const MAX_TEXT = 1 << 20;
const MAX_CHUNKS = 20_000;

export function readPng(bytes: Uint8Array): Container {
  const r = new Reader(bytes);
  const out: Container = { format: "png", width: null, height: null, texts: [], exif: null, xmp: null, jumbf: null };
  let at = 8;
  for (let n = 0; ; n++) {
    if (n > MAX_CHUNKS) throw new MediaError("The PNG has too many chunks");
    if (at === bytes.length) throw new MediaError("The PNG is truncated: it has no IEND chunk");
    const size = r.u32(at);
    const type = latin1(r.slice(at + 4, 4, "A chunk type"));
    const data = r.slice(at + 8, size, `The PNG chunk ${JSON.stringify(type)}`);
    r.slice(at + 8 + size, 4, "A chunk checksum");
    if (n === 0 && type !== "IHDR") throw new MediaError("The PNG does not begin with IHDR");
    if (type === "IHDR") {
      if (size !== 13) throw new MediaError("The PNG header has the wrong size");
      out.width = r.u32(at + 8);
      out.height = r.u32(at + 12);
    } else if (type === "tEXt" || type === "zTXt" || type === "iTXt") readText(type, data, out);
    else if (type === "eXIf") out.exif = data;
    else if (type === "caBX") out.jumbf = data;
    else if (type === "IEND") return out;
    at += 12 + size;
  }
}

function readText(type: string, data: Uint8Array, out: Container): void {
  const end = data.indexOf(0);
  if (end < 1 || end > 79) return;
  const keyword = latin1(data.subarray(0, end));
  let text: string;
  if (type === "tEXt") text = readLoose(data.subarray(end + 1));
  else if (type === "zTXt") text = readLoose(unpack(data.subarray(end + 2), keyword));
  else {
    const packed = data[end + 1] === 1;
    const language = data.indexOf(0, end + 3);
    const translated = language < 0 ? -1 : data.indexOf(0, language + 1);
    if (translated < 0) return;
    const body = data.subarray(translated + 1);
    text = utf8(packed ? unpack(body, keyword) : body);
  }
  if (keyword === "XML:com.adobe.xmp") out.xmp = text;
  else out.texts.push([keyword, text.slice(0, MAX_TEXT)]);
}

/** tEXt is Latin-1 by the book, but most writers put UTF-8 into it. */
function readLoose(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return latin1(bytes);
  }
}

function unpack(bytes: Uint8Array, keyword: string): Uint8Array {
  try {
    return inflateSync(bytes, { maxOutputLength: MAX_TEXT });
  } catch (error) {
    const bomb = (error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE";
    throw new MediaError(
      bomb
        ? `The PNG text ${JSON.stringify(keyword)} unpacks to more than 1 MiB`
        : `The PNG text ${JSON.stringify(keyword)} cannot be unpacked`,
    );
  }
}
