// HTML in feeds: named characters, a sanitiser that keeps only harmless markup, and plain text. Never throws; each
// function is one pass over its input.
import { NAMED_CHARACTERS } from "./entity-table.ts";
import * as allowed from "./allowed.ts";
import { htmlPieces } from "./pieces.ts";

export const CHARACTERS_BY_NAME = new Map<string, string>(
  NAMED_CHARACTERS.split(" ").map((pair) => {
    const [name, code] = pair.split(":");
    return [name, String.fromCodePoint(parseInt(code, 36))];
  }),
);
CHARACTERS_BY_NAME.set("apos", "'");

// Numbers that people take from windows-1252, although Unicode has control characters there.
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

function fromWindows1252(code: number): number {
  return code >= 0x80 && code <= 0x9f ? WINDOWS_1252.charCodeAt(code - 0x80) : code;
}

/** Characters U+0080–U+009F read as windows-1252 meant them. */
export function fixWindows1252(text: string): string {
  return text.replace(/[\u0080-\u009f]/g, (c) => String.fromCharCode(fromWindows1252(c.charCodeAt(0))));
}

/** The character of `&#…;` or null when there is none. */
export function numbered(digits: string): string | null {
  const hex = /^x/i.test(digits);
  const code = parseInt(hex ? digits.slice(1) : digits, hex ? 16 : 10);
  if (!(code > 0 && code <= 0x10ffff) || (code >= 0xd800 && code <= 0xdfff)) return null;
  return String.fromCodePoint(fromWindows1252(code));
}

export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(
    /&(?:#(x[0-9a-f]{1,6}|[0-9]{1,7})|([a-z][a-z0-9]{1,31}));/gi,
    (whole, number, name) => (number ? numbered(number) : CHARACTERS_BY_NAME.get(name)) ?? whole,
  );
}

