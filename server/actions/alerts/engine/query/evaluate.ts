// Evaluates one query against one content in the simplest way: the definition of a match. Slow; the matcher is tested
// against it, and previews and highlights use it.
import { foldKeepingMarks, foldTag } from "../text/fold.ts";
import { UNSPACED } from "../text/chars.ts";
import { extractHashtags } from "../text/hashtags.ts";
import { tokenise, type Token } from "../text/tokens.ts";
import { AUTHOR, TAGS, TEXT, TITLE, URL_FIELD, type Content, type Node, type TextLeaf } from "./ast.ts";
import { toDecimal } from "../../../../lib/decimal.ts";
import { holds } from "./holds.ts";

/** Where something was found. */
export interface Span {
  field: number;
  entry: number;
  from: number;
  to: number;
  start: number;
  end: number;
}

interface Entry {
  field: number;
  text: string;
  tokens: Token[];
  hashtags: { start: number; end: number }[];
}

export class Analysis {
  readonly entries: Entry[];
  readonly tags: Set<string>;
  readonly content: Content;

  constructor(content: Content) {
    this.content = content;
    const fields: [number, string | undefined][] = [
      [TITLE, content.title],
      [TEXT, content.text],
      ...(content.tags ?? []).map((t): [number, string] => [TAGS, t]),
      [URL_FIELD, content.url],
      [AUTHOR, content.author],
    ];
    this.tags = new Set((content.tags ?? []).map(foldTag));
    this.entries = fields
      .filter(([, text]) => text)
      .map(([field, text]) => {
        const hashtags = field === TITLE || field === TEXT ? extractHashtags(text!) : [];
        for (const h of hashtags) this.tags.add(foldTag(h.tag));
        return { field, text: text!, tokens: tokenise(text!), hashtags };
      });
    this.tags.delete("");
  }
}

export function matches(node: Node, about: Analysis): boolean {
  switch (node.type) {
    case "and":
      return node.children.every((c) => matches(c, about));
    case "or":
      return node.children.some((c) => matches(c, about));
    case "not":
      return !matches(node.child, about);
    case "near":
      return nearSpans(node.left, node.right, node.distance, about).length > 0;
    case "text":
      return spansOf(node, about).length > 0;
    case "tag":
      return about.tags.has(node.tag);
    case "meta":
      return metaHolds(node.field, node.value, about.content);
    case "number": {
      const given = about.content.numbers?.[node.field];
      const value = given === undefined ? null : toDecimal(given);
      return value !== null && holds(node.op, value, node.value);
    }
  }
}

function metaHolds(field: "lang" | "site" | "source", value: string, content: Content): boolean {
  if (field === "lang") {
    const lang = content.lang?.toLowerCase().replace("_", "-");
    return lang !== undefined && (lang === value || lang.startsWith(`${value}-`));
  }
  if (field === "source") return content.source !== undefined && foldTag(content.source) === value;
  const host = hostOf(content.url);
  return host !== null && (host === value || host.endsWith(`.${value}`));
}

export function hostOf(url: string | undefined): string | null {
  return /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#:]+)/i.exec(url ?? "")?.[1].toLowerCase() ?? null;
}

/** Every place where the term stands. */
export function spansOf(leaf: TextLeaf, about: Analysis): Span[] {
  const spans: Span[] = [];
  about.entries.forEach((entry, index) => {
    if ((entry.field & leaf.fields) === 0) return;
    for (const [from, to, start, end] of phrases(leaf, entry))
      spans.push({ field: entry.field, entry: index, from, to, start, end });
  });
  return spans;
}

type Place = [from: number, to: number, start: number, end: number];

function phrases(leaf: TextLeaf, entry: Entry): Place[] {
  let places = occurrences(leaf, 0, entry);
  for (let k = 1; k < leaf.pieces.length && places.length > 0; k++) {
    const next = occurrences(leaf, k, entry);
    places = places.flatMap(([from, to, start]) =>
      next.filter((n) => n[0] === to).map((n): Place => [from, n[1], start, n[3]]),
    );
  }
  return places.filter(([, , start, end]) => signsHold(leaf, entry.text, start, end));
}

function occurrences(leaf: TextLeaf, k: number, entry: Entry): Place[] {
  const piece = leaf.pieces[k];
  const mayGoOn = leaf.prefix && k === leaf.pieces.length - 1;
  const places: Place[] = [];
  for (const token of entry.tokens) {
    if (token.kind !== piece.kind) continue;
    if (piece.kind === UNSPACED) {
      const aligned = token.end - token.start === token.text.length;
      for (let i = token.text.indexOf(piece.text); i >= 0; i = token.text.indexOf(piece.text, i + 1)) {
        const start = aligned ? token.start + i : token.start;
        const end = aligned ? start + piece.text.length : token.end;
        places.push([token.position + i, token.position + i + piece.text.length, start, end]);
      }
    } else if (mayGoOn ? token.text.startsWith(piece.text) : token.text === piece.text) {
      places.push([token.position, token.position + 1, token.start, token.end]);
    }
  }
  return places.filter(
    ([, , start, end]) =>
      spellingHolds(leaf, k, mayGoOn, entry.text.slice(start, end)) &&
      !(leaf.outsideHashtags && entry.hashtags.some((h) => start >= h.start && end <= h.end)),
  );
}

/** Whether the text as written satisfies `=Exact` or `diacritics: "exact"`. */
export function spellingHolds(leaf: TextLeaf, k: number, mayGoOn: boolean, written: string): boolean {
  if (leaf.exactness === "fold") return true;
  const keep = leaf.exactness === "case" ? (s: string) => s.normalize("NFKC") : foldKeepingMarks;
  const wanted = keep(leaf.originals[k]);
  return mayGoOn ? keep(written).startsWith(wanted) : keep(written) === wanted;
}

const WORD_OR_SIGN = /[\p{L}\p{N}+#]/u;

/** Whether the signs of `c++` or `.net` stand around the word. */
export function signsHold(leaf: TextLeaf, text: string, start: number, end: number): boolean {
  if (leaf.before === "" && leaf.after === "") return true;
  if (!text.startsWith(leaf.after, end) || !text.slice(0, start).endsWith(leaf.before)) return false;
  const following = text[end + leaf.after.length];
  return leaf.after === "" || following === undefined || !WORD_OR_SIGN.test(following);
}

function nearSpans(left: TextLeaf, right: TextLeaf, distance: number, about: Analysis): [Span, Span][] {
  const pairs: [Span, Span][] = [];
  const rights = spansOf(right, about);
  for (const a of spansOf(left, about)) {
    for (const b of rights) if (a.entry === b.entry && isNear(a, b, distance)) pairs.push([a, b]);
  }
  return pairs;
}

/** Apart, and the nearer ends at most `distance` words away: neighbours are 1 apart. */
export function isNear(a: { from: number; to: number }, b: { from: number; to: number }, distance: number): boolean {
  const gap = b.from >= a.to ? b.from - a.to + 1 : a.from >= b.to ? a.from - b.to + 1 : 0;
  return gap > 0 && gap <= distance;
}
