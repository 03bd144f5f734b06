// Names that a slip of the pen separates from a known one: every text one letter away, looked up. Used when all else failed.
import type { Layer } from "./layer.ts";
import type { Match } from "./matches.ts";
import { emptyKey, extendKey, type Key, withoutDigraphs, wordKey } from "./text.ts";
import type { Word } from "./tokens.ts";

const letters = "abcdefghijklmnopqrstuvwxyz";
/** Shorter words have too many neighbours. */
const shortest = 5;
const mostWords = 4;

/** All strings one deletion, swap, change or insertion away; the first letter is rarely the wrong one, so it stays. */
export function* neighbours(word: string): Generator<string> {
  for (let i = 1; i < word.length; i++) yield word.slice(0, i) + word.slice(i + 1);
  for (let i = 0; i + 1 < word.length; i++) yield word.slice(0, i) + word[i + 1] + word[i] + word.slice(i + 2);
  for (let i = 1; i <= word.length; i++) {
    for (const letter of letters) {
      if (i < word.length && word[i] !== letter) yield word.slice(0, i) + letter + word.slice(i + 1);
      yield word.slice(0, i) + letter + word.slice(i);
    }
  }
}

/** Matches of runs of up to three words in which one word was mended. */
export function findTypos(words: Word[], layers: Layer[]): Match[] {
  const matches: Match[] = [];
  const candidates = words.map((_, i) => i).filter((i) => words[i].sort === "word" && words[i].text.length >= shortest);
  for (const at of candidates.slice(-mostWords)) {
    const digraph = withoutDigraphs(words[at].text);
    if (digraph) tryRuns(words, at, digraph, 0, layers, matches);
    for (const spelling of neighbours(words[at].text)) tryRuns(words, at, spelling, 1, layers, matches);
  }
  return matches;
}

function tryRuns(words: Word[], at: number, spelling: string, typos: number, layers: Layer[], matches: Match[]): void {
  const key: Key = { a: 0, b: 0 };
  const mended = wordKey(spelling);
  for (let from = Math.max(0, at - 1); from <= at; from++) {
    if (words[from].part !== words[at].part) continue;
    key.a = emptyKey.a;
    key.b = emptyKey.b;
    for (let i = from; i < at; i++) extendKey(key, words[i].canon, key);
    extendKey(key, mended, key);
    for (let to = at + 1; ; to++) {
      for (const layer of layers) {
        const start = layer.find(key);
        if (start >= 0) matches.push({ from, to, layer, start, key: key.a >>> 0, typos });
      }
      if (to >= words.length || to > at + 1 || words[to].part !== words[at].part) break;
      extendKey(key, words[to].canon, key);
    }
  }
}
