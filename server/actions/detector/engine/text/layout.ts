// Recognises text that is not running prose: code, markup, tables, lists, logs, verse, quotations. Style says nothing about
// the author there, so nothing is judged.
import { countOf, kindOfLine, type LineKind } from "./lines.ts";

export type Layout = "prose" | "code" | "markup" | "table" | "list" | "log" | "verse" | "quotation";

const DENSE_MARKS = 0.11;
const SAMPLE_CHARACTERS = 24_000;

/** What most of the text is, by its first 24,000 characters. */
export function layoutOf(text: string): Layout {
  const sample = withoutBreaks(text.length > SAMPLE_CHARACTERS ? text.slice(0, SAMPLE_CHARACTERS) : text);
  const symbols = surveySymbols(sample);
  if (symbols.isPlain) return "prose";
  if (isMarkup(sample, symbols)) return "markup";
  if ((symbols.code > DENSE_MARKS && surveySymbols(withoutLinks(sample)).code > DENSE_MARKS) || isJson(sample))
    return "code";
  const all = sample.split("\n");
  const lines = all.filter((line) => line.trim() !== "");
  return layoutByKinds(lines) ?? layoutByShape(lines, unwrap(all)) ?? (isMostlyQuoted(text) ? "quotation" : "prose");
}

/** Prose that was copied from a page often keeps this one tag: it breaks a line and is no markup. */
function withoutBreaks(text: string): string {
  return text.includes("<br") ? text.replace(/<br ?\/?>/g, " ") : text;
}

/** Links and formulas are full of marks and stand in prose. */
function withoutLinks(text: string): string {
  return text.replace(/\]\([^)\s]{0,400}\)|https?:\/\/\S+|\$[^$\n]{1,200}\$|\\[a-zA-Z]+/g, " ");
}

interface Symbols {
  /** Share of marks that code needs and prose hardly uses, of all characters that are no space. */
  code: number;
  tags: number;
  /** Long lines with hardly a mark or a figure: no closer look is needed. */
  isPlain: boolean;
}

const CODE_MARK = 1;
const FIGURE = 2;
const SPACE = 3;
const CLASS = new Uint8Array(128);
for (const mark of '{}[]()=<>;&*+#$@\\/_^~`"') CLASS[mark.charCodeAt(0)] = CODE_MARK;
for (const figure of "0123456789") CLASS[figure.charCodeAt(0)] = FIGURE;
for (const space of " \t\r") CLASS[space.charCodeAt(0)] = SPACE;
const NEWLINE = 10;

function surveySymbols(text: string): Symbols {
  let marks = 0;
  let figures = 0;
  let spaces = 0;
  let lines = 1;
  let tags = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 128) continue;
    if (unit === NEWLINE) lines++;
    const kind = CLASS[unit];
    if (kind === CODE_MARK) {
      marks++;
      if (unit === 60) tags++;
    } else if (kind === FIGURE) figures++;
    else if (kind === SPACE) spaces++;
  }
  const solid = Math.max(1, text.length - spaces - lines);
  const isPlain =
    marks < solid * 0.03 &&
    figures < solid * 0.1 &&
    tags === 0 &&
    text.length > lines * 160 &&
    !/^\s*[>“«]/.test(text.slice(0, 40));
  return { code: marks / solid, tags, isPlain };
}

function isMarkup(text: string, { tags }: Symbols): boolean {
  if (tags * 250 < text.length) return false;
  let inside = 0;
  let count = 0;
  let closing = 0;
  for (const [tag] of text.matchAll(/<[/!?]?[a-zA-Z][^<>]{0,2000}>/g)) {
    inside += tag.length;
    count++;
    if (tag[1] === "/" || tag.endsWith("/>")) closing++;
  }
  // Type parameters look like tags, but nothing closes them.
  if (closing * 5 < count) return false;
  return count >= 3 && (inside > text.length * 0.1 || count * 120 > text.length);
}

function isJson(text: string): boolean {
  const first = text.trimStart()[0];
  if (first !== "{" && first !== "[") return false;
  const keys = text.match(/"[\w$ .@/-]{1,60}"\s*:/g)?.length ?? 0;
  return keys >= 3 && keys * 160 > text.length;
}

