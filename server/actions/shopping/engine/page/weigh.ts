// Which amount is the price: each piece of evidence (markup, meta, visible text, scripts) adds weight to an amount; the
// heaviest wins.
import { compareAmounts, plainAmount } from "./amounts.ts";
import type { Evidence } from "./evidence.ts";
import {
  ASIDE,
  BUY,
  CHROME,
  CURRENT,
  HIDDEN,
  LINK,
  LISTING,
  OLD,
  OPTION,
  PRICE,
  REVIEW,
  SAVING,
  STRUCK,
} from "../visible/signals.ts";
import type { PriceSpot, Spots } from "../visible/spots.ts";

export interface Witness {
  amount: string;
  currency: string | null;
  method: string;
  weight: number;
}

export interface Candidate {
  amount: string;
  currency: string | null;
  methods: string[];
  score: number;
  /** The best visible place; null where it is not shown. */
  spot: PriceSpot | null;
  struck: boolean;
  raw: string | null;
}

export interface Weighed {
  best: Candidate | null;
  candidates: Candidate[];
  list: string | null;
}

export function weigh(witnesses: readonly Witness[], spots: Spots, evidence: Evidence): Weighed {
  const by = new Map<string, Group>();
  const group = (amount: string): Group => {
    let found = by.get(amount);
    if (!found) by.set(amount, (found = { amount, currency: null, methods: new Map(), shown: [], raw: null }));
    return found;
  };
  for (const witness of witnesses) {
    const key = plainAmount(witness.amount);
    if (key === null || key === "0") continue;
    const g = group(key);
    g.methods.set(witness.method, Math.max(g.methods.get(witness.method) ?? 0, witness.weight));
    g.currency ??= witness.currency;
  }
  const marked = new Set(by.keys());
  const struck = struckSpots(spots);
  for (const spot of spots.prices) {
    const key = plainAmount(spot.price.amount);
    if (key === null || key === "0") continue;
    group(key).shown.push({ spot, score: spotScore(spot, spots, marked.has(key), struck.has(spot)) });
  }
  const candidates = [...by.values()].map((g) => candidateOf(g, evidence, struck)).sort((a, b) => b.score - a.score);
  const [first, second] = candidates;
  // A page with one price and nothing round it: there is no other it could be.
  const lone = first !== undefined && first.score >= 4 && (second === undefined || second.score <= 0);
  const best = first && (first.score >= 6 || lone) && !isToss(candidates) && !isBeside(first) ? first : null;
  return { best, candidates: candidates.slice(0, 12), list: best ? listPrice(best, candidates, struck) : null };
}

/** Three prices that are merely shown, none better placed than the others: any answer would be a guess. */
function isToss([first, second, third]: readonly Candidate[]): boolean {
  if (!first || !second || !third || first.methods.some((method) => method !== "dom")) return false;
  return first.score - third.score < 0.3;
}

/** Shown only as shipping, a saving or a rate, and said by nobody else: a page without a price, not a cheap one. */
function isBeside({ methods, score, spot }: Candidate): boolean {
  if (spot === null || score >= 9 || methods.some((method) => method !== "dom")) return false;
  return (spot.zone & (ASIDE | SAVING)) !== 0 || spot.label === "aside" || spot.label === "saving";
}

interface Group {
  amount: string;
  currency: string | null;
  methods: Map<string, number>;
  shown: { spot: PriceSpot; score: number }[];
  raw: string | null;
}

/** Struck for sure, or named old with another price beside it that is not: a lone "regular price" is the price. */
function struckSpots(spots: Spots): Set<PriceSpot> {
  const out = new Set<PriceSpot>();
  spots.prices.forEach((spot, i) => {
    if (spot.zone & STRUCK || (spot.label === "old" && !(spot.zone & CURRENT))) out.add(spot);
    else if ((spot.zone & OLD || spot.label === "old") && spot.label !== "now") {
      for (let j = Math.max(0, i - 4); j < Math.min(spots.prices.length, i + 5); j++) {
        const other = spots.prices[j]!;
        if (
          other.zone & (OLD | SAVING | ASIDE) ||
          other.price.kind === "per_period" ||
          other.price.kind === "per_unit" ||
          other.label === "aside" ||
          Math.abs(other.at - spot.at) > 120
        )
          continue;
        if (
          plainAmount(other.price.amount) === "0" ||
          (other.zone & LISTING) !== (spot.zone & LISTING) ||
          !(other.zone & PRICE)
        )
          continue;
        if (compareAmounts(other.price.amount!, spot.price.amount!) < 0) {
          out.add(spot);
          break;
        }
      }
    }
  });
  return out;
}

