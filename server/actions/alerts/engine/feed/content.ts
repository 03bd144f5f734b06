// The text of an element in the type it declares: plain, escaped HTML, inline XHTML or base64. Decides what is markup and
// what is text.
import { looksLikeHtml, fixWindows1252, sanitise } from "./html/html.ts";
import { MATH_NS, SVG_NS } from "./html/allowed.ts";
import type { FeedText } from "./model.ts";
import { textOf, type Element } from "./xml.ts";

export interface Reading {
  atom: boolean;
  atom10: boolean;
  utf8: boolean;
  base: string | null;
}

const XHTML = "application/xhtml+xml";
const TYPES: Record<string, string> = { text: "text/plain", html: "text/html", xhtml: XHTML };
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

export function textFrom(element: Element, defaultType: string, reading: Reading): FeedText {
  const given = element.attributes.get("type")?.toLowerCase() ?? defaultType;
  let type = TYPES[given] ?? given;
  const inline = element.children.some((c) => typeof c !== "string");
  const encoded = element.attributes.get("mode") === "base64" || !/^text\/|xml$/.test(type);
  if (inline && !type.endsWith("xml")) type = XHTML;
  let value: string;
  if (type === XHTML && !encoded) value = inlineMarkup(element, reading);
  else value = textOf(element).trim();
  if (encoded && !inline) value = fromBase64(value) ?? value;
  value = fixDoubleEncoding(value, reading).trim();
  if (!reading.atom && type === "text/plain" && looksLikeHtml(value)) type = "text/html";
  const base = baseOf(element) ?? reading.base;
  if (type === "text/html" || type === XHTML) value = sanitise(value, (url) => resolveUrl(url, base));
  return { type, value: fixWindows1252(value) };
}

function inlineMarkup(element: Element, reading: Reading): string {
  const meaningful = element.children.filter((c) => typeof c !== "string" || c.trim() !== "");
  const only = meaningful[0];
  // The div is Atom's wrapping, not part of what was said.
  if (reading.atom10 && meaningful.length === 1 && typeof only !== "string" && only.local.toLowerCase() === "div") {
    return serialise(only.children).trim();
  }
  return serialise(element.children).trim();
}

const EMPTY_ELEMENTS = /<(area|base|br|col|embed|hr|img|input|link|meta|param|source|wbr)((?:\s[^<>]*)?)><\/\1>/gi;

const serialise = (children: (Element | string)[]) => markupOf(children).replace(EMPTY_ELEMENTS, "<$1$2 />");

function markupOf(children: (Element | string)[]): string {
  let out = "";
  for (const child of children) {
    if (typeof child === "string") out += escaped(child);
    else {
      const foreign = child.local === "svg" ? SVG_NS : child.local === "math" ? MATH_NS : null;
      const attributes = child.raw.filter(([n]) => !(foreign && n === "xmlns"));
      if (foreign && child.uri === foreign) attributes.push(["xmlns", foreign]);
      const text = attributes.map(([n, v]) => ` ${n}="${escaped(v).replaceAll('"', "&quot;")}"`).join("");
      out += `<${child.local}${text}>${markupOf(child.children)}</${child.local}>`;
    }
  }
  return out;
}

function fromBase64(text: string): string | null {
  const bytes = Buffer.from(text.replace(/\s+/g, ""), "base64");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** UTF-8 that someone took for Latin-1 and encoded again, read back; other text is left alone. */
function fixDoubleEncoding(text: string, reading: Reading): string {
  if (!reading.utf8 || !/[\u0080-\u00ff]/.test(text) || /[^\u0000-\u00ff]/.test(text)) return text;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(text, "latin1"));
  } catch {
    return text;
  }
}

export function baseOf(element: Element): string | null {
  return element.attributes.get("xml:base") ?? null;
}

export function resolveUrl(url: string, base: string | null): string {
  if (!base || url === "" || /^[a-z][a-z0-9+.-]*:/i.test(url)) return url;
  try {
    return new URL(url, base).href;
  } catch {
    return url;
  }
}