/** Marks that open and close a passage of comment: a line that holds an odd number of them toggles it. */
const TOGGLES = ['"""', "'''"];

/** Decides by the kind of most lines; comments count with the code they stand in. */
function layoutByKinds(lines: string[]): Layout | null {
  const sizes: Record<LineKind, number> = { code: 0, comment: 0, table: 0, log: 0, quotation: 0, prose: 0 };
  const counts: Record<LineKind, number> = { code: 0, comment: 0, table: 0, log: 0, quotation: 0, prose: 0 };
  const hasBlocks = lines.some((line) => line.includes("*/"));
  let fenced = false;
  let quoted = false;
  let blocked = false;
  for (const line of lines) {
    const trimmed = line.trim();
    if (trimmed.startsWith("```") || trimmed.startsWith("~~~")) {
      fenced = !fenced;
      continue;
    }
    if (trimmed.startsWith("/*") || trimmed.startsWith("=begin") || /^=(?:head|pod|over|item)/.test(trimmed))
      blocked = true;
    let kind = fenced ? "code" : kindOfLine(line, trimmed);
    if (kind === "prose" && (quoted || blocked || (hasBlocks && /^\s+\*/.test(line)))) kind = "comment";
    if (TOGGLES.some((mark) => countOf(trimmed, mark) % 2 === 1)) quoted = !quoted;
    if (trimmed.includes("*/") || trimmed.startsWith("=end") || trimmed.startsWith("=cut")) blocked = false;
    sizes[kind] += trimmed.length;
    counts[kind]++;
  }
  const total = lines.length;
  const size = Object.values(sizes).reduce((sum, n) => sum + n, 0);
  if (counts.log > total * 0.5) return "log";
  if (sizes.table > size * 0.6) return "table";
  if (sizes.quotation > size * 0.6) return "quotation";
  const judged = Math.max(1, sizes.code + sizes.prose + sizes.table);
  const isCode =
    (counts.code >= 3 && sizes.code > judged * 0.5) ||
    (counts.code > total * 0.35 && sizes.code > judged * 0.3) ||
    (sizes.code + sizes.comment > size * 0.6 && counts.code + counts.comment >= 5);
  return isCode ? "code" : null;
}

const ITEM = /^(?:[-*•‣◦▪+–]|\(?\d{1,3}[.)]|\(?[a-z][.)]|\[[ x]\]|☐|✓)\s+/;
const QUANTITY =
  /^(?:[-*•]\s*)?(?:\d+|[½¼¾⅓⅔]|an?|one|two|three|half)[\d\s./½¼¾⅓⅔-]*\s*(?:cups?|tbsps?|tsps?|tablespoons?|teaspoons?|g|kg|ml|l|oz|ounces?|lbs?|pounds?|cloves?|cans?|pinch|slices?|sticks?|large|small|medium|packages?|bunch)\b/i;
const MIN_LINES = 6;

/** Shorter lines are titles, items or verse; longer ones were not broken. */
const MIN_WRAPPED = 40;
const MAX_WRAPPED = 100;
/** Of the lines after such a one, so many go on in lower case where prose was wrapped; verse and lists begin with capitals. */
const WRAPPED_SHARE = 0.5;

/** Joins the lines of prose that was broken at a margin. Other text keeps its lines. */
function unwrap(lines: string[]): string[] {
  const trimmed = lines.map((line) => line.trim());
  const canGoOn = (i: number) =>
    i > 0 && trimmed[i] !== "" && trimmed[i - 1].length >= MIN_WRAPPED && trimmed[i - 1].length <= MAX_WRAPPED;
  const goesOn = (i: number) => canGoOn(i) && /^[a-z]+[, ]/.test(trimmed[i]) && /[\w,)"”’`*]$/.test(trimmed[i - 1]);
  const breaks = trimmed.filter((_, i) => canGoOn(i)).length;
  if (trimmed.filter((_, i) => goesOn(i)).length <= breaks * WRAPPED_SHARE)
    return trimmed.filter((line) => line !== "");
  const joined: string[] = [];
  trimmed.forEach((line, i) => {
    if (canGoOn(i) && !ITEM.test(line)) joined[joined.length - 1] += ` ${line}`;
    else if (line !== "") joined.push(line);
  });
  return joined;
}

