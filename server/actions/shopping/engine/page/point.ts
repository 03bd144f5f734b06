// Where a candidate for the price stands: the text around it as a reader sees it, and a selector that finds it again.
import { attribute, clean, textOf } from "../html/query.ts";
import type { Tree } from "../html/tree.ts";
import { TEXT, tagNames } from "../html/tags.ts";
import { plainAmount } from "./amounts.ts";
import type { ExtractedPage } from "./result.ts";
import type { Candidate } from "./weigh.ts";
import { pointedPrice } from "./witnesses.ts";

const MIN_CONTEXT = 40;
const MAX_CONTEXT = 200;
const MAX_HOPS = 6;
const MAX_STEPS = 4;
const NAME = /^[A-Za-z_][\w-]*$/;

/** What is shown of the candidates, the likeliest first; the scores of all of them add up to 1. */
export function showCandidates(
  tree: Tree,
  candidates: readonly Candidate[],
  place: string | null,
): ExtractedPage["candidates"] {
  const total = candidates.reduce((sum, c) => sum + c.score, 0);
  return candidates.map((c) => ({
    amount: c.amount,
    currency: c.currency,
    method: c.methods.join("+") || "dom",
    score: Number((c.score / total).toFixed(2)),
    text: c.raw,
    context: c.spot ? contextOf(tree, c.spot.node) : null,
    selector: c.spot ? selectorOf(tree, c.spot.node, c.amount, place) : null,
  }));
}

/** The smallest part of the page around a node that says more than the node itself. */
function contextOf(tree: Tree, node: number): string {
  let text = "";
  for (let at = node, hops = 0; at >= 0 && hops < MAX_HOPS; at = tree.parent[at]!, hops++) {
    const around = clean(textOf(tree, at, MAX_CONTEXT * 2, " "));
    if (around.length > MAX_CONTEXT && text !== "") break;
    text = around.slice(0, MAX_CONTEXT);
    if (text.length >= MIN_CONTEXT) break;
  }
  return text;
}

/** The shortest path of classes and ids that leads to this amount; null where none does. */
function selectorOf(tree: Tree, node: number, amount: string, place: string | null): string | null {
  let path = "";
  let at = tree.tag[node] === TEXT ? tree.parent[node]! : node;
  for (let steps = 0; at >= 0 && steps < MAX_STEPS; at = tree.parent[at]!, steps++) {
    const step = stepOf(tree, at);
    if (step === null) return null;
    path = path === "" ? step : `${step} > ${path}`;
    const [found] = pointedPrice(tree, path, place);
    if (found && plainAmount(found.amount) === amount) return path;
    if (step.includes("#")) return null;
  }
  return null;
}

function stepOf(tree: Tree, node: number): string | null {
  const name = tagNames[tree.tag[node]!]!;
  if (!NAME.test(name)) return null;
  const id = attribute(tree, node, "id");
  if (id && NAME.test(id)) return `${name}#${id}`;
  const classes = (attribute(tree, node, "class") ?? "").split(/\s+/).filter((one) => NAME.test(one));
  return [name, ...classes.slice(0, 3)].join(".");
}
