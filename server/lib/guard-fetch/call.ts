// One request as the caller described it: what of it is sent, how it looks on the wire, and what is left of it after a redirect.
import { ACCEPT_ENCODING } from "./decode.ts";
import { GuardError } from "./errors.ts";
import type { Target } from "./target.ts";

export interface Call {
  url: string | URL;
  method: string;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
}

export interface CallOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  conditional?: { etag?: string | null; lastModified?: string | null };
}

/** Headers that only this client sets: they decide where a request ends. */
const OURS = new Set([
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "upgrade",
  "keep-alive",
  "te",
  "trailer",
  "expect",
]);
const SECRETS = new Set(["authorization", "cookie", "proxy-authorization"]);
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const ASCII_VALUE = /^[\t\x20-\x7e]*$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

export function firstCall(url: string | URL, request: CallOptions): Call {
  const headers: Record<string, string> = {};
  for (const given in request.headers) {
    const name = given.toLowerCase();
    if (!OURS.has(name)) headers[name] = request.headers[given];
  }
  if (request.conditional?.etag) headers["if-none-match"] = request.conditional.etag;
  if (request.conditional?.lastModified) headers["if-modified-since"] = request.conditional.lastModified;
  return { url, method: (request.method ?? "GET").toUpperCase(), headers, body: request.body ?? null };
}

/** The rules of the Fetch standard: 303 and a redirected POST become GET, and secrets never cross origins. */
export function nextCall(call: Call, from: Target, status: number, location: string): Call {
  let url: URL;
  try {
    url = new URL(location, from.url);
  } catch {
    throw new GuardError("upstream_protocol", "The address redirects to something that is not an address.");
  }
  const toGet = status === 303 ? call.method !== "HEAD" : status < 303 && call.method === "POST";
  const sameOrigin = url.origin === from.url.origin;
  const kept = (name: string) => (sameOrigin || !SECRETS.has(name)) && !(toGet && name.startsWith("content-"));
  const headers = Object.fromEntries(Object.entries(call.headers).filter(([name]) => kept(name)));
  return { url, method: toGet ? "GET" : call.method, headers, body: toGet ? null : call.body };
}

/** Head and body in one piece, so that a short request travels in one packet. Throws on what cannot be a header. */
export function wireMessage(target: Target, call: Call, userAgent: string, keepAlive: boolean): string | Uint8Array {
  const { method, headers, body } = call;
  if (!TOKEN.test(method)) throw new TypeError("The method is not a word.");
  let isAscii = ASCII_VALUE.test(userAgent);
  let head = `${method} ${target.path} HTTP/1.1\r\nhost: ${target.host}\r\n`;
  head += `connection: ${keepAlive ? "keep-alive" : "close"}\r\n`;
  if (headers["user-agent"] === undefined) head += `user-agent: ${userAgent}\r\n`;
  if (headers.accept === undefined) head += "accept: */*\r\n";
  if (headers["accept-encoding"] === undefined) head += `accept-encoding: ${ACCEPT_ENCODING}\r\n`;
  for (const name in headers) {
    const value = headers[name];
    if (!TOKEN.test(name)) throw new TypeError(`"${name}" cannot be the name of a header.`);
    if (!ASCII_VALUE.test(value)) {
      if (!VALUE.test(value))
        throw new TypeError(`The value of the header ${name} has characters that cannot be sent.`);
      isAscii = false;
    }
    head += `${name}: ${value}\r\n`;
  }
  if (body !== null || method === "POST" || method === "PUT") head += `content-length: ${bytesIn(body)}\r\n`;
  head += "\r\n";
  if (isAscii && typeof body !== "object") return head + body;
  if (isAscii && body === null) return head;
  return Buffer.concat([Buffer.from(head, "latin1"), Buffer.from((body ?? "") as string)]);
}

function bytesIn(body: string | Uint8Array | null): number {
  if (body === null) return 0;
  return typeof body === "string" ? Buffer.byteLength(body) : body.length;
}
