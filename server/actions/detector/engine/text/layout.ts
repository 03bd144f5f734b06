// Recognises text that is not running prose (code, tables, quotations): style says nothing there, so nothing is judged.

export type Layout = "prose" | "code" | "table" | "quotation";

const CODE =
  /[{};]\s*$|^\s*(?:import |from \w+ import|#include|def \w+\(|function |const |let |var |class \w+|return\b|public |private |<\/?\w+[^>]*>|\$ |SELECT |INSERT )|=>|\w+\([^)]*\);?\s*$|^\s*(?:\/\/|#!)|[=!]==|\w+\.\w+\(/;

/** What most of the text, by characters, is. */
export function layoutOf(text: string): Layout {
  if (isPlain(text)) return "prose";
  const weight = { prose: 0, code: 0, table: 0, quotation: 0 };
  let fenced = false;
  for (const line of text.slice(0, 60_000).split("\n")) {
    const trimmed = line.trim();
    if (trimmed.startsWith("```")) {
      fenced = !fenced;
      continue;
    }
    if (trimmed === "") continue;
    weight[fenced ? "code" : kindOf(line, trimmed)] += trimmed.length;
  }
  const total = weight.prose + weight.code + weight.table + weight.quotation;
  const other = (["code", "table", "quotation"] as const).find((kind) => weight[kind] > total * 0.6);
  return other ?? (mostlyQuoted(text) ? "quotation" : "prose");
}

/** How much a character speaks for code, tables or quotations; 1 and 2 count as marks, 64 as a figure. */
const WEIGHT = new Uint8Array(128);
for (const mark of "\t;=>`{|}") WEIGHT[mark.charCodeAt(0)] = 2;
for (const mark of "(/") WEIGHT[mark.charCodeAt(0)] = 1;
for (const figure of "0123456789") WEIGHT[figure.charCodeAt(0)] = 64;
const SAMPLE = 8_000;

/** Most texts hold hardly a bracket, a bar, a tab or a figure: they need no closer look. */
function isPlain(text: string): boolean {
  let sum = 0;
  let figures = 0;
  const n = Math.min(text.length, SAMPLE);
  for (let i = 0; i < n; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 128) continue;
    const weight = WEIGHT[unit];
    if (weight === 64) figures++;
    else sum += weight;
  }
  const quotes = text.charCodeAt(0) === 62 || text.trimStart().charCodeAt(0) > 127 || text.includes("\n>");
  return sum < n / 75 && figures < n / 6 && !quotes;
}

function kindOf(line: string, trimmed: string): Layout {
  if (trimmed.startsWith(">")) return "quotation";
  if (/^\|.*\|$|^[-+| ]{5,}$/.test(trimmed) || (line.match(/\t/g)?.length ?? 0) >= 2) return "table";
  if (numeric(trimmed)) return "table";
  if (trimmed.length < 160 && CODE.test(line) && !/[a-z]{2,} [a-z]{2,} [a-z]{2,} [a-z]{2,} [a-z]{2,}/.test(line))
    return "code";
  return "prose";
}

function numeric(line: string): boolean {
  const cells = line.split(/[\s,;]+/);
  return cells.length >= 3 && cells.filter((cell) => /^[-+$€£]?[\d.,%]+$/.test(cell)).length > cells.length * 0.6;
}

function mostlyQuoted(text: string): boolean {
  const first = text.trimStart().charAt(0);
  if ((first !== "“" && first !== "«") || text.length >= 6_000) return false;
  let inside = 0;
  let open = -1;
  for (let i = 0; i < text.length; i++) {
    const mark = text[i];
    if (open < 0 && (mark === "“" || mark === "«")) open = i;
    else if (open >= 0 && (mark === "”" || mark === "»")) {
      inside += i + 1 - open;
      open = -1;
    }
  }
  return inside > text.length * 0.9;
}
