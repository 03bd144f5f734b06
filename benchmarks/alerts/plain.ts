// What reading a text costs at least, in TypeScript: the passes that the matcher is measured against.
import { hashOf, seedOf, WORD_TERM } from "../../server/actions/alerts/engine/match/terms/record.ts";
import { fillBlock, foldTable } from "../../server/actions/alerts/engine/text/chars.ts";
import { foldText } from "../../server/actions/alerts/engine/text/fold.ts";
import { chunkEnd, cutFolded } from "../../server/actions/alerts/engine/text/tokens.ts";

/** The barest limit: the same table and hash over the text, no token kept, words it cannot fold skipped. */
export function barePass(text: string): number {
  const fold = foldTable;
  const length = text.length;
  let all = 0;
  for (let i = 0; i < length; ) {
    let unit = fold[text.charCodeAt(i)];
    if (unit <= 1) {
      i++;
      continue;
    }
    let hash = 0x811c9dc5 | 0;
    while (unit > 1) {
      hash = Math.imul(hash ^ unit, 0x01000193);
      if (++i === length) break;
      unit = fold[text.charCodeAt(i)];
    }
    all ^= hash;
  }
  return all;
}

/**
 * A plain tokenising pass, as one writes it in TypeScript for speed: every word found by a table that folds and classes
 * in one look, hashed, and kept with its place; words the table cannot fold (NFKC, marks, other scripts) the slow way.
 */
export function tokenisingPass(text: string): number {
  if (tokens.hashes.length < text.length) {
    for (const name of ["hashes", "starts", "ends"] as const) tokens[name] = new Int32Array(text.length);
  }
  let count = 0;
  for (let at = 0; ; ) {
    count = plainWords(text, at, count);
    at = tokens.at;
    if (at >= text.length) return count;
    let slow = at;
    while (foldTable[text.charCodeAt(slow)] !== 1) slow++;
    if (fillBlock(text.charCodeAt(slow))) continue;
    const end = chunkEnd(text, slow);
    const folded = foldText(text.slice(at, end));
    cutFolded(folded, (_kind, from, to) => {
      tokens.hashes[count] = hashOf(WORD_TERM, folded.slice(from, to));
      tokens.starts[count] = at;
      tokens.ends[count++] = end;
    });
    at = end;
  }
}
const tokens = { at: 0, hashes: new Int32Array(0), starts: new Int32Array(0), ends: new Int32Array(0) };
const SEED = seedOf(WORD_TERM);

/** Up to the end, or to a word that does not fold unit by unit. */
function plainWords(text: string, from: number, count: number): number {
  const { hashes, starts, ends } = tokens;
  const fold = foldTable;
  const length = text.length;
  let i = from;
  while (i < length) {
    let unit = fold[text.charCodeAt(i)];
    if (unit === 0) {
      i++;
      continue;
    }
    const start = i;
    let hash = SEED;
    while (unit > 1) {
      hash = Math.imul(hash ^ unit, 0x01000193);
      if (++i === length) break;
      unit = fold[text.charCodeAt(i)];
    }
    if (unit === 1) {
      i = start;
      break;
    }
    hashes[count] = hash;
    starts[count] = start;
    ends[count++] = i;
  }
  tokens.at = i;
  return count;
}
