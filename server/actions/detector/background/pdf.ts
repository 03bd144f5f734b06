// The text of a PDF, page by page with limits of pages, characters and time. Runs in a thread of the pool only.
import type { Clock } from "../../../lib/clock.ts";
import { DocumentError } from "../engine/documents/error.ts";
import { MAX_DOCUMENT_CHARACTERS } from "../engine/documents/format.ts";

const MAX_PAGES = 300;
const MAX_READ_MS = 4_000;
/** Lines further apart than this many line heights begin a new paragraph. */
const PARAGRAPH_GAP = 1.6;

interface TextItem {
  str: string;
  hasEOL: boolean;
  height: number;
  transform: number[];
}

/** A page with one word, without the table of contents that a reader can rebuild. */
const TINY_PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj
4 0 obj<</Length 27>>stream
BT /F 9 Tf 9 9 Td(word)Tj ET
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>`;

/** Loads the reader, which takes longer than reading twenty pages. */
export async function preparePdf(clock: Clock): Promise<void> {
  await pdfText(new TextEncoder().encode(TINY_PDF), clock);
}

export async function pdfText(bytes: Uint8Array, clock: Clock): Promise<string> {
  const { getDocumentProxy } = await import("unpdf");
  const deadline = clock.monotonic() + MAX_READ_MS;
  const document = await getDocumentProxy(bytes, { verbosity: 0 }).catch((error: Error) => {
    throw new DocumentError(
      error.name === "PasswordException" ? "The PDF is locked by a password" : "The PDF is damaged",
    );
  });
  try {
    let text = "";
    for (let n = 1; n <= Math.min(document.numPages, MAX_PAGES); n++) {
      const page = await document.getPage(n);
      const { items } = await page.getTextContent();
      text += `${pageText(items as TextItem[])}\n\n`;
      page.cleanup();
      if (text.length > MAX_DOCUMENT_CHARACTERS || clock.monotonic() > deadline) break;
    }
    if (text.trim() === "") throw new DocumentError("The PDF holds no text; a scanned page has to be recognised first");
    return joinHyphens(text).slice(0, MAX_DOCUMENT_CHARACTERS).trim();
  } catch (error) {
    throw error instanceof DocumentError ? error : new DocumentError("The PDF is damaged");
  } finally {
    await document.loadingTask.destroy().catch(() => {});
  }
}

/** Lines of one paragraph are joined by spaces, so that line breaks of the page do not look like verse. */
function pageText(items: TextItem[]): string {
  let out = "";
  let last: TextItem | null = null;
  for (const item of items) {
    if (typeof item.str !== "string") continue;
    if (last && item.str.trim() !== "") {
      const height = Math.max(1, last.height, item.height);
      const drop = Math.abs(last.transform[5] - item.transform[5]);
      if (drop > height * PARAGRAPH_GAP) out += "\n\n";
      else if (drop > height * 0.5 && !out.endsWith(" ")) out += " ";
    }
    out += item.str;
    if (item.str.trim() !== "") last = item;
  }
  return out;
}

function joinHyphens(text: string): string {
  return text.replace(/([a-z])- ([a-z])/g, "$1$2");
}
