// Compressed answers: what a client accepts, packing a JSON text, and files that are packed once and served with an ETag.
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { JsonText } from "../contract/define.ts";

export type Encoding = "br" | "gzip";

/** Below this a compressed answer is not worth its headers and its time. */
const MIN_BYTES = 1024;
/** A page of 100 events (51 kB): 0.06 ms and 6 % left; brotli at its quickest useful level takes ten times as long. */
const QUICK_GZIP = { level: 1 } as const;
const BEST_GZIP = { level: 9 } as const;
/** The OpenAPI document: 40 ms and 51 kB; quality 11 takes 760 ms for 46 kB, and the first reader waits for it. */
const GOOD_BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
/** Both pack in a thread of the runtime: no request waits while a file is packed. */
const packBrotli = promisify<Uint8Array, object, Buffer<ArrayBuffer>>(brotliCompress);
const packGzip = promisify<Uint8Array, object, Buffer<ArrayBuffer>>(gzip);

const NONE: ReadonlySet<Encoding> = new Set();
/** Headers that were read lately: clients send few different ones. */
const READ = new Map<string, ReadonlySet<Encoding>>();
const MAX_READ = 100;

/** Which of our encodings the client accepts; one with q=0 is refused. */
export function acceptedEncodings(header: string | undefined | null): ReadonlySet<Encoding> {
  if (!header) return NONE;
  const known = READ.get(header);
  if (known) return known;
  if (READ.size >= MAX_READ) READ.clear();
  const accepted = readEncodings(header);
  READ.set(header, accepted);
  return accepted;
}

function readEncodings(header: string): Set<Encoding> {
  const accepted = new Set<Encoding>();
  const refused = new Set<string>();
  let any = false;
  for (const part of header.split(",")) {
    const [name, ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    const no = parameters.some((p) => /^q=0(\.0{0,3})?$/.test(p));
    if (no) refused.add(name);
    else if (name === "br" || name === "gzip") accepted.add(name);
    else if (name === "*") any = true;
  }
  if (any) for (const name of ["br", "gzip"] as const) if (!refused.has(name)) accepted.add(name);
  return accepted;
}

/** A JSON text packed for a client that accepts gzip; null where it does not pay. What callers share is packed once. */
export function packText(
  text: string,
  acceptEncoding: string | undefined,
  shared: JsonText | null = null,
): Uint8Array<ArrayBuffer> | null {
  if (text.length < MIN_BYTES || !acceptedEncodings(acceptEncoding).has("gzip")) return null;
  if (!shared) return Bun.gzipSync(text, QUICK_GZIP);
  shared.packed ??= Bun.gzipSync(text, QUICK_GZIP);
  return shared.packed;
}

interface StaticText {
  bytes: Uint8Array<ArrayBuffer>;
  etag: string;
}

/** A text that never changes while the service runs: made at the first request, packed at the first that accepts it. */
export function staticFile(contentType: string, make: () => string | Promise<string>) {
  const readText = once(async (): Promise<StaticText> => {
    const bytes = new TextEncoder().encode(await make());
    return { bytes, etag: createHash("sha256").update(bytes).digest("base64url").slice(0, 22) };
  });
  const packed: Record<Encoding, () => Promise<Uint8Array<ArrayBuffer>>> = {
    br: once(async () => packBrotli((await readText()).bytes, GOOD_BROTLI)),
    gzip: once(async () => packGzip((await readText()).bytes, BEST_GZIP)),
  };
  return async (request: Request): Promise<Response> => {
    const { bytes, etag: name } = await readText();
    const accepted = acceptedEncodings(request.headers.get("accept-encoding"));
    const encoding = (["br", "gzip"] as const).find((known) => accepted.has(known) && bytes.length >= MIN_BYTES);
    const etag = `"${name}${encoding ? `-${encoding}` : ""}"`;
    const headers: Record<string, string> = {
      "Content-Type": contentType,
      "Cache-Control": "public, max-age=0, must-revalidate",
      ETag: etag,
      Vary: "Accept-Encoding",
    };
    if (matches(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
    if (encoding) headers["Content-Encoding"] = encoding;
    return new Response(encoding ? await packed[encoding]() : bytes, { headers });
  };
}

/** Runs once for all who ask, and again only after it failed. */
function once<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () => {
    running ??= run().catch((error) => {
      running = null;
      throw error;
    });
    return running;
  };
}

function matches(ifNoneMatch: string | null, etag: string): boolean {
  if (!ifNoneMatch) return false;
  const given = ifNoneMatch.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return given.includes(etag) || given.includes("*");
}
