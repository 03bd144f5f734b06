// Reads one HTTP/1.1 answer out of the bytes of a connection. Strict (RFC 9112): what can be read in two ways is refused.
import { GuardError } from "./errors.ts";

export interface Head {
  status: number;
  headers: Headers;
}

/** Where the pieces of the body go as they come. */
export interface BodySink {
  head(head: Head): void;
  piece(bytes: Uint8Array): void;
}

export interface AnswerReader {
  /** Throws a GuardError at the first byte that is not valid. */
  read(bytes: Buffer): void;
  /** The other side has closed the connection in good order. Throws where that cuts the answer short. */
  closed(): void;
  /** At least one byte has come. */
  hasBegun(): boolean;
  isComplete(): boolean;
  /** The answer is complete, nothing came behind it, and neither side asked to close. */
  mayKeepConnection(): boolean;
}

type State = "head" | "length" | "untilClose" | "chunkSize" | "chunk" | "chunkEnd" | "trailers" | "complete";

const BEGINNING = "HTTP/1.";
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/;
const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const LENGTH = /^\d{1,15}$/;
/** A size of up to 256 MiB, filled up with zeros by some servers; extensions are read over. */
const CHUNK_SIZE = /^0*([0-9A-Fa-f]{1,7})[ \t]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/;
const MAX_CHUNK_LINE = 256;

export function createAnswerReader(method: string, headerBytes: number, sink: BodySink): AnswerReader {
  const lines = createTextTaker();
  let state: State = "head";
  let begun = false;
  /** Bytes of the body, or of the chunk, that are still to come. */
  let left = 0;
  let budget = headerBytes;
  let keepAlive = false;
  let excess = false;

  function readHead(text: string): void {
    budget -= text.length;
    const head = parseHead(text);
    if (head.status === 101) throw new GuardError("upstream_protocol", "The other side tried to switch protocols.");
    // 100 and its kind announce the answer; they are not it.
    if (head.status < 200) return;
    const framing = framingOf(head, method);
    keepAlive = head.minor === 1 && !head.close && framing.state !== "untilClose";
    left = framing.length;
    state = framing.state;
    sink.head({ status: head.status, headers: head.headers });
  }

  function readChunkSize(line: string): void {
    const match = CHUNK_SIZE.exec(line);
    if (!match) throw invalid("A chunk has no valid size.");
    left = Number.parseInt(match[1], 16);
    state = left === 0 ? "trailers" : "chunk";
  }

  /** Trailers are of no use to anybody here; they are checked and dropped. */
  function readTrailer(line: string): void {
    budget -= line.length + 2;
    if (line === "") state = "complete";
    else if (!FIELD_NAME.test(line.slice(0, Math.max(0, line.indexOf(":"))))) throw invalid("A trailer has no name.");
  }

  /** Takes what belongs to the body and returns where it ends. */
  function readBody(bytes: Buffer, at: number): number {
    const end = state === "untilClose" ? bytes.length : Math.min(bytes.length, at + left);
    if (state !== "untilClose") {
      left -= end - at;
      if (left === 0) state = state === "chunk" ? "chunkEnd" : "complete";
    }
    sink.piece(at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end));
    return end;
  }

  function readText(bytes: Buffer, at: number): number {
    const inHead = state === "head";
    const limit = inHead || state === "trailers" ? Math.max(0, budget) : state === "chunkEnd" ? 0 : MAX_CHUNK_LINE;
    const text = lines.take(bytes, at, inHead ? "\r\n\r\n" : "\r\n", limit);
    if (text === TOO_LONG) throw tooLarge(state);
    if (text === null) {
      if (inHead && !lines.begins(BEGINNING)) throw invalid("It does not begin as one.");
      return bytes.length;
    }
    if (inHead) readHead(text);
    else if (state === "chunkSize") readChunkSize(text);
    else if (state === "trailers") readTrailer(text);
    else state = "chunkSize";
    return lines.position();
  }

  return {
    read(bytes) {
      begun ||= bytes.length > 0;
      let at = 0;
      while (at < bytes.length && state !== "complete") {
        const inBody = state === "length" || state === "chunk" || state === "untilClose";
        at = inBody ? readBody(bytes, at) : readText(bytes, at);
      }
      excess ||= at < bytes.length;
    },
    closed() {
      if (state === "untilClose") state = "complete";
      else if (state !== "complete") throw new GuardError("upstream_protocol", "The answer broke off half-way.");
    },
    hasBegun: () => begun,
    isComplete: () => state === "complete",
    mayKeepConnection: () => state === "complete" && keepAlive && !excess,
  };
}

