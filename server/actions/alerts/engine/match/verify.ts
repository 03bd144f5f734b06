// Decides what presence alone cannot: phrases, NEAR, exact spelling, single fields, numbers. Works on what the reader
// recorded of the current document.
import type { Content, TextLeaf } from "../query/ast.ts";
import { toDecimal } from "../../../../lib/decimal.ts";
import { holds } from "../query/holds.ts";
import { isNear, signsHold, spellingHolds } from "../query/evaluate.ts";
import { extractHashtags } from "../text/hashtags.ts";
import type { Plan } from "./compile.ts";
import type { Reader } from "./reader.ts";

/** A plan whose terms are ids of the dictionary. */
export type Resolved = Plan;

export function resolve(plan: Plan, ids: Int32Array): Resolved {
  switch (plan.op) {
    case "term":
    case "number":
      return { ...plan, term: ids[plan.term] };
    case "phrase":
      return { ...plan, terms: plan.terms.map((t) => ids[t]) };
    case "near":
      return {
        ...plan,
        left: resolve(plan.left, ids) as typeof plan.left,
        right: resolve(plan.right, ids) as typeof plan.right,
      };
    case "not":
      return { op: "not", child: resolve(plan.child, ids) };
    default:
      return { op: plan.op, children: plan.children.map((c) => resolve(c, ids)) };
  }
}

export function holdsPlan(plan: Resolved, reader: Reader, content: Content): boolean {
  switch (plan.op) {
    case "term":
      return reader.present(plan.term, plan.fields);
    case "number": {
      const given = content.numbers?.[plan.field];
      const value = given === undefined ? null : toDecimal(given);
      return value !== null && holds(plan.compare, value, plan.value);
    }
    case "phrase":
      return somePlace(plan.leaf, plan.terms, reader, () => true);
    case "near":
      return somePlace(plan.left.leaf, plan.left.terms, reader, (from, to, entry) =>
        somePlace(
          plan.right.leaf,
          plan.right.terms,
          reader,
          (from2, to2, entry2) => entry === entry2 && isNear({ from, to }, { from: from2, to: to2 }, plan.distance),
        ),
      );
    case "not":
      return !holdsPlan(plan.child, reader, content);
    case "and":
      for (const child of plan.children) if (!holdsPlan(child, reader, content)) return false;
      return true;
    case "or":
      for (const child of plan.children) if (holdsPlan(child, reader, content)) return true;
      return false;
  }
}

type Accept = (from: number, to: number, entry: number) => boolean;

/** Whether the phrase stands somewhere that is accepted. */
function somePlace(leaf: TextLeaf, terms: number[], reader: Reader, accept: Accept): boolean {
  for (const term of terms) if (reader.firstOf(term) < 0) return false;
  const o = reader.occurrences;
  for (let at = reader.firstOf(terms[0]); at >= 0; at = o.nextOf(at)) {
    const entry = o.entry(at);
    if ((reader.entryFields[entry] & leaf.fields) === 0 || !pieceHolds(leaf, 0, at, reader)) continue;
    if (chain(leaf, terms, reader, 1, o.from(at), o.to(at), o.start(at), o.end(at), entry, accept)) return true;
  }
  return false;
}

function chain(
  leaf: TextLeaf,
  terms: number[],
  reader: Reader,
  k: number,
  from: number,
  to: number,
  start: number,
  end: number,
  entry: number,
  accept: Accept,
): boolean {
  if (k === terms.length) return signsHold(leaf, reader.entries[entry], start, end) && accept(from, to, entry);
  const o = reader.occurrences;
  for (let at = reader.firstOf(terms[k]); at >= 0; at = o.nextOf(at)) {
    if (o.entry(at) !== entry || o.from(at) !== to || !pieceHolds(leaf, k, at, reader)) continue;
    if (chain(leaf, terms, reader, k + 1, from, o.to(at), start, o.end(at), entry, accept)) return true;
  }
  return false;
}

function pieceHolds(leaf: TextLeaf, k: number, at: number, reader: Reader): boolean {
  if (leaf.exactness === "fold" && !leaf.outsideHashtags) return true;
  const o = reader.occurrences;
  const text = reader.entries[o.entry(at)];
  const mayGoOn = leaf.prefix && k === leaf.pieces.length - 1;
  if (!spellingHolds(leaf, k, mayGoOn, text.slice(o.start(at), o.end(at)))) return false;
  return !leaf.outsideHashtags || !extractHashtags(text).some((h) => o.start(at) >= h.start && o.end(at) <= h.end);
}
