// Decides what presence alone cannot: phrases, NEAR, exact spelling, single fields, numbers. Works on what the reader
// recorded of the current document.
import type { Content, TextLeaf } from "../query/ast.ts";
import { toDecimal } from "../../../../lib/decimal.ts";
import { holds } from "../query/holds.ts";
import { isInHashtag, type Reach, signsHold, someNear, spellingHolds } from "../query/evaluate.ts";
import type { Plan } from "./compile.ts";
import type { Reader } from "./reader.ts";

/** Verifying a document took more steps than it may. */
export class TooManySteps extends Error {}

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
    case "near": {
      const lefts = placesOf(plan.left.leaf, plan.left.terms, reader);
      return lefts.length > 0 && someNear(lefts, placesOf(plan.right.leaf, plan.right.terms, reader), plan.distance);
    }
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

function placesOf(leaf: TextLeaf, terms: number[], reader: Reader): Reach[] {
  const places: Reach[] = [];
  somePlace(leaf, terms, reader, (from, to, entry) => {
    places.push({ from, to, entry });
    return false;
  });
  return places;
}

/** Whether the phrase occurs somewhere that is accepted: each occurrence of its first term, followed by the others. */
function somePlace(leaf: TextLeaf, terms: number[], reader: Reader, accept: Accept): boolean {
  for (const term of terms) if (reader.firstOf(term) < 0) return false;
  const o = reader.occurrences;
  for (let first = reader.firstOf(terms[0]); first >= 0; first = o.nextOf(first)) {
    reader.steps++;
    if (reader.steps > reader.maxSteps) throw new TooManySteps();
    const entry = o.entry(first);
    if ((reader.entryFields[entry] & leaf.fields) === 0 || !pieceHolds(leaf, 0, first, reader)) continue;
    let end = first;
    for (let k = 1; k < terms.length && end >= 0; k++) {
      reader.steps++;
      end = o.startingAt(terms[k], entry, o.to(end));
      if (end >= 0 && !pieceHolds(leaf, k, end, reader)) end = -1;
    }
    if (end < 0 || !signsHold(leaf, reader.entries[entry], o.start(first), o.end(end))) continue;
    if (accept(o.from(first), o.to(end), entry)) return true;
  }
  return false;
}

function pieceHolds(leaf: TextLeaf, k: number, at: number, reader: Reader): boolean {
  if (leaf.exactness === "fold" && !leaf.outsideHashtags) return true;
  const o = reader.occurrences;
  const entry = o.entry(at);
  const mayGoOn = leaf.prefix && k === leaf.pieces.length - 1;
  if (!spellingHolds(leaf, k, mayGoOn, reader.entries[entry], o.start(at), o.end(at))) return false;
  return !leaf.outsideHashtags || !isInHashtag(reader.hashtagsOf(entry), o.start(at), o.end(at));
}
