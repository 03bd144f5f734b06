// What part of the page each element stands in: one number of signal bits per node, handed down from parents.
import { attribute } from "../html/query.ts";
import { HAS_CLASS, HAS_DATA, HAS_HIDDEN, HAS_ID, HAS_ITEM } from "../html/attribute-flags.ts";
import type { Tree } from "../html/tree.ts";
import { TEXT, isStruck, isUnseen, tag } from "../html/tags.ts";
import {
  ASIDE,
  BUY,
  CENTS,
  CHROME,
  CODE,
  CURRENT,
  HIDDEN,
  LINK,
  LISTING,
  OLD,
  OPTION,
  OUT,
  PRICE,
  REVIEW,
  SAVING,
  STOCK,
  STRUCK,
  bitsOf,
} from "./signals.ts";

const NAV = tag("nav"),
  FOOTER = tag("footer"),
  ASIDE_TAG = tag("aside"),
  A = tag("a"),
  SELECT = tag("select"),
  OPTION_TAG = tag("option"),
  NOSCRIPT = tag("noscript");
const DIALOG = tag("dialog"),
  SUP = tag("sup"),
  H1 = tag("h1"),
  BODY = tag("body");

/** The bits that hold for everything inside, however large the element. */
const WIDE = LISTING | CHROME | HIDDEN | REVIEW | LINK;
/** The longest element, in characters of source, whose bits still describe what is inside. */
const REACH: [number, number][] = [
  [PRICE | CURRENT, 2500],
  [OLD | STRUCK | SAVING | CENTS, 900],
  [ASIDE, 4000],
  [STOCK | CODE | OUT, 1500],
  [OPTION, 40_000],
  [BUY, 3000],
];

export function zonesOf(tree: Tree, heading: number): Int32Array {
  const zones = new Int32Array(tree.count);
  for (let i = 0; i < tree.count; i++) {
    const parent = tree.parent[i]!;
    const inherited = parent < 0 ? 0 : zones[parent]!;
    const id = tree.tag[i]!;
    if (id === TEXT || isUnseen[id]) {
      zones[i] = inherited;
      continue;
    }
    // Inside a list of other products or a menu the details do not matter.
    if (inherited & (LISTING | CHROME) && !(inherited & REVIEW)) {
      zones[i] = id === A ? inherited | LINK : inherited | (isStruck[id] ? OLD | STRUCK : 0);
      continue;
    }
    let own = ownBits(tree, i, id);
    if (own !== 0) {
      const holdsHeading = heading > i && heading < tree.after[i]!;
      if (holdsHeading || id === BODY || id === H1) own &= ~WIDE;
      const size = tree.close[i]! - tree.open[i]!;
      for (const [bits, reach] of REACH) if (own & bits && size > reach) own &= ~bits;
    }
    zones[i] = inherited | own;
  }
  return zones;
}

function ownBits(tree: Tree, node: number, id: number): number {
  const flags = tree.flags[node]!;
  let bits = 0;
  if (flags & HAS_CLASS) bits |= bitsOf(tree.source.slice(tree.classFrom[node]!, tree.classTo[node]!));
  if (flags & HAS_ID) bits |= bitsOf(attribute(tree, node, "id") ?? "");
  if (flags & HAS_DATA) bits |= dataBits(tree, node);
  if (flags & HAS_ITEM) bits |= bitsOf(attribute(tree, node, "itemprop") ?? "") & (PRICE | STOCK | CODE);
  if (flags & HAS_HIDDEN) bits |= hiddenBits(tree, node);
  if (isStruck[id]) bits |= OLD | STRUCK;
  switch (id) {
    case NAV:
    case FOOTER:
      return bits | CHROME;
    case ASIDE_TAG:
      return bits | LISTING;
    case A:
      return bits | LINK;
    case SELECT:
    case OPTION_TAG:
      return bits | OPTION;
    case NOSCRIPT:
    case DIALOG:
      return bits | HIDDEN;
    case SUP:
      return bits | CENTS;
    default:
      return bits;
  }
}

/** Names that test tools and scripts give: `data-testid="product-price"`. */
function dataBits(tree: Tree, node: number): number {
  const open = tree.source.slice(tree.open[node]!, Math.min(tree.inner[node]!, tree.open[node]! + 400));
  const match =
    /data-(?:test(?:-?id)?|qa[a-z-]*|auto[a-z-]*|role|component|hook|tl-id|at|cy|element|selector|price-type)\s*=\s*["']?([\w -]{2,60})/i.exec(
      open,
    );
  if (!match) return 0;
  const bits = bitsOf(match[1]!);
  return /data-price-type\s*=\s*["']?finalPrice/i.test(open)
    ? bits | PRICE | CURRENT
    : /data-price-type\s*=\s*["']?oldPrice/i.test(open)
      ? bits | OLD
      : bits;
}

function hiddenBits(tree: Tree, node: number): number {
  const open = tree.source.slice(tree.open[node]!, tree.inner[node]!);
  let bits = 0;
  if (/\sstyle\s*=/i.test(open)) {
    if (/(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(open)) bits |= HIDDEN;
    if (/text-decoration[^;"']*line-through/i.test(open)) bits |= OLD | STRUCK;
  }
  return /\shidden(?=[\s>=/])/i.test(open) ? bits | HIDDEN : bits;
}
