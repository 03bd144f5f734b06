// A tolerant XML reader: any text gives a tree, and a note of what a strict parser would refuse. Knows namespaces and
// entities, not feeds. One pass, bounded in depth, so that hostile input cannot stall it or overflow the stack.
import { CHARACTERS_BY_NAME, numbered } from "./html/html.ts";
import { canonicalPrefix } from "./namespaces.ts";

export interface Element {
  /** Canonical: "title", "dc:creator", lower case. */
  name: string;
  /** As written, without its prefix. */
  local: string;
  uri: string;
  /** Attribute names in lower case with canonical prefixes; xmlns declarations are left in `raw` alone. */
  attributes: Map<string, string>;
  raw: [string, string][];
  children: (Element | string)[];
}

export interface Xml {
  root: Element | null;
  /** The first thing a strict parser would refuse, or null. */
  fault: string | null;
  doctype: string;
}

type Scope = Map<string, string>;
const MAX_DEPTH = 200;
/** Of one element; more are ignored. */
const MAX_ATTRIBUTES = 256;
/** Namespaces known at one place; more are ignored. */
const MAX_NAMESPACES = 256;
const MAX_DOCTYPE = 65_536;
const XML_ENTITIES: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
const XML_NS = "http://www.w3.org/XML/1998/namespace";
const NAME_AT = /[^\s<>/=]+/y;
const ATTRIBUTE_AT = /\s*([^\s=<>/"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))|(?=[\s/>]))/y;

export function readXml(text: string): Xml {
  return new XmlReader(text).read();
}

class XmlReader {
  #text: string;
  #at = 0;
  #fault: string | null = null;
  #doctype = "";
  #entities = new Map<string, string>();
  #root: Element | null = null;
  #stack: { element: Element; written: string; scope: Scope }[] = [];
  #tooDeep = 0;
  #hasDoctype = false;

  constructor(text: string) {
    this.#text = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  }

  read(): Xml {
    const text = this.#text;
    while (this.#at < text.length) {
      const open = text.indexOf("<", this.#at);
      if (open !== this.#at) this.#addText(text.slice(this.#at, open < 0 ? text.length : open), false);
      if (open < 0) break;
      this.#at = open;
      this.#markup();
    }
    if (this.#stack.length > 0 || !this.#root) this.#fail("unclosed element or no element");
    return { root: this.#root, fault: this.#fault, doctype: this.#doctype };
  }

  #fail(fault: string): void {
    this.#fault ??= `${fault} at ${this.#at}`;
  }

  #markup(): void {
    const text = this.#text;
    if (text.startsWith("<!--", this.#at)) this.#skipTo("-->", 4);
    else if (text.startsWith("<![CDATA[", this.#at)) {
      const end = text.indexOf("]]>", this.#at);
      if (end < 0) this.#fail("unclosed CDATA");
      this.#addText(text.slice(this.#at + 9, end < 0 ? text.length : end), true);
      this.#at = end < 0 ? text.length : end + 3;
    } else if (text.startsWith("<?", this.#at)) {
      if (/^<\?xml\s/i.test(text.slice(this.#at, this.#at + 6)) && this.#at !== 0)
        this.#fail("declaration not at the start");
      this.#skipTo("?>", 2);
    } else if (/^<!doctype/i.test(text.slice(this.#at, this.#at + 9))) this.#readDoctype();
    else if (text[this.#at + 1] === "/") this.#close();
    else if (/[\p{L}_:]/u.test(text[this.#at + 1] ?? "")) this.#open();
    else {
      this.#fail("stray <");
      this.#addText("<", true);
      this.#at++;
    }
  }

  #skipTo(end: string, from: number): void {
    const at = this.#text.indexOf(end, this.#at + from);
    if (at < 0) this.#fail(`no ${end}`);
    this.#at = at < 0 ? this.#text.length : at + end.length;
  }

  /** A document has one doctype; what looks like another is skipped up to its `>`. */
  #readDoctype(): void {
    if (this.#hasDoctype) {
      this.#fail("second doctype");
      return this.#skipTo(">", 9);
    }
    this.#hasDoctype = true;
    const rest = this.#text.slice(this.#at, this.#at + MAX_DOCTYPE);
    const match = /^<!doctype[^[>]*(?:\[[\s\S]*?\]\s*)?>/i.exec(rest);
    if (!match) this.#fail("unclosed doctype");
    this.#doctype = match?.[0] ?? "";
    // Only entities that stand for themselves: one that holds another could grow without end.
    for (const [, name, a, b] of this.#doctype.matchAll(
      /<!ENTITY\s+(\w+)\s+(?:"(&#\w+;|[^&"]*)"|'(&#\w+;|[^&']*)')/g,
    )) {
      if ((a ?? b).length <= 1024) this.#entities.set(name, this.#decode(a ?? b));
    }
    this.#at += match ? match[0].length : Math.max(1, rest.indexOf(">") + 1);
  }

  #open(): void {
    const text = this.#text;
    NAME_AT.lastIndex = this.#at + 1;
    const written = NAME_AT.exec(text)![0];
    let at = NAME_AT.lastIndex;
    const raw: [string, string][] = [];
    for (;;) {
      ATTRIBUTE_AT.lastIndex = at;
      const found = ATTRIBUTE_AT.exec(text);
      if (!found) break;
      at = ATTRIBUTE_AT.lastIndex;
      const [, name, double, single, bare] = found;
      const value = double ?? single;
      if (value === undefined || value.includes("<")) this.#fail("attribute without quotes");
      if (raw.length >= MAX_ATTRIBUTES) this.#fail("too many attributes");
      else if (raw.some(([n]) => n === name)) this.#fail("attribute twice");
      else raw.push([name, this.#decode(value ?? bare ?? "").replace(/[\t\r\n]/g, " ")]);
    }
    const end = /[\s/]*>|[^<>]*(?:>|(?=<)|$)/y;
    end.lastIndex = at;
    const tail = end.exec(text)![0];
    if (!/^\s*\/?>$/.test(tail)) this.#fail("malformed tag");
    this.#at = Math.max(at + tail.length, this.#at + 1);
    this.#push(written, raw, tail.includes("/"));
  }

  #push(written: string, raw: [string, string][], closed: boolean): void {
    const parent = this.#stack.at(-1);
    let scope: Scope = parent?.scope ?? new Map([["xml", XML_NS]]);
    const declared = raw.filter(([n]) => n === "xmlns" || n.startsWith("xmlns:"));
    if (declared.length > 0 && scope.size < MAX_NAMESPACES)
      scope = new Map([...scope, ...declared.map(([n, v]): [string, string] => [n.slice(6), v])]);
    const element = this.#element(written, raw, scope);
    if (parent) parent.element.children.push(element);
    else if (!this.#root) this.#root = element;
    else {
      this.#fail("second root");
      this.#root.children.push(element);
    }
    if (closed) return;
    if (this.#stack.length >= MAX_DEPTH) {
      this.#fail("nested too deep");
      this.#tooDeep++;
      return;
    }
    this.#stack.push({ element, written, scope });
  }

  #element(written: string, raw: [string, string][], scope: Scope): Element {
    const [prefix, local] = split(written);
    const attributes = new Map<string, string>();
    for (const [name, value] of raw) {
      if (name === "xmlns" || name.startsWith("xmlns:")) continue;
      const [p, l] = split(name);
      if (p && !scope.has(p)) this.#fail(`undeclared prefix ${p}`);
      const canonical = p ? canonicalPrefix(scope.get(p) ?? "", p) : "";
      attributes.set((canonical ? `${canonical}:${l}` : l).toLowerCase(), value);
    }
    if (prefix && !scope.has(prefix)) this.#fail(`undeclared prefix ${prefix}`);
    const uri = scope.get(prefix) ?? "";
    const canonical = canonicalPrefix(uri, prefix);
    return {
      name: (canonical ? `${canonical}:${local}` : local).toLowerCase(),
      local,
      uri,
      attributes,
      raw,
      children: [],
    };
  }

  #close(): void {
    const end = this.#text.indexOf(">", this.#at);
    if (end < 0) this.#fail("unclosed end tag");
    const written = this.#text.slice(this.#at + 2, end < 0 ? this.#text.length : end).trim();
    this.#at = end < 0 ? this.#text.length : end + 1;
    if (this.#tooDeep > 0) {
      this.#tooDeep--;
      return;
    }
    const lower = written.toLowerCase();
    const depth = this.#stack.findLastIndex((s) => s.written === written || s.written.toLowerCase() === lower);
    if (depth < 0 || depth !== this.#stack.length - 1 || this.#stack[depth].written !== written)
      this.#fail(`</${written.slice(0, 40)}> closes nothing`);
    if (depth >= 0) this.#stack.length = depth;
  }

  #addText(text: string, literal: boolean): void {
    const parent = this.#stack.at(-1)?.element;
    if (!parent) {
      if (text.trim() !== "") this.#fail("text outside the root");
      if (!literal) this.#at += text.length;
      return;
    }
    if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(text)) this.#fail("control character");
    const value = literal ? text : this.#decode(text);
    const last = parent.children.length - 1;
    if (typeof parent.children[last] === "string") parent.children[last] += value;
    else parent.children.push(value);
    if (!literal) this.#at += text.length;
  }

  #decode(text: string): string {
    if (!text.includes("&")) return text;
    return text.replace(/&(?:#(x[0-9a-f]+|[0-9]+)|([a-z_][\w.-]*))?(;?)/gi, (whole, number, name, semicolon) => {
      if (number && semicolon) {
        const char = numbered(number);
        if (char === null) this.#fail("impossible character");
        // A number is kept as it is here: whether it was meant as windows-1252 is for the reader of the text.
        return char === null
          ? "\ufffd"
          : String.fromCodePoint(parseInt(number.replace(/^x/i, ""), /^x/i.test(number) ? 16 : 10));
      }
      if (name && semicolon) {
        const known = XML_ENTITIES[name] ?? this.#entities.get(name);
        if (known !== undefined) return known;
        this.#fail(`unknown entity ${name}`);
        return CHARACTERS_BY_NAME.get(name) ?? whole;
      }
      this.#fail("stray &");
      return whole;
    });
  }
}

function split(name: string): [prefix: string, local: string] {
  const colon = name.indexOf(":");
  return colon > 0 ? [name.slice(0, colon), name.slice(colon + 1)] : ["", name];
}

/** All text inside, in order. */
export function textOf(element: Element): string {
  let out = "";
  for (const child of element.children) out += typeof child === "string" ? child : textOf(child);
  return out;
}
