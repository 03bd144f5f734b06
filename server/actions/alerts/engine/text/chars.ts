// Classifies characters for tokenisers: separator, part of a word, or letter of a script without spaces. Owns the table
// of the fast path.
import { foldText } from "./fold.ts";
import { foldMemory } from "./kernel/kernel.ts";

export const SEPARATOR = 0;
/** In the fold table: this unit cannot be folded alone (marks, surrogates, ligatures, scripts without spaces). */
export const SLOW = 1;

export const WORD = 1;
export const UNSPACED = 2;

const UNSPACED_LETTER =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\u30fc\u3005\u3007]/u;
const WORDLIKE = /[\p{L}\p{N}\p{M}]/u;
// Conjoining jamo are letters that compose with their neighbour, so no one of them has a form of its own.
const DEPENDENT = /[\p{M}\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]/u;

/** SEPARATOR, WORD or UNSPACED, for one code point of folded text. */
function classOf(char: string): 0 | 1 | 2 {
  if (!WORDLIKE.test(char)) return SEPARATOR;
  return UNSPACED_LETTER.test(char) ? UNSPACED : WORD;
}

/** Folded unit by unit; 0 ends a word, 1 asks for the slow path. Blocks of 256 are filled when first met. */
export const foldTable = foldMemory.fill(SLOW);
const filled = new Uint8Array(256);

/** Fills the block of this unit, and says whether that was news. */
export function fillBlock(unit: number): boolean {
  const block = unit >>> 8;
  if (filled[block]) return false;
  filled[block] = 1;
  for (let c = block << 8; c < (block + 1) << 8; c++) foldTable[c] = entryFor(c);
  return true;
}

function entryFor(unit: number): number {
  if (unit >= 0xd800 && unit <= 0xdfff) return SLOW;
  const char = String.fromCharCode(unit);
  if (DEPENDENT.test(char)) return SLOW;
  const folded = foldText(char);
  if (folded === "") return SLOW;
  if ([...folded].every((c) => classOf(c) === SEPARATOR)) return SEPARATOR;
  if (folded.length !== 1 || classOf(folded) !== WORD) return SLOW;
  return folded.charCodeAt(0);
}

const classes = new Uint8Array(65536);
const classKnown = new Uint8Array(65536);

/** classOf for a code point, remembered. */
export function classOfPoint(point: number): 0 | 1 | 2 {
  if (point > 0xffff) return classOf(String.fromCodePoint(point));
  if (!classKnown[point]) {
    classes[point] = classOf(String.fromCharCode(point));
    classKnown[point] = 1;
  }
  return classes[point] as 0 | 1 | 2;
}

for (const block of [0x00, 0x01, 0x02, 0x03, 0x04, 0x20]) fillBlock(block << 8);
