// The shape of a parsed query and of the content it is evaluated against. Data only.
import type { Token } from "../text/tokens.ts";

export const TITLE = 1;
export const TEXT = 2;
export const TAGS = 4;
export const URL_FIELD = 8;
export const AUTHOR = 16;
/** Where a bare word is looked for. */
export const DEFAULT_FIELDS = TITLE | TEXT | TAGS | URL_FIELD;

export const FIELD_BITS: Record<string, number> = {
  title: TITLE,
  text: TEXT,
  tags: TAGS,
  url: URL_FIELD,
  author: AUTHOR,
};
export const MAX_NEAR = 50;

/** A thing to be matched: a feed item, pushed content, or an event of the service itself. */
export interface Content {
  title?: string;
  text?: string;
  tags?: readonly string[];
  url?: string;
  author?: string;
  lang?: string;
  source?: string;
  /** Decimal strings where exactness matters. */
  numbers?: Readonly<Record<string, string | number>>;
}

export type Exactness = "fold" | "case" | "marks";
export type Piece = Pick<Token, "kind" | "text">;

export interface TextLeaf {
  type: "text";
  /** As written, without quotes. */
  source: string;
  pieces: Piece[];
  /** The last word may go on. */
  prefix: boolean;
  exactness: Exactness;
  /** For `exactness`: each piece as written, NFKC. */
  originals: string[];
  /** Signs that make another word of it: `c++`, `c#`, `.net`. */
  before: string;
  after: string;
  fields: number;
  /** A word inside a hashtag does not count (`hashtags: "strict"`). */
  outsideHashtags: boolean;
}
export interface TagLeaf {
  type: "tag";
  tag: string;
}
export interface MetaLeaf {
  type: "meta";
  field: "lang" | "site" | "source";
  value: string;
}
export type NumberOp = "lt" | "lte" | "gt" | "gte" | "eq" | "ne";
export interface NumberLeaf {
  type: "number";
  field: string;
  op: NumberOp;
  value: string;
}
export type Leaf = TextLeaf | TagLeaf | MetaLeaf | NumberLeaf;
export interface NearNode {
  type: "near";
  distance: number;
  left: TextLeaf;
  right: TextLeaf;
}
export type Node = Leaf | NearNode | { type: "and" | "or"; children: Node[] } | { type: "not"; child: Node };

/** How terms are read when the query itself does not say. */
export interface MatchOptions {
  fields: number;
  wholeWord: boolean;
  caseSensitive: boolean;
  diacritics: "fold" | "exact";
  hashtags: "unify" | "strict";
}
export const DEFAULT_MATCH: MatchOptions = {
  fields: DEFAULT_FIELDS,
  wholeWord: true,
  caseSensitive: false,
  diacritics: "fold",
  hashtags: "unify",
};

/** What is wrong with a query, where, and what was expected there. */
export class QueryError extends Error {
  constructor(
    readonly code: "syntax" | "unbounded" | "too_complex" | "unknown_field",
    readonly position: number,
    readonly expected: string[],
    detail: string,
  ) {
    super(detail);
  }
}
