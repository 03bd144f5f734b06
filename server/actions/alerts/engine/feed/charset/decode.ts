// From bytes to text: byte-order mark, HTTP header, XML declaration, then guesses. Always gives text, and whether the
// declared encoding was wrong. Knows nothing of feeds beyond `<?xml`.
import { guessCharset } from "./guess.ts";

export interface Decoded {
  text: string;
  /** The name that worked, lower case as declared. */
  encoding: string;
  /** What was wrong with the declaration, or null. */
  fault: string | null;
}

const BOMS: [number[], string][] = [
  [[0x00, 0x00, 0xfe, 0xff], "utf-32be"],
  [[0xff, 0xfe, 0x00, 0x00], "utf-32le"],
  [[0xfe, 0xff], "utf-16be"],
  [[0xff, 0xfe], "utf-16le"],
  [[0xef, 0xbb, 0xbf], "utf-8"],
];
const MARKS: [number[], string][] = [
  [[0x00, 0x00, 0x00, 0x3c], "utf-32be"],
  [[0x3c, 0x00, 0x00, 0x00], "utf-32le"],
  [[0x00, 0x3c, 0x00], "utf-16be"],
  [[0x3c, 0x00, 0x3f, 0x00], "utf-16le"],
  [[0x3c, 0x00, 0x21, 0x00], "utf-16le"],
  [[0x4c, 0x6f, 0xa7, 0x94], "cp037"],
];
const WIDE =
  /^(?:u16|utf[-_ ]?16|utf[-_ ]?16[bl]e|iso-10646-ucs-2|ucs[-_]?2|csunicode|u32|utf[-_ ]?32|utf[-_ ]?32[bl]e|iso-10646-ucs-4|ucs[-_]?4|csucs4)$/;
/** ASCII-compatible code pages that TextDecoder does not have: read as far as they are ASCII. */
const CODE_PAGES =
  /^(?:(?:cp|ibm|x-cp|dos-)?(?:437|720|737|775|85[0-8]|86[0-9]|874|1006|1125|1131)|hp-roman8|roman8|mac[-_]?\w+|ptcp154|tcvn|johab|hz|hz-gb-2312|koi8-t|kz1048|big5hkscs|big5-hkscs|cp9\d\d|ms9\d\d|euc[-_]jis\w*|shift[-_]?jisx?\d*|iso[-_]2022\S*|tis-620|viscii|palmos|hp\d+)$/;
const LATIN_PYTHON: Record<string, string> = {
  "us-ascii": "us-ascii",
  ascii: "us-ascii",
  "646": "us-ascii",
  ansi_x3_4_1968: "us-ascii",
  latin: "iso-8859-1",
  l1: "iso-8859-1",
};

