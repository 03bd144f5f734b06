// Splits a query into lexemes with their positions. Knows the tokens of the language, not its grammar.
import { toDecimal } from "../../../../lib/decimal.ts";
import { QueryError } from "./ast.ts";

export interface Lexeme {
  type: "(" | ")" | "AND" | "OR" | "NOT" | "NEAR" | "+" | "=" | "word" | "phrase" | "tag" | "field" | "number";
  text: string;
  start: number;
  field?: string;
  op?: string;
}

const SPACE = /\s+/uy;
const QUOTES = /["\u201c\u201d\u201e]/;
const FIELD_NAME = /(\p{L}[\p{L}\p{N}_]*):(?!\/\/)(?=\S)/uy;
const COMPARISON = /([a-z_][a-z0-9_.]*)\s*(<=|>=|!=|<|>|=(?=\s*-?[\d.]))\s*/iy;
const RANGE = /([a-z_][a-z0-9_]*):(-?\d+(?:\.\d+)?)?\.\.(-?\d+(?:\.\d+)?)?(?=[\s)]|$)/iy;
const DECIMAL = /-?\d+(?:\.\d+)?(?=[\s)]|$)/y;
const WORD = /[^\s()"\u201c\u201d\u201e]+/uy;
const operators: Record<string, Lexeme["type"]> = {
  AND: "AND",
  OR: "OR",
  NOT: "NOT",
  "|": "OR",
  "||": "OR",
  "&&": "AND",
};
const comparisons: Record<string, string> = { "<": "lt", "<=": "lte", ">": "gt", ">=": "gte", "=": "eq", "!=": "ne" };

export function lex(source: string): Lexeme[] {
  const out: Lexeme[] = [];
  for (let at = 0; at < source.length; ) {
    const gap = take(SPACE, source, at);
    if (gap) {
      at += gap[0].length;
      continue;
    }
    at = lexOne(source, at, out);
  }
  return out;
}

function take(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

function lexOne(source: string, at: number, out: Lexeme[]): number {
  const char = source[at];
  if (char === "(" || char === ")") {
    out.push({ type: char, text: char, start: at });
    return at + 1;
  }
  if (QUOTES.test(char)) return lexPhrase(source, at, out);
  const operand = at + 1 < source.length && !/[\s)]/.test(source[at + 1]);
  if ((char === "-" || char === "!") && operand) {
    out.push({ type: "NOT", text: char, start: at });
    return at + 1;
  }
  if (char === "+" && operand) {
    out.push({ type: "+", text: char, start: at });
    return at + 1;
  }
  if (char === "=" && operand) {
    out.push({ type: "=", text: char, start: at });
    return at + 1;
  }
  return lexNumber(source, at, out) ?? lexWord(source, at, out);
}

function lexPhrase(source: string, at: number, out: Lexeme[]): number {
  const rest = source.slice(at + 1);
  const length = rest.search(QUOTES);
  if (length < 0) throw new QueryError("syntax", at, ['"'], "This quotation is never closed.");
  out.push({ type: "phrase", text: rest.slice(0, length), start: at });
  return at + length + 2;
}

function lexNumber(source: string, at: number, out: Lexeme[]): number | null {
  const between = take(RANGE, source, at);
  if (between && (between[2] ?? between[3]) !== undefined) {
    const field = between[1].toLowerCase();
    out.push({ type: "(", text: "(", start: at });
    if (between[2] !== undefined)
      out.push({ type: "number", field, op: "gte", text: toDecimal(between[2])!, start: at });
    if (between[3] !== undefined)
      out.push({ type: "number", field, op: "lte", text: toDecimal(between[3])!, start: at });
    out.push({ type: ")", text: ")", start: at });
    return at + between[0].length;
  }
  const compared = take(COMPARISON, source, at);
  if (!compared) return null;
  const value = at + compared[0].length;
  const number = take(DECIMAL, source, value);
  if (!number)
    throw new QueryError("syntax", value, ["a number"], `${compared[1]}${compared[2]} compares with a number.`);
  const field = compared[1].toLowerCase();
  out.push({ type: "number", field, op: comparisons[compared[2]], text: toDecimal(number[0])!, start: at });
  return value + number[0].length;
}

function lexWord(source: string, at: number, out: Lexeme[]): number {
  const named = take(FIELD_NAME, source, at);
  if (named) {
    out.push({ type: "field", text: named[1], start: at });
    return at + named[0].length;
  }
  const text = take(WORD, source, at)![0];
  const near = /^NEAR(?:\/(\d{1,4}))?$/.exec(text);
  if (near) out.push({ type: "NEAR", text: near[1] ?? "5", start: at });
  else if (operators[text]) out.push({ type: operators[text], text, start: at });
  else if (/^[#\uff03\ufe5f]/.test(text)) out.push({ type: "tag", text, start: at });
  else out.push({ type: "word", text, start: at });
  return at + text.length;
}
