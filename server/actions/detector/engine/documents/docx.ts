// The text of a Word document: its paragraphs, without deleted text, fields and comments.
import { DocumentError } from "./error.ts";
import { readZipEntry } from "./zip.ts";

const MAX_XML_BYTES = 16 * 1024 * 1024;

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
/** Elements whose text is not part of the document as it is read. */
const HIDDEN = new Set(["w:del", "w:instrText", "w:delText", "mc:Fallback"]);

export function docxText(file: Uint8Array): string {
  const xml = readZipEntry(file, "word/document.xml", MAX_XML_BYTES);
  if (!xml) throw new DocumentError("The archive holds no Word document");
  return wordText(new TextDecoder().decode(xml));
}

/** One pass over the tags: text inside w:t counts, a paragraph's end is a blank line. */
function wordText(xml: string): string {
  let out = "";
  let hidden = 0;
  let inText = false;
  let at = 0;
  while (at < xml.length) {
    const open = xml.indexOf("<", at);
    if (inText && hidden === 0) out += decodeEntities(xml.slice(at, open < 0 ? xml.length : open));
    if (open < 0) break;
    const close = xml.indexOf(">", open);
    if (close < 0) break;
    const isEnd = xml[open + 1] === "/";
    const isEmpty = xml[close - 1] === "/";
    const name = /^[\w:]+/.exec(xml.slice(open + (isEnd ? 2 : 1), Math.min(close, open + 40)))?.[0] ?? "";
    if (HIDDEN.has(name) && !isEmpty) hidden = Math.max(0, hidden + (isEnd ? -1 : 1));
    if (name === "w:t") inText = !isEnd && !isEmpty;
    else if (name === "w:p" && (isEnd || isEmpty)) out += "\n\n";
    else if (name === "w:tab") out += "\t";
    else if (name === "w:br" || name === "w:cr") out += "\n";
    at = close + 1;
  }
  return out.replace(/\n{3,}/g, "\n\n").trim();
}

function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(#x[0-9a-fA-F]{1,6}|#\d{1,7}|\w{2,4});/g, (whole, name: string) => {
    if (name[0] !== "#") return ENTITIES[name] ?? whole;
    const code = name[1] === "x" ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
  });
}
