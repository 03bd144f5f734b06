// The heading of the product: the h1 that says what the page's title says. And how alike two names are.
import { attribute, clean, rawOf, textOf } from "../html/query.ts";
import { decodeEntities } from "../html/entities.ts";
import type { Tree } from "../html/tree.ts";
import { tag } from "../html/tags.ts";

const HEADINGS = ["h1", "h2", "h3"].map(tag);
const TITLE = tag("title"),
  META = tag("meta");

export interface Heading {
  node: number;
  text: string;
  title: string;
}

export function findHeading(tree: Tree): Heading {
  let title = "";
  let shared = "";
  for (let i = 0; i < tree.count; i++) {
    const id = tree.tag[i]!;
    if (id === TITLE && title === "") title = clean(decodeEntities(rawOf(tree, i)));
    else if (id === META && shared === "" && /og:title/i.test(tree.source.slice(tree.open[i]!, tree.inner[i]!)))
      shared = clean(attribute(tree, i, "content") ?? "");
    else if (i > 3000 && title !== "") break;
  }
  const name = shared || title;
  let best = -1,
    bestScore = 0,
    bestText = "";
  const seen = [0, 0, 0];
  for (let i = 0; i < tree.count; i++) {
    const level = HEADINGS.indexOf(tree.tag[i]!);
    // Lower headings are asked only where no h1 says what the title says.
    if (level < 0 || seen[level]! > 40 || (level > 0 && bestScore > 0.9)) continue;
    seen[level]!++;
    const text = clean(textOf(tree, i, 400));
    if (text.length < 2) continue;
    const alike = likeness(text, name);
    const score = level === 0 ? 0.35 + alike : alike > 0.55 ? alike - 0.15 * level : 0;
    if (score > bestScore + 0.001) {
      best = i;
      bestScore = score;
      bestText = text;
    }
  }
  return { node: best, text: bestText, title: name };
}

/** 0 to 1: how much of the shorter name's words the longer one has. */
export function likeness(a: string, b: string): number {
  const left = words(a),
    right = words(b);
  if (left.size === 0 || right.size === 0) return 0;
  const [small, large] = left.size <= right.size ? [left, right] : [right, left];
  let same = 0;
  for (const word of small) if (large.has(word)) same++;
  return (same / small.size) * (small.size === 1 && large.size > 4 ? 0.6 : 1);
}

const words = (text: string): Set<string> =>
  new Set(
    text
      .toLowerCase()
      .normalize("NFKC")
      .split(/[^\p{L}\p{N}]+/u)
      .filter((w) => w.length > 1 || /\d/.test(w))
      .slice(0, 60),
  );
