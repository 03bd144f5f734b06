// The kinds of stored queries: how much of one presence alone decides.
import { DEFAULT_FIELDS } from "../query/ast.ts";
import type { Compiled, Plan } from "./compile.ts";

/** Posting = slot << 2 | kind; but number << 2 for ONE, which then needs no further look. */
export const ONE = 0;
export const ALL = 1;
const TREE = 2;
export const ANY = 3;

function isBareTerm(plan: Plan): plan is Plan & { op: "term" } {
  return plan.op === "term" && plan.fields === DEFAULT_FIELDS;
}

export function kindOf({ plan, terms, cover }: Compiled): number {
  if (isBareTerm(plan)) return ONE;
  if (plan.op === "or" && plan.children.every(isBareTerm)) return ANY;
  if (plan.op !== "and" || terms.length > 1000) return TREE;
  const positive = new Set(plan.children.filter(isBareTerm).map((p) => p.term));
  const negative = plan.children.flatMap((p) => (p.op === "not" && isBareTerm(p.child) ? [p.child.term] : []));
  const simple = plan.children.every((p) => isBareTerm(p) || (p.op === "not" && isBareTerm(p.child)));
  return simple && cover.length === 1 && positive.has(cover[0]) && !negative.some((t) => positive.has(t)) ? ALL : TREE;
}
