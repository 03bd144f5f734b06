// Microdata (HTML standard §5) to items, itemref included. Values as written; addresses are not resolved here.
import { HAS_ITEM } from "../html/attribute-flags.ts";
import type { Tree } from "../html/tree.ts";
import { attribute, clean, contentOf, textOf } from "../html/query.ts";
import { tag, tagNames } from "../html/tags.ts";
import { add, shortName, type Item, type Value } from "./item.ts";

const META = tag("meta"),
  INPUT = tag("input");
const BY_ATTRIBUTE: Record<string, string> = {
  audio: "src",
  embed: "src",
  iframe: "src",
  img: "src",
  source: "src",
  track: "src",
  video: "src",
  a: "href",
  area: "href",
  link: "href",
  object: "data",
  data: "value",
  meter: "value",
  time: "datetime",
};

export interface MicrodataOptions {
  /** `content` on any element counts, as search engines have it; the standard takes it from meta alone. */
  contentAnywhere?: boolean;
  /** Properties that are items and belong to none are taken as well: an offer on its own. */
  orphans?: boolean;
}

/** Top-level items: those that are no property of another. */
export function microdataItems(tree: Tree, options: MicrodataOptions = { contentAnywhere: true }): Item[] {
  const out: Item[] = [];
  const ids = new Map<string, number>();
  const reader = { tree, options, ids, depth: 0, left: 20_000 };
  let indexed = false;
  let until = 0;
  for (let i = 0; i < tree.count; i++) {
    if (!(tree.flags[i]! & HAS_ITEM) || attribute(tree, i, "itemscope") === null) continue;
    if (attribute(tree, i, "itemprop") !== null && !(options.orphans && i >= until)) continue;
    until = Math.max(until, tree.after[i]!);
    if (!indexed && attribute(tree, i, "itemref") !== null) {
      index(tree, ids);
      indexed = true;
    }
    out.push(itemAt(reader, i));
  }
  return out;
}

/** Properties that stand outside any item: `<meta itemprop="price">` on its own. */
export function looseProperties(tree: Tree): { name: string; value: string; node: number }[] {
  const out: { name: string; value: string; node: number }[] = [];
  const insideUntil = { at: -1 };
  for (let i = 0; i < tree.count && out.length < 200; i++) {
    if (!(tree.flags[i]! & HAS_ITEM)) continue;
    if (attribute(tree, i, "itemscope") !== null) insideUntil.at = Math.max(insideUntil.at, tree.after[i]!);
    const name = attribute(tree, i, "itemprop");
    if (name && i >= insideUntil.at)
      out.push({
        name: shortName(name.trim()),
        value: String(plainValue(tree, i, { contentAnywhere: true })),
        node: i,
      });
  }
  return out;
}

type Reader = { tree: Tree; options: MicrodataOptions; ids: Map<string, number>; depth: number; left: number };

function index(tree: Tree, ids: Map<string, number>): void {
  for (let i = 0; i < tree.count; i++) {
    const id = tree.tag[i] === 0 ? null : attribute(tree, i, "id");
    if (id && !ids.has(id)) ids.set(id, i);
  }
}

function itemAt(reader: Reader, node: number): Item {
  const { tree } = reader;
  const types = attribute(tree, node, "itemtype")?.trim().split(/\s+/).filter(Boolean) ?? [];
  const item: Item = { types, id: attribute(tree, node, "itemid"), props: new Map(), node };
  if (reader.depth > 30 || reader.left-- <= 0) return item;
  reader.depth++;
  collect(reader, item, node + 1, tree.after[node]!);
  for (const id of attribute(tree, node, "itemref")?.trim().split(/\s+/) ?? []) {
    const target = reader.ids.get(id);
    if (target === undefined || target === node) continue;
    const isProperty = attribute(tree, target, "itemprop") !== null;
    collect(reader, item, isProperty ? target : target + 1, tree.after[target]!);
  }
  reader.depth--;
  return item;
}

function collect(reader: Reader, item: Item, from: number, to: number): void {
  const { tree } = reader;
  for (let i = from; i < to; ) {
    if (!(tree.flags[i]! & HAS_ITEM)) {
      i++;
      continue;
    }
    const names = attribute(tree, i, "itemprop");
    const scoped = attribute(tree, i, "itemscope") !== null;
    if (names !== null && names.trim() !== "") {
      const value: Value = scoped ? itemAt(reader, i) : plainValue(tree, i, reader.options);
      for (const name of names.trim().split(/\s+/)) add(item, shortName(name), value);
    }
    i = scoped ? tree.after[i]! : i + 1;
  }
}

function plainValue(tree: Tree, node: number, options: MicrodataOptions): Value {
  const id = tree.tag[node]!;
  if (id === META) return clean(attribute(tree, node, "content") ?? "");
  if (id === INPUT) {
    const name = attribute(tree, node, "name");
    const value = attribute(tree, node, "content") ?? attribute(tree, node, "value");
    return (
      value ?? {
        types: [],
        id: null,
        node,
        props: new Map<string, Value[]>([
          ["valueRequired", [attribute(tree, node, "required") !== null]],
          ["valueName", [name ?? ""]],
        ]),
      }
    );
  }
  const content = options.contentAnywhere ? attribute(tree, node, "content") : null;
  if (content !== null && content.trim() !== "") return clean(content);
  const by = BY_ATTRIBUTE[tagNames[id]!];
  const value = by ? attribute(tree, node, by) : null;
  if (value !== null) return value.trim();
  return clean(options.contentAnywhere ? textOf(tree, node, 20_000) : contentOf(tree, node));
}
