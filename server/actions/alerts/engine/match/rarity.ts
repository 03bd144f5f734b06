// A rough memory of how common words are, from one document in sixty-four, so that an alert is filed under the rarest
// word it needs. Wrong guesses cost time, never a match.
import { tokenise } from "../text/tokens.ts";
import { WORD } from "../text/chars.ts";
import type { Content } from "../query/ast.ts";
import { weighByLength, type Term } from "./compile.ts";
import { PREFIX_TERM, WORD_TERM, hashOf } from "./dictionary.ts";

const SIZE = 1 << 16;
const EVERY = 64;
const MOST_UNITS = 20_000;

export class Rarity {
  readonly #counts = new Uint16Array(SIZE);
  #documents = 0;
  #turn = 0;

  due(): boolean {
    this.#turn = (this.#turn + 1) % EVERY;
    return this.#turn === 1 % EVERY;
  }

  learn(content: Content): void {
    const text = `${content.title ?? ""} ${content.text ?? ""}`.slice(0, MOST_UNITS);
    const words = new Set<string>();
    for (const token of tokenise(text)) if (token.kind === WORD) words.add(token.text);
    for (const word of words) this.#counts[hashOf(WORD_TERM, word) & (SIZE - 1)]++;
    if (++this.#documents < 32_768) return;
    // Halve, so that what was common long ago is forgotten.
    this.#documents >>= 1;
    for (let i = 0; i < SIZE; i++) this.#counts[i] >>= 1;
  }

  /** An expected share of documents that hold the term. */
  of(term: Term): number {
    const guess = weighByLength(term);
    if (this.#documents === 0 || (term.kind !== WORD_TERM && term.kind !== PREFIX_TERM)) return guess;
    return guess / this.#documents + this.#counts[hashOf(WORD_TERM, term.text) & (SIZE - 1)] / this.#documents;
  }
}
