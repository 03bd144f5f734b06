// What an alert watches: parses any of its three spellings (tag, tags, query) into one query tree, with warnings.
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
import { canonical, countLeaves, queryOfTag, queryOfTags } from "../engine/query/canonical.ts";
import { parseQuery } from "../engine/query/parse.ts";
import type { Watch } from "../rows.ts";

export interface ParsedWatch {
  node: Node;
  source: string;
  canonical: string;
  leaves: number;
  requiredTerms: string[];
  warnings: { code: string; term: string | null; detail: string }[];
  /** 'w:kettle' or 't:launch' when the whole query is one plain word or tag. */
  term: string | null;
}

/** Words in nearly every text: an alert on one of them alone would match nearly everything. */
const BROAD_WORDS = new Set(
  `the be to of and a in that have i it for not on with he as you do at this but his by from they we say
  her she or an will my one all would there their what so up out if about who get which go me is are was new said der die das und
  ist nicht ein eine le la les et des est un une el los que en y de`.split(/\s+/),
);

function matchOptionsOf(match: Watch["match"]): MatchOptions {
  return {
    fields: match.fields ? match.fields.reduce((bits, f) => bits | FIELD_BITS[f], 0) : DEFAULT_FIELDS,
    wholeWord: match.whole_word ?? true,
    caseSensitive: match.case_sensitive ?? false,
    diacritics: match.diacritics ?? "fold",
    hashtags: match.hashtags ?? "unify",
  };
}

/** The query tree alone, without warnings; throws a QueryError. */
export function nodeOf(watch: Watch): Node {
  const options = watch.match && Object.keys(watch.match).length > 0 ? matchOptionsOf(watch.match) : DEFAULT_MATCH;
  if (watch.tag !== undefined) return queryOfTag(watch.tag, options);
  if (watch.tags !== undefined) return queryOfTags(watch.tags, options);
  return parseQuery(watch.query!, options);
}

export function parseWatch(watch: Watch): ParsedWatch {
  const pointer = watch.tag !== undefined ? "/tag" : watch.tags !== undefined ? "/tags" : "/query";
  try {
    const node = nodeOf(watch);
    const compiled = compile(node);
    const required = compiled.cover.map((k) => compiled.terms[k]);
    const source = watch.tag ?? watch.query ?? JSON.stringify(watch.tags);
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
              detail: "Only metadata is required, so every content that has it is checked.",
            },
          ];
        if (t.kind === WORD_TERM && (BROAD_WORDS.has(t.text) || t.text.length < 2)) {
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
