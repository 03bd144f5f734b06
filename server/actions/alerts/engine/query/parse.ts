// Parses the query language: AND OR NOT, phrases, NEAR/n, prefix*, fields, #tags, =Exact and numbers. Every error has a
// position and what was expected there. Owns the grammar; terms.ts owns single terms.
import { foldTag } from "../text/fold.ts";
import { isEmoji } from "../text/hashtags.ts";
import {
  DEFAULT_MATCH,
  FIELD_BITS,
  MAX_NEAR,
  QueryError,
  type MatchOptions,
  type Node,
  type NumberOp,
  type TextLeaf,
} from "./ast.ts";
import { type Lexeme, lex } from "./lex.ts";
import { MIN_PREFIX, textLeaf } from "./terms.ts";

const MAX_LENGTH = 4096;
export const MAX_LEAVES = 256;
const MAX_DEPTH = 16;
const FIELDS = ["title", "text", "tag", "tags", "author", "url", "site", "lang", "source"];
const A_TERM = ["a word", 'a "phrase"', "a #tag", "(", "NOT"];

export function parseQuery(source: string, options: MatchOptions = DEFAULT_MATCH): Node {
  if (source.length > MAX_LENGTH) {
    throw new QueryError("too_complex", MAX_LENGTH, [], `A query has at most ${MAX_LENGTH} characters.`);
  }
  const parser = new Parser(lex(source), source.length, options);
  return parser.whole();
}

class Parser {
  #at = 0;
  #leaves = 0;
  #depth = 0;
  readonly #lexemes: Lexeme[];
  readonly #length: number;
  readonly #options: MatchOptions;

  constructor(lexemes: Lexeme[], length: number, options: MatchOptions) {
    this.#lexemes = lexemes;
    this.#length = length;
    this.#options = options;
  }