/** Decides by the shape of the lines: separated values, short items, lines broken before they are full. */
function layoutByShape(raw: string[], lines: string[]): Layout | null {
  if (raw.length >= MIN_LINES && isSeparated(raw)) return "table";
  if (lines.length < MIN_LINES) return null;
  const words = lines.map((line) => line.trim().split(/\s+/).length);
  const total = words.reduce((sum, n) => sum + n, 0);
  let itemWords = 0;
  let shortWords = 0;
  let quantities = 0;
  lines.forEach((line, i) => {
    const trimmed = line.trim();
    const ends = /[.!?:;,]["')\]*_]*$/.test(trimmed);
    if (QUANTITY.test(trimmed)) quantities++;
    if (ITEM.test(trimmed)) itemWords += words[i];
    if (words[i] <= 12 && !ends) shortWords += words[i];
  });
  if (quantities >= 4 && quantities * 8 > lines.length && itemWords + shortWords > total * 0.5) return "list";
  const isVerse = brokenEarly(lines);
  if (shortWords > total * 0.7 && (!isVerse || total < lines.length * 4.5)) return "list";
  return isVerse ? "verse" : null;
}

/** Comma-, semicolon- or tab-separated values: nearly every line has the same number of separators. */
function isSeparated(lines: string[]): boolean {
  for (const mark of [",", ";", "\t", "|"]) {
    const counts = lines.map((line) => countOf(line, mark));
    const usual = counts[Math.min(1, counts.length - 1)];
    if (usual < 2) continue;
    const same = counts.filter((count) => count === usual).length;
    const words = lines.reduce((sum, line) => sum + line.split(" ").length, 0);
    if (same > lines.length * 0.8 && words < same * (usual + 1) * 5) return true;
  }
  return lines.filter(hasColumns).length > lines.length * 0.6;
}

/** At least two wide gaps, and no more of them than single spaces: doubled spaces everywhere are no columns. */
function hasColumns(line: string): boolean {
  const gaps = line.trim().match(/ +/g) ?? [];
  const wide = gaps.filter((gap) => gap.length > 2).length;
  return wide >= 2 || (wide === 1 && gaps.length <= 2);
}

/** Verse breaks its lines by choice: the next line's first word would mostly have fitted, and few lines end a sentence. */
function brokenEarly(lines: string[]): boolean {
  if (lines.length < 8) return false;
  const trimmed = lines.map((line) => line.trim());
  const short = trimmed.filter((line) => line.length <= 72 && line.length > 2).length;
  if (short < lines.length * 0.9) return false;
  const width = Math.max(...trimmed.map((line) => line.length).filter((n) => n <= 72));
  let fitted = 0;
  let open = 0;
  let items = 0;
  for (let i = 0; i + 1 < trimmed.length; i++) {
    const next = trimmed[i + 1].split(" ", 1)[0].length;
    if (trimmed[i].length + 1 + next <= width) fitted++;
    if (!/[.!?:]["'”’)]*$/.test(trimmed[i])) open++;
    if (ITEM.test(trimmed[i])) items++;
  }
  const pairs = trimmed.length - 1;
  return fitted > pairs * 0.55 && open > pairs * 0.45 && items < pairs * 0.3;
}

/** Characters of a quoted passage, on average; a turn of a dialogue is shorter. */
const MIN_QUOTED = 400;

/** One or a few long passages in quotation marks. Many short ones are the turns of a dialogue, which is prose. */
function isMostlyQuoted(text: string): boolean {
  const first = text.trimStart().charAt(0);
  if ((first !== "“" && first !== "«") || text.length >= 6_000) return false;
  let inside = 0;
  let passages = 0;
  let open = -1;
  for (let i = 0; i < text.length; i++) {
    const mark = text[i];
    if (open < 0 && (mark === "“" || mark === "«")) open = i;
    else if (open >= 0 && (mark === "”" || mark === "»")) {
      inside += i + 1 - open;
      passages++;
      open = -1;
    }
  }
  return inside > text.length * 0.9 && inside > passages * MIN_QUOTED;
}