function candidateOf(g: Group, evidence: Evidence, old: Set<PriceSpot>): Candidate {
  let score = 0;
  for (const weight of [...g.methods.values()].sort((a, b) => b - a).map((w, i) => (i === 0 ? w : w * 0.4)))
    score += weight;
  g.shown.sort((a, b) => b.score - a.score);
  const top = g.shown[0];
  let currency = g.currency;
  const struck =
    g.shown.length > 0 &&
    old.has(top!.spot) &&
    g.shown.every((s) => old.has(s.spot) || (s.spot.zone & (LISTING | CHROME)) !== 0);
  if (top) {
    score +=
      (struck ? Math.min(top.score, -4) : Math.max(top.score, -7)) +
      Math.min(2, Math.max(0, g.shown.filter((s) => s.score > 4).length - 1) * 0.5);
    currency ??= top.spot.price.currency;
  } else if (g.methods.size > 0) score -= 1.5;
  const votes =
    evidence.amounts.get(g.amount) ?? (evidence.cents ? evidence.amounts.get(cents(g.amount)) : undefined) ?? 0;
  if (votes > 0) score += 1.5 + Math.min(votes, 4) * 0.25;
  const methods = [...g.methods.keys()];
  if (top && top.score > 0) methods.push("dom");
  if (votes > 0) methods.push("script");
  return { amount: g.amount, currency, methods, score, spot: top?.spot ?? null, struck, raw: top?.spot.text ?? null };
}

const cents = (amount: string): string =>
  plainAmount(amount.includes(".") ? amount.split(".")[0]! + amount.split(".")[1]!.padEnd(2, "0") : `${amount}00`)!;

/** How much one visible place speaks for being the price. */
function spotScore(spot: PriceSpot, spots: Spots, marked: boolean, struck: boolean): number {
  const { zone, price } = spot;
  let score = price.currency === null ? 0 : price.source === "word" && !price.certain ? 2 : 3;
  if (zone & PRICE) score += 4;
  if (zone & CURRENT) score += 1.5;
  if (struck) score -= 8;
  if (zone & SAVING || spot.label === "saving") score -= 5;
  if (zone & ASIDE || spot.label === "aside") score -= 4;
  if (spot.label === "now") score += 1.5;
  if (zone & LISTING) score -= 6;
  if (zone & CHROME) score -= 5;
  if (zone & REVIEW) score -= 3;
  if (zone & LINK) score -= 2;
  if (zone & HIDDEN) score -= 3;
  if (zone & OPTION) score -= 1;
  if (zone & BUY) score += 1;
  score += kindScore(price.kind) + distanceScore(spot, spots);
  // A price in a sentence is talked about; a price on a tag stands alone.
  const digits = price.amount!.length + 2;
  if (spot.text.length > digits * 4 + 4) score -= 2;
  else if (spot.text.length > 40) score -= 1.5;
  if (spot.large) score += 1;
  if (price.currency !== null && !price.amount!.includes(".") && price.amount!.length < 2 && !marked) score -= 1;
  return Math.min(score, 14);
}

function kindScore(kind: string): number {
  switch (kind) {
    case "per_period":
    case "instalment":
      return -6;
    case "per_unit":
      return -4;
    case "from":
      return -0.5;
    case "range":
      return -0.3;
    default:
      return 0;
  }
}

function distanceScore(spot: PriceSpot, spots: Spots): number {
  let score = 0;
  if (spots.headingAt >= 0) {
    const d = spot.at - spots.headingAt;
    if (d >= 0) score += 1 - Math.min(d, 3000) / 3000;
    if (d >= 0) score += d < 350 ? 4 : d < 1000 ? 3 : d < 2500 ? 1.5 : d < 6000 ? 0 : -2;
    else score += d > -300 ? 1 : d > -1200 ? -1 : -3;
  }
  let near = Infinity;
  for (const button of spots.buttons)
    if (!(button.zone & (LISTING | CHROME))) near = Math.min(near, Math.abs(button.at - spot.at));
  if (near < 250) score += 2.5;
  else if (near < 800) score += 1;
  return score;
}

/** The higher amount that stands struck beside the price. */
function listPrice(best: Candidate, candidates: readonly Candidate[], struck: Set<PriceSpot>): string | null {
  let found: Candidate | null = null;
  for (const c of candidates) {
    if (c === best || !c.spot || compareAmounts(c.amount, best.amount) <= 0) continue;
    const near = best.spot === null || Math.abs(c.spot.at - best.spot.at) < 260;
    if (!near || !struck.has(c.spot) || c.spot.zone & (LISTING | CHROME) || c.spot.price.kind === "per_period")
      continue;
    if (!found || Math.abs(c.spot.at - (best.spot?.at ?? 0)) < Math.abs(found.spot!.at - (best.spot?.at ?? 0)))
      found = c;
  }
  return found?.amount ?? null;
}