  whole(): Node {
    const node = this.#or(this.#options);
    const rest = this.#peek();
    if (rest)
      throw this.#fail(
        rest,
        ["AND", "OR", "the end"],
        rest.type === ")" ? "This ) closes nothing." : "Unexpected here.",
      );
    return node;
  }

  #peek(): Lexeme | undefined {
    return this.#lexemes[this.#at];
  }

  #fail(at: Lexeme | undefined, expected: string[], detail: string): QueryError {
    return new QueryError("syntax", at?.start ?? this.#length, expected, detail);
  }

  #or(options: MatchOptions): Node {
    const children = [this.#and(options)];
    while (this.#peek()?.type === "OR") {
      this.#at++;
      children.push(this.#and(options));
    }
    return children.length === 1 ? children[0] : { type: "or", children };
  }

  #and(options: MatchOptions): Node {
    const children = [this.#unary(options)];
    for (let next = this.#peek(); next && next.type !== "OR" && next.type !== ")"; next = this.#peek()) {
      if (next.type === "AND") this.#at++;
      children.push(this.#unary(options));
    }
    return children.length === 1 ? children[0] : { type: "and", children };
  }

  #unary(options: MatchOptions): Node {
    const next = this.#peek();
    if (next?.type === "NOT") {
      this.#at++;
      this.#enter(next);
      const child = this.#unary(options);
      this.#depth--;
      return { type: "not", child };
    }
    if (next?.type === "+") {
      this.#at++;
      return this.#near(options);
    }
    return this.#near(options);
  }

  #near(options: MatchOptions): Node {
    const first = this.#peek();
    const left = this.#primary(options);
    const operator = this.#peek();
    if (operator?.type !== "NEAR") return left;
    this.#at++;
    const distance = Number(operator.text);
    if (distance < 1 || distance > MAX_NEAR) {
      throw this.#fail(operator, [`NEAR/1 to NEAR/${MAX_NEAR}`], "NEAR takes a distance in words.");
    }
    const second = this.#peek();
    const right = this.#primary(options);
    if (left.type !== "text")
      throw this.#fail(first, ["a word", 'a "phrase"'], "NEAR stands between two words or phrases.");
    if (right.type !== "text")
      throw this.#fail(second, ["a word", 'a "phrase"'], "NEAR stands between two words or phrases.");
    const third = this.#peek();
    if (third?.type === "NEAR") throw this.#fail(third, ["AND", "OR"], "NEAR joins two terms, not three.");
    return { type: "near", distance, left, right };
  }

  #primary(options: MatchOptions): Node {
    const next = this.#peek();
    if (!next) throw this.#fail(undefined, A_TERM, "The query ends where a term was expected.");
    this.#at++;
    switch (next.type) {
      case "(":
        return this.#group(next, options);
      case "word":
      case "phrase":
        return isEmoji(next.text) ? this.#tag(next, next.text) : this.#term(next, options);
      case "=":
        return this.#exact(next, options);
      case "tag":
        return this.#tag(next, next.text);
      case "field":
        return this.#field(next, options);
      case "number":
        this.#count(next);
        return { type: "number", field: next.field!, op: next.op as NumberOp, value: next.text };
      default:
        throw this.#fail(next, A_TERM, `${next.type} needs a term on both sides.`);
    }
  }

  #enter(at: Lexeme): void {
    if (++this.#depth > MAX_DEPTH) {
      throw new QueryError("too_complex", at.start, [], `A query nests at most ${MAX_DEPTH} deep.`);
    }
  }

  #count(at: Lexeme): void {
    if (++this.#leaves > MAX_LEAVES) {
      throw new QueryError("too_complex", at.start, [], `A query has at most ${MAX_LEAVES} terms.`);
    }
  }

  #group(open: Lexeme, options: MatchOptions): Node {
    this.#enter(open);
    const node = this.#or(options);
    const close = this.#peek();
    if (close?.type !== ")") throw this.#fail(close, [")"], `The ( at ${open.start} is never closed.`);
    this.#at++;
    this.#depth--;
    return node;
  }

  #term(at: Lexeme, options: MatchOptions, given: Partial<TextLeaf> = {}): TextLeaf {
    this.#count(at);
    let source = at.text;
    if (at.type === "word") {
      const star = source.indexOf("*");
      if (star >= 0 && star < source.length - 1) {
        throw new QueryError(
          "syntax",
          at.start + star,
          ["* at the end of a word"],
          "A * stands only at the end of a word.",
        );
      }
      if (star >= 0) {
        source = source.slice(0, -1);
        given = { ...given, prefix: true };
      }
    }
    const leaf = textLeaf(source, options, given);
    if (!leaf) throw this.#fail(at, ["a letter or a digit"], "There is no letter or digit to look for here.");
    if (leaf.prefix && given.prefix && leaf.pieces[leaf.pieces.length - 1].text.length < MIN_PREFIX) {
      throw this.#fail(
        at,
        [`at least ${MIN_PREFIX} characters before *`],
        "So short a beginning would match too much.",
      );
    }
    return leaf;
  }

  #exact(sign: Lexeme, options: MatchOptions): Node {
    const next = this.#peek();
    if (next?.type !== "word" && next?.type !== "phrase") {
      throw this.#fail(next, ["a word", 'a "phrase"'], "= asks for the exact spelling of the word after it.");
    }
    this.#at++;
    return this.#term(next, { ...options, caseSensitive: true });
  }

  #tag(at: Lexeme, text: string): Node {
    this.#count(at);
    const tag = foldTag(text);
    if (!tag) throw this.#fail(at, ["a tag"], "There is no tag after this sign.");
    return { type: "tag", tag };
  }

  #field(at: Lexeme, options: MatchOptions): Node {
    const name = at.text.toLowerCase();
    if (!FIELDS.includes(name)) {
      throw new QueryError(
        "unknown_field",
        at.start,
        FIELDS.map((f) => `${f}:`),
        `There is no field "${at.text}".`,
      );
    }
    const next = this.#peek();
    if (name === "tag" || name === "tags" || name === "lang" || name === "site" || name === "source") {
      return this.#value(name, next, options);
    }
    const scoped = { ...options, fields: FIELD_BITS[name] };
    if (next?.type === "tag") {
      this.#at++;
      return this.#term({ ...next, type: "phrase" }, scoped);
    }
    if (next?.type !== "word" && next?.type !== "phrase" && next?.type !== "(" && next?.type !== "=") {
      throw this.#fail(next, ["a word", 'a "phrase"', "("], `${at.text}: needs a term.`);
    }
    return this.#primary(scoped);
  }

  #value(name: string, next: Lexeme | undefined, options: MatchOptions): Node {
    if (next?.type === "(") {
      this.#at++;
      this.#enter(next);
      const children = [this.#value(name, this.#peek(), options)];
      for (let more = this.#peek(); more && more.type !== ")"; more = this.#peek()) {
        if (more.type !== "OR") throw this.#fail(more, ["OR", ")"], `Values of ${name}: are joined by OR.`);
        this.#at++;
        children.push(this.#value(name, this.#peek(), options));
      }
      if (!this.#peek()) throw this.#fail(undefined, [")"], `The ( at ${next.start} is never closed.`);
      this.#at++;
      this.#depth--;
      return children.length === 1 ? children[0] : { type: "or", children };
    }
    if (next?.type !== "word" && next?.type !== "phrase" && next?.type !== "tag") {
      throw this.#fail(next, ["a word", 'a "phrase"', "("], `${name}: needs a value.`);
    }
    this.#at++;
    if (name === "tag" || name === "tags") return this.#tag(next, next.text);
    this.#count(next);
    const value =
      name === "source"
        ? foldTag(next.text)
        : next.text
            .trim()
            .toLowerCase()
            .replace(/^www\./, "");
    if (!value) throw this.#fail(next, ["a value"], `${name}: needs a value.`);
    return { type: "meta", field: name as "lang" | "site" | "source", value };
  }
}