const TOO_LONG = Symbol("too long");

/** Takes text up to its end out of bytes that come in pieces. */
function createTextTaker() {
  /** Text whose end has not come yet. */
  let pending = "";
  let position = 0;
  return {
    /** The text in front of `end`, null when that has not come yet, or TOO_LONG. */
    take(bytes: Buffer, at: number, end: string, limit: number): string | null | typeof TOO_LONG {
      const before = pending.length;
      const text = pending + bytes.toString("latin1", at, Math.min(bytes.length, at + limit + end.length - before));
      const found = text.indexOf(end, Math.max(0, before - end.length + 1));
      if (found < 0) {
        pending = text;
        return text.length >= limit + end.length ? TOO_LONG : null;
      }
      pending = "";
      position = at + found + end.length - before;
      return text.slice(0, found);
    },
    /** Whether what has come so far is the beginning of `text`, or begins with it. */
    begins: (text: string) => pending.startsWith(text.slice(0, pending.length)),
    /** Where the last text and its end were over. */
    position: () => position,
  };
}

interface ParsedHead extends Head {
  /** The digit behind HTTP/1. */
  minor: number;
  length: string | null;
  coding: string | null;
  close: boolean;
}

function parseHead(text: string): ParsedHead {
  const lines = unfold(text).split("\r\n");
  const match = STATUS_LINE.exec(lines[0]);
  if (!match) throw invalid("Its first line is not a status line.");
  const headers = new Headers();
  const head: ParsedHead = {
    status: Number(match[2]),
    headers,
    minor: Number(match[1]),
    length: null,
    coding: null,
    close: false,
  };
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i];
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(0, colon)).toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (!FIELD_NAME.test(name) || !FIELD_VALUE.test(value)) throw invalid("A header is not valid.");
    headers.append(name, value);
    if (name === "content-length") {
      if (head.length !== null && head.length !== value) throw invalid("It has two lengths.");
      head.length = value;
    } else if (name === "transfer-encoding") head.coding = head.coding === null ? value : `${head.coding}, ${value}`;
    else if (name === "connection" && /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i.test(value)) head.close = true;
  }
  return head;
}

/** A line that begins with a blank goes on with the header before it (obs-fold). */
function unfold(text: string): string {
  return text.includes("\r\n ") || text.includes("\r\n\t") ? text.replace(/\r\n[ \t]+/g, " ") : text;
}

/** How the end of the body is known: RFC 9112, 6.3, without its leniency. */
function framingOf(head: ParsedHead, method: string): { state: State; length: number } {
  const { length, coding, minor, status } = head;
  if (length !== null && !LENGTH.test(length)) throw invalid("Its length is not a number.");
  if (coding !== null && (length !== null || minor === 0)) throw invalid("It has a length and a transfer encoding.");
  if (coding !== null && coding.toLowerCase() !== "chunked") throw invalid("Its transfer encoding is not chunked.");
  if (method === "HEAD" || status === 204 || status === 304) return { state: "complete", length: 0 };
  if (coding !== null) return { state: "chunkSize", length: 0 };
  if (length === null) return { state: "untilClose", length: 0 };
  return { state: Number(length) === 0 ? "complete" : "length", length: Number(length) };
}

function invalid(why: string): GuardError {
  return new GuardError("upstream_protocol", `The answer is not valid HTTP. ${why}`);
}

function tooLarge(state: State): GuardError {
  if (state === "chunkEnd") return invalid("A chunk is longer than its size.");
  if (state === "chunkSize") return invalid("A chunk has no valid size.");
  return new GuardError("too_large", "The answer's headers are too large.");
}
