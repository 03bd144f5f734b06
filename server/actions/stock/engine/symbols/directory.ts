// The directory of securities: look-up by canonical symbol, ISIN, CUSIP and FIGI, and search. In memory, immutable.
import { readSymbol, sameReading, writeSymbol, type Reading } from "./conventions.ts";
import { identify, isinsOfCusip, type IdentifierKind } from "./identifiers.ts";
import { idOf, type Instrument } from "./instrument.ts";
import { compareText, indexNames, searchDirectory } from "./search.ts";

export interface Directory {
  readonly size: number;
  bySymbol(symbol: string): Instrument[];
  byReading(reading: Reading): Instrument[];
  /** By ISIN, CUSIP or FIGI. */
  byIdentifier(kind: IdentifierKind, code: string): Instrument[];
  search(query: string, limit: number): Instrument[];
}

/** Later lists win over earlier ones for the same symbol and MIC, so an operator's import replaces ours. */
export function openDirectory(...lists: Instrument[][]): Directory {
  const all = new Map<string, Instrument>();
  for (const list of lists) for (const i of list) all.set(idOf(i), i);
  const instruments = [...all.values()].sort((a, b) => compareText(a.symbol, b.symbol) || compareText(a.mic, b.mic));
  const symbols = group(instruments, (i) => i.symbol);
  const isins = group(instruments, (i) => i.isin);
  const figis = group(instruments, (i) => i.figi);
  const names = indexNames(instruments);
  const byIdentifier = (kind: IdentifierKind, code: string): Instrument[] => {
    if (kind === "figi") return figis.get(code) ?? [];
    return (kind === "isin" ? [code] : isinsOfCusip(code)).flatMap((isin) => isins.get(isin) ?? []);
  };
  return {
    size: instruments.length,
    bySymbol: (symbol) => symbols.get(symbol) ?? [],
    byReading(reading) {
      const symbol = writeSymbol(reading, "canonical");
      const found = symbol ? (symbols.get(symbol) ?? []) : [];
      return found.filter((i) => readSymbol(i.symbol, "canonical").some((r) => sameReading(r, reading)));
    },
    byIdentifier,
    search(query, limit) {
      const identifier = identify(query);
      return identifier?.valid
        ? byIdentifier(identifier.kind, query.trim().toUpperCase()).slice(0, limit)
        : searchDirectory(query, limit, instruments, names);
    },
  };
}

function group<T>(items: T[], key: (item: T) => string | null): Map<string, T[]> {
  const map = new Map<string, T[]>();
  for (const item of items) {
    const k = key(item);
    if (k) map.set(k, [...(map.get(k) ?? []), item]);
  }
  return map;
}
