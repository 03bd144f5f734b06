// Takes the main text out of an HTML page: paragraphs and headings of the article, without menus, scripts and footers.
// One pass from front to back: however a page is broken, the work grows with its length and no faster.

/** What stands inside is no text. */
const RAW = new Set(["script", "style", "noscript", "iframe", "textarea", "title", "template"]);
/** Not part of what the page is about. */
const DROPPED = new Set(["nav", "header", "footer", "aside", "figure", "button", "select", "svg", "head"]);
const PROSE = new Set(["p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "blockquote", "td", "dd", "pre"]);
/** Ends a paragraph without beginning one. */
const BOUNDARY = new Set(["div", "section", "article", "main", "ul", "ol", "dl", "table", "tr", "body", "form", "hr"]);
const MAX_CHARACTERS = 2_000_000;
const MIN_BLOCK_WORDS = 4;
/** An article or a main part with less than this is a teaser, not what the page is about. */
const MIN_REGION = 400;

const NAMED: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  mdash: "—",
  ndash: "–",
  hellip: "…",
  rsquo: "’",
  lsquo: "‘",
  rdquo: "”",
  ldquo: "“",
  copy: "©",
  shy: "\u00ad",
  eacute: "é",
};

interface Block {
  parts: string[];
  linked: number;
  isProse: boolean;
  /** Which article it stands in, counted from 1; 0 for none. */
  article: number;
  inMain: boolean;
}

export function mainText(html: string): string {
  const reader = new PageReader();
  reader.read(html.slice(0, MAX_CHARACTERS));
  const region = regionOf(reader.blocks);
  const prose = region.filter((block) => block.isProse && isWorthIt(block)).map(textOf);
  return (prose.length > 0 ? prose : region.map(textOf).filter((text) => text !== "")).join("\n\n");
}

class PageReader {
  readonly blocks: Block[] = [];
  #block = newBlock(false, 0, false);
  #articles = 0;
  #articleDepth = 0;
  #mainDepth = 0;
  #linkDepth = 0;
  /** The element that is being left out, and how often it is open. */
  #dropped = "";
  #droppedDepth = 0;

  read(html: string): void {
    let at = 0;
    while (at < html.length) {
      const open = html.indexOf("<", at);
      if (open < 0) break;
      this.#text(html, at, open);
      at = this.#markup(html, open);
    }
    this.#text(html, at, html.length);
    this.#begin(false);
  }

  #text(html: string, from: number, to: number): void {
    if (to <= from || this.#droppedDepth > 0) return;
    this.#block.parts.push(html.slice(from, to));
    if (this.#linkDepth > 0) this.#block.linked += to - from;
  }

  /** Reads what begins with "<" and returns where it ends. */
  #markup(html: string, open: number): number {
    if (html.startsWith("<!--", open)) return endOf(html, "-->", open + 4);
    const isEnd = html[open + 1] === "/";
    const from = open + (isEnd ? 2 : 1);
    let to = from;
    while (isNameCharacter(html.charCodeAt(to))) to++;
    if (to === from) {
      if (html[open + 1] === "!" || html[open + 1] === "?") return endOf(html, ">", open + 2);
      this.#text(html, open, open + 1);
      return open + 1;
    }
    const name = html.slice(from, Math.min(to, from + 16)).toLowerCase();
    const end = endOf(html, ">", to);
    if (isEnd) this.#close(name);
    else if (RAW.has(name)) return endOfRaw(html, name, end);
    else if (html[end - 2] !== "/") this.#open(name);
    else if (name === "br" || PROSE.has(name)) this.#block.parts.push(" ");
    return end;
  }

  #open(name: string): void {
    if (this.#droppedDepth > 0) {
      if (name === this.#dropped) this.#droppedDepth++;
      return;
    }
    if (DROPPED.has(name)) {
      this.#dropped = name;
      this.#droppedDepth = 1;
      return;
    }
    if (name === "a") this.#linkDepth = 1;
    if (name === "article" && this.#articleDepth++ === 0) this.#articles++;
    if (name === "main") this.#mainDepth++;
    if (PROSE.has(name)) this.#begin(true);
    else if (BOUNDARY.has(name)) this.#begin(false);
    else this.#block.parts.push(" ");
  }

  #close(name: string): void {
    if (this.#droppedDepth > 0) {
      if (name === this.#dropped) this.#droppedDepth--;
      return;
    }
    if (name === "a") this.#linkDepth = 0;
    if (PROSE.has(name) || BOUNDARY.has(name)) this.#begin(false);
    else this.#block.parts.push(" ");
    if (name === "article" && this.#articleDepth > 0) this.#articleDepth--;
    if (name === "main" && this.#mainDepth > 0) this.#mainDepth--;
  }

  #begin(isProse: boolean): void {
    if (this.#block.parts.length > 0) this.blocks.push(this.#block);
    this.#block = newBlock(isProse, this.#articleDepth > 0 ? this.#articles : 0, this.#mainDepth > 0);
  }
}

function newBlock(isProse: boolean, article: number, inMain: boolean): Block {
  return { parts: [], linked: 0, isProse, article, inMain };
}

function isNameCharacter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 45;
}

/** Behind the mark, or the end of the page when it never comes. */
function endOf(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from);
  return at < 0 ? html.length : at + mark.length;
}

function endOfRaw(html: string, name: string, from: number): number {
  const close = new RegExp(`</${name}`, "gi");
  close.lastIndex = from;
  const found = close.exec(html);
  return found ? endOf(html, ">", found.index) : html.length;
}

/** The longest <article>, else <main>, else everything. */
function regionOf(blocks: Block[]): Block[] {
  const sizes = new Map<number, number>();
  let main = 0;
  for (const block of blocks) {
    const size = block.parts.reduce((sum, part) => sum + part.length, 0);
    if (block.article > 0) sizes.set(block.article, (sizes.get(block.article) ?? 0) + size);
    if (block.inMain) main += size;
  }
  const [longest, size] = [...sizes].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0]);
  if (size > MIN_REGION) return blocks.filter((block) => block.article === longest);
  return main > MIN_REGION ? blocks.filter((block) => block.inMain) : blocks;
}

/** Enough words, and no list of links. */
function isWorthIt(block: Block): boolean {
  const text = textOf(block);
  return text !== "" && text.split(" ").length >= MIN_BLOCK_WORDS && block.linked < text.length * 0.5;
}

function textOf({ parts }: Block): string {
  return parts
    .join("")
    .replace(/&(#x?[\da-f]{1,8}|[a-z]{1,16});/gi, decode)
    .replace(/\s+/g, " ")
    .trim();
}

function decode(whole: string, name: string): string {
  if (name[0] !== "#") return NAMED[name] ?? whole;
  const point = name[1] === "x" || name[1] === "X" ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : "";
}
