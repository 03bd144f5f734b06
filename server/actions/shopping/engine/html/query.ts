// Queries on a parsed tree: attributes, texts, ancestors. Attributes are read from the source on demand.
import { TEXT, isUnseen } from "./tags.ts";
import { decodeEntities } from "./entities.ts";
import type { Tree } from "./tree.ts";

/** A part of the page as text. */
export function sliceOf(tree: Tree, from: number, to: number): string {
  const raw = tree.source.slice(from, to);
  return tree.utf8 && HIGH.test(raw) ? Buffer.from(raw, "latin1").toString("utf8") : raw;
}

const HIGH = /[\x80-\xff]/;

/** The value of an attribute (decoded), "" for one without a value, null where it is absent. */
export function attribute(tree: Tree, node: number, name: string): string | null {
  const { source } = tree;
  const end = tree.inner[node]! - 1;
  let i = tree.open[node]! + 1;
  while (i < end && source.charCodeAt(i) > 32 && source.charCodeAt(i) !== 47) i++;
  while (i < end) {
    const c = source.charCodeAt(i);
    if (c <= 32 || c === 47 || c === 61 || c === 34 || c === 39) {
      i++;
      continue;
    }
    const start = i;
    let d = 0;
    while (i < end && (d = source.charCodeAt(i)) > 32 && d !== 61 && d !== 47) i++;
    const same = i - start === name.length && sameLetters(source, start, name);
    while (i < end && source.charCodeAt(i) <= 32) i++;
    if (source.charCodeAt(i) !== 61 || i >= end) {
      if (same) return "";
      continue;
    }
    i++;
    while (i < end && source.charCodeAt(i) <= 32) i++;
    const quote = source.charCodeAt(i);
    let from = i;
    let to: number;
    if (quote === 34 || quote === 39) {
      from = i + 1;
      to = source.indexOf(quote === 34 ? '"' : "'", from);
      if (to < 0 || to > end) to = end;
      i = to + 1;
    } else {
      while (i < end && source.charCodeAt(i) > 32) i++;
      to = i;
    }
    if (same) return decodeEntities(sliceOf(tree, from, to));
  }
  return null;
}

function sameLetters(source: string, start: number, name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    const c = source.charCodeAt(start + i);
    if ((c >= 65 && c <= 90 ? c | 32 : c) !== name.charCodeAt(i)) return false;
  }
  return true;
}

/** Every attribute of an element, names in lower case, values decoded. */
export function attributes(tree: Tree, node: number): Map<string, string> {
  const out = new Map<string, string>();
  const text = sliceOf(tree, tree.open[node]! + 1, tree.inner[node]! - 1);
  const pattern = /([^\s"'>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;
  pattern.exec(text);
  for (let m = pattern.exec(text); m; m = pattern.exec(text)) {
    const name = m[1]!.toLowerCase();
    if (!out.has(name)) out.set(name, decodeEntities(m[2] ?? m[3] ?? m[4] ?? ""));
  }
  return out;
}

/** The text in a subtree as a reader sees it: entities decoded, scripts left out, at most `limit` characters. */
export function textOf(tree: Tree, node: number, limit = 100_000, glue = ""): string {
  if (tree.tag[node] === TEXT) return decodeEntities(sliceOf(tree, tree.open[node]!, tree.inner[node]!));
  let out = "";
  const end = tree.after[node]!;
  for (let i = node + 1; i < end && out.length < limit; ) {
    const id = tree.tag[i]!;
    if (id === TEXT) out += glue + decodeEntities(sliceOf(tree, tree.open[i]!, tree.inner[i]!));
    else if (isUnseen[id]) {
      i = tree.after[i]!;
      continue;
    }
    i++;
  }
  return out;
}

/** textContent as the standard has it: every character between the tags, blanks included. */
export function contentOf(tree: Tree, node: number): string {
  const raw = sliceOf(tree, tree.inner[node]!, tree.close[node]!);
  if (!raw.includes("<")) return decodeEntities(raw);
  return decodeEntities(
    raw.replaceAll(
      /<!--[\s\S]*?-->|<script\b[\s\S]*?<\/script\s*>|<style\b[\s\S]*?<\/style\s*>|<\/?[a-zA-Z](?:[^"'>]|"[^"]*"|'[^']*')*>/g,
      "",
    ),
  );
}

/** One blank for every run of blanks and unseen characters, none at the ends. */
export function clean(text: string): string {
  let from = 0,
    to = text.length;
  while (from < to && isBlank(text.charCodeAt(from))) from++;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
  for (let i = from; i < to; i++) {
    const c = text.charCodeAt(i);
    if (c === 32 ? isBlank(text.charCodeAt(i + 1)) : isBlank(c)) return text.slice(from, to).replaceAll(BLANKS, " ");
  }
  return from === 0 && to === text.length ? text : text.slice(from, to);
}

const BLANKS = /[\s\u200b\u200e\u200f\u00ad]+/g;
const isBlank = (c: number): boolean =>
  c <= 32 ||
  c === 0xa0 ||
  c === 0xad ||
  (c >= 0x2000 &&
    (c <= 0x200f || c === 0x2028 || c === 0x2029 || c === 0x202f || c === 0x205f || c === 0x3000 || c === 0xfeff));

/** The content of a raw element: a script's code. */
export const rawOf = (tree: Tree, node: number): string => sliceOf(tree, tree.inner[node]!, tree.close[node]!);