export function decodeBytes(bytes: Uint8Array, contentType: string | null = null): Decoded {
  const bom = sniff(bytes, BOMS);
  const sniffed = bom ?? sniff(bytes, MARKS);
  const declared = xmlEncoding(bytes, sniffed);
  const xml = declared && WIDE.test(declared) ? (sniffed ?? declared) : declared === "gb2312" ? "gb18030" : declared;
  const media = /^\s*([^\s;,]*)/.exec(contentType ?? "")![1].toLowerCase();
  const charset =
    /;\s*charset\s*=\s*["']?\s*([^\s"';,]+)/i.exec(contentType ?? "")?.[1].replace(/^gb2312$/i, "gb18030") ?? null;
  const promised = bom && !charset ? bom : promisedBy(media, charset, xml);
  const fault =
    media &&
    !/^(?:application|text)\/(?:[\w.-]+\+)?xml(?:-dtd|-external-parsed-entity)?$/.test(media) &&
    !/json/.test(media)
      ? `${media} is no XML media type`
      : null;
  const tries = [promised, xml, bom, sniffed, "utf-8"];
  for (const encoding of tries) {
    const text = encoding ? decodeAs(bytes, encoding) : null;
    if (text !== null) {
      const wrong = encoding !== promised ? `declared as ${promised}, but is ${encoding}` : null;
      return { text, encoding: encoding!, fault: fault ?? wrong };
    }
  }
  const guess = guessCharset(bytes);
  const text = decodeAs(bytes, guess.toLowerCase()) ?? new TextDecoder("windows-1252").decode(bytes);
  return { text, encoding: guess, fault: fault ?? `declared as ${promised}, but is ${guess}` };
}

/** RFC 3023: the header wins, and text/* without a charset means ASCII. */
function promisedBy(media: string, charset: string | null, xml: string | null): string {
  if (/^application\/(?:.*\+)?xml(?:-dtd|-external-parsed-entity)?$/.test(media)) return charset ?? xml ?? "utf-8";
  if (media.startsWith("text/")) return charset ?? "us-ascii";
  return charset ?? xml ?? "utf-8";
}

function sniff(bytes: Uint8Array, marks: [number[], string][]): string | null {
  return marks.find(([mark]) => mark.every((b, i) => bytes[i] === b))?.[1] ?? null;
}

function xmlEncoding(bytes: Uint8Array, sniffed: string | null): string | null {
  const head = decodeAs(bytes.subarray(0, 1024), sniffed && sniffed !== "utf-8" ? sniffed : "latin1") ?? "";
  return (
    /^\ufeff?(?:ï»¿)?\s*<\?xml[^>]*?\sencoding\s*=\s*["']\s*([\w.:-]+)\s*["']/i.exec(head)?.[1].toLowerCase() ?? null
  );
}

/** The text, or null when the bytes are not in that encoding or it is unknown. */
function decodeAs(bytes: Uint8Array, encoding: string): string | null {
  const name = encoding.toLowerCase();
  const known = LATIN_PYTHON[name] ?? name;
  if (known === "us-ascii") return bytes.every((b) => b < 0x80) ? latin1(bytes) : null;
  if (known === "utf-32be" || known === "utf-32le") return decodeUtf32(bytes, known === "utf-32le");
  if (known === "cp037") return decodeEbcdic(bytes);
  if (known === "latin1") return latin1(bytes);
  try {
    return new TextDecoder(known.replaceAll("_", "-") as Bun.Encoding, { fatal: true }).decode(bytes);
  } catch {
    return CODE_PAGES.test(known) && bytes.every((b) => b < 0x80) ? latin1(bytes) : null;
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

function decodeUtf32(bytes: Uint8Array, little: boolean): string | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const points: string[] = [];
  for (let i = 0; i + 4 <= bytes.length; i += 4) {
    const point = view.getUint32(i, little);
    if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return null;
    if (i > 0 || point !== 0xfeff) points.push(String.fromCodePoint(point));
  }
  return points.join("");
}

// Code page 037, from 0x40 on; only what printable ASCII needs, the rest becomes U+FFFD.
const EBCDIC: [number, string][] = [
  [0x40, " "],
  [0x4b, ".<(+|&"],
  [0x5a, "!$*);"],
  [0x60, "-/"],
  [0x6b, ",%_>?"],
  [0x79, "`:#@'=\""],
  [0x81, "abcdefghi"],
  [0x91, "jklmnopqr"],
  [0xa1, "~stuvwxyz"],
  [0xb0, "^"],
  [0xba, "[]"],
  [0xc0, "{ABCDEFGHI"],
  [0xd0, "}JKLMNOPQR"],
  [0xe0, "\\"],
  [0xe2, "STUVWXYZ"],
  [0xf0, "0123456789"],
  [0x25, "\n"],
  [0x15, "\n"],
  [0x05, "\t"],
  [0x0d, "\r"],
];

function decodeEbcdic(bytes: Uint8Array): string {
  const table: string[] = Array.from({ length: 256 }, () => "\ufffd");
  for (const [from, chars] of EBCDIC)
    [...chars].forEach((c, i) => {
      table[from + i] = c;
    });
  return Array.from(bytes, (b) => table[b]).join("");
}
