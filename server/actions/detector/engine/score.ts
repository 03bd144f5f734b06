// From logits to an answer: the blend of heads, the calibrated probability, the operating points and the verdict.
import type { Verdict } from "../contract/shapes.ts";
import calibration from "./weights/calibration.json" with { type: "json" };

export type Tier = "light" | "deep";
export const POINTS = ["0.002", "0.005", "0.01", "0.05"] as const;
export type Point = (typeof POINTS)[number];
export const MIN_WORDS = 75;

interface Fit {
  blend: number[];
  platt: number[];
  edges: number[];
  thresholds: Record<Point, number[]>;
  measured: Record<
    string,
    { human: number; ai: number; auroc: number; ece: number; points: Record<Point, { fpr: number; tpr: number }> }
  >;
}

const fits = calibration as unknown as Record<Tier, Fit>;

/** How far two passages of one writer differ, in logits, when each has a hundred words (measured: training/report.md). */
const SPREAD_AT_100 = { light: 1.64, deep: 1.27 };

export function blend(tier: Tier, heads: ArrayLike<number>, deep: number | null): number {
  const weights = fits[tier].blend;
  let sum = weights[weights.length - 1];
  for (let i = 0; i < heads.length; i++) sum += weights[i] * heads[i];
  if (tier === "deep") sum += weights[heads.length] * (deep ?? 0);
  return sum;
}

/** What one head adds to the logit, for explanations. */
export function share(tier: Tier, head: number, value: number): number {
  return fits[tier].blend[head] * value;
}

export function probability(tier: Tier, logit: number): number {
  const [slope, shift] = fits[tier].platt;
  return 1 / (1 + Math.exp(-(slope * logit + shift)));
}

/** Where nine in ten passages by the same hand, of the same length, would land. */
export function interval(tier: Tier, logit: number, words: number): [number, number] {
  const half = 1.64 * SPREAD_AT_100[tier] * Math.sqrt(100 / Math.max(50, words));
  return [probability(tier, logit - half), probability(tier, logit + half)];
}

/** The logit above which a text of that length is flagged at a point. */
export function threshold(tier: Tier, point: Point, words: number): number {
  const { edges, thresholds } = fits[tier];
  let b = 0;
  while (b + 1 < edges.length && words >= edges[b + 1]) b++;
  return thresholds[point][b];
}

export function flagged(tier: Tier, point: Point, logit: number, words: number): boolean {
  return logit > threshold(tier, point, words);
}

/** What was measured at a point, on sources the model never saw and on the development set. */
export function measured(tier: Tier, point: Point) {
  const { measured: sets } = fits[tier];
  return {
    unseen: sets["unseen sources"].points[point],
    development: sets.development.points[point],
    texts: sets["unseen sources"].human,
    bound: falsePositiveBound(sets["unseen sources"].points[point].fpr, sets["unseen sources"].human),
  };
}

/** The upper end of the one-sided 95 % interval (Wilson) of a rate seen on so many texts. */
function falsePositiveBound(rate: number, texts: number): number {
  const z2 = 1.645 ** 2;
  const middle = rate + z2 / (2 * texts);
  const half = Math.sqrt((z2 * rate * (1 - rate)) / texts + (z2 / (2 * texts)) ** 2);
  return Math.ceil(1e5 * ((middle + half) / (1 + z2 / texts))) / 1e5;
}

export function verdictOf(tier: Tier, point: Point, logit: number, words: number): Verdict {
  if (flagged(tier, point, logit, words)) return "likely_ai";
  return probability(tier, logit) <= 0.15 ? "likely_human" : "unclear";
}

export function confidenceOf(tier: Tier, verdict: Verdict, logit: number, words: number): "low" | "medium" | "high" {
  if (verdict === "likely_ai")
    return flagged(tier, "0.002", logit, words) ? "high" : flagged(tier, "0.005", logit, words) ? "medium" : "low";
  if (verdict !== "likely_human") return "low";
  const p = probability(tier, logit);
  return words < 130 ? "low" : p <= 0.03 ? "high" : "medium";
}
