// Stored terms that match a part of a word: prefixes, and pieces of scripts without spaces. Tries only lengths that are
// stored, and stops early where no stored term starts alike.
import { SEPARATOR, SLOW, WORD, foldTable } from "../text/chars.ts";
import { foldText } from "../text/fold.ts";
import { cutFolded } from "../text/tokens.ts";
import type { Dictionary } from "./terms/dictionary.ts";
import { grown } from "./terms/growing.ts";
import { PREFIX_TERM, PRIME, UNSPACED_TERM, hashOf, seedOf } from "./terms/record.ts";

const PREFIX_SEED = seedOf(PREFIX_TERM);
const UNSPACED_SEED = seedOf(UNSPACED_TERM);
/** A beginning is at least so long. */
const PREFIX_GATE = 3;
const UNSPACED_GATE = 2;

/** A term was found over these words, at these units of the text. */
export type Found = (id: number, from: number, to: number, start: number, end: number) => void;

export class Parts {
  readonly #dictionary: Dictionary;
  readonly #found: Found;
  #prefixes = new Int32Array(64);
  #maxPrefix = 0;
  #unspaced = new Int32Array(64);
  #maxUnspaced = 0;

  constructor(dictionary: Dictionary, found: Found) {
    this.#dictionary = dictionary;
    this.#found = found;
  }

  /** One more or one less user of a term of one of these two kinds. */
  watch(kind: number, text: string, by: 1 | -1): void {
    const { length } = text;
    if (kind === PREFIX_TERM) {
      this.#prefixes = grown(this.#prefixes, length + 1);
      this.#prefixes[length] += by;
      this.#maxPrefix = Math.max(this.#maxPrefix, length);
    } else {
      this.#unspaced = grown(this.#unspaced, length + 1);
      this.#unspaced[length] += by;
      this.#maxUnspaced = Math.max(this.#maxUnspaced, length);
    }
    this.#dictionary.mark(gateHash(kind, text));
  }

  /** Beginnings of words that fold unit by unit, in a pass of their own: nobody pays for it who stores none. */
  allBeginningsOf(text: string): void {
    let position = 0;
    for (let i = 0; i < text.length; ) {
      const start = i;
      let slow = false;
      for (; i < text.length; i++) {
        const unit = foldTable[text.charCodeAt(i)];
        if (unit === SEPARATOR) break;
        slow ||= unit === SLOW;
      }
      if (i === start) i++;
      else if (!slow) {
        this.beginningsOf(text, start, i, position, start, i, foldTable);
        position++;
      } else {
        cutFolded(foldText(text.slice(start, i)), (kind, from, to) => {
          position += kind === WORD ? 1 : to - from;
        });
      }
    }
  }

  /** Stored beginnings of the word text[from, to). With `fold` the text is the original, else it is folded already. */
  beginningsOf(
    text: string,
    from: number,
    to: number,
    position: number,
    start: number,
    end: number,
    fold: Uint16Array | null,
  ): void {
    let hash = PREFIX_SEED;
    const max = Math.min(to - from, this.#maxPrefix);
    for (let length = 1; length <= max; length++) {
      const unit = text.charCodeAt(from + length - 1);
      hash = Math.imul(hash ^ (fold ? fold[unit] : unit), PRIME);
      if (length < PREFIX_GATE) continue;
      if (length === PREFIX_GATE && !this.#dictionary.passes(hash)) return;
      if (this.#prefixes[length] === 0 || !this.#dictionary.passes(hash)) continue;
      const id = this.#dictionary.find(hash, PREFIX_TERM, text, from, from + length, fold);
      if (id !== 0) this.#found(id, position, position + 1, start, end);
    }
  }

  /** Stored terms that begin anywhere in the run folded[from, to). `end` below 0: places are unit by unit. */
  piecesOf(folded: string, from: number, to: number, position: number, start: number, end: number): void {
    for (let i = from; i < to; i++) {
      let hash = UNSPACED_SEED;
      const max = Math.min(to - i, this.#maxUnspaced);
      for (let length = 1; length <= max; length++) {
        hash = Math.imul(hash ^ folded.charCodeAt(i + length - 1), PRIME);
        if (length === UNSPACED_GATE && !this.#dictionary.passes(hash)) break;
        if (this.#unspaced[length] === 0 || !this.#dictionary.passes(hash)) continue;
        const id = this.#dictionary.find(hash, UNSPACED_TERM, folded, i, i + length);
        if (id === 0) continue;
        const at = position + i - from;
        const first = end < 0 ? start + i - from : start;
        this.#found(id, at, at + length, first, end < 0 ? first + length : end);
      }
    }
  }
}

/** The hash whose bit says that some stored term begins like this. */
export function gateHash(kind: number, text: string): number {
  return hashOf(kind, text.slice(0, kind === PREFIX_TERM ? PREFIX_GATE : UNSPACED_GATE));
}
