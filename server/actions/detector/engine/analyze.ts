// Analyses one text: abstains where nothing can be said, else scores, explains and splits into segments.
import type { Analysis, Segment, Signal, Verdict } from "../contract/shapes.ts";
import { HEADS, headsOfTokens, type LightWeights } from "./light/model.ts";
import {
  blend,
  caution,
  confidenceOf,
  interval,
  MIN_WORDS,
  measured,
  type Point,
  probability,
  threshold,
  verdictOf,
} from "./score.ts";
import { leanings, passagesOf, sharesOf } from "./segments.ts";
import { findArtefacts, hiddenSignals } from "./signals/artefacts.ts";
import { phraseSignals } from "./signals/phrases.ts";
import { measureSignals, styleSignals } from "./signals/style.ts";
import { canonicalise, newTokens } from "./text/canonical.ts";
import { type CarefulKind, carefulKind } from "./text/careful.ts";
import { findHidden } from "./text/hidden.ts";
import { detectLanguage } from "./text/language.ts";
import { type Layout, layoutOf } from "./text/layout.ts";

export const VERSION = "2026.11.16-1";
const TRAINED_ON =
  "148,807 English texts with a stated licence: human writing from before November 2022, AI writing of about 500 models and checkpoints " +
  "up to mid 2025. Data card: training/data-card.md.";

export const KNOWN_LIMITS = [
  "A score is a probability from style, never proof of authorship; do not punish anyone on it alone.",
  "English prose only, from 75 words on; short texts swing more.",
  "AI text that was paraphrased or rewritten by a person or a tool is found less often than raw output.",
  "Letters and essays of a kind it never saw are flagged more often than the average; recipes, directions and guides need a higher score.",
  "Made with models up to mid 2025; newer ones may write differently.",
];

export interface TextOptions {
  point: Point;
  segments: boolean;
  language?: string;
}

export type TextAnalysis = Omit<Analysis, "analysis_id" | "id" | "source_url">;

const tokens = newTokens();
const heads = new Float64Array(HEADS);

export interface Scored {
  words: number;
  logit: number;
  score: number;
  abstained: Analysis["abstained_because"];
  language: string | null;
  /** The kind of text that is judged with more caution, if it is one. */
  careful: CarefulKind | null;
}

/** Only the number, for callers who need no explanation; the same path as `analyzeText`. */
export function scoreText(model: LightWeights, text: string, language?: string): Scored {
  canonicalise(text, tokens);
  const { why, code } = abstains(text, language);
  const { words } = tokens;
  if (why) return { words, logit: 0, score: 0, abstained: why, language: code, careful: null };
  headsOfTokens(model, tokens, heads);
  const careful = carefulKind(tokens);
  const logit = blend(heads) - (careful ? caution(words) : 0);
  return { words, logit, score: probability(logit), abstained: null, language: code, careful };
}

export function analyzeText(model: LightWeights, text: string, options: TextOptions): TextAnalysis {
  const scored = scoreText(model, text, options.language);
  const { words, logit, score, abstained, language } = scored;
  const reported = [...findArtefacts(text), ...hiddenSignals(findHidden(text))];
  if (abstained) return abstention(abstained, words, language, reported);
  const passages = options.segments ? passagesOf(model, tokens, text, options.point) : null;
  const segments = passages?.segments ?? [];
  const verdict = mixedOr(verdictOf(options.point, logit, words), segments);
  const at = measured(options.point);
  return {
    type: "text",
    verdict,
    score: round(score),
    confidence: confidenceOf(verdict, logit, words),
    interval: interval(logit, words).map(round),
    abstained_because: null,
    operating_point: {
      sensitivity: options.point,
      threshold: round(probability(threshold(options.point, words))),
      measured_false_positive_rate: at.fpr,
      measured_true_positive_rate: at.tpr,
      false_positive_bound: at.bound,
      measured_on: at.texts,
    },
    signals: [
      ...reported,
      ...(scored.careful ? [carefulSignal(scored.careful)] : []),
      ...styleSignals(heads),
      ...measureSignals(model, tokens),
      ...(passages ? phraseSignals(model, tokens, text) : []),
    ],
    segments,
    sentences: passages?.sentences ?? [],
    shares: passages && sharesOf(segments, verdict),
    language,
    words,
    model: MODEL,
    provenance: NO_FILE,
  };
}

const CAREFUL: Record<CarefulKind, string> = {
  directions:
    "A recipe or step-by-step directions. Such texts by people are scarce in the training data, so the score is lowered and more is needed to flag one.",
  guidance:
    "Guidance that speaks to its reader or for an organisation. Manuals, handbooks and policies by people are flagged more often than other texts, so the score is lowered and more is needed to flag one.",
};

function carefulSignal(kind: CarefulKind): Signal {
  return { name: kind, value: 1, weight: 0, direction: "neutral", explanation: CAREFUL[kind], evidence: [] };
}

const NO_FILE: Analysis["provenance"] = { format: null, width: null, height: null, claims: [] };

const MODEL: Analysis["model"] = {
  name: "light",
  version: VERSION,
  trained_on: TRAINED_ON,
  known_limits: KNOWN_LIMITS,
};

/** A text whose parts disagree is called mixed, unless nearly all of it points one way. */
function mixedOr(verdict: Verdict, segments: Segment[]): Verdict {
  const { ai, human } = leanings(segments);
  return ai >= 0.25 && human >= 0.25 ? "mixed" : verdict;
}

const ONLY_LATIN = /^[\P{L}\p{Script=Latin}]*$/u;
/** Layouts that look alike in every language; lists and verse of another language are called by their language. */
const WORDLESS = new Set<string>(["code", "markup", "table", "log"]);
/** Fewer words can look like any language or layout. */
const MIN_CLEAR_WORDS = 12;

function abstains(text: string, asked?: string): { why: Analysis["abstained_because"]; code: string | null } {
  if (asked !== undefined && asked !== "en" && asked !== "eng") return { why: "unsupported_language", code: asked };
  const found = detectLanguage(text, tokens);
  const code = asked ? "en" : found.code;
  const isClear = tokens.words >= MIN_CLEAR_WORDS;
  const layout = isClear || found.isEnglish ? layoutOf(text) : "prose";
  if (isClear && WORDLESS.has(layout)) return { why: layout as Exclude<Layout, "prose">, code };
  // Another script is clear however few the words.
  const isForeign =
    !found.isEnglish && found.code !== "en" && (isClear || (found.code !== null && !ONLY_LATIN.test(text)));
  if (isForeign && (layout === "prose" || found.code !== null))
    return { why: "unsupported_language", code: found.code };
  if (tokens.words < MIN_WORDS) return { why: "too_short", code };
  return { why: layout === "prose" ? null : layout, code };
}

const WHY: Record<string, Verdict> = { too_short: "too_short", unsupported_language: "unsupported_language" };

function abstention(
  why: NonNullable<Scored["abstained"]>,
  words: number,
  language: string | null,
  signals: Signal[],
): TextAnalysis {
  return {
    type: "text",
    verdict: WHY[why] ?? "unclear",
    score: null,
    confidence: null,
    interval: null,
    abstained_because: why,
    operating_point: null,
    signals,
    segments: [],
    sentences: [],
    shares: null,
    language,
    words,
    model: MODEL,
    provenance: NO_FILE,
  };
}

function round(x: number): number {
  return Math.round(x * 1e4) / 1e4;
}
