// Reads a request's body within its limit, and JSON out of it.
import type { Route } from "../contract/define.ts";
import { exampleOf } from "../contract/example.ts";
import { Failure, invalidFields } from "../contract/errors.ts";
import { type Parsed, parseJson } from "../lib/json.ts";
import type { Account, Pool, Task } from "../lib/pool/index.ts";

export interface RawBody {
  contentType: string;
  bytes: Uint8Array;
}

const NOTHING = new Uint8Array(0);

/** Short names and numbers, the slowest kind of JSON, take 0.8 ms at 16,000 bytes; 16 MB of them are refused by their count. */
const JSON_TASK: Task<Uint8Array, Parsed> = {
  module: new URL("../lib/json.ts", import.meta.url).href,
  name: "parseJson",
  run: parseJson,
  inlineSize: 16_000,
  maxSize: Infinity,
  maxMs: 4_000,
};

/** Hands the whole body on; each promise in between would cost as much as reading a short one. */
export function readBody<T>(
  request: Request,
  headers: Record<string, string>,
  route: Route,
  defaultMax: number,
  next: (body: RawBody) => T | Promise<T>,
): T | Promise<T> {
  const maxBytes = route.maxBodyBytes ?? defaultMax;
  const length = headers["content-length"];
  if (length !== undefined && Number(length) > maxBytes) throw tooLarge(maxBytes);
  const take = (bytes: Uint8Array) => {
    if (bytes.length > maxBytes) throw tooLarge(maxBytes);
    const contentType = typeOf(headers["content-type"]);
    if (bytes.length > 0 || !route.bodyOptional) refuseType(contentType, route);
    return next({ contentType, bytes });
  };
  if (length !== undefined) return request.bytes().then(take, refuseCut);
  return request.body === null ? take(NOTHING) : readChunks(request.body, maxBytes).then(take);
}

function refuseCut(cause: unknown): never {
  throw cutShort(cause);
}

const JSON_TYPE = "application/json";

function typeOf(header: string | undefined): string {
  return header === JSON_TYPE ? JSON_TYPE : (header ?? "").split(";")[0].trim().toLowerCase();
}

/** The JSON value, or undefined when there is no body. Throws invalid_json with what is wrong and where. */
export function readJson(raw: RawBody, route: Route, pool: Pool, account: Account): unknown {
  const { length } = raw.bytes;
  if (length === 0) {
    if (route.bodyOptional || !route.body) return undefined;
    throw new Failure("invalid_json", "The body is empty.", { hint: exampleHint(route) });
  }
  if (length <= JSON_TASK.inlineSize) return valueIn(parseJson(raw.bytes), route);
  return parseInPool(raw.bytes, pool, account).then((parsed) => valueIn(parsed, route));
}

function parseInPool(given: Uint8Array, pool: Pool, account: Account): Promise<Parsed> {
  const bytes = given.slice();
  const transfer = [bytes.buffer as ArrayBuffer];
  return pool.run(JSON_TASK, bytes, { account, size: bytes.length, transfer });
}

function valueIn(parsed: Parsed, route: Route): unknown {
  if (parsed.ok) return parsed.value;
  const fault = parsed.fault.code === "syntax" ? { ...parsed.fault, hint: exampleHint(route) } : parsed.fault;
  if (fault.code === "values") throw new Failure("payload_too_large", fault.detail, { hint: fault.hint });
  if (fault.code === "unicode" && fault.pointer !== "") throw invalidFields([fault]);
  throw new Failure("invalid_json", fault.detail, { hint: fault.hint, errors: [fault] });
}

/** What would be right here: the parser knows no route. */
const exampleHint = (route: Route): string => `Send e.g. ${JSON.stringify(exampleOf(route.body))}`;

function refuseType(contentType: string, route: Route): void {
  if (contentType === JSON_TYPE) return;
  const accepted = [JSON_TYPE, ...(route.consumes ?? [])];
  if (accepted.includes(contentType)) return;
  const given = contentType
    ? `Content-Type ${contentType.slice(0, 100)} is not accepted here.`
    : "The Content-Type header is missing.";
  throw new Failure("unsupported_media_type", given, { hint: `Send Content-Type: ${accepted.join(" or ")}.` });
}

async function readChunks(stream: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of stream as any) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof Failure ? error : cutShort(error);
  }
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
}

function tooLarge(maxBytes: number): Failure {
  return new Failure("payload_too_large", `The body is larger than ${maxBytes} bytes.`, {
    hint: `Send ${maxBytes} bytes or fewer.`,
  });
}

function cutShort(cause: unknown): Failure {
  return new Failure("invalid_json", "The body ended before it was whole.", { cause, hint: "Send it again, whole." });
}
