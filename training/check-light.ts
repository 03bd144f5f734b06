// Compares the shipped light model, as it serves, with the scores the trainer wrote down. Exits 1 past 1e-3.
// usage: bun training/check-light.ts DATA LIGHT_FOLDER
import { join } from "node:path";
import { scoreText } from "../server/actions/detector/engine/analyze.ts";
import { blend, probability } from "../server/actions/detector/engine/score.ts";
import { openLight } from "../server/actions/detector/model-files.ts";
import { readSet } from "./rows.ts";

const [data, folder] = process.argv.slice(2);
const light = await openLight();
const written = new Map(
  (await Bun.file(join(folder, "final.jsonl")).text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .map((row) => [row.id, row.heads as number[]]),
);
let widest = 0;
let compared = 0;
for (const row of readSet(data, "dev")) {
  const served = scoreText(light, row.text);
  if (served.abstained || served.careful) continue;
  widest = Math.max(widest, Math.abs(served.score - probability(blend(written.get(row.id)!))));
  compared++;
}
console.log(`${compared} texts, widest difference of the score ${widest.toExponential(2)}`);
process.exit(widest <= 1e-3 && compared >= 1_000 ? 0 : 1);
