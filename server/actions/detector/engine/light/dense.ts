// The dense head of the light model: a small network over the measures of style and the rates of the most widespread words.
// Both say little about the topic, so it carries over to sources the model never saw.
import type { Tokens } from "../text/canonical.ts";
import { measureStyle, STYLE_COUNT } from "./stylometry.ts";

const DENSE_WORDS = 800;
export const DENSE_PAIRS = 1_200;
export const DENSE_INPUTS = STYLE_COUNT + DENSE_WORDS + DENSE_PAIRS;
export const HIDDEN = 64;
/** Inputs are cut at so many standard deviations. */
const MAX_DEVIATION = 4;

export interface DenseWeights {
  /** Mean and one over the standard deviation of each input. */
  mean: Float32Array;
  precision: Float32Array;
  /** From each input to every hidden unit, input by input. */
  first: Float32Array;
  hiddenBias: Float32Array;
  second: Float32Array;
  /** From each input straight to the answer. */
  skip: Float32Array;
  bias: number;
}

/** The weights with what a text without any of the words gives, so that only the words that occur cost time. */
export interface DenseModel extends DenseWeights {
  zero: Float32Array;
  zeroHidden: Float32Array;
  zeroSum: number;
}

export function prepareDense(w: DenseWeights): DenseModel {
  const zero = new Float32Array(DENSE_INPUTS);
  const zeroHidden = Float32Array.from(w.hiddenBias);
  let zeroSum = w.bias;
  for (let k = STYLE_COUNT; k < DENSE_INPUTS; k++) {
    zero[k] = cut(-w.mean[k] * w.precision[k]);
    zeroSum += w.skip[k] * zero[k];
    for (let h = 0; h < HIDDEN; h++) zeroHidden[h] += w.first[k * HIDDEN + h] * zero[k];
  }
  return { ...w, zero, zeroHidden, zeroSum };
}

function cut(z: number): number {
  return z > MAX_DEVIATION ? MAX_DEVIATION : z < -MAX_DEVIATION ? -MAX_DEVIATION : z;
}

/** The input of each word and of each pair of neighbours, by its hash. */
export type WordIndex = Map<number, number>;

/** The first words and pairs of the lists, which are ordered by how widespread they are. */
export function indexWords(common: Iterable<number>, pairs: ArrayLike<number>): WordIndex {
  const index: WordIndex = new Map();
  for (let i = 0; i < Math.min(DENSE_PAIRS, pairs.length); i++) index.set(pairs[i], STYLE_COUNT + DENSE_WORDS + i);
  [...common].slice(0, DENSE_WORDS).forEach((hash, i) => index.set(hash, STYLE_COUNT + i));
  return index;
}

/** The hash of two neighbouring tokens. */
export function pairHash(first: number, second: number): number {
  return Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x165667b1);
}

/** Fills `into` with the standardised inputs of the tokens [first, last). */
export function readInputs(
  w: Pick<DenseWeights, "mean" | "precision">,
  index: WordIndex,
  t: Tokens,
  into: Float32Array,
  first = 0,
  last = t.count,
): void {
  measureStyle(t, into, first, last);
  into.fill(0, STYLE_COUNT);
  for (let i = first; i < last; i++) {
    const at = index.get(t.hashes[i]);
    if (at !== undefined) into[at]++;
    if (i === first) continue;
    const pair = index.get(pairHash(t.hashes[i - 1], t.hashes[i]));
    if (pair !== undefined) into[pair]++;
  }
  const count = Math.max(1, last - first);
  for (let k = STYLE_COUNT; k < DENSE_INPUTS; k++) if (into[k] > 0) into[k] = Math.sqrt(into[k] / count);
  for (let k = 0; k < DENSE_INPUTS; k++) into[k] = cut((into[k] - w.mean[k]) * w.precision[k]);
}

const hidden = new Float32Array(HIDDEN);

/** The logit for inputs; the hidden units stay in `into` where they are wanted. */
export function denseLogit(w: DenseModel, x: Float32Array, into = hidden): number {
  const { first, skip, second, zero } = w;
  into.set(w.zeroHidden);
  let sum = w.zeroSum;
  for (let k = 0; k < DENSE_INPUTS; k++) {
    const value = x[k] - zero[k];
    if (value === 0) continue;
    sum += skip[k] * value;
    const row = k * HIDDEN;
    for (let h = 0; h < HIDDEN; h++) into[h] += first[row + h] * value;
  }
  for (let h = 0; h < HIDDEN; h++) if (into[h] > 0) sum += second[h] * into[h];
  return sum;
}

/** What one input adds to the logit while the hidden units stay on or off as they are. */
export function inputShare(w: DenseWeights, x: Float32Array, units: Float32Array, k: number): number {
  let slope = w.skip[k];
  for (let h = 0; h < HIDDEN; h++) if (units[h] > 0) slope += w.second[h] * w.first[k * HIDDEN + h];
  return slope * x[k];
}
