// Parses the text of a page into a flat tree in one pass: numbers in arrays, no objects per node. Linear on any input.
// Tolerant as browsers are, but it is no browser: no re-parenting, no foster parents, no character-exact recovery.
import { HAS_CLASS, flagOf } from "./attribute-flags.ts";
import {
  TEXT,
  UNKNOWN,
  TAG_COUNT,
  endsOnOpen,
  isInline,
  isRaw,
  isScope,
  isVoid,
  tag,
  tagAt,
  tagNames,
} from "./tags.ts";
import { createTree, growTree, type Tree } from "./tree.ts";

/** Past this many nodes the rest is not looked at: no product page comes near it, a hostile one would. */
const NODES_MAX = 100_000;
const DEPTH_MAX = 400;
const SEARCH_MAX = 48;

export function scan(source: string, utf8 = false): Tree {
  return new Scanner(source, utf8).run();
}

class Scanner {
  private readonly source: string;
  private readonly tree: Tree;
  private readonly stack = new Int32Array(DEPTH_MAX + 1);
  private readonly openCount = new Int32Array(TAG_COUNT);
  private depth = 0;
  private at = 0;

  constructor(source: string, utf8: boolean) {
    this.source = source;
    this.tree = createTree(source, utf8);
    this.stack[0] = -1;
  }

  run(): Tree {
    const { source } = this;
    let at = 0;
    while (at < source.length && this.tree.count < NODES_MAX) {
      let lt = source.indexOf("<", at);
      if (lt < 0) lt = source.length;
      if (lt > at) this.text(at, lt);
      if (lt >= source.length) break;
      at = this.markup(lt);
    }
    while (this.depth > 0) this.pop(source.length);
    return this.tree;
  }

  /** Whitespace alone is no text. */
  private text(from: number, to: number): void {
    const { source } = this;
    let i = from;
    while (i < to && source.charCodeAt(i) <= 32) i++;
    if (i === to) return;
    const node = this.add(TEXT, from);
    this.tree.inner[node] = to;
    this.tree.close[node] = to;
    this.tree.after[node] = node + 1;
  }

  private markup(lt: number): number {
    const { source } = this;
    const c = source.charCodeAt(lt + 1);
    if ((c | 32) >= 97 && (c | 32) <= 122) return this.startTag(lt);
    if (c === 47) return this.endTag(lt);
    if (c === 33) {
      if (source.charCodeAt(lt + 2) === 45 && source.charCodeAt(lt + 3) === 45)
        return this.behind(source.indexOf("-->", lt + 4), 3);
      if (source.startsWith("[CDATA[", lt + 2)) return this.behind(source.indexOf("]]>", lt + 9), 3);
      return this.behind(source.indexOf(">", lt + 2), 1);
    }
    if (c === 63) return this.behind(source.indexOf(">", lt + 2), 1);
    this.text(lt, lt + 1);
    return lt + 1;
  }

  private behind(found: number, length: number): number {
    return found < 0 ? this.source.length : found + length;
  }

  private startTag(lt: number): number {
    const id = this.name(lt + 1);
    const ended = endsOnOpen[id];
    if (ended) this.endImplied(ended);
    const node = this.add(id, lt);
    this.attributes(node);
    let end = this.at;
    const selfClosing =
      this.source.charCodeAt(end - 2) === 47 && (id === UNKNOWN || isVoid[id] === 1 || this.openCount[SVG]! > 0);
    this.tree.inner[node] = end;
    if (isVoid[id] || selfClosing) {
      this.tree.close[node] = end;
      this.tree.after[node] = node + 1;
      return end;
    }
    if (isRaw[id]) {
      const close = rawEnd(this.source, end, tagNames[id]!);
      this.tree.close[node] = close;
      this.tree.after[node] = node + 1;
      if (id === TITLE || id === TEXTAREA) this.rawText(node, end, close);
      end = close < this.source.length ? this.behind(this.source.indexOf(">", close), 1) : close;
      return end;
    }
    if (this.depth < DEPTH_MAX) {
      this.stack[++this.depth] = node;
      this.openCount[id]!++;
    } else {
      this.tree.close[node] = end;
      this.tree.after[node] = node + 1;
    }
    return end;
  }

  private rawText(parent: number, from: number, to: number): void {
    if (to <= from) return;
    const node = this.add(TEXT, from);
    this.tree.parent[node] = parent;
    this.tree.inner[node] = to;
    this.tree.close[node] = to;
    this.tree.after[node] = node + 1;
    this.tree.after[parent] = node + 1;
  }

