// Undoes Content-Encoding as the bytes arrive and stops at the limits: bytes on the wire, bytes decoded, ratio of both.
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from "node:zlib";
import type { Transform } from "node:stream";
import { GuardError } from "./errors.ts";

export interface BodyLimits {
  wireBytes: number;
  decodedBytes: number;
  /** Decoded bytes per wire byte; looked at only past `RATIO_FLOOR`, where honest pages never come near it. */
  ratio: number;
}

const RATIO_FLOOR = 1 << 20;
const MAX_CODINGS = 2;
// Small slices keep what one step of a decompressor can produce small, so a bomb is seen before it goes off.
const SLICE = 4096;

export const ACCEPT_ENCODING = "gzip, deflate, br, zstd";

type Source = AsyncIterable<Uint8Array>;

/** Reads the whole body within the limits, or throws a GuardError. */
export async function readBody(source: Source, encoding: string | null, limits: BodyLimits): Promise<Uint8Array> {
  const count = { wire: 0 };
  let stream: Source = countWire(source, count, limits);
  for (const coding of codings(encoding).reverse()) stream = decompress(stream, coding);
  const parts: Uint8Array[] = [];
  let decoded = 0;
  for await (const part of stream) {
    decoded += part.length;
    if (decoded > limits.decodedBytes)
      throw new GuardError("too_large", `The answer is larger than ${limits.decodedBytes} bytes.`);
    if (decoded > RATIO_FLOOR && decoded > count.wire * limits.ratio) {
      throw new GuardError("too_large", `The answer unpacks to more than ${limits.ratio} times its size.`);
    }
    parts.push(part);
  }
  return parts.length === 1 ? parts[0] : Buffer.concat(parts);
}

function codings(encoding: string | null): string[] {
  const list = (encoding ?? "")
    .toLowerCase()
    .split(",")
    .map((c) => c.trim())
    .filter((c) => c && c !== "identity");
  if (list.length > MAX_CODINGS) throw new GuardError("upstream_protocol", "The answer is encoded too many times.");
  return list;
}

async function* countWire(
  source: Source,
  count: { wire: number },
  limits: BodyLimits,
): Source & AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    count.wire += chunk.length;
    if (count.wire > limits.wireBytes)
      throw new GuardError("too_large", `The answer is larger than ${limits.wireBytes} bytes.`);
    yield chunk;
  }
}

async function* decompress(source: Source, coding: string): AsyncGenerator<Uint8Array> {
  const input = source[Symbol.asyncIterator]();
  const first = await input.next();
  if (first.done) return;
  const unpack = decompressor(coding, first.value);
  const fed = feed(unpack, first.value, input);
  fed.catch(() => {});
  try {
    for await (const part of unpack) yield part as Uint8Array;
    await fed;
  } catch (cause) {
    const failure = await Promise.race([fed, Promise.resolve(null)]).catch((e: unknown) => e);
    if (failure instanceof GuardError) throw failure;
    if (cause instanceof GuardError) throw cause;
    throw new GuardError("upstream_protocol", `The answer is not valid ${coding}.`, { cause });
  } finally {
    unpack.destroy();
    // Not awaited: a pending read only ends when the caller has closed the connection.
    input.return?.()?.catch(() => {});
  }
}

/** Pushes the source through, minding back-pressure, and carries the source's failure into the decompressor. */
async function feed(unpack: Transform, first: Uint8Array, input: AsyncIterator<Uint8Array>): Promise<void> {
  try {
    for (let step: IteratorResult<Uint8Array> = { done: false, value: first }; !step.done; step = await input.next()) {
      for (let at = 0; at < step.value.length; at += SLICE) {
        if (unpack.destroyed) return;
        if (!unpack.write(step.value.subarray(at, at + SLICE))) await drained(unpack);
      }
    }
    unpack.end();
  } catch (error) {
    unpack.destroy(error as Error);
    throw error;
  }
}

function drained(unpack: Transform): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      unpack.off("drain", done).off("close", done).off("error", done);
      resolve();
    };
    unpack.on("drain", done).on("close", done).on("error", done);
  });
}

function decompressor(coding: string, first: Uint8Array): Transform {
  switch (coding) {
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "br":
      return createBrotliDecompress();
    case "zstd":
      return createZstdDecompress();
    case "deflate":
      // Half the world sends raw deflate under this name; a zlib header is recognisable.
      return (first[0] & 0x0f) === 8 && ((first[0] << 8) | (first[1] ?? 0)) % 31 === 0
        ? createInflate()
        : createInflateRaw();
    default:
      throw new GuardError(
        "upstream_protocol",
        `The answer uses an encoding we did not ask for: ${coding.slice(0, 20)}.`,
      );
  }
}
