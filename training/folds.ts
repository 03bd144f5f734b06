// Splits the rows by data family and by maker, never by single texts. The model of a fold has met neither the families nor
// the makers that the fold leaves out.
import type { Row } from "./rows.ts";

export const FOLD_COUNT = 5;

/** One group of makers for each fold, of about equal size. */
const MAKER_FOLDS: string[][] = [
  ["openai"],
  ["meta"],
  ["anthropic", "eleuther", "bigcode"],
  ["google", "mistral", "tii"],
  ["alibaba", "deepseek", "cohere", "microsoft", "other chinese", "other"],
];

export interface Folds {
  /** The fold that leaves the row's family out. */
  byFamily(row: Row): number;
  /** The fold that leaves the row's maker out; -1 for a human text. */
  byMaker(row: Row): number;
}

/** Spreads the families over the folds, largest first, so that each fold leaves out about as much of each label. */
export function assignFolds(rows: Row[]): Folds {
  const sizes = new Map<string, [number, number]>();
  for (const row of rows) {
    const size = sizes.get(row.family) ?? sizes.set(row.family, [0, 0]).get(row.family)!;
    size[row.ai]++;
  }
  const load = Array.from({ length: FOLD_COUNT }, () => [1, 1]);
  const folds = new Map<string, number>();
  const ordered = [...sizes].sort((a, b) => b[1][0] + b[1][1] - a[1][0] - a[1][1] || (a[0] < b[0] ? -1 : 1));
  for (const [family, size] of ordered) {
    const cost = load.map((l) => l[0] * size[0] + l[1] * size[1]);
    const fold = cost.indexOf(Math.min(...cost));
    load[fold][0] += size[0];
    load[fold][1] += size[1];
    folds.set(family, fold);
  }
  return {
    byFamily: (row) => folds.get(row.family)!,
    byMaker: (row) => (row.ai ? MAKER_FOLDS.findIndex((makers) => makers.includes(row.maker)) : -1),
  };
}
