// A small part of CSS selectors for callers who point at the price themselves: tags, ids, classes, attributes, descendants, children.
import { attribute, clean, textOf } from "../html/query.ts";
import type { Tree } from "../html/tree.ts";
import { TEXT, UNKNOWN, tag } from "../html/tags.ts";

interface Simple {
  tag: string | null;
  /** Its number; UNKNOWN where only the name can decide. */
  code: number;
  id: string | null;
  classes: string[];
  attributes: { name: string; value: string | null; how: string }[];
  child: boolean;
}

/** Null where the selector uses something this part does not have. */
export function parseSelector(text: string): Simple[][] | null {
  const groups: Simple[][] = [];
  for (const group of text.split(",")) {
    const steps: Simple[] = [];
    let child = false;
    for (const part of group
      .trim()
      .replaceAll(/\s*>\s*/g, " > ")
      .split(/\s+/)) {
      if (part === ">") {
        child = true;
        continue;
      }
      const step = parseStep(part, child);
      if (!step) return null;
      steps.push(step);
      child = false;
    }
    if (steps.length === 0 || steps.length > 20) return null;
    groups.push(steps);
  }
  return groups;
}

function parseStep(part: string, child: boolean): Simple | null {
  const step: Simple = { tag: null, code: UNKNOWN, id: null, classes: [], attributes: [], child };
  let rest = part;
  const head = /^(?:\*|[a-zA-Z][\w-]*)/.exec(rest);
  if (head) {
    step.tag = head[0] === "*" ? null : head[0].toLowerCase();
    step.code = step.tag === null ? UNKNOWN : tag(step.tag);
    rest = rest.slice(head[0].length);
  }
  while (rest !== "") {
    const match = /^(?:#([\w-]+)|\.([\w-]+)|\[([\w:-]+)(?:([~^$*|]?=)["']?([^"'\]]*)["']?)?\])/.exec(rest);
    if (!match) return null;
    if (match[1]) step.id = match[1];
    else if (match[2]) step.classes.push(match[2]);
    else step.attributes.push({ name: match[3]!.toLowerCase(), value: match[5] ?? null, how: match[4] ?? "" });
    rest = rest.slice(match[0].length);
  }
  return step;
}

/** The text (or `content`) of the first element that fits. */
export function selectText(tree: Tree, selector: string): string | null {
  const groups = parseSelector(selector);
  if (!groups) return null;
  for (let i = 0; i < tree.count; i++) {
    if (tree.tag[i] === TEXT || !fitsOne(tree, i, groups)) continue;
    const content = attribute(tree, i, "content") ?? attribute(tree, i, "value");
    const text = clean(textOf(tree, i, 300)) || clean(content ?? "");
    if (text !== "") return text;
  }
  return null;
}

/** Asked of every element of a page: the tag settles most, and costs one comparison. */
function fitsOne(tree: Tree, node: number, groups: Simple[][]): boolean {
  for (const steps of groups) if (fits(tree, node, steps, steps.length - 1)) return true;
  return false;
}

function fits(tree: Tree, node: number, steps: Simple[], at: number): boolean {
  if (!matches(tree, node, steps[at]!)) return false;
  if (at === 0) return true;
  let parent = tree.parent[node]!;
  for (let hops = 0; parent >= 0 && hops < 400; hops++, parent = tree.parent[parent]!) {
    if (fits(tree, parent, steps, at - 1)) return true;
    if (steps[at]!.child) return false;
  }
  return false;
}

function matches(tree: Tree, node: number, step: Simple): boolean {
  if (step.tag !== null) {
    if (tree.tag[node] !== step.code) return false;
    if (step.code === UNKNOWN && nameOf(tree, node) !== step.tag) return false;
  }
  if (step.id !== null && attribute(tree, node, "id") !== step.id) return false;
  if (step.classes.length > 0 && !hasClasses(tree, node, step.classes)) return false;
  if (step.attributes.length === 0) return true;
  return step.attributes.every(({ name, value, how }) => {
    const own = attribute(tree, node, name);
    if (own === null || value === null) return own !== null;
    if (how === "=") return own === value;
    return how === "~="
      ? own.split(/\s+/).includes(value)
      : how === "^="
        ? own.startsWith(value)
        : how === "$="
          ? own.endsWith(value)
          : how === "*="
            ? own.includes(value)
            : own === value || own.startsWith(`${value}-`);
  });
}

function nameOf(tree: Tree, node: number): string | undefined {
  return /^<([^\s/>]+)/.exec(tree.source.slice(tree.open[node]!, tree.open[node]! + 60))?.[1]?.toLowerCase();
}

function hasClasses(tree: Tree, node: number, wanted: string[]): boolean {
  if (tree.classTo[node] === 0) return false;
  const own = attribute(tree, node, "class");
  // Most elements have other classes; a search settles that without taking them apart.
  if (!own?.includes(wanted[0]!)) return false;
  const names = own.split(/\s+/);
  return wanted.every((name) => names.includes(name));
}
