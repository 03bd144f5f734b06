// Splits text into folded words and runs of unspaced script, with their offsets. The simple, exact tokeniser for
// queries, highlights and tests; the matcher reads documents with its own loop over the same character table.
import { SEPARATOR, SLOW, UNSPACED, WORD, classOfPoint, fillBlock, foldTable } from "./chars.ts";
import { foldText } from "./fold.ts";

export interface Token {
  kind: typeof WORD | typeof UNSPACED;
  /** Folded. */
  text: string;
  /** Place in the original, in UTF-16 units. A run that folding lengthened shares the place of its whole chunk. */
  start: number;
  end: number;
  /** Words count one, runs of unspaced script one for every unit. */
  position: number;
}

/** The end of the chunk that begins at `start`: the next separator. */
export function chunkEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length) {
    const unit = text.charCodeAt(end);
    const entry = foldTable[unit];
    if (entry === SEPARATOR || (entry === SLOW && fillBlock(unit) && foldTable[unit] === SEPARATOR)) break;
    end++;
  }
  return end;
}

/** Where to break the text so that at most so many units come before: at its end or at a separator; `from` if nowhere. */
export function breakBefore(text: string, from: number, max: number): number {
  if (text.length - from <= max) return text.length;
  let end = from + max;
  while (end > from && foldTable[text.charCodeAt(end)] !== SEPARATOR) end--;
  return end;
}

/** Calls back for each word and run of an already folded chunk: kind, start and end inside it. */
export function cutFolded(folded: string, each: (kind: 1 | 2, from: number, to: number) => void): void {
  let kind: 0 | 1 | 2 = SEPARATOR;
  let from = 0;
  for (let i = 0; i <= folded.length; ) {
    const point = i < folded.length ? folded.codePointAt(i)! : -1;
    let next = point < 0 ? SEPARATOR : classOfPoint(point);
    // A mark belongs to what it follows, whatever its own script says.
    if (next === WORD && kind === UNSPACED && isMark(point)) next = UNSPACED;
    if (next !== kind) {
      if (kind !== SEPARATOR) each(kind, from, i);
      kind = next;
      from = i;
    }
    i += point > 0xffff ? 2 : 1;
  }
}

const MARK = /^\p{M}$/u;
function isMark(point: number): boolean {
  return point > 0x2ff && MARK.test(String.fromCodePoint(point));
}

export function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  let position = 0;
  for (let i = 0; i < text.length; ) {
    const end = chunkEnd(text, i);
    if (end === i) {
      i++;
      continue;
    }
    const chunk = text.slice(i, end);
    const folded = foldText(chunk);
    const aligned = folded.length === chunk.length;
    const start = i;
    cutFolded(folded, (kind, from, to) => {
      const place = aligned ? { start: start + from, end: start + to } : { start, end };
      tokens.push({ kind, text: folded.slice(from, to), ...place, position });
      position += kind === WORD ? 1 : to - from;
    });
    i = end;
  }
  return tokens;
}
