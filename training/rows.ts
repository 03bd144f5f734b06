// Reads the licensed rows, caps what is plentiful, and gives each row a sampling weight that keeps maker, source and genre
// from standing in for the label.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { layoutOf } from "../server/actions/detector/engine/text/layout.ts";
import { genreOf } from "./genres.ts";
import { familyOf, makerOf } from "./origins.ts";

export interface Row {
  id: string;
  text: string;
  label: "ai" | "human";
  generator: string;
  domain: string;
  source: string;
  group: string;
  variant: string | null;
  licence: string;
  genre: string;
  family: string;
  maker: string;
  ai: number;
  weight: number;
}

const TRAINING_SETS = ["train", "more_human", "more_ai", "more_human2", "more_ai2"];
/** Verse is left to the layout gate: there is AI verse in the data and no human verse. */
const LEFT_OUT = new Set(["poetry"]);
/** Rows kept at most: of one model in one family, of one model, and of one domain of a family. */
const MAX_ROWS = { modelInFamily: 2_500, model: 8_000, domainOfFamily: 4_000 };

export function readSet(folder: string, name: string): Row[] {
  const rows: Row[] = [];
  for (const line of readText(folder, name).split("\n")) {
    if (!line) continue;
    const row = JSON.parse(line) as Row;
    if (!row.licence) throw new Error(`${name}: row ${row.id} states no licence`);
    row.genre = genreOf(row.domain);
    row.family = familyOf(row.source);
    row.ai = row.label === "ai" ? 1 : 0;
    row.maker = row.ai ? makerOf(row.generator) : "human";
    row.weight = 1;
    // What the layout gate stops is never judged, so nothing is learnt from it.
    if (!LEFT_OUT.has(row.domain) && layoutOf(row.text) === "prose") rows.push(row);
  }
  return rows;
}

/** All training rows under the caps. Which rows stay is decided by their id, so the choice is the same in every run. */
export function readTraining(folder: string): Row[] {
  const rows = TRAINING_SETS.flatMap((name) => readSet(folder, name));
  const order = new Map(rows.map((row) => [row, Bun.hash.wyhash(row.id)]));
  rows.sort((a, b) => (order.get(a)! < order.get(b)! ? -1 : 1));
  const counts = new Map<string, number>();
  const fits = (key: string, max: number) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= max;
  };
  return rows.filter(
    (row) =>
      fits(`domain ${row.family} ${row.domain} ${row.ai}`, MAX_ROWS.domainOfFamily) &&
      (row.ai === 0 ||
        (fits(`model ${row.family} ${row.generator}`, MAX_ROWS.modelInFamily) &&
          fits(`model ${row.generator}`, MAX_ROWS.model))),
  );
}

function readText(folder: string, name: string): string {
  const packed = join(folder, `${name}.jsonl.xz`);
  if (!existsSync(packed)) throw new Error(`${packed} is missing`);
  const xz = Bun.spawnSync(["xz", "-dc", packed], { maxBuffer: 1 << 30 });
  if (!xz.success) throw new Error(`xz could not read ${packed}`);
  return xz.stdout.toString();
}

/** The greatest share of its label's weight that one maker and one family may have. */
const MAX_SHARE = { maker: 0.25, family: 0.25 };

/**
 * Weights: 1/√size inside a class, then equal shares of human and AI inside every genre that has both, then the square
 * root of it all (half-way to the natural mix did best on sources left out, see report.md), then the caps.
 */
export function balance(rows: Row[]): void {
  const cells = sumBy(rows, cellOf, () => 1);
  for (const r of rows) r.weight = 1 / Math.sqrt(cells.get(cellOf(r))!);
  const totals = sumBy(
    rows,
    (r) => `${r.genre} ${r.ai}`,
    (r) => r.weight,
  );
  for (const r of rows) {
    const own = totals.get(`${r.genre} ${r.ai}`)!;
    const other = totals.get(`${r.genre} ${1 - r.ai}`) ?? 0;
    const even = other > 0 ? Math.sqrt(other / own) : 1 / 3;
    r.weight = Math.sqrt(r.weight * Math.min(3, Math.max(1 / 3, even)));
  }
  for (let round = 0; round < 8; round++) {
    capShares(rows, (r) => `${r.maker} ${r.ai}`, MAX_SHARE.maker);
    capShares(rows, (r) => `${r.family} ${r.ai}`, MAX_SHARE.family);
  }
  const sums = sumBy(
    rows,
    (r) => String(r.ai),
    (r) => r.weight,
  );
  for (const r of rows) r.weight /= sums.get(String(r.ai))!;
}

function capShares(rows: Row[], keyOf: (row: Row) => string, max: number): void {
  const labels = sumBy(
    rows,
    (r) => String(r.ai),
    (r) => r.weight,
  );
  const sums = sumBy(rows, keyOf, (r) => r.weight);
  for (const r of rows) {
    if (r.maker === "human" && keyOf(r).startsWith("human ")) continue;
    const share = sums.get(keyOf(r))! / labels.get(String(r.ai))!;
    if (share > max) r.weight *= max / share;
  }
}

function sumBy(rows: Row[], keyOf: (row: Row) => string, amountOf: (row: Row) => number): Map<string, number> {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + amountOf(row));
  return sums;
}

function cellOf(r: Row): string {
  return `${r.label} ${r.family} ${r.domain} ${r.ai ? `${r.maker} ${r.variant ?? ""}` : r.source}`;
}
