// Trains the light model's families: one logistic regression each, on features made by the engine's own code.
import { canonicalise, newTokens, type Tokens } from "../server/actions/detector/engine/text/canonical.ts";
import {
  extract,
  FAMILIES,
  newFeatures,
  SLOTS,
  type CommonWords,
  type Tags,
} from "../server/actions/detector/engine/light/ngrams.ts";
import { DENSE_PAIRS, indexWords, pairHash, prepareDense } from "../server/actions/detector/engine/light/dense.ts";
import { CHUNK_WORDS, type LightWeights } from "../server/actions/detector/engine/light/model.ts";
import { seededRandom, type Random } from "../server/lib/random.ts";
import { corrupt } from "./corrupt.ts";
import { createDenseTrainer } from "./dense-train.ts";
import { balance, type Row } from "./rows.ts";
import { chooseGrams } from "./spread.ts";

/** A human text that looks like AI counts so much more: calling people machines is the worse mistake. */
const HARD_HUMAN = { error: 0.4, factor: 3 };

const tokens = newTokens();
const features = newFeatures();

type FloatWeights = LightWeights & { weights: Float32Array };

export interface TrainOptions {
  seed: number;
  draws: number;
  commonWords: number;
  l2: number;
  rate: number;
  corruptShare: number;
}

export const DEFAULTS: TrainOptions = {
  seed: 7,
  draws: 800_000,
  commonWords: 1_500,
  l2: 0,
  rate: 6,
  corruptShare: 0.5,
};

export function trainLight(rows: Row[], o: TrainOptions = DEFAULTS): FloatWeights {
  balance(rows);
  const random = seededRandom(o.seed);
  const pick = sampler(rows, random);
  const common = new Set(widespread(rows, o.commonWords, random, wordsOf));
  const pairs = Int32Array.from(widespread(rows, DENSE_PAIRS, random, pairsOf));
  const index = indexWords(common, pairs);
  const tags = chooseGrams(rows, common);
  const dense = createDenseTrainer(index, random, o.draws, (i) => {
    canonicalise(rows[pick()].text, tokens, i % 2 ? CHUNK_WORDS : 150);
    return tokens;
  });
  const parts: FloatWeights = {
    common,
    pairs,
    index,
    scale: new Float64Array(FAMILIES.length).fill(1),
    weights: new Float32Array(SLOTS),
    tags,
    bias: new Float64Array(FAMILIES.length),
    dense: prepareDense(dense.weights),
  };
  const squares = new Float32Array(SLOTS).fill(1e-6);
  const { ids, from } = features;
  for (let step = 0; step < o.draws; step++) {
    const row = rows[pick()];
    read(variant(row.text, o, random), common, tags);
    const rate = o.rate * (1 - step / o.draws) + 1e-3;
    const target = row.ai ? 0.995 : 0.005;
    for (let f = 0; f < FAMILIES.length; f++) {
      if (from[f] === from[f + 1]) continue;
      let sum = 0;
      for (let k = from[f]; k < from[f + 1]; k++) sum += parts.weights[ids[k]];
      const value = 1 / Math.sqrt(from[f + 1] - from[f]);
      const raw = sigmoid(value * sum + parts.bias[f]) - target;
      const error = row.ai === 0 && raw > HARD_HUMAN.error ? raw * HARD_HUMAN.factor : raw;
      parts.bias[f] -= 0.01 * rate * error;
      const step = error * value;
      for (let k = from[f]; k < from[f + 1]; k++) {
        const slot = ids[k];
        const g = step + o.l2 * parts.weights[slot];
        squares[slot] += g * g;
        parts.weights[slot] -= (rate * 0.1 * g) / Math.sqrt(squares[slot]);
      }
    }
    dense.learn(tokens, row.ai);
  }
  parts.dense = prepareDense(dense.weights);
  return parts;
}

function read(text: string, common: CommonWords, tags: Tags): void {
  canonicalise(text, tokens, CHUNK_WORDS);
  extract(tokens, common, tags, features);
}

/** Half the draws whole, half a random passage of 60 to 350 words; some damaged. */
function variant(text: string, o: TrainOptions, random: Random): string {
  let out = text;
  if (random.unit() < 0.6) {
    const words = text.split(/\s+/);
    const size = Math.floor(60 + random.unit() * 290);
    if (words.length > size + 20) {
      const at = Math.floor(random.unit() * (words.length - size));
      out = words.slice(at, at + size).join(" ");
    }
  }
  return random.unit() < o.corruptShare ? corrupt(out, random) : out;
}

function sampler(rows: Row[], random: Random): () => number {
  const sums = new Float64Array(rows.length);
  let total = 0;
  rows.forEach((r, i) => (sums[i] = total += r.weight));
  return () => {
    const x = random.unit() * total;
    let low = 0;
    let high = rows.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle] < x) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

function* wordsOf(t: Tokens): Iterable<number> {
  for (let i = 0; i < t.count; i++) yield t.hashes[i];
}

function* pairsOf(t: Tokens): Iterable<number> {
  for (let i = 1; i < t.count; i++) yield pairHash(t.hashes[i - 1], t.hashes[i]);
}

/** Hashes found in most genres, by their document shares over genres: topic words never get in. */
function widespread(rows: Row[], count: number, random: Random, hashesOf: (t: Tokens) => Iterable<number>): number[] {
  const byGenre = new Map<string, { docs: number; words: Map<number, number> }>();
  for (const row of rows) {
    const cell = byGenre.get(row.genre) ?? byGenre.set(row.genre, { docs: 0, words: new Map() }).get(row.genre)!;
    if (cell.docs >= 600 || random.unit() > 0.3) continue;
    cell.docs++;
    canonicalise(row.text, tokens, CHUNK_WORDS);
    for (const hash of new Set(hashesOf(tokens))) cell.words.set(hash, (cell.words.get(hash) ?? 0) + 1);
  }
  const scores = new Map<number, number>();
  const cells = [...byGenre.values()].filter((c) => c.docs >= 100);
  for (const cell of cells) {
    for (const [hash, docs] of cell.words) {
      scores.set(hash, (scores.get(hash) ?? 0) + Math.log(1 + (100 * docs) / cell.docs) / cells.length);
    }
  }
  return [...scores]
    .sort((a, b) => b[1] - a[1])
    .slice(0, count)
    .map(([hash]) => hash);
}

function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}
