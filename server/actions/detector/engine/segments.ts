// Scores sliding windows of whole sentences and maps them back to the text as it was sent.
import type { Segment } from "../contract.ts";
import { HEADS, headsOfSpan, type LightWeights } from "./light/model.ts";
import { blend, type Point, probability, verdictOf } from "./score.ts";
import type { Tokens } from "./text/canonical.ts";

const WINDOW_WORDS = 110;
const MAX_WINDOWS = 48;

interface Sentence {
  first: number;
  last: number;
  words: number;
  sum: number;
  windows: number;
}

const heads = new Float64Array(HEADS);

/** Runs of neighbouring sentences with the same verdict; empty where the text is too short to be cut. */
export function segmentsOf(model: LightWeights, t: Tokens, text: string, point: Point): Segment[] {
  const sentences = splitSentences(t);
  const total = sentences.reduce((sum, s) => sum + s.words, 0);
  if (total < 2 * 75) return [];
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
    const logit = blend("light", heads, null);
    for (let i = from; i < to; i++) {
      sentences[i].sum += logit;
      sentences[i].windows++;
    }
    if (to === sentences.length) break;
    from = Math.max(next, from + 1);
  }
  return merge(sentences, t, text, point);
}

/** Share of words in segments called likely_ai, and in segments that rather look human. */
export function shares(segments: Segment[]): { ai: number; human: number } {
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

function merge(sentences: Sentence[], t: Tokens, text: string, point: Point): Segment[] {
  const segments: Segment[] = [];
  const bytes = byteCounter(text);
  let open: { first: number; last: number; words: number; sum: number; verdict: Segment["verdict"] } | null = null;
  const close = () => {
    if (!open) return;
    const start = t.at[open.first];
    const end = t.to[open.last - 1];
    segments.push({
      start,
      end,
      start_byte: bytes(start),
      end_byte: bytes(end),
      words: open.words,
      score: Math.round(probability("light", open.sum / open.words) * 1e4) / 1e4,
      verdict: open.verdict,
    });
    open = null;
  };
  for (const s of sentences) {
    const logit = s.sum / Math.max(1, s.windows);
    const verdict = verdictOf("light", point, logit, WINDOW_WORDS);
    if (open && open.verdict !== verdict) close();
    open ??= { first: s.first, last: s.last, words: 0, sum: 0, verdict };
    open.last = s.last;
    open.words += s.words;
    open.sum += logit * s.words;
  }
  close();
  return segments;
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
