// Search in the directory: by code, by the beginning of a symbol, by words of the name, and with a typing error.
import { editDistance } from "../../../../lib/nearest.ts";
import type { Instrument } from "./instrument.ts";

export interface NameWord {
  word: string;
  position: number;
  instrument: Instrument;
}

const MAX_PREFIXED = 200;

/** Every word of every name, sorted: built once per directory. */
export const indexNames = (instruments: Instrument[]): NameWord[] =>
  instruments
    .flatMap((instrument) => wordsOf(instrument.name).map((word, position) => ({ word, position, instrument })))
    .sort((a, b) => compareText(a.word, b.word));

/** Exact symbol first, then symbols with this prefix (short ones first), then names whose words all have these prefixes. */
export function searchDirectory(
  query: string,
  limit: number,
  instruments: Instrument[],
  names: NameWord[],
): Instrument[] {
  const symbol = query.trim().toUpperCase().replaceAll("-", ".").replaceAll("/", ".");
  if (!symbol) return [];
  const found = new Set([...byPrefix(symbol, instruments), ...byPrefix(query.trim().toUpperCase(), instruments)]);
  const words = wordsOf(query);
  if (found.size < limit && words.length > 0) for (const i of byName(words, names)) found.add(i);
  if (found.size === 0) for (const i of byTypo(symbol, words, instruments, names)) found.add(i);
  return [...found].slice(0, limit);
}

function byPrefix(symbol: string, instruments: Instrument[]): Instrument[] {
  const prefixed: Instrument[] = [];
  const from = lowerBound(instruments, (i) => i.symbol < symbol);
  for (
    let i = from;
    i < instruments.length && instruments[i].symbol.startsWith(symbol) && prefixed.length < MAX_PREFIXED;
    i++
  )
    prefixed.push(instruments[i]);
  return prefixed.sort((a, b) => a.symbol.length - b.symbol.length || compareText(a.symbol, b.symbol));
}

function byName(words: string[], names: NameWord[]): Instrument[] {
  const [first, ...rest] = [...words].sort((a, b) => b.length - a.length);
  const hits = new Map<Instrument, number>();
  for (let i = lowerBound(names, (n) => n.word < first); i < names.length && names[i].word.startsWith(first); i++) {
    const { instrument, position } = names[i];
    const own = wordsOf(instrument.name);
    if (!rest.every((word) => own.some((w) => w.startsWith(word)))) continue;
    hits.set(instrument, Math.min(position, hits.get(instrument) ?? Infinity));
  }
  return [...hits]
    .sort((a, b) => a[1] - b[1] || a[0].name.length - b[0].name.length || compareText(a[0].symbol, b[0].symbol))
    .map(([i]) => i);
}

/** One wrong letter in a short word, two in a long one; the first letter must be right. */
const maxErrors = (word: string): number => (word.length >= 7 ? 2 : 1);

const isNear = (typed: string, word: string): boolean =>
  word.startsWith(typed) || (typed.length >= 4 && editDistance(typed, word, maxErrors(typed) + 1) <= maxErrors(typed));

function byTypo(symbol: string, words: string[], instruments: Instrument[], names: NameWord[]): Instrument[] {
  const scores = new Map<Instrument, number>();
  const add = (instrument: Instrument, score: number) =>
    scores.set(instrument, Math.min(score, scores.get(instrument) ?? Infinity));
  const [word, ...rest] = [...words].sort((a, b) => b.length - a.length);
  if (word && word.length >= 4) {
    const from = lowerBound(names, (n) => n.word < word[0]);
    for (let i = from; i < names.length && names[i].word[0] === word[0]; i++) {
      const distance = editDistance(word, names[i].word, maxErrors(word) + 1);
      if (distance > maxErrors(word)) continue;
      const own = wordsOf(names[i].instrument.name);
      if (rest.every((typed) => own.some((w) => isNear(typed, w))))
        add(names[i].instrument, distance * 10 + names[i].position);
    }
  }
  if (symbol.length >= 3) {
    const from = lowerBound(instruments, (i) => i.symbol < symbol[0]);
    for (let i = from; i < instruments.length && instruments[i].symbol[0] === symbol[0]; i++)
      if (editDistance(symbol, instruments[i].symbol, 2) <= 1) add(instruments[i], 15);
  }
  return [...scores].sort((a, b) => a[1] - b[1] || compareText(a[0].symbol, b[0].symbol)).map(([i]) => i);
}

function wordsOf(text: string): string[] {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const joined = plain.match(/\p{L}+['’]\p{L}+/gu)?.map((w) => w.replace(/['’]/, "")) ?? [];
  return [...plain.split(/[^\p{L}\p{N}]+/u).filter(Boolean), ...joined];
}

function lowerBound<T>(list: T[], before: (item: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (before(list[middle])) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
