// The texts and words of the measurements: the given Luwak documents, or made ones, and words from a seed.
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { seededRandom } from "../../server/lib/random.ts";

export const random = seededRandom("alerts bench");
export const pick = <T>(list: T[]): T => list[Math.floor(random.unit() * list.length)];

export function documents(given: string | undefined): string[] {
  const folder = given ?? resolve(import.meta.dir, "../../../shared/data/alerts");
  const file = resolve(folder, "bench-luwak/docs.jsonl.gz");
  if (existsSync(file))
    return gunzipSync(readFileSync(file))
      .toString()
      .trim()
      .split("\n")
      .map((l) => JSON.parse(l).text);
  const words = Array.from({ length: 20_000 }, () => letters(3 + Math.floor(random.unit() * 7)));
  return Array.from({ length: 250 }, () =>
    Array.from({ length: 750 }, () => words[Math.floor(20_000 * random.unit() ** 3)]).join(" "),
  );
}

export function letters(length: number): string {
  return Array.from({ length }, () => String.fromCharCode(97 + Math.floor(26 * random.unit() ** 1.5))).join("");
}

export const wordsOf = (docs: string[]) => [...new Set(docs.flatMap((d) => d.toLowerCase().match(/[a-z]{3,}/g) ?? []))];
