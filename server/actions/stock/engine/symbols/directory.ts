// The securities we know: look-up by canonical symbol, ISIN and FIGI, and search by prefix or name. In memory, immutable.
import { readSymbol, sameReading, writeSymbol, type Reading } from "./conventions.ts";

export type InstrumentType =
  | "equity"
  | "etf"
  | "fund"
  | "adr"
  | "preferred"
  | "warrant"
  | "right"
  | "unit"
  | "index"
  | "other";

export interface Instrument {
  /** Canonical: dot form of the United States, plain local code elsewhere. */
  symbol: string;
  mic: string;
  name: string;
  type: InstrumentType;
  /** What the line is quoted in, case-sensitive. */
  quotedIn: string;
  isin: string | null;
  figi: string | null;
  country: string | null;
  /** Made up by us: exists only in the simulated market. */
  fictional?: boolean;
}

export interface Directory {
  readonly size: number;
  bySymbol(symbol: string): Instrument[];
  byReading(reading: Reading): Instrument[];
  byIsin(isin: string): Instrument[];
  byFigi(figi: string): Instrument[];
  search(query: string, limit: number): Instrument[];
}

export const idOf = (i: Instrument): string => `${i.symbol}:${i.mic}`;

/** Later lists win over earlier ones for the same symbol and MIC, so an operator's import replaces ours. */
export function openDirectory(...lists: Instrument[][]): Directory {
  const all = new Map<string, Instrument>();
  for (const list of lists) for (const i of list) all.set(idOf(i), i);
  const instruments = [...all.values()].sort((a, b) => compareText(a.symbol, b.symbol) || compareText(a.mic, b.mic));
  const symbols = group(instruments, (i) => i.symbol);
  const isins = group(instruments, (i) => i.isin);
  const figis = group(instruments, (i) => i.figi);
  const words = instruments
    .flatMap((instrument) => tokens(instrument.name).map((word, position) => ({ word, position, instrument })))
    .sort((a, b) => compareText(a.word, b.word));
  return {
    size: instruments.length,
    bySymbol: (symbol) => symbols.get(symbol) ?? [],
    byReading(reading) {
      const symbol = writeSymbol(reading, "canonical");
      const found = symbol ? (symbols.get(symbol) ?? []) : [];
      return found.filter((i) => readSymbol(i.symbol, "canonical").some((r) => sameReading(r, reading)));
    },
    byIsin: (isin) => isins.get(isin) ?? [],
    byFigi: (figi) => figis.get(figi) ?? [],
    search: (query, limit) => search(query, limit, instruments, words),
  };
}

interface Word {
  word: string;
  position: number;
  instrument: Instrument;
}

/** Exact symbol first, then symbols that begin so (short ones first), then names whose words all begin so. */
function search(query: string, limit: number, instruments: Instrument[], words: Word[]): Instrument[] {
  const symbol = query.trim().toUpperCase().replaceAll("-", ".").replaceAll("/", ".");
  if (!symbol) return [];
  const found = new Set<Instrument>();
  const from = lowerBound(instruments, (i) => i.symbol < symbol);
  const prefixed: Instrument[] = [];
  for (let i = from; i < instruments.length && instruments[i].symbol.startsWith(symbol) && prefixed.length < 200; i++)
    prefixed.push(instruments[i]);
  prefixed.sort((a, b) => a.symbol.length - b.symbol.length || compareText(a.symbol, b.symbol));
  for (const i of prefixed) found.add(i);
  const wanted = tokens(query);
  if (found.size < limit && wanted.length > 0) for (const i of byName(wanted, words)) found.add(i);
  return [...found].slice(0, limit);
}

function byName(wanted: string[], words: Word[]): Instrument[] {
  const [first, ...rest] = [...wanted].sort((a, b) => b.length - a.length);
  const hits = new Map<Instrument, number>();
  for (let i = lowerBound(words, (w) => w.word < first); i < words.length && words[i].word.startsWith(first); i++) {
    const { instrument, position } = words[i];
    const mine = tokens(instrument.name);
    if (!rest.every((w) => mine.some((m) => m.startsWith(w)))) continue;
    hits.set(instrument, Math.min(position, hits.get(instrument) ?? Infinity));
  }
  return [...hits]
    .sort((a, b) => a[1] - b[1] || a[0].name.length - b[0].name.length || compareText(a[0].symbol, b[0].symbol))
    .map(([i]) => i);
}

function tokens(text: string): string[] {
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

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function group<T>(items: T[], key: (item: T) => string | null): Map<string, T[]> {
  const map = new Map<string, T[]>();
  for (const item of items) {
    const k = key(item);
    if (k) map.set(k, [...(map.get(k) ?? []), item]);
  }
  return map;
}
