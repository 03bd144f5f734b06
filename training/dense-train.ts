// Trains the dense head: small batches, Adam, dropout of inputs and hidden units.
import {
  DENSE_INPUTS,
  type DenseWeights,
  HIDDEN,
  readInputs,
  type WordIndex,
} from "../server/actions/detector/engine/light/dense.ts";
import { STYLE_COUNT } from "../server/actions/detector/engine/light/stylometry.ts";
import type { Tokens } from "../server/actions/detector/engine/text/canonical.ts";
import type { Random } from "../server/lib/random.ts";

const BATCH = 128;
const RATE = 3e-3;
const INPUT_DROPOUT = 0.2;
const HIDDEN_DROPOUT = 0.3;
const DECAY = 1e-4;
const TARGETS = [0.02, 0.98];
/** A human text that looks like AI counts so much more: calling people machines is the worse mistake. */
const HARD_HUMAN = { error: 0.4, factor: 2 };
const SAMPLE_TEXTS = 6_000;
/** Words whose mean is less than this many standard deviations are missing from most texts. */
const RARE = 1;

interface Part {
  values: Float32Array;
  slopes: Float32Array;
  mean: Float32Array;
  square: Float32Array;
  decay: number;
}

/** `sample(i)` gives the tokens of some training text, to measure the spread of the inputs. */
export function createDenseTrainer(index: WordIndex, random: Random, draws: number, sample: (i: number) => Tokens) {
  const { mean, precision } = measureSpread(index, sample);
  const first = partOf(DENSE_INPUTS * HIDDEN, DECAY, () => normal(random) / Math.sqrt(DENSE_INPUTS));
  const hiddenBias = partOf(HIDDEN, 0, () => 0);
  const second = partOf(HIDDEN, DECAY, () => normal(random) / Math.sqrt(HIDDEN));
  const skip = partOf(DENSE_INPUTS, DECAY, () => 0);
  const bias = partOf(1, 0, () => 0);
  const parts = [first, hiddenBias, second, skip, bias];
  const x = new Float32Array(DENSE_INPUTS);
  const z = new Float32Array(HIDDEN);
  const kept = new Float32Array(HIDDEN);
  const back = new Float32Array(HIDDEN);
  const used = new Int32Array(DENSE_INPUTS);
  const weights: DenseWeights = {
    mean,
    precision,
    first: first.values,
    hiddenBias: hiddenBias.values,
    second: second.values,
    skip: skip.values,
    bias: 0,
  };
  let seen = 0;

  function learn(t: Tokens, label: number): void {
    readInputs(weights, index, t, x);
    let count = 0;
    let sum = bias.values[0];
    z.set(hiddenBias.values);
    for (let k = 0; k < DENSE_INPUTS; k++) {
      if (x[k] === 0 || random.unit() < INPUT_DROPOUT) continue;
      const value = (x[k] /= 1 - INPUT_DROPOUT);
      used[count++] = k;
      sum += skip.values[k] * value;
      const row = k * HIDDEN;
      for (let h = 0; h < HIDDEN; h++) z[h] += first.values[row + h] * value;
    }
    for (let h = 0; h < HIDDEN; h++) {
      kept[h] = z[h] > 0 && random.unit() >= HIDDEN_DROPOUT ? 1 / (1 - HIDDEN_DROPOUT) : 0;
      sum += second.values[h] * z[h] * kept[h];
    }
    const raw = 1 / (1 + Math.exp(-sum)) - TARGETS[label];
    const error = (label === 0 && raw > HARD_HUMAN.error ? raw * HARD_HUMAN.factor : raw) / BATCH;
    bias.slopes[0] += error;
    for (let h = 0; h < HIDDEN; h++) {
      back[h] = error * second.values[h] * kept[h];
      second.slopes[h] += error * z[h] * kept[h];
      hiddenBias.slopes[h] += back[h];
    }
    for (let n = 0; n < count; n++) {
      const k = used[n];
      const value = x[k];
      skip.slopes[k] += error * value;
      const row = k * HIDDEN;
      for (let h = 0; h < HIDDEN; h++) first.slopes[row + h] += back[h] * value;
    }
    if (++seen % BATCH === 0) step(seen / BATCH);
  }

  function step(n: number): void {
    const rate = RATE * Math.max(0, 1 - seen / draws);
    for (const part of parts) adam(part, rate, n);
    weights.bias = bias.values[0];
  }

  return { weights, learn };
}

function partOf(size: number, decay: number, start: () => number): Part {
  const empty = () => new Float32Array(size);
  return { values: Float32Array.from({ length: size }, start), slopes: empty(), mean: empty(), square: empty(), decay };
}

function adam({ values, slopes, mean, square, decay }: Part, rate: number, n: number): void {
  const [first, second] = [1 - 0.9 ** n, 1 - 0.99 ** n];
  for (let i = 0; i < values.length; i++) {
    const slope = slopes[i] + decay * values[i];
    mean[i] += 0.1 * (slope - mean[i]);
    square[i] += 0.01 * (slope * slope - square[i]);
    values[i] -= (rate * mean[i]) / first / (Math.sqrt(square[i] / second) + 1e-8);
    slopes[i] = 0;
  }
}

function measureSpread(index: WordIndex, sample: (i: number) => Tokens) {
  const raw = { mean: new Float32Array(DENSE_INPUTS), precision: new Float32Array(DENSE_INPUTS).fill(1e-6) };
  const sums = new Float64Array(DENSE_INPUTS);
  const squares = new Float64Array(DENSE_INPUTS);
  const x = new Float32Array(DENSE_INPUTS);
  for (let i = 0; i < SAMPLE_TEXTS; i++) {
    // The tiny precision keeps the raw values from being cut; it is taken out again here.
    readInputs(raw, index, sample(i), x);
    for (let k = 0; k < DENSE_INPUTS; k++) {
      const value = x[k] * 1e6;
      sums[k] += value;
      squares[k] += value * value;
    }
  }
  const mean = Float32Array.from(sums, (sum) => sum / SAMPLE_TEXTS);
  const precision = Float32Array.from(squares, (square, k) => {
    const variance = square / SAMPLE_TEXTS - mean[k] * mean[k];
    return 1 / (Math.sqrt(Math.max(0, variance)) + 1e-4);
  });
  // A rare word that is absent counts as zero, so that only what occurs costs time.
  for (let k = STYLE_COUNT; k < DENSE_INPUTS; k++) if (mean[k] * precision[k] < RARE) mean[k] = 0;
  return { mean, precision };
}

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.unit())) * Math.cos(2 * Math.PI * random.unit());
}
