// RDFa Lite (vocab, typeof, property, resource, prefix) to items. Full RDFa, with its chains and subjects, is not read.
import { HAS_RDFA } from "../html/attribute-flags.ts";
import type { Tree } from "../html/tree.ts";
import { attribute, clean, textOf } from "../html/query.ts";
import { tag, tagNames } from "../html/tags.ts";
import { add, shortName, type Item, type Value } from "./item.ts";

const META = tag("meta");
const BY_ATTRIBUTE: Record<string, string> = {
  img: "src",
  audio: "src",
  embed: "src",
  iframe: "src",
  source: "src",
  video: "src",
  a: "href",
  area: "href",
  link: "href",
  object: "data",
  time: "datetime",
  data: "value",
  meter: "value",
};

export function rdfaItems(tree: Tree): Item[] {
  const out: Item[] = [];
  const walker = { tree, left: 20_000, byResource: new Map<string, Item>() };
  /** What is said of the page itself. */
  const page: Item = { types: [], id: null, props: new Map(), node: -1 };
  let until = 0;
  for (let i = 0; i < tree.count; i++) {
    if (i < until || !(tree.flags[i]! & HAS_RDFA)) continue;
    const types = attribute(tree, i, "typeof");
    if (types === null) {
      const names = tree.tag[i] === META ? null : attribute(tree, i, "property");
      for (const name of names?.trim().split(/\s+/) ?? []) add(page, shortName(name), plainValue(tree, i));
      continue;
    }
    const vocab = vocabOf(tree, i);
    out.push(itemAt(walker, i, types, vocab, 0));
    until = tree.after[i]!;
  }
  if (page.props.size > 0) out.push(page);
  return out;
}

type Walker = { tree: Tree; left: number; byResource: Map<string, Item> };

function vocabOf(tree: Tree, node: number): string {
  let n = node;
  for (let hops = 0; n >= 0 && hops < 64; hops++, n = tree.parent[n]!) {
    if (tree.flags[n]! & HAS_RDFA) {
      const vocab = attribute(tree, n, "vocab");
      if (vocab !== null) return vocab;
    }
  }
  return "";
}

function itemAt(walker: Walker, node: number, types: string, vocab: string, depth: number): Item {
  const { tree } = walker;
  const full = types
    .trim()
    .split(/\s+/)
    .filter(Boolean)
    .map((type) => (/[:/]/.test(type) ? type : vocab + type));
  const resource = attribute(tree, node, "resource") ?? attribute(tree, node, "about");
  const known = resource ? walker.byResource.get(resource) : undefined;
  const item: Item = known ?? { types: full, id: resource, props: new Map(), node };
  if (known) known.types.push(...full.filter((t) => !known.types.includes(t)));
  if (resource) walker.byResource.set(resource, item);
  if (depth < 30 && walker.left-- > 0)
    collect(walker, item, node + 1, tree.after[node]!, attribute(tree, node, "vocab") ?? vocab, depth);
  return item;
}

function collect(walker: Walker, item: Item, from: number, to: number, vocab: string, depth: number): void {
  const { tree } = walker;
  for (let i = from; i < to; ) {
    if (!(tree.flags[i]! & HAS_RDFA)) {
      i++;
      continue;
    }
    const names = attribute(tree, i, "property");
    const types = attribute(tree, i, "typeof");
    if (names !== null && names.trim() !== "") {
      const nested = types !== null;
      const value: Value = nested
        ? itemAt(walker, i, types, attribute(tree, i, "vocab") ?? vocab, depth + 1)
        : plainValue(tree, i);
      for (const name of names.trim().split(/\s+/)) add(item, shortName(name), value);
      i = nested ? tree.after[i]! : i + 1;
    } else if (types !== null) {
      // An item that is no property hangs below as itself.
      add(item, "@included", itemAt(walker, i, types, vocab, depth + 1));
      i = tree.after[i]!;
    } else i++;
  }
}

function plainValue(tree: Tree, node: number): string {
  const id = tree.tag[node]!;
  const content = attribute(tree, node, "content");
  if (id === META || (content !== null && content.trim() !== "")) return clean(content ?? "");
  const by = BY_ATTRIBUTE[tagNames[id]!];
  const value = attribute(tree, node, "resource") ?? (by ? attribute(tree, node, by) : null);
  return value !== null ? value.trim() : clean(textOf(tree, node, 20_000));
}