  private endTag(lt: number): number {
    const id = this.name(lt + 2);
    const gt = this.source.indexOf(">", this.at);
    const end = gt < 0 ? this.source.length : gt + 1;
    if (this.openCount[id]! === 0) return end;
    const least = Math.max(1, this.depth - SEARCH_MAX);
    for (let d = this.depth; d >= least; d--) {
      const node = this.stack[d]!;
      const open = this.tree.tag[node]!;
      if (open === id && (id !== UNKNOWN || this.sameName(node, lt + 2))) {
        while (this.depth >= d) this.pop(lt);
        break;
      }
      // A stray inline end tag must not close the block it stands in.
      if (isInline[id] && !isInline[open]) break;
      if (isScope[open] && (open === TABLE || open === TD) && id !== TABLE && !isScope[id]) break;
    }
    return end;
  }

  private sameName(node: number, at: number): boolean {
    const length = this.at - at;
    const from = this.tree.open[node]! + 1;
    for (let i = 0; i < length; i++)
      if ((this.source.charCodeAt(from + i) | 32) !== (this.source.charCodeAt(at + i) | 32)) return false;
    return true;
  }

  private endImplied(ended: readonly number[]): void {
    const least = Math.max(1, this.depth - 8);
    let ending = -1;
    for (let d = this.depth; d >= least; d--) {
      const open = this.tree.tag[this.stack[d]!]!;
      if (ended.includes(open)) {
        ending = d;
        continue;
      }
      if (isScope[open]) break;
    }
    if (ending > 0) while (this.depth >= ending) this.pop(this.tree.open[this.tree.count] ?? this.at);
  }

  private pop(at: number): void {
    const node = this.stack[this.depth--]!;
    this.openCount[this.tree.tag[node]!]!--;
    this.tree.close[node] = Math.max(at, this.tree.inner[node]!);
    this.tree.after[node] = this.tree.count;
  }

  private add(id: number, open: number): number {
    const node = this.tree.count++;
    if (node >= this.tree.tag.length) growTree(this.tree);
    this.tree.tag[node] = id;
    this.tree.parent[node] = this.depth > 0 ? this.stack[this.depth]! : -1;
    this.tree.open[node] = open;
    return node;
  }

  /** Reads a tag name at `from`, leaves `this.at` behind it. */
  private name(from: number): number {
    const { source } = this;
    let i = from;
    let hash = 0;
    for (; ; i++) {
      let c = source.charCodeAt(i);
      if (c >= 65 && c <= 90) c |= 32;
      const inName = (c >= 97 && c <= 122) || (c >= 48 && c <= 58) || c === 45 || c === 95 || c > 127;
      if (!inName) break;
      hash = (hash * 31 + c) | 0;
    }
    this.at = i;
    return i - from > 10 ? UNKNOWN : tagAt(source, from, i - from, hash);
  }

  /** Walks the attributes from `this.at` to behind the `>`, and notes which kinds are there. */
  private attributes(node: number): void {
    const { source } = this;
    const end = source.length;
    let i = this.at;
    let flags = 0;
    while (i < end) {
      const c = source.charCodeAt(i);
      if (c === 62) {
        i++;
        break;
      }
      if (c <= 32 || c === 47 || c === 61) {
        i++;
        continue;
      }
      if (c === 34 || c === 39) {
        i++;
        continue;
      }
      const flag = flagOf(source, i, c | 32);
      flags |= flag;
      const name = i;
      let d = 0;
      while (i < end && (d = source.charCodeAt(i)) > 32 && d !== 61 && d !== 62 && d !== 47) i++;
      const isClass = flag === HAS_CLASS && i - name === 5;
      while (i < end && source.charCodeAt(i) <= 32) i++;
      if (source.charCodeAt(i) !== 61) continue;
      i++;
      while (i < end && source.charCodeAt(i) <= 32) i++;
      const quote = source.charCodeAt(i);
      let from = i;
      let to = 0;
      if (quote === 34 || quote === 39) {
        const close = source.indexOf(quote === 34 ? '"' : "'", i + 1);
        from = i + 1;
        to = close < 0 ? end : close;
        i = close < 0 ? end : close + 1;
      } else {
        while (i < end && (d = source.charCodeAt(i)) > 32 && d !== 62) i++;
        to = i;
      }
      if (isClass) {
        this.tree.classFrom[node] = from;
        this.tree.classTo[node] = to;
      }
    }
    this.tree.flags[node] = flags;
    this.at = i;
  }
}

const SVG = tag("svg"),
  TITLE = tag("title"),
  TEXTAREA = tag("textarea"),
  TABLE = tag("table"),
  TD = tag("td");

/** Where `</name` stands, whatever its case; the end of the text where it never comes. */
function rawEnd(source: string, from: number, name: string): number {
  let at = from;
  while (true) {
    at = source.indexOf("</", at);
    if (at < 0) return source.length;
    let same = true;
    for (let i = 0; i < name.length && same; i++) same = (source.charCodeAt(at + 2 + i) | 32) === name.charCodeAt(i);
    const next = source.charCodeAt(at + 2 + name.length);
    if (same && (next <= 32 || next === 62 || next === 47)) return at;
    at += 2;
  }
}
