// Finds names with a typing error: looks up every text one letter away. Used when nothing else matched.
import type { Layer } from "./layer.ts";
import type { Match } from "./matches.ts";
import { emptyKey, extendKey, type Key, stepKey, withoutDigraphs, wordKey } from "./text.ts";
import type { Word } from "./tokens.ts";

const letters = Array.from("abcdefghijklmnopqrstuvwxyz", (letter) => letter.charCodeAt(0));
/** Shorter words have too many neighbours. */
const SHORTEST = 5;
const LONGEST = 24;
const MAX_WORDS = 4;

/**
 * The keys of all texts one deletion, swap, change or insertion away; the first letter is rarely the wrong one, so only a
 * swap moves it. Keys grow letter by letter, so each neighbour begins where it parts from the word.
 */
function visitNeighbours(word: string, visit: (key: Key) => void): void {
  const codes = Array.from({ length: word.length }, (_, i) => word.charCodeAt(i));
  const heads: Key[] = [{ a: emptyKey.a, b: emptyKey.b }];
  for (const code of codes) {
    const next = { ...heads[heads.length - 1] };
    stepKey(next, code);
    heads.push(next);
  }
  const key: Key = { a: 0, b: 0 };
  /** The first `at` letters, then the given ones, then the word from `from` on. */
  const tell = (at: number, first: number, second: number, from: number) => {
    key.a = heads[at].a;
    key.b = heads[at].b;
    if (first > 0) stepKey(key, first);
    if (second > 0) stepKey(key, second);
    for (let i = from; i < codes.length; i++) stepKey(key, codes[i]);
    visit(key);
  };
  for (let i = 1; i < codes.length; i++) tell(i, 0, 0, i + 1);
  for (let i = 0; i + 1 < codes.length; i++) tell(i, codes[i + 1], codes[i], i + 2);
  for (let i = 1; i <= codes.length; i++) {
    for (const letter of letters) {
      if (i < codes.length && codes[i] !== letter) tell(i, letter, 0, i + 1);
      tell(i, letter, 0, i);
    }
  }
}

/** Matches of runs of up to three words in which one word was corrected. */
export function findTypos(words: Word[], layers: Layer[]): Match[] {
  const matches: Match[] = [];
  const isName = ({ sort, text }: Word) => sort === "word" && text.length >= SHORTEST && text.length <= LONGEST;
  const candidates = words.map((_, i) => i).filter((i) => isName(words[i]));
  for (const at of candidates.slice(-MAX_WORDS)) {
    const digraph = withoutDigraphs(words[at].text);
    if (digraph) tryRuns(words, at, wordKey(digraph), 0, layers, matches);
    visitNeighbours(words[at].text, (key) => tryRuns(words, at, key, 1, layers, matches));
  }
  return matches;
}

const run: Key = { a: 0, b: 0 };

function tryRuns(words: Word[], at: number, corrected: Key, typos: number, layers: Layer[], matches: Match[]): void {
  for (let from = Math.max(0, at - 1); from <= at; from++) {
    if (words[from].part !== words[at].part) continue;
    run.a = emptyKey.a;
    run.b = emptyKey.b;
    for (let i = from; i < at; i++) extendKey(run, words[i].canon, run);
    extendKey(run, corrected, run);
    for (let to = at + 1; ; to++) {
      for (const layer of layers) {
        const start = layer.find(run);
        if (start >= 0) matches.push({ from, to, layer, start, key: run.a >>> 0, typos });
      }
      if (to >= words.length || to > at + 1 || words[to].part !== words[at].part) break;
      extendKey(run, words[to].canon, run);
    }
  }
}
