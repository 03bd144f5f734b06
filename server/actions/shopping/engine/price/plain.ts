// The fast path for most price tags: a number with one sign or word beside it and nothing else. What it is not sure of
// it leaves to the long way, so both always say the same.
import type { Sign } from "./currencies.ts";
import { UNIT_SPELLINGS, SIGNS } from "./currencies.ts";

/** Where number and sign stand; one object for every call, read at once. */
export const plain = {
  from: 0,
  to: 0,
  marks: 0,
  markAt: 0,
  blanks: 0,
  symbol: null as string | null,
  sign: null as Sign | null,
};

const BY_SIGN = new Map<number, { sign: Sign; text: string }>();
for (const [text, sign] of SIGNS)
  if (text.length === 1 && sign.strength === 3) BY_SIGN.set(text.charCodeAt(0), { sign, text });
const BY_WORD = new Map<string, Sign>();
/** Words as shops write them: no upper-casing while reading. Short words that are money only behind a number stay out of `before`. */
for (const [text, sign] of SIGNS) {
  if (text.length < 2 || text.length > 6 || /[_"'/ʻ]/.test(text)) continue;
  for (const form of [text, text.toLowerCase(), text[0] + text.slice(1).toLowerCase()])
    if (!UNIT_SPELLINGS.has(form)) BY_WORD.set(form, sign);
}

const isBlank = (c: number): boolean => c === 32 || c === 0xa0;
const isDigit = (c: number): boolean => c >= 48 && c <= 57;

/** Whether the whole text is one plain price; then `plain` says where what stands. */
export function isPlain(text: string): boolean {
  let i = 0,
    end = text.length;
  if (end > 24) return false;
  while (i < end && isBlank(text.charCodeAt(i))) i++;
  // A star points at a footnote and says nothing about the price.
  while (end > i && (isBlank(text.charCodeAt(end - 1)) || text.charCodeAt(end - 1) === 42)) end--;
  if (i === end) return false;
  plain.sign = null;
  plain.symbol = null;
  if (!isDigit(text.charCodeAt(i))) {
    i = before(text, i, end);
    if (i < 0) return false;
  }
  plain.from = i;
  i = numberEnd(text, i, end);
  plain.to = i;
  if (i === end) return plain.sign !== null || i - plain.from > 2;
  if (plain.sign !== null) return false;
  return behind(text, isBlank(text.charCodeAt(i)) ? i + 1 : i, end);
}

/** A sign or word of money in front: where the number behind it begins, or -1. */
function before(text: string, from: number, end: number): number {
  let i = from + 1;
  while (i < end && i - from < 6 && !isDigit(text.charCodeAt(i)) && !isBlank(text.charCodeAt(i))) i++;
  if (!take(text, from, i)) return -1;
  if (i - from > 1 && plain.sign!.strength < 3) return -1;
  if (i < end && isBlank(text.charCodeAt(i))) i++;
  return i < end && isDigit(text.charCodeAt(i)) ? i : -1;
}

/** Digits with points, commas and blanks between them as shops group; anything else ends it. */
function numberEnd(text: string, from: number, end: number): number {
  let i = from + 1,
    run = 1;
  let marks = 0,
    markAt = 0,
    blanks = 0;
  while (i < end) {
    const c = text.charCodeAt(i);
    if (isDigit(c)) {
      i++;
      run++;
    } else if ((c === 46 || c === 44) && i + 1 < end && isDigit(text.charCodeAt(i + 1))) {
      marks++;
      markAt = i;
      i += 2;
      run = 1;
    } else if (isBlank(c) && marks === 0 && run <= 3 && threeDigits(text, i + 1, end)) {
      blanks++;
      i += 4;
      run = 3;
    } else break;
  }
  plain.marks = marks;
  plain.markAt = markAt;
  plain.blanks = blanks;
  return i;
}

/** The amount where nothing about it needs thought: no groups, no zero in front; null otherwise. */
export function plainAmount(text: string): string | null {
  const { from, to, marks, markAt } = plain;
  if (plain.blanks > 0 || marks > 1) return null;
  if (marks === 0) return text.charCodeAt(from) === 48 && to - from > 1 ? null : text.slice(from, to);
  if (to - markAt === 4 || (text.charCodeAt(from) === 48 && markAt - from > 1)) return null;
  return text.charCodeAt(markAt) === 46
    ? text.slice(from, to)
    : `${text.slice(from, markAt)}.${text.slice(markAt + 1, to)}`;
}

const threeDigits = (text: string, at: number, end: number): boolean =>
  at + 2 < end &&
  isDigit(text.charCodeAt(at)) &&
  isDigit(text.charCodeAt(at + 1)) &&
  isDigit(text.charCodeAt(at + 2)) &&
  !(at + 3 < end && isDigit(text.charCodeAt(at + 3)));

const behind = (text: string, from: number, end: number): boolean =>
  from < end && end - from <= 6 && take(text, from, end);

/** Notes the sign or word that stands there; false where it is none. */
function take(text: string, from: number, to: number): boolean {
  if (to - from === 1) {
    const one = BY_SIGN.get(text.charCodeAt(from));
    if (one === undefined) return false;
    plain.sign = one.sign;
    plain.symbol = one.text;
    return true;
  }
  const word = text.slice(from, to);
  const sign = BY_WORD.get(word);
  if (sign === undefined) return false;
  plain.sign = sign;
  plain.symbol = word;
  return true;
}
