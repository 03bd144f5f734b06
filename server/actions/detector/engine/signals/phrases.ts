// The phrases that moved the score most, quoted from the text as evidence: what the weights of single words and of runs of
// two and three words add up to.
import type { Signal } from "../../contract/shapes.ts";
import type { LightWeights } from "../light/model.ts";
import { extract, FAMILIES, newFeatures, wordSlot } from "../light/ngrams.ts";
import { share } from "../score.ts";
import type { Tokens } from "../text/canonical.ts";

const WORDS_FAMILY = FAMILIES.indexOf("words");
const PHRASE_TOKENS = 3;
const MAX_TOKENS = 600;
const MAX_PHRASES = 5;
const MAX_CHARACTERS = 80;
/** Phrases that move the score by less, in logits, are no evidence. */
const MIN_WEIGHT = 0.01;

const features = newFeatures();

interface Phrase {
  first: number;
  weight: number;
}

/** One signal for the phrases that point to AI and one for those that point to a person, where there are any. */
export function phraseSignals(model: LightWeights, t: Tokens, text: string): Signal[] {
  const phrases = weighPhrases(model, t);
  return [
    signalOf("ai_phrases", "ai", pick(phrases, 1), t, text),
    signalOf("human_phrases", "human", pick(phrases, -1), t, text),
  ].filter((signal) => signal !== null);
}

function weighPhrases(model: LightWeights, t: Tokens): Phrase[] {
  const count = Math.min(t.count, MAX_TOKENS);
  extract(t, model.common, model.tags, features, 0, count);
  const distinct = features.from[WORDS_FAMILY + 1] - features.from[WORDS_FAMILY];
  // Each gram's part of the head is its weight over the root of the number of distinct grams.
  const scale = share(WORDS_FAMILY, model.scale[WORDS_FAMILY] / Math.sqrt(Math.max(1, distinct)));
  const weight = (at: number, size: number) => {
    const slot = wordSlot(t, model.tags, at, size);
    return slot < 0 ? 0 : scale * model.weights[slot];
  };
  const phrases: Phrase[] = [];
  for (let at = 0; at + PHRASE_TOKENS <= count; at++) {
    let sum = 0;
    for (let size = 1; size <= PHRASE_TOKENS; size++)
      for (let k = 0; k + size <= PHRASE_TOKENS; k++) sum += weight(at + k, size);
    phrases.push({ first: at, weight: sum });
  }
  return phrases;
}

/** The strongest phrases of one direction that share no token. */
function pick(phrases: Phrase[], sign: 1 | -1): Phrase[] {
  const ordered = phrases.filter((p) => p.weight * sign >= MIN_WEIGHT).sort((a, b) => (b.weight - a.weight) * sign);
  const picked: Phrase[] = [];
  for (const phrase of ordered) {
    if (picked.length === MAX_PHRASES) break;
    if (picked.every((p) => Math.abs(p.first - phrase.first) >= PHRASE_TOKENS)) picked.push(phrase);
  }
  return picked;
}

function signalOf(name: string, direction: "ai" | "human", phrases: Phrase[], t: Tokens, text: string): Signal | null {
  if (phrases.length === 0) return null;
  const weight = Math.round(1e3 * phrases.reduce((sum, p) => sum + p.weight, 0)) / 1e3;
  const whose = direction === "ai" ? "AI texts" : "human texts";
  return {
    name,
    value: phrases.length,
    weight,
    direction,
    explanation: `Phrases that occur more often in ${whose}. Part of phrasing.`,
    evidence: phrases.map((p) => text.slice(t.at[p.first], t.to[p.first + PHRASE_TOKENS - 1]).slice(0, MAX_CHARACTERS)),
  };
}
