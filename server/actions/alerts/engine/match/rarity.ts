// Estimates how common words are from a sample of documents, so that an alert is indexed under its rarest required word.
// A wrong estimate costs time, never a match.
import { SLOW, foldTable } from "../text/chars.ts";
import type { Content } from "../query/ast.ts";
import { weighByLength, type Term } from "./compile.ts";
import { PREFIX_TERM, PRIME, WORD_TERM, hashOf, seedOf } from "./terms/record.ts";

const SIZE = 1 << 16;
/** At first one document in so many is learnt from; later, when little is news, one in more. */
const EVERY = 16;
const LATER = 256;
const MAX_UNITS = 5000;

export class Rarity {
  readonly #counts = new Uint16Array(SIZE);
  readonly #last = new Uint16Array(SIZE);
  #documents = 0;
  #turn = 0;

  due(): boolean {
    if (--this.#turn > 0) return false;
    this.#turn = this.#documents < LATER ? EVERY : LATER;
    return true;
  }

  learn(content: Content): void {
    if (++this.#documents >= 32_768) this.#forget();
    if (content.title) this.#count(content.title);
    if (content.text) this.#count(content.text);
  }

  /** An expected share of documents that hold the term. */
  of(term: Term): number {
    const guess = weighByLength(term);
    if (this.#documents === 0 || (term.kind !== WORD_TERM && term.kind !== PREFIX_TERM)) return guess;
    return (guess + this.#counts[hashOf(WORD_TERM, term.text) & (SIZE - 1)]) / this.#documents;
  }

  #count(text: string): void {
    const length = Math.min(text.length, MAX_UNITS);
    for (let i = 0; i < length; i++) {
      let hash = seedOf(WORD_TERM);
      const start = i;
      for (
        let unit = foldTable[text.charCodeAt(i)];
        unit > SLOW && i < length;
        unit = foldTable[text.charCodeAt(++i)]
      ) {
        hash = Math.imul(hash ^ unit, PRIME);
      }
      const cell = hash & (SIZE - 1);
      if (i === start || this.#last[cell] === this.#documents) continue;
      this.#last[cell] = this.#documents;
      this.#counts[cell]++;
    }
  }

  /** Halves, so that what was common long ago weighs less. */
  #forget(): void {
    this.#documents >>= 1;
    this.#last.fill(0);
    for (let i = 0; i < SIZE; i++) this.#counts[i] >>= 1;
  }
}
