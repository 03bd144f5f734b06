// Measures how a text is written, whatever it is about: sentence rhythm, word lengths, variety, punctuation, function words.
// Reads only the canonical tokens; says nothing of authorship.
import type { Tokens } from "../text/canonical.ts";
import { HashCounts } from "./hash-counts.ts";
import * as lists from "./words.ts";

const SCALARS = [
  "sentence_mean",
  "sentence_sd",
  "sentence_cv",
  "sentence_min",
  "sentence_max",
  "sentence_diff",
  "sentence_short_share",
  "sentence_long_share",
  "word_length_mean",
  "word_length_sd",
  "long_word_share",
  "short_word_share",
  "type_token_200",
  "hapax_share",
  "bigram_variety",
  "number_rate",
  "hyphen_rate",
  "contraction_rate",
  "possessive_rate",
  "mark_total",
  "mark_variety",
  "comma_per_sentence",
  "first_person",
  "second_person",
  "plural_person",
  "third_person",
  "connectors",
  "hedges",
  "function_share",
  "list_of_three",
  "sentence_opening_variety",
  "foreign_rate",
];
const SCALAR_AT = Object.fromEntries(SCALARS.map((name, i) => [name, i]));

export const STYLE_NAMES: string[] = [
  ...SCALARS,
  ...lists.MARKS.map((m) => `mark ${m}`),
  ...lists.SUFFIXES.map((s) => `suffix -${s}`),
  ...lists.FUNCTION_WORDS.map((w) => `word ${w}`),
];
export const STYLE_COUNT = STYLE_NAMES.length;

const MARK_AT = SCALARS.length;
const SUFFIX_AT = MARK_AT + lists.MARKS.length;
const FUNCTION_AT = SUFFIX_AT + lists.SUFFIXES.length;

/** What a word counts towards, by its spelling; built once. */
const kinds = new Map<string, number[]>();
addKind(lists.FUNCTION_WORDS, (_, i) => FUNCTION_AT + i);
addKind(lists.CONNECTORS, () => SCALAR_AT.connectors);
addKind(lists.HEDGES, () => SCALAR_AT.hedges);
addKind(lists.FIRST_PERSON, () => SCALAR_AT.first_person);
addKind(lists.SECOND_PERSON, () => SCALAR_AT.second_person);
addKind(lists.PLURAL_PERSON, () => SCALAR_AT.plural_person);
addKind(lists.THIRD_PERSON, () => SCALAR_AT.third_person);

const kindByHash = new Map<number, number[]>();
const markSlot = new Int16Array(256).fill(-1);
lists.MARKS.forEach((m, i) => (markSlot[m.charCodeAt(0)] = MARK_AT + i));
const suffixCodes = lists.SUFFIXES.map((s) => Uint8Array.from(s, (c) => c.charCodeAt(0)));
const SUFFIX_BY_LAST: number[][] = Array.from({ length: 128 }, (_, c) =>
  suffixCodes.map((s, i) => (s[s.length - 1] === c ? i : -1)).filter((i) => i >= 0),
);

function addKind(words: string[], slot: (word: string, i: number) => number): void {
  words.forEach((word, i) => kinds.set(word, [...(kinds.get(word) ?? []), slot(word, i)]));
}

/** Called once with the tokeniser's own hash of each listed word, so that no string is made while measuring. */
export function bindWordHashes(hashOf: (word: string) => number): void {
  for (const [word, slots] of kinds) kindByHash.set(hashOf(word), slots);
}

const seen = new HashCounts();
const pairs = new HashCounts();
const openings = new HashCounts();
const lengths: number[] = [];

/** Writes STYLE_COUNT measures of the tokens [first, last) into `out`. */
export function measureStyle(t: Tokens, out: Float32Array, first = 0, last = t.count): void {
  out.fill(0);
  seen.clear();
  pairs.clear();
  openings.clear();
  lengths.length = 0;
  const counts = countTokens(t, out, first, last);
  sentences(out);
  const words = Math.max(1, counts.words);
  for (let i = SUFFIX_AT; i < STYLE_COUNT; i++) out[i] /= words;
  let total = 0;
  let variety = 0;
  for (let i = MARK_AT; i < SUFFIX_AT; i++) {
    total += out[i];
    if (out[i] > 0) variety++;
    out[i] /= words;
  }
  const mean = counts.lengthSum / words;
  set(out, "word_length_mean", mean);
  set(out, "word_length_sd", Math.sqrt(Math.max(0, counts.lengthSquares / words - mean * mean)));
  set(out, "long_word_share", counts.long / words);
  set(out, "short_word_share", counts.short / words);
  set(out, "type_token_200", counts.typesAt200);
  set(out, "hapax_share", counts.once / Math.max(1, seen.size));
  set(out, "bigram_variety", counts.pairTypes);
  set(out, "number_rate", counts.numbers / words);
  set(out, "hyphen_rate", counts.hyphens / words);
  set(out, "contraction_rate", counts.contractions / words);
  set(out, "possessive_rate", counts.possessives / words);
  set(out, "foreign_rate", counts.foreign / words);
  set(out, "mark_total", total / words);
  set(out, "mark_variety", variety);
  set(out, "comma_per_sentence", (out[MARK_AT] * words) / Math.max(1, lengths.length));
  let functions = 0;
  for (let i = FUNCTION_AT; i < STYLE_COUNT; i++) functions += out[i];
  set(out, "function_share", functions);
  for (const name of ["first_person", "second_person", "plural_person", "third_person", "connectors", "hedges"]) {
    out[SCALAR_AT[name]] /= words;
  }
  set(out, "list_of_three", counts.triples / Math.max(1, lengths.length));
  set(out, "sentence_opening_variety", openings.size / Math.max(1, lengths.length));
}

