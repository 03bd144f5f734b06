// Splits the rows by where they come from, never by single texts: a fold's model has not seen the source it is tested on.
import type { Row } from "./rows.ts";

export const FOLD_COUNT = 4;

/** The unit that is left out whole: a source, or one of its domains where a source spans several; for chats the maker. */
export function unitOf(row: Row): string {
  if (row.source === "alpaca_eval") return `${row.source} / ${row.generator}`;
  return `${row.source} / ${row.domain}`;
}

/** Spreads the units over the folds, largest first, so that every fold leaves out about as much of each label. */
export function assignFolds(rows: Row[]): Map<string, number> {
  const sizes = new Map<string, [number, number]>();
  for (const row of rows) {
    const size = sizes.get(unitOf(row)) ?? sizes.set(unitOf(row), [0, 0]).get(unitOf(row))!;
    size[row.ai]++;
  }
  const load = Array.from({ length: FOLD_COUNT }, () => [0, 0]);
  const folds = new Map<string, number>();
  const ordered = [...sizes].sort((a, b) => b[1][0] + b[1][1] - a[1][0] - a[1][1] || (a[0] < b[0] ? -1 : 1));
  for (const [unit, size] of ordered) {
    const cost = load.map((l) => l[0] * size[0] + l[1] * size[1]);
    const fold = cost.indexOf(Math.min(...cost));
    load[fold][0] += size[0];
    load[fold][1] += size[1];
    folds.set(unit, fold);
  }
  return folds;
}
