// Reads a file of any size piece by piece, out of gzip or out of the largest member of a zip.
import { closeSync, createReadStream, openSync, readSync } from "node:fs";
import { createGunzip, createInflateRaw } from "node:zlib";

const CHUNK_BYTES = 1 << 20;
/** Longer lines are no rows of any known format. */
const MAX_LINE_BYTES = 1 << 20;

/** The bytes of the file, unpacked. */
export function chunksOf(file: string): AsyncIterable<Buffer> {
  const head = readAt(file, 0, 30);
  if (head[0] === 0x1f && head[1] === 0x8b)
    return createReadStream(file, { highWaterMark: CHUNK_BYTES }).pipe(createGunzip());
  if (head.length === 30 && head.readUInt32LE(0) === 0x04034b50) return largestMember(file);
  return createReadStream(file, { highWaterMark: CHUNK_BYTES });
}

/** The first bytes, unpacked, as text. */
export async function headOf(file: string): Promise<string> {
  for await (const chunk of chunksOf(file)) return new TextDecoder().decode(chunk.subarray(0, 4000));
  return "";
}

export async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunksOf(file)) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    let at = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, at)) {
      const line = textOf(bytes, at, end);
      at = end + 1;
      if (line !== "") yield line;
    }
    // Copied: the stream may use its buffer again.
    rest = Buffer.from(bytes.subarray(at));
    if (rest.length > MAX_LINE_BYTES) throw new Error("the file has a line of more than a megabyte");
  }
  const last = textOf(rest, 0, rest.length);
  if (last !== "") yield last;
}

const textOf = (bytes: Buffer, from: number, to: number): string =>
  bytes.toString("utf8", from, to > from && bytes[to - 1] === 13 ? to - 1 : to);

function largestMember(file: string): AsyncIterable<Buffer> {
  const size = Bun.file(file).size;
  const tail = readAt(file, Math.max(0, size - 65_557), 65_557);
  let end = tail.length - 22;
  while (end > 0 && tail.readUInt32LE(end) !== 0x06054b50) end--;
  const count = tail.readUInt16LE(end + 10);
  const list = readAt(file, tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12));
  let best = { size: -1, packed: 0, start: 0, method: 0 };
  for (let i = 0, at = 0; i < count; i++) {
    const name = list.toString("utf8", at + 46, at + 46 + list.readUInt16LE(at + 28));
    const unpacked = list.readUInt32LE(at + 24);
    if (!/readme/i.test(name) && unpacked > best.size)
      best = {
        size: unpacked,
        packed: list.readUInt32LE(at + 20),
        start: list.readUInt32LE(at + 42),
        method: list.readUInt16LE(at + 10),
      };
    at += 46 + list.readUInt16LE(at + 28) + list.readUInt16LE(at + 30) + list.readUInt16LE(at + 32);
  }
  const local = readAt(file, best.start, 30);
  const start = best.start + 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
  const packed = createReadStream(file, { start, end: start + best.packed - 1, highWaterMark: CHUNK_BYTES });
  return best.method === 0 ? packed : packed.pipe(createInflateRaw());
}

/** At most `size` bytes from a position of the file. */
function readAt(file: string, position: number, size: number): Buffer {
  const fd = openSync(file, "r");
  try {
    const buffer = Buffer.alloc(size);
    return buffer.subarray(0, readSync(fd, buffer, 0, size, position));
  } finally {
    closeSync(fd);
  }
}
