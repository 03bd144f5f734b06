// Recognises a document by its first bytes, and turns everything but PDF into plain text. Bounded: no file grows beyond the limits.
import { mainText } from "../text/main-text.ts";
import { docxText } from "./docx.ts";
import { DocumentError } from "./error.ts";
import { rtfText } from "./rtf.ts";

export type DocumentFormat = "pdf" | "docx" | "rtf" | "html" | "text";

export const MAX_DOCUMENT_CHARACTERS = 400_000;

export function formatOf(bytes: Uint8Array): DocumentFormat {
  const head = Buffer.from(bytes.subarray(0, 1_024)).toString("latin1");
  if (head.includes("%PDF-")) return "pdf";
  if (head.startsWith("PK\u0003\u0004")) return "docx";
  if (/^\s*\{\\rtf/.test(head)) return "rtf";
  if (head.startsWith("\u00d0\u00cf\u0011\u00e0"))
    throw new DocumentError("This is an old Word file (.doc); save it as DOCX, PDF or text");
  const text = /^(?:ÿþ|þÿ)/.test(head) ? decodeText(bytes.subarray(0, 1_024)) : head;
  if (/^\s*(?:<!doctype html|<html|<\?xml[^>]*>\s*<!doctype html|<head|<body)/i.test(text.replace("ï»¿", "")))
    return "html";
  if (/[\u0000-\u0008\u000e-\u001a]/.test(text))
    throw new DocumentError("This is no document that can be read; PDF, DOCX, RTF, HTML and plain text are");
  return "text";
}

/** The text of a document that is no PDF. */
export function documentText(bytes: Uint8Array, format: Exclude<DocumentFormat, "pdf">): string {
  const read = {
    docx: () => docxText(bytes),
    rtf: () => rtfText(bytes),
    html: () => mainText(decodeText(bytes)),
    text: () => decodeText(bytes),
  };
  return read[format]().slice(0, MAX_DOCUMENT_CHARACTERS);
}

/** UTF-16 by its mark, UTF-8 where it is valid, else Windows-1252, which accepts every byte. */
function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