function set(out: Float32Array, name: string, value: number): void {
  out[SCALAR_AT[name]] = value;
}

function countTokens(t: Tokens, out: Float32Array, from: number, end: number) {
  const c = {
    lengthSum: 0,
    lengthSquares: 0,
    long: 0,
    short: 0,
    typesAt200: 0,
    once: 0,
    pairTypes: 0,
    numbers: 0,
    hyphens: 0,
    contractions: 0,
    possessives: 0,
    foreign: 0,
    triples: 0,
    words: 0,
  };
  let words = 0;
  let types = 0;
  let sentence = 0;
  let previous = 0;
  for (let i = from; i < end; i++) {
    const start = t.starts[i];
    const first = t.bytes[start];
    if (t.isWord[i] === 0) {
      const slot = markSlot[first];
      if (slot >= 0) out[slot]++;
      if (first === 44) c.triples += listOfThree(t, i);
      if ((first === 46 || first === 33 || first === 63 || first === 94) && sentence > 0) {
        lengths.push(sentence);
        sentence = 0;
      }
      previous = 0;
      continue;
    }
    words++;
    const hash = t.hashes[i];
    if (sentence++ === 0) openings.add(hash);
    const times = seen.add(hash);
    if (times === 1) {
      c.once++;
      if (words <= 200) types++;
    } else if (times === 2) c.once--;
    if (previous !== 0 && words <= 200) pairs.add(Math.imul(previous, 31) + hash);
    previous = hash;
    countWord(t, i, c, out);
    const slots = kindByHash.get(hash);
    if (slots !== undefined) for (let k = 0; k < slots.length; k++) out[slots[k]]++;
  }
  if (sentence > 0) lengths.push(sentence);
  c.words = words;
  c.typesAt200 = types / Math.max(1, Math.min(200, words));
  c.pairTypes = pairs.size / Math.max(1, Math.min(200, words));
  return c;
}

function countWord(t: Tokens, i: number, c: ReturnType<typeof countTokens>, out: Float32Array): void {
  const start = t.starts[i];
  const end = t.ends[i];
  const size = end - start;
  const b = t.bytes;
  c.lengthSum += size;
  c.lengthSquares += size * size;
  if (size >= 8) c.long++;
  if (size <= 3) c.short++;
  if (b[start] === 48) c.numbers++;
  if (b[start] === 1) c.foreign++;
  for (let k = start + 1; k < end - 1; k++) {
    if (b[k] === 45) c.hyphens++;
    if (b[k] !== 39) continue;
    if (b[k + 1] === 115 && k + 2 === end) c.possessives++;
    else c.contractions++;
  }
  if (size < 5) return;
  const candidates = SUFFIX_BY_LAST[b[end - 1]];
  for (let k = 0; k < candidates.length; k++) {
    const codes = suffixCodes[candidates[k]];
    let at = 1;
    while (at < codes.length && b[end - 1 - at] === codes[codes.length - 1 - at]) at++;
    if (at === codes.length) out[SUFFIX_AT + candidates[k]]++;
  }
}

/** "a, b, and c" or "a, b and c", looking back and forth from the comma at token i. */
function listOfThree(t: Tokens, i: number): number {
  for (let k = i + 1; k < Math.min(i + 5, t.count); k++) {
    const start = t.starts[k];
    if (t.isWord[k] === 0) {
      if (t.bytes[start] !== 44) return 0;
      continue;
    }
    const isAnd =
      t.ends[k] - start === 3 && t.bytes[start] === 97 && t.bytes[start + 1] === 110 && t.bytes[start + 2] === 100;
    if (isAnd) return k > i + 1 ? 1 : 0;
  }
  return 0;
}

function sentences(out: Float32Array): void {
  const n = Math.max(1, lengths.length);
  let sum = 0;
  let squares = 0;
  let diff = 0;
  let least = Infinity;
  let most = 0;
  let short = 0;
  let long = 0;
  for (let i = 0; i < lengths.length; i++) {
    const length = lengths[i];
    sum += length;
    squares += length * length;
    if (i > 0) diff += Math.abs(length - lengths[i - 1]);
    if (length < least) least = length;
    if (length > most) most = length;
    if (length < 8) short++;
    if (length > 30) long++;
  }
  const mean = sum / n;
  const sd = Math.sqrt(Math.max(0, squares / n - mean * mean));
  set(out, "sentence_mean", mean);
  set(out, "sentence_sd", sd);
  set(out, "sentence_cv", mean > 0 ? sd / mean : 0);
  set(out, "sentence_min", least === Infinity ? 0 : least);
  set(out, "sentence_max", most);
  set(out, "sentence_diff", lengths.length > 1 && mean > 0 ? diff / (lengths.length - 1) / mean : 0);
  set(out, "sentence_short_share", short / n);
  set(out, "sentence_long_share", long / n);
}
