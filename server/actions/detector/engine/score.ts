// From logits to an answer: the blend of heads, the calibrated probability, the operating points and the verdict.
import type { Verdict } from "../contract/shapes.ts";
import calibration from "./weights/calibration.json" with { type: "json" };

export const POINTS = ["0.002", "0.005", "0.01", "0.05"] as const;
export type Point = (typeof POINTS)[number];
export const MIN_WORDS = 75;

interface Measured {
  human: number;
  ai: number;
  auroc: number;
  ece: number;
  points: Record<Point, { fpr: number; tpr: number }>;
}

interface Fit {
  blend: number[];
  platt: number[];
  /** The least words of each length bucket. */
  edges: number[];
  thresholds: Record<Point, number[]>;
  /** Human texts each threshold was set on, by length bucket. */
  calibrated_on: number[];
  /** Upper conformal bound of the share of flagged human texts, by point. */
  bounds: Record<Point, number>;
  measured: Record<"left out" | "development", Measured>;
}

const FIT = calibration as unknown as Fit;

/** How far two passages of one writer differ, in logits, when each has a hundred words (measured: training/report.md). */
const SPREAD_AT_100 = 1.64;

export function blend(heads: ArrayLike<number>): number {
  let sum = FIT.blend[heads.length];
  for (let i = 0; i < heads.length; i++) sum += FIT.blend[i] * heads[i];
  return sum;
}

/** What one head adds to the logit, for explanations. */
export function share(head: number, value: number): number {
  return FIT.blend[head] * value;
}

export function probability(logit: number): number {
  const [slope, shift] = FIT.platt;
  return 1 / (1 + Math.exp(-(slope * logit + shift)));
}

/** Where nine in ten passages by the same hand, of the same length, would land. */
export function interval(logit: number, words: number): [number, number] {
  const half = 1.64 * SPREAD_AT_100 * Math.sqrt(100 / Math.max(50, words));
  return [probability(logit - half), probability(logit + half)];
}

/** The logit above which a text of that length is flagged at a point. */
export function threshold(point: Point, words: number): number {
  const { edges, thresholds } = FIT;
  let b = 0;
  while (b + 1 < edges.length && words >= edges[b + 1]) b++;
  return thresholds[point][b];
}

/** What the logit of directions and guidance is lowered by: they are called likely_ai at 1 % only where others are at 0.2 %. */
export function caution(words: number): number {
  return threshold("0.002", words) - threshold("0.01", words);
}

export function flagged(point: Point, logit: number, words: number): boolean {
  return logit > threshold(point, words);
}

/** What was measured at a point on families and makers the model never met. */
export function measured(point: Point) {
  const set = FIT.measured["left out"];
  return { ...set.points[point], texts: set.human, bound: FIT.bounds[point] };
}

export function verdictOf(point: Point, logit: number, words: number): Verdict {
  if (flagged(point, logit, words)) return "likely_ai";
  return probability(logit) <= 0.15 ? "likely_human" : "unclear";
}

export function confidenceOf(verdict: Verdict, logit: number, words: number): "low" | "medium" | "high" {
  if (verdict === "likely_ai")
    return flagged("0.002", logit, words) ? "high" : flagged("0.005", logit, words) ? "medium" : "low";
  if (verdict !== "likely_human") return "low";
  const p = probability(logit);
  return words < 130 ? "low" : p <= 0.03 ? "high" : "medium";
}
