// Reads the licensed rows and gives each a sampling weight that keeps source and genre from standing in for the label.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { genreOf } from "./genres.ts";

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
  ai: number;
  weight: number;
}

export function readSet(folder: string, name: string): Row[] {
  const rows: Row[] = [];
  for (const line of readText(folder, name).split("\n")) {
    if (!line) continue;
    const row = JSON.parse(line) as Row;
    if (!row.licence) throw new Error(`${name}: row ${row.id} states no licence`);
    row.genre = genreOf(row.domain);
    row.ai = row.label === "ai" ? 1 : 0;
    row.weight = 1;
    rows.push(row);
  }
  return rows;
}

function readText(folder: string, name: string): string {
  const packed = join(folder, `${name}.jsonl.xz`);
  if (!existsSync(packed)) throw new Error(`${packed} is missing`);
  const xz = Bun.spawnSync(["xz", "-dc", packed], { maxBuffer: 1 << 30 });
  if (!xz.success) throw new Error(`xz could not read ${packed}`);
  return xz.stdout.toString();
}

/**
 * Weights: 1/√size inside a class, then equal shares of human and AI inside every genre that has both, then the square
 * root of it all: half-way to the natural mix did best on sources left out (see report.md).
 */
export function balance(rows: Row[]): void {
  const cells = new Map<string, number>();
  for (const r of rows) cells.set(cellOf(r), (cells.get(cellOf(r)) ?? 0) + 1);
  for (const r of rows) r.weight = 1 / Math.sqrt(cells.get(cellOf(r))!);
  const totals = new Map<string, [number, number]>();
  for (const r of rows) {
    const pair = totals.get(r.genre) ?? totals.set(r.genre, [0, 0]).get(r.genre)!;
    pair[r.ai] += r.weight;
  }
  const sums = [0, 0];
  for (const r of rows) {
    const [human, ai] = totals.get(r.genre)!;
    const even = human > 0 && ai > 0 ? Math.sqrt(human * ai) / [human, ai][r.ai] : 1;
    r.weight = Math.sqrt(r.weight * Math.min(3, Math.max(1 / 3, even)));
    sums[r.ai] += r.weight;
  }
  for (const r of rows) r.weight /= sums[r.ai];
}

function cellOf(r: Row): string {
  return `${r.label} ${r.source} ${r.domain} ${r.ai ? (r.variant ?? "") : ""}`;
}
