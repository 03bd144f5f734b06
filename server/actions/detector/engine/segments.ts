// Scores sliding windows of whole sentences and maps them back to the text as it was sent: as sentences, and as runs of sentences
// with one verdict.
import type { Segment, Shares, Verdict } from "../contract/shapes.ts";
import { HEADS, headsOfSpan, type LightWeights } from "./light/model.ts";
import { blend, MIN_WORDS, type Point, probability, verdictOf } from "./score.ts";
import type { Tokens } from "./text/canonical.ts";

const WINDOW_WORDS = 110;
const MAX_WINDOWS = 48;
const MAX_SENTENCES = 1_000;

interface Sentence {
  first: number;
  last: number;
  words: number;
  sum: number;
  windows: number;
}

const heads = new Float64Array(HEADS);

export interface Passages {
  /** Runs of neighbouring sentences with the same verdict. */
  segments: Segment[];
  sentences: Segment[];
}

/** Both lists are empty where the text is too short to be cut. */
export function passagesOf(model: LightWeights, t: Tokens, text: string, point: Point): Passages {
  const sentences = splitSentences(t);
  const total = sentences.reduce((sum, s) => sum + s.words, 0);
  if (total < 2 * MIN_WORDS) return { segments: [], sentences: [] };
  const size = Math.max(WINDOW_WORDS, Math.ceil((2 * total) / MAX_WINDOWS));
  for (let from = 0; from < sentences.length; ) {
    let to = from;
    let words = 0;
    let next = from + 1;
    while (to < sentences.length && words < size) {
      words += sentences[to++].words;
      if (words <= size / 2) next = to;
    }
    // The last window reaches back, so that every window holds enough to be judged.
    if (to === sentences.length) while (from > 0 && words < size) words += sentences[--from].words;
    headsOfSpan(model, t, sentences[from].first, sentences[to - 1].last, heads);
    const logit = blend(heads);
    for (let i = from; i < to; i++) {
      sentences[i].sum += logit;
      sentences[i].windows++;
    }
    if (to === sentences.length) break;
    from = Math.max(next, from + 1);
  }
  const runs = sentences.map((s) => runOf(s, point));
  return {
    segments: viewRuns(mergeRuns(runs), t, text),
    sentences: viewRuns(runs.slice(0, MAX_SENTENCES), t, text),
  };
}

/** How the words divide by the verdict of their passage; a text that is not cut counts whole. */
export function sharesOf(segments: Segment[], verdict: Verdict): Shares {
  const passages = segments.length > 0 ? segments : [{ verdict, words: 1 }];
  const total = passages.reduce((sum, s) => sum + s.words, 0);
  const share = (wanted: Verdict) =>
    Math.round((1e4 * passages.filter((s) => s.verdict === wanted).reduce((sum, s) => sum + s.words, 0)) / total) / 1e4;
  const [ai, human] = [share("likely_ai"), share("likely_human")];
  return { human, mixed: Math.round(1e4 * (1 - ai - human)) / 1e4, ai };
}

/** Share of words in segments called likely_ai, and in segments that rather look human: for the verdict `mixed`. */
export function leanings(segments: Segment[]): { ai: number; human: number } {
  const words = (test: (s: Segment) => boolean) => segments.filter(test).reduce((sum, s) => sum + s.words, 0);
  const total = Math.max(
    1,
    words(() => true),
  );
  return { ai: words((s) => s.verdict === "likely_ai") / total, human: words((s) => s.score < 0.5) / total };
}

function splitSentences(t: Tokens): Sentence[] {
  const sentences: Sentence[] = [];
  let first = 0;
  let words = 0;
  for (let i = 0; i < t.count; i++) {
    words += t.isWord[i];
    const code = t.bytes[t.starts[i]];
    const ends = t.isWord[i] === 0 && (code === 46 || code === 33 || code === 63 || code === 94);
    const closes =
      i + 1 < t.count && t.isWord[i + 1] === 0 && (t.bytes[t.starts[i + 1]] === 34 || t.bytes[t.starts[i + 1]] === 41);
    if ((!ends || closes) && words < 120) continue;
    if (words > 0) sentences.push({ first, last: i + 1, words, sum: 0, windows: 0 });
    first = i + 1;
    words = 0;
  }
  if (words > 0) sentences.push({ first, last: t.count, words, sum: 0, windows: 0 });
  return sentences;
}

/** Neighbouring sentences that are shown as one; `sum` is the logit weighted by words. */
interface Run {
  first: number;
  last: number;
  words: number;
  sum: number;
  verdict: Verdict;
}

function runOf(s: Sentence, point: Point): Run {
  const logit = s.sum / Math.max(1, s.windows);
  const verdict = verdictOf(point, logit, WINDOW_WORDS);
  return { first: s.first, last: s.last, words: s.words, sum: logit * s.words, verdict };
}

function mergeRuns(runs: Run[]): Run[] {
  const merged: Run[] = [];
  for (const run of runs) {
    const open = merged.at(-1);
    if (!open || open.verdict !== run.verdict) {
      merged.push({ ...run });
      continue;
    }
    open.last = run.last;
    open.words += run.words;
    open.sum += run.sum;
  }
  return merged;
}

function viewRuns(runs: Run[], t: Tokens, text: string): Segment[] {
  const bytes = byteCounter(text);
  return runs.map((run) => {
    const start = t.at[run.first];
    const end = t.to[run.last - 1];
    return {
      start,
      end,
      start_byte: bytes(start),
      end_byte: bytes(end),
      words: run.words,
      score: Math.round(probability(run.sum / run.words) * 1e4) / 1e4,
      verdict: run.verdict,
    };
  });
}

/** UTF-8 offset of a UTF-16 offset; must be asked in ascending order. */
function byteCounter(text: string): (offset: number) => number {
  let at = 0;
  let bytes = 0;
  return (offset) => {
    for (; at < offset; at++) {
      const unit = text.charCodeAt(at);
      // Each half of a surrogate pair counts for two of its four bytes.
      bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3;
    }
    return bytes;
  };
}
