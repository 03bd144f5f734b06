// What an alert watches: parses any of its three spellings (tag, tags, query) into one query tree, with warnings.
import { Failure, invalid } from "../../../contract/errors.ts";
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
import { lex } from "../engine/query/lex.ts";
import { parseQuery } from "../engine/query/parse.ts";
import type { Watch } from "../rows.ts";

export interface QueryWarning {
  code: string;
  term: string | null;
  detail: string;
}

export interface ParsedWatch {
  node: Node;
  source: string;
  canonical: string;
  leaves: number;
  requiredTerms: string[];
  warnings: QueryWarning[];
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
      warnings: [
        ...(watch.query === undefined ? [] : spellingWarnings(watch.query)),
        ...required.flatMap(broadWarnings),
      ],
      term: simpleTerm(node),
    };
  } catch (error) {
    if (error instanceof QueryError) throw refusal(error, pointer, watch);
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

/** A term that is in nearly every text, or no word at all. */
function broadWarnings({ kind, text }: { kind: number; text: string }): QueryWarning[] {
  if (kind === META_TERM) {
    const detail = "Only metadata is required, so every content that has it is checked.";
    return [{ code: "broad_term", term: text, detail }];
  }
  if (kind !== WORD_TERM || !(BROAD_WORDS.has(text) || text.length < 2)) return [];
  return [{ code: "broad_term", term: text, detail: `“${text}” is in nearly every text.` }];
}

const LOWER_OPERATOR = /^(?:and|or|not|near(?:\/\d+)?)$/i;

/** What other query languages read differently: it is taken as words here, which is seldom what was meant. */
function spellingWarnings(query: string): QueryWarning[] {
  return lex(query).flatMap(({ type, text }): QueryWarning[] => {
    if (type === "word" && LOWER_OPERATOR.test(text)) {
      const detail = `“${text}” is searched for as a word; the operator is ${text.toUpperCase()}, in capitals.`;
      return [{ code: "lower_case_operator", term: text, detail }];
    }
    if (type === "word" && /~\d*$/.test(text)) {
      const detail = `“${text}” is searched for as written: there is no fuzzy search. Use a prefix such as kett* instead.`;
      return [{ code: "no_fuzzy_search", term: text, detail }];
    }
    if (type === "phrase" && text.includes("*")) {
      const detail = `The * in “${text}” has no effect: inside a phrase every word is matched whole.`;
      return [{ code: "star_in_phrase", term: text, detail }];
    }
    if (type === "field" && text.toLowerCase() === "lang") {
      const detail = "Only content that states its language matches: the language of a text is not detected.";
      return [{ code: "lang_not_detected", term: "lang", detail }];
    }
    return [];
  });
}

function refusal(error: QueryError, pointer: string, watch: Watch): Failure {
  if (error.code === "unbounded") return unbounded(pointer, watch);
  const { position, expected } = error;
  const hint =
    expected.length > 0 ? `At position ${position} send ${expected.join(" or ")}.` : "Make the query smaller.";
  if (watch.query === undefined) return invalid(pointer, error.message, "Send words, phrases or #tags.", error.code);
  return new Failure("validation_failed", `${error.message} (position ${position})`, {
    hint,
    extra: { position, expected },
    errors: [{ pointer, code: error.code, detail: error.message, hint }],
  });
}

/** The refusal of a watch that nearly everything would match. */
function unbounded(pointer: string, watch: Watch): Failure {
  const lexemes = watch.query === undefined ? [] : lex(watch.query);
  const excluded = lexemes.findIndex(({ type }, i) => type === "NOT" && (lexemes[i - 1]?.type === "OR" || i === 0));
  const hasOr = lexemes.some(({ type }) => type === "OR");
  const hint =
    watch.query === undefined
      ? 'Add a term to any or all: {"any":["kettle"],"none":["toy"]}.'
      : "Send e.g. kettle -toy.";
  const detail =
    hasOr && excluded >= 0
      ? "A NOT beside OR matches nearly everything that lacks the term."
      : "Every term is excluded, so nearly everything would match.";
  const expected = ["a term that must be present"];
  const extra = watch.query === undefined ? {} : { position: lexemes[excluded]?.start ?? 0, expected };
  return new Failure("query_unbounded", detail, {
    hint,
    extra,
    errors: [{ pointer, code: "unbounded", detail, hint }],
  });
}
