// Says in plain words what moved the style score: the heads of the model, and the measures of style that stand out.
import type { Signal } from "../../contract/shapes.ts";
import { DENSE_INPUTS, denseLogit, HIDDEN, inputShare, readInputs } from "../light/dense.ts";
import { HEADS, type LightWeights } from "../light/model.ts";
import { measureStyle, STYLE_COUNT, STYLE_NAMES } from "../light/stylometry.ts";
import { share } from "../score.ts";
import type { Tokens } from "../text/canonical.ts";

const HEAD_NAMES: [string, string][] = [
  ["phrasing", "Which words and phrases of up to three words are used."],
  ["sentence_patterns", "How small words, punctuation and word endings are strung together, whatever the topic."],
  [
    "rhythm_and_measures",
    "Sentence lengths, variety of words, punctuation and the most widespread words taken together.",
  ],
];

export function styleSignals(heads: ArrayLike<number>): Signal[] {
  return HEAD_NAMES.map(([name, explanation], h) => signal(name, heads[h], share(h, heads[h]), explanation)).sort(
    (a, b) => Math.abs(b.weight) - Math.abs(a.weight),
  );
}

const SENTENCES: Record<string, [string, string]> = {
  sentence_cv: ["even_sentence_lengths", "How evenly long the sentences are (spread over mean)."],
  sentence_mean: ["sentence_length", "Words in a sentence, on average."],
  type_token_200: ["word_variety", "Different words among the first 200."],
  contraction_rate: ["contractions", "Contractions such as don't, in a word."],
  connectors: ["connecting_words", "Words such as furthermore, however, overall."],
  first_person: ["first_person", "I, me, my."],
  word_length_mean: ["word_length", "Letters in a word, on average."],
  list_of_three: ["lists_of_three", "Lists of the form a, b, and c in a sentence."],
  hedges: ["hedging_words", "Words such as maybe, actually, pretty."],
  comma_per_sentence: ["commas", "Commas in a sentence."],
};

const MAX_TOKENS = 1_200;
const measures = new Float32Array(STYLE_COUNT);
const inputs = new Float32Array(DENSE_INPUTS);
const units = new Float32Array(HIDDEN);

/** The three named measures that point most clearly one way. */
export function measureSignals(model: LightWeights, t: Tokens): Signal[] {
  const last = Math.min(t.count, MAX_TOKENS);
  measureStyle(t, measures, 0, last);
  readInputs(model.dense, model.index, t, inputs, 0, last);
  denseLogit(model.dense, inputs, units);
  const signals: Signal[] = [];
  for (let k = 0; k < STYLE_COUNT; k++) {
    const words = SENTENCES[STYLE_NAMES[k]];
    if (!words) continue;
    const weight = share(HEADS - 1, inputShare(model.dense, inputs, units, k));
    signals.push(signal(words[0], measures[k], weight, `${words[1]} Part of rhythm_and_measures.`));
  }
  return signals.sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight)).slice(0, 3);
}

function signal(name: string, value: number, weight: number, explanation: string): Signal {
  const direction = Math.abs(weight) < 0.05 ? "neutral" : weight > 0 ? "ai" : "human";
  return { name, value: round(value), weight: round(weight), direction, explanation, evidence: [] };
}

function round(x: number): number {
  return Math.round(x * 1000) / 1000;
}
