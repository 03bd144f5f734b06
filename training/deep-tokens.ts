// Writes what the deep model is trained on: word pieces of every row, its label, weight, fold and set. No text travels.
// usage: bun training/deep-tokens.ts DATA VOCABULARY OUT_FOLDER [LIMIT]
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Pieces } from "../server/actions/detector/engine/deep/pieces.ts";
import { canonicalise, newTokens } from "../server/actions/detector/engine/text/canonical.ts";
import { assignFolds, unitOf } from "./folds.ts";
import { balance, readSet } from "./rows.ts";

const MOST = 720;
const [data, vocabulary, out, limit] = process.argv.slice(2);
const pieces = new Pieces(await Bun.file(vocabulary).text());
const training = [...readSet(data, "train"), ...readSet(data, "more_human"), ...readSet(data, "more_ai")];
const dev = readSet(data, "dev");
balance(training);
const folds = assignFolds(training);
const every = limit ? Math.ceil(training.length / Number(limit)) : 1;
const rows = [...training, ...dev].filter((_, i) => i % every === 0);
const devIds = new Set(dev.map((row) => row.id));

const tokens = newTokens();
const buffer = new Uint16Array(MOST);
const flat = new Uint16Array(rows.length * MOST);
const ends = new Uint32Array(rows.length);
const words = new Uint16Array(rows.length);
const labels = new Uint8Array(rows.length);
const weights = new Float32Array(rows.length);
const foldIds = new Uint8Array(rows.length);
let n = 0;
rows.forEach((row, i) => {
  canonicalise(row.text, tokens);
  const count = pieces.encode(tokens, buffer, MOST);
  flat.set(buffer.subarray(0, count), n);
  ends[i] = n += count;
  words[i] = Math.min(65535, tokens.words);
  labels[i] = row.ai;
  const isDev = devIds.has(row.id);
  weights[i] = isDev ? 0 : row.weight * training.length;
  foldIds[i] = isDev ? 255 : folds.get(unitOf(row))!;
});
mkdirSync(out, { recursive: true });
await Bun.write(join(out, "tokens.u16"), flat.subarray(0, n));
await Bun.write(join(out, "ends.u32"), ends);
await Bun.write(join(out, "words.u16"), words);
await Bun.write(join(out, "labels.u8"), labels);
await Bun.write(join(out, "weights.f32"), weights);
await Bun.write(join(out, "folds.u8"), foldIds);
await Bun.write(
  join(out, "ids.txt"),
  rows.map((row) => `${row.id}\t${unitOf(row)}\t${row.generator}\t${row.genre}`).join("\n"),
);
console.log(`${rows.length} rows, ${n} pieces`);
