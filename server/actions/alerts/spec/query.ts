// What an alert watches, from any of its three spellings to one query, with the warnings and refusals that go with it.
import { Failure } from "../../../contract/errors.ts";
import { compile } from "../engine/match/compile.ts";
import { META_TERM, TAG_TERM, WORD_TERM } from "../engine/match/terms/record.ts";
import {
  DEFAULT_FIELDS,
  DEFAULT_MATCH,
  FIELD_BITS,
  QueryError,
  type MatchOptions,
  type Node,
} from "../engine/query/ast.ts";
import { canonical, countLeaves, queryOfTag, queryOfTags, type TagLists } from "../engine/query/canonical.ts";
import { parseQuery } from "../engine/query/parse.ts";
import type { AlertOrder } from "../contract/index.ts";

export interface Given {
  tag?: string;
  tags?: TagLists;
  query?: string;
  match: NonNullable<AlertOrder["match"]>;
}

export interface Wanted {
  node: Node;
  source: string;
  canonical: string;
  leaves: number;
  requiredTerms: string[];
  warnings: { code: string; term: string | null; detail: string }[];
  /** 'w:kettle' or 't:launch' when that is all of it and nothing is special about it. */
  term: string | null;
}

// Words in nearly every text: an alert on one of them alone would never be silent.
const BROAD = new Set(
  `the be to of and a in that have i it for not on with he as you do at this but his by from they we say
  her she or an will my one all would there their what so up out if about who get which go me is are was new said der die das und
  ist nicht ein eine le la les et des est un une el los que en y de`.split(/\s+/),
);

export function matchOptionsOf(match: Given["match"]): MatchOptions {
  return {
    fields: match.fields ? match.fields.reduce((bits, f) => bits | FIELD_BITS[f], 0) : DEFAULT_FIELDS,
    wholeWord: match.whole_word ?? true,
    caseSensitive: match.case_sensitive ?? false,
    diacritics: match.diacritics ?? "fold",
    hashtags: match.hashtags ?? "unify",
  };
}

/** The tree alone: what is stored is known to be good. */
export function nodeOf(given: Given): Node {
  const options = given.match && Object.keys(given.match).length > 0 ? matchOptionsOf(given.match) : DEFAULT_MATCH;
  if (given.tag !== undefined) return queryOfTag(given.tag, options);
  if (given.tags !== undefined) return queryOfTags(given.tags, options);
  return parseQuery(given.query!, options);
}

export function readWanted(given: Given): Wanted {
  const pointer = given.tag !== undefined ? "/tag" : given.tags !== undefined ? "/tags" : "/query";
  try {
    const node = nodeOf(given);
    const compiled = compile(node);
    const required = compiled.cover.map((k) => compiled.terms[k]);
    const source = given.tag ?? given.query ?? JSON.stringify(given.tags);
    return {
      node,
      source,
      canonical: canonical(node),
      leaves: countLeaves(node),
      requiredTerms: required.map((t) => (t.kind === TAG_TERM ? `#${t.text}` : t.text)),
      warnings: required.flatMap((t) => {
        if (t.kind === META_TERM)
          return [
            {
              code: "broad_term",
              term: t.text,
              detail: "Only metadata is asked for, so every content with it is looked at.",
            },
          ];
        if (t.kind === WORD_TERM && (BROAD.has(t.text) || t.text.length < 2)) {
          return [{ code: "broad_term", term: t.text, detail: `“${t.text}” is in nearly every text.` }];
        }
        return [];
      }),
      term: simpleTerm(node),
    };
  } catch (error) {
    if (error instanceof QueryError) throw refusal(error, pointer);
    throw error;
  }
}

function simpleTerm(node: Node): string | null {
  if (node.type === "tag") return `t:${node.tag}`;
  const simple =
    node.type === "text" &&
    node.pieces.length === 1 &&
    node.pieces[0].kind === 1 &&
    !node.prefix &&
    node.exactness === "fold" &&
    !node.before &&
    !node.after &&
    !node.outsideHashtags &&
    node.fields === DEFAULT_FIELDS;
  return simple ? `w:${node.pieces[0].text}` : null;
}

function refusal(error: QueryError, pointer: string): Failure {
  const { position, expected } = error;
  const hint =
    expected.length > 0 ? `At position ${position} send ${expected.join(" or ")}.` : "Make the query smaller.";
  const code = error.code === "unbounded" ? "query_unbounded" : "validation_failed";
  return new Failure(code, `${error.message} (position ${position})`, {
    hint,
    extra: { position, expected },
    errors: [{ pointer, code: error.code, detail: error.message, hint }],
  });
}
