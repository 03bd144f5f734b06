// Evaluates one query against one content in the simplest way: the definition of a match. Slow; the matcher is tested
// against it, and previews and highlights use it.
import { foldKeepingMarks, foldTag } from "../text/fold.ts";
import { UNSPACED, WORD } from "../text/chars.ts";
import { extractEmoji, extractHashtags, type Hashtag } from "../text/hashtags.ts";
import { tokenise, type Token } from "../text/tokens.ts";
import { AUTHOR, TAGS, TEXT, TITLE, URL_FIELD, type Content, type Node, type TextLeaf } from "./ast.ts";
import { toDecimal } from "../../../../lib/decimal.ts";
import { holds } from "./holds.ts";

/** Where something was found: words from-to, characters start-end of the entry's text. */
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
  hashtags: Hashtag[];
}

export class Analysis {
  readonly entries: Entry[];
  readonly tags: Set<string>;
  readonly content: Content;

  /** `maxText` bounds the work: only so many characters of each field are looked at. */
  constructor(content: Content, maxText = Number.POSITIVE_INFINITY) {
    this.content = content;
    const fields: [number, string | undefined][] = [
      [TITLE, content.title],
      [TEXT, content.text],
      ...(content.tags ?? []).map((t): [number, string] => [TAGS, t]),
      [URL_FIELD, content.url],
      [AUTHOR, content.author],
    ];
    const tags = new Set<string>();
    this.entries = fields.flatMap(([field, whole]) => {
      if (!whole) return [];
      const text = whole.length > maxText ? whole.slice(0, maxText) : whole;
      const hashtags = field === TITLE || field === TEXT ? extractHashtags(text) : [];
      for (const { tag } of hashtags) tags.add(tag);
      if (field === TITLE || field === TEXT) for (const emoji of extractEmoji(text)) tags.add(emoji);
      return [{ field, text, tokens: tokenise(text), hashtags }];
    });
    this.tags = new Set([...(content.tags ?? []), ...tags].map(foldTag));
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
      return someNear(spansOf(node.left, about), spansOf(node.right, about), node.distance);
    case "text":
      return spansOf(node, about, 1).length > 0;
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

/** The places where the term occurs, in order; at most `max`. */
export function spansOf(leaf: TextLeaf, about: Analysis, max = Number.POSITIVE_INFINITY): Span[] {
  const spans: Span[] = [];
  for (const [index, entry] of about.entries.entries()) {
    if ((entry.field & leaf.fields) === 0) continue;
    for (const [from, to, start, end] of phrases(leaf, entry)) {
      spans.push({ field: entry.field, entry: index, from, to, start, end });
      if (spans.length >= max) return spans;
    }
  }
  return spans;
}

type Place = [from: number, to: number, start: number, end: number];

/** Each occurrence of the first piece, followed by the others word by word. */
function* phrases(leaf: TextLeaf, entry: Entry): Generator<Place> {
  for (const first of occurrences(leaf, entry)) {
    let [from, to, start, end]: Place = first;
    let k = 1;
    for (; k < leaf.pieces.length; k++) {
      const next = occurrenceAt(leaf, k, entry, to);
      if (!next) break;
      [, to, , end] = next;
    }
    if (k === leaf.pieces.length && signsHold(leaf, entry.text, start, end)) yield [from, to, start, end];
  }
}

/** The occurrences of the leaf's first piece. */
function* occurrences(leaf: TextLeaf, entry: Entry): Generator<Place> {
  const [piece] = leaf.pieces;
  for (const token of entry.tokens) {
    if (token.kind !== piece.kind) continue;
    const isRun = piece.kind === UNSPACED;
    for (let i = isRun ? token.text.indexOf(piece.text) : 0; i >= 0; i = token.text.indexOf(piece.text, i + 1)) {
      const place = placeIn(leaf, 0, entry, token, i);
      if (place) yield place;
      if (!isRun) break;
    }
  }
}

/** The occurrence of piece `k` that begins at this word, or null. */
function occurrenceAt(leaf: TextLeaf, k: number, entry: Entry, position: number): Place | null {
  const token = tokenAt(entry.tokens, position);
  if (token?.kind !== leaf.pieces[k].kind || (token.kind === WORD && token.position !== position)) return null;
  return placeIn(leaf, k, entry, token, position - token.position);
}

/** Piece `k` as it occurs at offset `i` of the token, or null. A word is compared whole. */
function placeIn(leaf: TextLeaf, k: number, entry: Entry, token: Token, i: number): Place | null {
  const piece = leaf.pieces[k];
  const mayGoOn = leaf.prefix && k === leaf.pieces.length - 1;
  let place: Place;
  if (piece.kind === UNSPACED) {
    if (!token.text.startsWith(piece.text, i)) return null;
    const aligned = token.end - token.start === token.text.length;
    const start = aligned ? token.start + i : token.start;
    const end = aligned ? start + piece.text.length : token.end;
    place = [token.position + i, token.position + i + piece.text.length, start, end];
  } else {
    if (mayGoOn ? !token.text.startsWith(piece.text) : token.text !== piece.text) return null;
    place = [token.position, token.position + 1, token.start, token.end];
  }
  const [, , start, end] = place;
  if (!spellingHolds(leaf, k, mayGoOn, entry.text, start, end)) return null;
  return leaf.outsideHashtags && isInHashtag(entry.hashtags, start, end) ? null : place;
}

/** The token that holds this word position; tokens are in order of position. */
function tokenAt(tokens: Token[], position: number): Token | null {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tokens[middle].position <= position) low = middle + 1;
    else high = middle;
  }
  return low > 0 ? tokens[low - 1] : null;
}

