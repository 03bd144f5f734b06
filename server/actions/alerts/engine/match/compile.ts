// Compiles a query for the matcher: term ids, a tree for what needs more than presence, and the smallest set of terms of
// which at least one must be in any matching document (the cover). Refuses queries without a cover.
import { UNSPACED } from "../text/chars.ts";
import { DEFAULT_FIELDS, QueryError, type Leaf, type Node, type NumberOp, type TextLeaf } from "../query/ast.ts";
import { META_TERM, PREFIX_TERM, TAG_TERM, UNSPACED_TERM, WORD_TERM } from "./terms/record.ts";

export interface Term {
  kind: number;
  text: string;
  positional: boolean;
}

export type Plan =
  | { op: "term"; term: number; fields: number }
  | { op: "phrase"; leaf: TextLeaf; terms: number[] }
  | { op: "near"; distance: number; left: Plan & { op: "phrase" }; right: Plan & { op: "phrase" } }
  | { op: "number"; field: string; compare: NumberOp; value: string; term: number }
  | { op: "and" | "or"; children: Plan[] }
  | { op: "not"; child: Plan };

export interface Compiled {
  /** Distinct terms; a plan's numbers point into this. */
  terms: Term[];
  plan: Plan;
  /** Indexes into `terms`. */
  cover: number[];
}

/** How common a term is thought to be: an expected share of documents, in any unit. */
export type Weigh = (term: Term) => number;

export function compile(node: Node, weigh: Weigh = weighByLength): Compiled {
  const terms: Term[] = [];
  const known = new Map<string, number>();
  const intern = (kind: number, text: string, positional: boolean): number => {
    const key = `${kind}${text}`;
    let index = known.get(key);
    if (index === undefined) known.set(key, (index = terms.push({ kind, text, positional }) - 1));
    terms[index].positional ||= positional;
    return index;
  };
  const plan = planOf(node, intern);
  const cover = coverOf(plan, terms, weigh);
  if (cover === null) {
    throw new QueryError(
      "unbounded",
      0,
      ["a term that must be there"],
      "Every term is excluded, so nearly everything would match.",
    );
  }
  return { terms, plan, cover: [...new Set(cover.terms)] };
}

type Intern = (kind: number, text: string, positional: boolean) => number;

function planOf(node: Node, intern: Intern): Plan {
  switch (node.type) {
    case "and":
    case "or":
      return { op: node.type, children: node.children.map((c) => planOf(c, intern)) };
    case "not":
      return { op: "not", child: planOf(node.child, intern) };
    case "near":
      return {
        op: "near",
        distance: node.distance,
        left: phraseOf(node.left, intern),
        right: phraseOf(node.right, intern),
      };
    default:
      return leafPlan(node, intern);
  }
}

function leafPlan(leaf: Leaf, intern: Intern): Plan {
  switch (leaf.type) {
    case "tag":
      return { op: "term", term: intern(TAG_TERM, leaf.tag, false), fields: DEFAULT_FIELDS };
    case "meta":
      return { op: "term", term: intern(META_TERM, `${leaf.field}:${leaf.value}`, false), fields: DEFAULT_FIELDS };
    case "number":
      return {
        op: "number",
        field: leaf.field,
        compare: leaf.op,
        value: leaf.value,
        term: intern(META_TERM, `number:${leaf.field}`, false),
      };
    case "text": {
      const simple =
        leaf.pieces.length === 1 && leaf.exactness === "fold" && !leaf.before && !leaf.after && !leaf.outsideHashtags;
      if (!simple) return phraseOf(leaf, intern);
      return { op: "term", term: intern(pieceKind(leaf, 0), leaf.pieces[0].text, false), fields: leaf.fields };
    }
  }
}

function phraseOf(leaf: TextLeaf, intern: Intern): Plan & { op: "phrase" } {
  return { op: "phrase", leaf, terms: leaf.pieces.map((piece, k) => intern(pieceKind(leaf, k), piece.text, true)) };
}

function pieceKind(leaf: TextLeaf, k: number): number {
  if (leaf.pieces[k].kind === UNSPACED) return UNSPACED_TERM;
  return leaf.prefix && k === leaf.pieces.length - 1 ? PREFIX_TERM : WORD_TERM;
}

interface Cover {
  terms: number[];
  cost: number;
}

function coverOf(plan: Plan, terms: Term[], weigh: Weigh): Cover | null {
  const one = (index: number): Cover => ({ terms: [index], cost: weigh(terms[index]) });
  const rarest = (covers: (Cover | null)[]): Cover | null =>
    covers.reduce((best, c) => (c && (!best || c.cost < best.cost) ? c : best), null);
  switch (plan.op) {
    case "term":
    case "number":
      return one(plan.term);
    case "phrase":
      return rarest(plan.terms.map(one));
    case "near":
      return rarest([...plan.left.terms, ...plan.right.terms].map(one));
    case "and":
      return rarest(plan.children.map((c) => coverOf(c, terms, weigh)));
    case "or": {
      const covers = plan.children.map((c) => coverOf(c, terms, weigh));
      if (covers.some((c) => c === null)) return null;
      return { terms: covers.flatMap((c) => c!.terms), cost: covers.reduce((sum, c) => sum + c!.cost, 0) };
    }
    case "not":
      return negativeCover(plan.child, terms, weigh);
  }
}

/** NOT (NOT a OR b) still requires a. */
function negativeCover(plan: Plan, terms: Term[], weigh: Weigh): Cover | null {
  if (plan.op === "not") return coverOf(plan.child, terms, weigh);
  if (plan.op === "or") {
    return plan.children
      .map((c) => negativeCover(c, terms, weigh))
      .reduce((best, c) => (c && (!best || c.cost < best.cost) ? c : best), null);
  }
  if (plan.op !== "and") return null;
  const covers = plan.children.map((c) => negativeCover(c, terms, weigh));
  if (covers.some((c) => c === null)) return null;
  return { terms: covers.flatMap((c) => c!.terms), cost: covers.reduce((sum, c) => sum + c!.cost, 0) };
}

/** Until documents have been seen: long words are rare, metadata is everywhere. */
export function weighByLength(term: Term): number {
  if (term.kind === META_TERM) return term.text.startsWith("site:") ? 0.1 : 1;
  const rarity = 0.5 / (term.text.length * term.text.length);
  return term.kind === PREFIX_TERM ? rarity * 4 : term.kind === TAG_TERM ? rarity / 8 : rarity;
}
