// Writes what the GPU trains on: word pieces of every row (as it is, or damaged), label, folds, and its weight in every fold.
// usage: bun training/gpu/pack.ts DATA PIECES OUT VARIANT      (VARIANT 0: texts as they are; 1, 2 …: damaged, seeded)
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { canonicalise, newTokens } from "../../server/actions/detector/engine/text/canonical.ts";
import { seededRandom } from "../../server/lib/random.ts";
import { corrupt } from "../corrupt.ts";
import { assignFolds, FOLD_COUNT } from "../folds.ts";
import { balance, readSet, readTraining } from "../rows.ts";
import { Pieces } from "./pieces.ts";

const MAX_PIECES = 1_100;
const [data, vocabulary, out, variantText] = process.argv.slice(2);
const variant = Number(variantText);
const pieces = new Pieces(await Bun.file(vocabulary).text());
const training = readTraining(data);
const folds = assignFolds(training);
const rows = [...training, ...readSet(data, "dev")];
const random = seededRandom(1_000 + variant);
const tokens = newTokens();
const buffer = new Uint16Array(MAX_PIECES);
const flat = new Uint16Array(rows.length * 420);
const ends = new Uint32Array(rows.length);
const words = new Uint16Array(rows.length);
let n = 0;
rows.forEach((row, i) => {
  canonicalise(variant === 0 ? row.text : corrupt(row.text, random), tokens);
  const count = pieces.encode(tokens, buffer, Math.min(MAX_PIECES, flat.length - n));
  flat.set(buffer.subarray(0, count), n);
  ends[i] = n += count;
  words[i] = Math.min(65_535, tokens.words);
});
mkdirSync(out, { recursive: true });
await Bun.write(join(out, `tokens-${variant}.u16`), flat.slice(0, n));
await Bun.write(join(out, `ends-${variant}.u32`), ends);
if (variant === 0) await writeLabels();
console.log(`variant ${variant}: ${rows.length} rows, ${n} pieces`);

async function writeLabels(): Promise<void> {
  const isTraining = (i: number) => i < training.length;
  const put = (name: string, values: Uint8Array | Uint16Array | Float32Array) => Bun.write(join(out, name), values);
  await put("words.u16", words);
  await put(
    "labels.u8",
    Uint8Array.from(rows, (row) => row.ai),
  );
  // 255: the development set; makers of human texts are 254.
  await put(
    "families.u8",
    Uint8Array.from(rows, (row, i) => (isTraining(i) ? folds.byFamily(row) : 255)),
  );
  await put(
    "makers.u8",
    Uint8Array.from(rows, (row, i) => (!isTraining(i) ? 255 : row.ai ? folds.byMaker(row) : 254)),
  );
  for (let fold = 0; fold <= FOLD_COUNT; fold++) {
    const seen = training.filter((row) => folds.byFamily(row) !== fold && folds.byMaker(row) !== fold);
    for (const row of training) row.weight = 0;
    balance(seen);
    await put(
      `weights-${fold}.f32`,
      Float32Array.from(rows, (row, i) => (isTraining(i) ? row.weight : 0)),
    );
  }
  const lines = rows.map((row) => [row.id, row.family, row.maker, row.generator, row.genre].join("\t"));
  await Bun.write(join(out, "rows.tsv"), `${lines.join("\n")}\n`);
}
