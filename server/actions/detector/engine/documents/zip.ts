// Reads one entry of a ZIP file by its directory. The declared size is never believed: inflating stops at the limit.
import { inflateRawSync } from "node:zlib";
import { DocumentError } from "./error.ts";

const END_MARK = 0x06054b50;
const ENTRY_MARK = 0x02014b50;
const LOCAL_MARK = 0x04034b50;
const MAX_COMMENT = 65_535;
const MAX_ENTRIES = 2_000;

/** The bytes of the named entry, at most `maxBytes`; null when the file holds no such entry. */
export function readZipEntry(file: Uint8Array, name: string, maxBytes: number): Uint8Array | null {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const end = findEnd(view);
  let at = view.getUint32(end + 16, true);
  const entries = Math.min(view.getUint16(end + 10, true), MAX_ENTRIES);
  for (let n = 0; n < entries; n++) {
    if (at + 46 > file.length || view.getUint32(at, true) !== ENTRY_MARK) throw damaged();
    const nameLength = view.getUint16(at + 28, true);
    const found = Buffer.from(file.subarray(at + 46, at + 46 + nameLength)).toString("utf8");
    if (found === name) return inflateEntry(file, view, at, maxBytes);
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return null;
}

function findEnd(view: DataView): number {
  const first = Math.max(0, view.byteLength - 22 - MAX_COMMENT);
  for (let at = view.byteLength - 22; at >= first; at--) if (view.getUint32(at, true) === END_MARK) return at;
  throw damaged();
}

function inflateEntry(file: Uint8Array, view: DataView, entry: number, maxBytes: number): Uint8Array {
  if (view.getUint16(entry + 8, true) & 1) throw new DocumentError("The document is locked by a password");
  const method = view.getUint16(entry + 10, true);
  const size = view.getUint32(entry + 20, true);
  const local = view.getUint32(entry + 42, true);
  if (local + 30 > file.length || view.getUint32(local, true) !== LOCAL_MARK) throw damaged();
  const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  const packed = file.subarray(start, start + size);
  if (method === 0) return packed.subarray(0, maxBytes);
  if (method !== 8) throw damaged();
  try {
    return inflateRawSync(packed, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE")
      throw new DocumentError("The document is too large when unpacked");
    throw damaged();
  }
}

function damaged(): DocumentError {
  return new DocumentError("The file is a damaged archive");
}
