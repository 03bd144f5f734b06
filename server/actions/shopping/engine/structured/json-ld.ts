// JSON-LD scripts of a page to items. Tolerant: one broken script never loses the others.
import { decodeEntities } from "../html/entities.ts";
import { attribute, rawOf } from "../html/query.ts";
import type { Tree } from "../html/tree.ts";
import { tag } from "../html/tags.ts";
import { add, shortName, type Item, type Value } from "./item.ts";
import { parseLoose } from "./loose-json.ts";

const SCRIPT = tag("script");

export const isJsonLdType = (type: string | null): boolean =>
  type !== null && /^\s*application\/ld\+json\b/i.test(type);

/** The values of every JSON-LD script, scripts that hold nothing left out. */
export function jsonLdValues(tree: Tree, scripts: readonly number[] = scriptsOf(tree)): unknown[] {
  const out: unknown[] = [];
  for (const node of scripts) {
    if (!isJsonLdType(attribute(tree, node, "type"))) continue;
    for (const value of parseScript(rawOf(tree, node))) {
      if (Array.isArray(value)) out.push(...value.filter((v) => v !== null && typeof v === "object"));
      else if (value !== null && typeof value === "object") out.push(value);
    }
  }
  return out;
}

export function parseScript(code: string): unknown[] {
  const values = parseLoose(code);
  // A template that escaped the whole script: `{&quot;@type&quot;…`.
  return values.length === 0 && code.includes("&quot;") ? parseLoose(decodeEntities(code)) : values;
}

export function scriptsOf(tree: Tree): number[] {
  const out: number[] = [];
  for (let i = 0; i < tree.count; i++) if (tree.tag[i] === SCRIPT) out.push(i);
  return out;
}

/** Top-level items, `@graph` opened, references by `@id` joined. */
export function jsonLdItems(values: readonly unknown[]): Item[] {
  const byId = new Map<string, Item>();
  const out: Item[] = [];
  const budget = { left: 50_000 };
  for (const value of values) for (const item of convertAll(value, byId, budget, 0)) out.push(item);
  for (const item of out) join(item, byId, new Set());
  return out;
}

type Budget = { left: number };

function convertAll(value: unknown, byId: Map<string, Item>, budget: Budget, depth: number): Item[] {
  if (depth > 40 || budget.left <= 0) return [];
  if (Array.isArray(value)) return value.flatMap((v) => convertAll(v, byId, budget, depth + 1));
  if (value === null || typeof value !== "object") return [];
  const object = value as Record<string, unknown>;
  const graph = object["@graph"];
  const own = Object.keys(object).some((key) => key !== "@graph" && key !== "@context" && key !== "@id")
    ? [convert(object, byId, budget, depth)]
    : [];
  return graph === undefined ? own : [...own, ...convertAll(graph, byId, budget, depth + 1)];
}

function convert(object: Record<string, unknown>, byId: Map<string, Item>, budget: Budget, depth: number): Item {
  budget.left--;
  const item: Item = { types: [], id: null, props: new Map(), node: -1 };
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (key === "@type" || key === "type") {
      if (key === "@type" || typeof value === "string")
        item.types.push(...(Array.isArray(value) ? value : [value]).filter((v) => typeof v === "string"));
    } else if (key === "@id") item.id = typeof value === "string" ? value : null;
    else if (key === "@value") add(item, "value", value as Value);
    else if (key.charCodeAt(0) !== 64) put(item, key, value, byId, budget, depth);
  }
  if (item.id && item.props.size > 0 && !byId.has(item.id)) byId.set(item.id, item);
  return item;
}

function put(item: Item, key: string, value: unknown, byId: Map<string, Item>, budget: Budget, depth: number): void {
  const short = shortName(key);
  const name = short.charAt(0).toLowerCase() + short.slice(1);
  for (const one of Array.isArray(value) ? value.flat(2) : [value]) {
    if (one === null || one === undefined) continue;
    if (typeof one !== "object") add(item, name, one as Value);
    else if (depth < 40 && budget.left > 0) {
      const object = one as Record<string, unknown>;
      const plain = object["@value"];
      if (plain !== undefined && typeof plain !== "object") add(item, name, plain as Value);
      else add(item, name, convert(object, byId, budget, depth + 1));
    }
  }
}

/** `{"@id": "#offer"}` alone stands for the item of that name. */
function join(item: Item, byId: Map<string, Item>, seen: Set<Item>): void {
  if (seen.has(item) || seen.size > 20_000) return;
  seen.add(item);
  for (const values of item.props.values()) {
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!;
      if (typeof value !== "object") continue;
      if (value.id && value.props.size === 0) values[i] = byId.get(value.id) ?? value;
      join(values[i] as Item, byId, seen);
    }
  }
}
