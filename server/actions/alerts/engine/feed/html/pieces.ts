// Splits HTML into tags and text in one pass, whatever the text: a tag that never ends is text.

/** Text, or a tag: its name as written and what stands between the name and the `>`. */
export type Piece = { text: string } | { text: null; isEnd: boolean; name: string; rest: string };

const TAG_NAME = /<(\/?)([a-z][^\s<>/]*)/iy;
/** Quoted text may hold `<` and `>`. Text that abuses this is read without regard to quotes after so many steps a character. */
const STEPS_PER_CHARACTER = 4;

export function* htmlPieces(html: string): Generator<Piece> {
  let steps = STEPS_PER_CHARACTER * html.length;
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    if (open !== at) yield { text: html.slice(at, open < 0 ? html.length : open) };
    if (open < 0) return;
    const skipped = skipDeclaration(html, open);
    if (skipped > 0) {
      at = skipped;
      continue;
    }
    TAG_NAME.lastIndex = open;
    const named = TAG_NAME.exec(html);
    const from = TAG_NAME.lastIndex;
    const { end, found } = named ? tagEnd(html, from, steps > 0) : { end: open, found: false };
    steps -= end - open;
    if (named && found) yield { text: null, isEnd: named[1] !== "", name: named[2], rest: html.slice(from, end) };
    else yield { text: "<" };
    at = found ? end + 1 : open + 1;
    // The text ended inside a tag, as no later one can end either.
    if (!found && end === html.length) steps = 0;
  }
}

/** The end of a comment, doctype or processing instruction; 0 when there is none here. */
function skipDeclaration(html: string, open: number): number {
  const next = html[open + 1];
  if (next !== "!" && next !== "?") return 0;
  const isComment = html.startsWith("<!--", open);
  const end = isComment ? html.indexOf("-->", open + 4) : html.indexOf(">", open + 2);
  return end < 0 ? html.length : end + (isComment ? 3 : 1);
}

/** Where the `>` of a tag is, or where the search for it ended. */
function tagEnd(html: string, from: number, quoted: boolean): { end: number; found: boolean } {
  for (let i = from; i < html.length; i++) {
    const char = html[i];
    if (char === ">") return { end: i, found: true };
    if (char === "<") return { end: i, found: false };
    if (quoted && (char === '"' || char === "'")) {
      const close = html.indexOf(char, i + 1);
      if (close < 0) break;
      i = close;
    }
  }
  return { end: html.length, found: false };
}
