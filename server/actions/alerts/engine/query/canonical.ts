// Writes a query in its canonical spelling, which parses to the same query; builds queries from `tag` and `tags`.
import { FIELD_BITS, DEFAULT_FIELDS, QueryError, type Leaf, type MatchOptions, type Node } from "./ast.ts";
import { MAX_LEAVES } from "./parse.ts";
import { termLeaf } from "./terms.ts";

const signs: Record<string, string> = { lt: "<", lte: "<=", gt: ">", gte: ">=", eq: "=", ne: "!=" };

export function canonical(node: Node, inside: "or" | "and" | "not" | "top" = "top"): string {
  switch (node.type) {
    case "or": {
      const text = node.children.map((c) => canonical(c, "or")).join(" OR ");
      return inside === "top" ? text : `(${text})`;
    }
    case "and": {
      const text = node.children.map((c) => canonical(c, "and")).join(" AND ");
      return inside === "not" || inside === "and" ? `(${text})` : text;
    }
    case "not":
      return `NOT ${canonical(node.child, "not")}`;
    case "near": {
      const text = `${leafText(node.left)} NEAR/${node.distance} ${leafText(node.right)}`;
      return inside === "not" ? `(${text})` : text;
    }
    default:
      return leafText(node);
  }
}

function leafText(leaf: Leaf): string {
  switch (leaf.type) {
    case "tag":
      return `tag:"${leaf.tag.replace(/["\u201c-\u201e]/g, "")}"`;
    case "meta":
      return `${leaf.field}:"${leaf.value}"`;
    case "number":
      return `${leaf.field}${signs[leaf.op]}${leaf.value}`;
    case "text": {
      const field = Object.keys(FIELD_BITS).find(
        (f) => FIELD_BITS[f] === leaf.fields && leaf.fields !== DEFAULT_FIELDS,
      );
      const exact = leaf.exactness === "case" ? "=" : "";
      const words = leaf.source.replace(/[\s"\u201c-\u201e]+/gu, " ").trim();
      const body = leaf.prefix && !words.includes(" ") ? `${words}*` : `"${words}"`;
      return `${field ? `${field}:` : ""}${exact}${body}`;
    }
  }
}

export interface TagLists {
  any?: string[];
  all?: string[];
  none?: string[];
}

/** `{any, all, none}` as a query. `position` of a refusal counts through the lists in that order. */
export function queryOfTags(lists: TagLists, options: MatchOptions): Node {
  const { any = [], all = [], none = [] } = lists;
  let position = 0;
  if (any.length + all.length + none.length > MAX_LEAVES) {
    throw new QueryError("too_complex", MAX_LEAVES, [], `At most ${MAX_LEAVES} terms in all.`);
  }
  const leaf = (text: string): Node => {
    const made = termLeaf(text, options);
    if (!made)
      throw new QueryError("syntax", position, ["a letter or a digit"], `"${text}" holds nothing to look for.`);
    position++;
    return made;
  };
  const children: Node[] = [];
  const choices = any.map(leaf);
  if (choices.length === 1) children.push(choices[0]);
  else if (choices.length > 1) children.push({ type: "or", children: choices });
  children.push(...all.map(leaf), ...none.map((t): Node => ({ type: "not", child: leaf(t) })));
  if (children.length === 0)
    throw new QueryError("unbounded", 0, ["a term in any or all"], "There is nothing to look for.");
  return children.length === 1 ? children[0] : { type: "and", children };
}

export function queryOfTag(tag: string, options: MatchOptions): Node {
  return queryOfTags({ all: [tag] }, options);
}

export function countLeaves(node: Node): number {
  if (node.type === "and" || node.type === "or") return node.children.reduce((n, c) => n + countLeaves(c), 0);
  if (node.type === "not") return countLeaves(node.child);
  return node.type === "near" ? 2 : 1;
}
