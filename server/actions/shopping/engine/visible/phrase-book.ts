// Many phrases looked for in one text, by the first word of each: no long alternation is run over every text of a page.
import { LETTER, classOf } from "../price/characters.ts";

/** Scripts that write without blanks: a phrase may begin anywhere. */
const isUnspaced = (c: number): boolean => c >= 0xe00 && !(c >= 0x1e00 && c <= 0x1fff);

export class PhraseBook {
  private readonly byWord = new Map<string, string[]>();
  private readonly unspaced: string[] = [];

  /** Phrases parted by `|`, in lower case. */
  constructor(phrases: string) {
    for (const phrase of phrases.replaceAll("\n", "").split("|")) {
      if (phrase === "") continue;
      if (isUnspaced(phrase.charCodeAt(0))) {
        this.unspaced.push(phrase);
        continue;
      }
      const first = phrase.slice(0, wordEnd(phrase, 0));
      const known = this.byWord.get(first);
      if (known) known.push(phrase);
      else this.byWord.set(first, [phrase]);
    }
  }

  /** Whether the text has one of the phrases, beginning at a word. */
  isIn(text: string): boolean {
    const lower = text.toLowerCase();
    let spaced = true;
    for (let i = 0; i < lower.length; ) {
      const c = lower.charCodeAt(i);
      if (isUnspaced(c)) spaced = false;
      if (classOf(c) !== LETTER) {
        i++;
        continue;
      }
      const end = wordEnd(lower, i);
      if (this.at(lower, i, end)) return true;
      i = end;
    }
    return !spaced && this.unspaced.some((phrase) => lower.includes(phrase));
  }

  /** Whether the text begins with one of them; marks in front do not count. */
  begins(text: string): boolean {
    let i = 0;
    while (i < text.length && classOf(text.charCodeAt(i)) !== LETTER) i++;
    if (i > 6 || i === text.length) return false;
    const lower = text.slice(i, i + 48).toLowerCase();
    return (
      this.at(lower, 0, wordEnd(lower, 0)) ||
      (isUnspaced(lower.charCodeAt(0)) && this.unspaced.some((phrase) => lower.startsWith(phrase)))
    );
  }

  private at(lower: string, start: number, end: number): boolean {
    const phrases = this.byWord.get(lower.slice(start, end));
    if (!phrases) return false;
    for (const phrase of phrases) if (lower.startsWith(phrase, start)) return true;
    return false;
  }
}

function wordEnd(text: string, from: number): number {
  let i = from;
  while (i < text.length && classOf(text.charCodeAt(i)) === LETTER) i++;
  return i;
}