/** Hashtags are in order and never overlap. */
export function isInHashtag(hashtags: readonly Hashtag[], start: number, end: number): boolean {
  let low = 0;
  let high = hashtags.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (hashtags[middle].start <= start) low = middle + 1;
    else high = middle;
  }
  return low > 0 && end <= hashtags[low - 1].end;
}

/** Whether the text as written satisfies `=Exact` or `diacritics: "exact"`. */
export function spellingHolds(
  leaf: TextLeaf,
  k: number,
  mayGoOn: boolean,
  text: string,
  start: number,
  end: number,
): boolean {
  if (leaf.exactness === "fold") return true;
  // Every occurrence in a run that folding lengthened has the place of the whole run: spelled once, not once for each.
  if (leaf === last.leaf && k === last.k && start === last.start && end === last.end && text === last.text) {
    return last.holds;
  }
  const keep = leaf.exactness === "case" ? (s: string) => s.normalize("NFKC") : foldKeepingMarks;
  const wanted = keep(leaf.originals[k]);
  const written = keep(text.slice(start, end));
  const spelled = mayGoOn ? written.startsWith(wanted) : written === wanted;
  last = { leaf, k, start, end, text, holds: spelled };
  return spelled;
}
let last: { leaf: TextLeaf | null; k: number; start: number; end: number; text: string; holds: boolean } = {
  leaf: null,
  k: 0,
  start: 0,
  end: 0,
  text: "",
  holds: false,
};

const WORD_OR_SIGN = /[\p{L}\p{N}+#]/u;

/** Whether the signs of `c++` or `.net` stand around the word. */
export function signsHold(leaf: TextLeaf, text: string, start: number, end: number): boolean {
  if (leaf.before === "" && leaf.after === "") return true;
  const before = start - leaf.before.length;
  if (before < 0 || !text.startsWith(leaf.before, before) || !text.startsWith(leaf.after, end)) return false;
  const following = text[end + leaf.after.length];
  return leaf.after === "" || following === undefined || !WORD_OR_SIGN.test(following);
}

/** Words from-to of an entry. */
export interface Reach {
  entry: number;
  from: number;
  to: number;
}

/**
 * Whether a place of one list and a place of the other are apart, and at most `distance` words away: neighbours are 1
 * apart. Only the next place behind each one needs a look, so it is not quadratic.
 */
export function someNear(lefts: Reach[], rights: Reach[], distance: number): boolean {
  return hasFollower(lefts, rights, distance) || hasFollower(rights, lefts, distance);
}

function hasFollower(firsts: Reach[], seconds: Reach[], distance: number): boolean {
  const ordered = seconds.toSorted((a, b) => a.entry - b.entry || a.from - b.from);
  return firsts.some(({ entry, to }) => {
    let low = 0;
    let high = ordered.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const { entry: e, from } = ordered[middle];
      if (e < entry || (e === entry && from < to)) low = middle + 1;
      else high = middle;
    }
    const next = ordered[low];
    return next !== undefined && next.entry === entry && next.from - to + 1 <= distance;
  });
}
