// Meta elements: Open Graph, product and twitter names, and the plain ones. Order kept, nothing judged.
import { attribute } from "../html/query.ts";
import type { Tree } from "../html/tree.ts";
import { tag } from "../html/tags.ts";

const META = tag("meta");

/** The namespaces that Open Graph itself declares. */
const OPEN_GRAPH: Record<string, string> = {
  og: "http://ogp.me/ns#",
  music: "http://ogp.me/ns/music#",
  video: "http://ogp.me/ns/video#",
  article: "http://ogp.me/ns/article#",
  book: "http://ogp.me/ns/book#",
  profile: "http://ogp.me/ns/profile#",
  product: "http://ogp.me/ns/product#",
};

export interface Metas {
  /** Every name and content, in the order of the page; names in lower case. */
  list: [string, string][];
  get(...names: string[]): string | null;
}

export function readMetas(tree: Tree): Metas {
  const list: [string, string][] = [];
  const first = new Map<string, string>();
  for (let i = 0; i < tree.count && list.length < 2000; i++) {
    if (tree.tag[i] !== META) continue;
    const content = attribute(tree, i, "content");
    if (content === null) continue;
    const names = attribute(tree, i, "property") ?? attribute(tree, i, "name") ?? attribute(tree, i, "http-equiv");
    for (const name of names?.trim().toLowerCase().split(/\s+/) ?? []) {
      list.push([name, content]);
      if (!first.has(name) && content.trim() !== "") first.set(name, content.trim());
    }
  }
  return {
    list,
    get(...names) {
      for (const name of names) if (first.has(name)) return first.get(name)!;
      return null;
    },
  };
}

export interface OpenGraph {
  namespace: Record<string, string>;
  properties: [string, string][];
}

/** The Open Graph properties alone, with the namespaces in use; null where the page has none. */
export function openGraph(tree: Tree): OpenGraph | null {
  const properties: [string, string][] = [];
  const namespace: Record<string, string> = {};
  for (let i = 0; i < tree.count && properties.length < 2000; i++) {
    if (tree.tag[i] !== META) continue;
    const content = attribute(tree, i, "content");
    for (const name of attribute(tree, i, "property")?.trim().split(/\s+/) ?? []) {
      const prefix = name.slice(0, Math.max(0, name.indexOf(":")));
      if (content === null || !Object.hasOwn(OPEN_GRAPH, prefix)) continue;
      namespace[prefix] = OPEN_GRAPH[prefix]!;
      properties.push([name, content]);
    }
  }
  return properties.length === 0 ? null : { namespace, properties };
}