/** Whether text of unknown kind is meant as HTML: a closing tag or an entity, and nothing that HTML does not have. */
export function looksLikeHtml(text: string): boolean {
  if (!/<\/\w+>|&#?\w+;/.test(text)) return false;
  for (const [, tag] of text.matchAll(/<\/?(\w+)/g)) if (!allowed.ELEMENTS.has(tag.toLowerCase())) return false;
  for (const [, name] of text.matchAll(/&(\w+);/g)) if (!CHARACTERS_BY_NAME.has(name) || name === "apos") return false;
  return true;
}

const ATTRIBUTE = /([^\s=/"'<>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?/g;

interface Vocabulary {
  attributes: Set<string>;
  names: Map<string, string>;
}

/** Only harmless elements and attributes, attributes in order of name, as a browser may be given them. */
export function sanitise(html: string, resolve: (url: string) => string = (url) => url): string {
  let out = "";
  let muted = 0;
  let svg = 0;
  let math = 0;
  const source = html
    .replace(/<!(?!DOCTYPE|--|\[)/gi, "&lt;!")
    .replace(/<([^<>\s/]+)\s*\/>/g, (_, tag) =>
      allowed.VOID.has(tag.toLowerCase()) ? `<${tag} />` : `<${tag}></${tag}>`,
    );
  for (const piece of htmlPieces(source)) {
    if (piece.text !== null) {
      if (!muted) out += piece.text === "<" ? "&lt;" : fixText(piece.text);
      continue;
    }
    const tag = piece.name.toLowerCase();
    if (piece.isEnd) {
      if (allowed.MUTED.has(tag)) muted = Math.max(0, muted - 1);
      const kept =
        allowed.ELEMENTS.has(tag) || (svg > 0 && allowed.svgName(tag)) || (math > 0 && allowed.MATH.has(tag));
      if (kept && !muted && !allowed.VOID.has(tag)) out += `</${(svg > 0 && allowed.svgName(tag)) || tag}>`;
      if (tag === "svg") svg = Math.max(0, svg - 1);
      if (tag === "math") math = Math.max(0, math - 1);
      continue;
    }
    if (allowed.MUTED.has(tag)) muted++;
    if (muted) continue;
    const attributes = readAttributes(piece.rest);
    if (tag === "svg" || tag === "math") {
      if (!attributes.has("xmlns")) attributes.set("xmlns", tag === "svg" ? allowed.SVG_NS : allowed.MATH_NS);
      if (tag === "svg") svg++;
      else math++;
    }
    const words = vocabulary(tag, svg > 0, math > 0);
    if (!words) continue;
    if ((svg || math) && [...attributes.keys()].some((k) => k.startsWith("xlink:"))) {
      attributes.set("xmlns:xlink", "http://www.w3.org/1999/xlink");
    }
    out += `<${words.names.get(tag) ?? tag}${writeAttributes(attributes, words, resolve)}${allowed.VOID.has(tag) ? " />" : ">"}`;
  }
  return out;
}

function vocabulary(tag: string, svg: boolean, math: boolean): Vocabulary | null {
  if (math && allowed.MATH.has(tag)) return { attributes: allowed.MATH_ATTRIBUTES, names: new Map() };
  if (svg && allowed.svgName(tag)) return { attributes: allowed.SVG_ATTRIBUTES, names: allowed.SVG_NAMES };
  return allowed.ELEMENTS.has(tag) ? { attributes: allowed.ATTRIBUTES, names: new Map() } : null;
}

function readAttributes(source: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name, double, single, bare] of source.matchAll(ATTRIBUTE)) {
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, double ?? single ?? bare ?? "");
  }
  return found;
}

function writeAttributes(attributes: Map<string, string>, words: Vocabulary, resolve: (url: string) => string): string {
  return [...attributes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .filter(([key, value]) => words.attributes.has(key) && key !== "style" && !unsafeUrl(key, value))
    .map(([key, value]) => {
      const text = allowed.URLS.has(key) ? resolve(value) : value;
      return ` ${words.names.get(key) ?? key}="${fixText(text).replaceAll('"', "&quot;").replaceAll("<", "&lt;")}"`;
    })
    .join("");
}

function unsafeUrl(key: string, value: string): boolean {
  if (!allowed.URLS.has(key)) return false;
  const scheme = /^[\s\u0000-\u0020]*([a-z][a-z0-9+.-]*):/i.exec(decodeEntities(value).replace(/[\u0000-\u001f]/g, ""));
  return scheme !== null && !allowed.SCHEMES.has(scheme[1].toLowerCase());
}

/** Keeps entities as they are, corrects numbers of windows-1252, and escapes an ampersand that begins none. */
function fixText(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(x[0-9a-f]+|[0-9]+);|([a-z][a-z0-9]*);)?/gi, (whole, number, name) => {
    if (number) {
      if (number === "39") return "'";
      if (number === "34") return '"';
      const code = parseInt(number.replace(/^x/i, ""), /^x/i.test(number) ? 16 : 10);
      return fromWindows1252(code) === code ? whole : `&#x${fromWindows1252(code).toString(16)};`;
    }
    if (name) return CHARACTERS_BY_NAME.has(name) ? whole : `&amp;${name};`;
    return "&amp;";
  });
}

const BLOCK =
  /^(?:p|div|br|hr|li|ul|ol|tr|td|th|table|h[1-6]|blockquote|pre|section|article|header|footer|figure|figcaption|dt|dd)$/i;

/** What a person would read: no tags, no scripts, entities decoded, blocks apart. */
export function htmlToText(html: string): string {
  let out = "";
  let muted = "";
  for (const piece of htmlPieces(html)) {
    if (piece.text !== null) {
      if (!muted) out += piece.text;
      continue;
    }
    const tag = piece.name.toLowerCase();
    if (muted) {
      if (piece.isEnd && tag === muted) muted = "";
    } else if (!piece.isEnd && allowed.MUTED.has(tag)) muted = tag;
    else if (BLOCK.test(tag)) out += "\n";
  }
  return decodeEntities(out)
    .replace(/[ \t\r\f\u00a0]+/g, " ")
    .replace(/ ?\n[ \n]*/g, "\n")
    .trim();
}
