// The light model: reads its weights from one binary file and gives each head's logit for a span of tokens. Calibration
// and verdicts are elsewhere (../verdict); this file only sums weights.
import { type Tokens, canonicalise, newTokens } from "../text/canonical.ts";
import { type CommonWords, extract, FAMILIES, FAMILY_START, newFeatures, SLOTS, type Tags } from "./ngrams.ts";
import {
  DENSE_INPUTS,
  denseLogit,
  type DenseModel,
  HIDDEN,
  indexWords,
  prepareDense,
  readInputs,
  type WordIndex,
} from "./dense.ts";
import { bindWordHashes } from "./stylometry.ts";

export const HEADS = FAMILIES.length + 1;
export const CHUNK_WORDS = 450;
const MIN_CHUNK_WORDS = 75;
const MAX_CHUNKS = 8;

export interface LightWeights {
  common: CommonWords;
  /** One number a slot: floats while training, int8 when shipped; `scale` turns a family's sum into a logit. */
  weights: Float32Array | Int8Array;
  /** Which n-gram each slot belongs to. */
  tags: Tags;
  scale: Float64Array;
  bias: Float64Array;
  dense: DenseModel;
  /** Hashes of the most widespread pairs of neighbouring tokens. */
  pairs: Int32Array;
  /** Made from `common` and `pairs`. */
  index: WordIndex;
}

const features = newFeatures();
const inputs = new Float32Array(DENSE_INPUTS);
bindListedWords();

function bindListedWords(): void {
  const tokens = newTokens();
  bindWordHashes((word) => {
    canonicalise(word, tokens);
    return tokens.hashes[0];
  });
}

/** Writes the logit of each head for the tokens [first, last). */
export function headsOfSpan(m: LightWeights, t: Tokens, first: number, last: number, into: Float64Array): void {
  extract(t, m.common, m.tags, features, first, last);
  const { ids, from } = features;
  const weights = m.weights;
  for (let f = 0; f < FAMILIES.length; f++) {
    let sum = 0;
    for (let k = from[f]; k < from[f + 1]; k++) sum += weights[ids[k]];
    into[f] = (m.scale[f] * sum) / Math.sqrt(Math.max(1, from[f + 1] - from[f])) + m.bias[f];
  }
  readInputs(m.dense, m.index, t, inputs, first, last);
  into[HEADS - 1] = denseLogit(m.dense, inputs);
}

const chunkHeads = new Float64Array(HEADS);

/** The mean of each head over chunks of 450 words; a last chunk too short to judge alone is left out. */
export function headsOfTokens(m: LightWeights, t: Tokens, into: Float64Array): void {
  into.fill(0);
  let chunks = 0;
  let first = 0;
  while (first < t.count && chunks < MAX_CHUNKS) {
    let last = first;
    let words = 0;
    while (last < t.count && words < CHUNK_WORDS) words += t.isWord[last++];
    while (last < t.count && t.isWord[last] === 0) last++;
    if (chunks > 0 && words < MIN_CHUNK_WORDS) break;
    headsOfSpan(m, t, first, last, chunkHeads);
    for (let h = 0; h < HEADS; h++) into[h] += chunkHeads[h];
    chunks++;
    first = last;
  }
  for (let h = 0; h < HEADS; h++) into[h] /= Math.max(1, chunks);
}

const MAGIC = 0x34474c44; // "DLG4"
const DENSE_LENGTHS = {
  mean: DENSE_INPUTS,
  precision: DENSE_INPUTS,
  hiddenBias: HIDDEN,
  second: HIDDEN,
  skip: DENSE_INPUTS,
};
const DENSE_PARTS = Object.keys(DENSE_LENGTHS) as (keyof typeof DENSE_LENGTHS)[];

/** One file: magic, common words and pairs, scales, biases, the dense head's small parts, its first layer, the slots as int8 and their tags. */
export function packLight(m: LightWeights): Uint8Array {
  const scale = FAMILIES.map((_, f) => greatest(m.weights, FAMILY_START[f], FAMILY_START[f + 1] ?? SLOTS) / 127);
  const firstScale = greatest(m.dense.first, 0, m.dense.first.length) / 127;
  const small = DENSE_PARTS.reduce((sum, part) => sum + DENSE_LENGTHS[part], 0);
  const doubles = 2 * FAMILIES.length + 2;
  const out = new Uint8Array(
    12 + 4 * (m.common.size + m.pairs.length) + 8 * doubles + 4 * small + m.dense.first.length + 2 * SLOTS,
  );
  const view = new DataView(out.buffer);
  let at = 0;
  const put = (values: Iterable<number>, kind: "Int32" | "Float32" | "Float64") => {
    for (const value of values) {
      view[`set${kind}`](at, value, true);
      at += kind === "Float64" ? 8 : 4;
    }
  };
  put([MAGIC, m.common.size, m.pairs.length], "Int32");
  put(m.common, "Int32");
  put(m.pairs, "Int32");
  put(scale, "Float64");
  put(m.bias.subarray(0, FAMILIES.length), "Float64");
  put([m.dense.bias, firstScale], "Float64");
  for (const part of DENSE_PARTS) put(m.dense[part], "Float32");
  for (const weight of m.dense.first) out[at++] = Math.round(weight / firstScale);
  for (let f = 0; f < FAMILIES.length; f++) {
    const end = FAMILY_START[f + 1] ?? SLOTS;
    for (let k = FAMILY_START[f]; k < end; k++) out[at + k] = Math.round(m.weights[k] / scale[f]);
  }
  out.set(m.tags, at + SLOTS);
  return out;
}

export function unpackLight(bytes: Uint8Array): LightWeights {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12 || view.getInt32(0, true) !== MAGIC) throw new Error("not a light model file");
  let at = 4;
  const word = () => view.getInt32((at += 4) - 4, true);
  const double = () => view.getFloat64((at += 8) - 8, true);
  const float = () => view.getFloat32((at += 4) - 4, true);
  const [words, pairCount] = [word(), word()];
  const common = new Set(Array.from({ length: words }, word));
  const pairs = Int32Array.from({ length: pairCount }, word);
  const scale = Float64Array.from({ length: FAMILIES.length }, double);
  const bias = Float64Array.from({ length: FAMILIES.length }, double);
  const [denseBias, firstScale] = [double(), double()];
  const parts = DENSE_PARTS.map((part) => [part, Float32Array.from({ length: DENSE_LENGTHS[part] }, float)] as const);
  const small = Object.fromEntries(parts) as Record<keyof typeof DENSE_LENGTHS, Float32Array>;
  const end = at + DENSE_INPUTS * HIDDEN;
  if (bytes.length !== end + 2 * SLOTS) throw new Error("the light model file is truncated");
  const first = Float32Array.from(new Int8Array(bytes.slice(at, end).buffer), (weight) => weight * firstScale);
  const dense = prepareDense({ ...small, first, bias: denseBias });
  return {
    common,
    pairs,
    index: indexWords(common, pairs),
    scale,
    bias,
    dense,
    weights: new Int8Array(bytes.slice(end, end + SLOTS).buffer),
    tags: bytes.slice(end + SLOTS),
  };
}

function greatest(weights: ArrayLike<number>, from: number, to: number): number {
  let most = 1e-9;
  for (let k = from; k < to; k++) most = Math.max(most, Math.abs(weights[k]));
  return most;
}
