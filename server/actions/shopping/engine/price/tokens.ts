// Splits a price text into numbers, currency signs and words with a meaning, in one scan. It marks positions and
// chooses nothing.
import { SIGNS, UNIT_SPELLINGS, type Sign } from "./currencies.ts";
import { BLANK, INVISIBLE, LETTER, SIGN, classOf, codeAt, plainSign } from "./characters.ts";
import { COMMA, POINT, QUOTE, SPACE, decimalOf, digitValue, isDate, separatorKind } from "./number.ts";
import { lookUp } from "./lexicon.ts";

export const NUMBER = 1,
  MONEY = 2,
  LABEL = 3;

// Scratch of the scanner: parsing is synchronous, so one set serves every call.
const TOKENS_MAX = 256;
export const kinds = new Uint8Array(TOKENS_MAX),
  starts = new Int32Array(TOKENS_MAX),
  ends = new Int32Array(TOKENS_MAX),
  values = new Uint8Array(TOKENS_MAX);
export const found: (Sign | null)[] = [];
export let count = 0;
let placeCurrency: string | null = null;

/** `place`: the currency of the country, where it is known. */
export function scan(text: string, euroIsMark: boolean, place: string | null): void {
  count = 0;
  placeCurrency = place;
  let i = 0;
  while (i < text.length && count < TOKENS_MAX - 2) {
    const c = text.charCodeAt(i);
    if (c === 32) {
      i++;
      continue;
    }
    if (c >= 48 && c <= 57 ? true : c > 0x65f && digitValue(c) >= 0) {
      i = number(text, i, euroIsMark);
      continue;
    }
    if ((c === 46 || c === 44) && digitValue(codeAt(text, i + 1)) >= 0 && !wordBefore(text, i)) {
      i = number(text, i, euroIsMark);
      continue;
    }
    const kind = classOf(c);
    if (kind === LETTER) i = word(text, i);
    else if (kind === SIGN) i = sign(text, i);
    else i++;
  }
}

const wordBefore = (text: string, i: number) => i > 0 && classOf(text.charCodeAt(i - 1)) === LETTER;

function push(kind: number, start: number, end: number, value: number, sign: Sign | null): void {
  kinds[count] = kind;
  starts[count] = start;
  ends[count] = end;
  values[count] = value;
  found[count] = sign;
  count++;
}

const digitAt = (text: string, i: number) => i < text.length && digitValue(text.charCodeAt(i)) >= 0;
function digitRun(text: string, i: number): number {
  let j = i;
  while (j < text.length && digitValue(text.charCodeAt(j)) >= 0) j++;
  return j - i;
}

/** value 0: a number; 1: a percentage; 2: a number whose decimal mark is a currency sign; 3: a date. */
function number(text: string, start: number, euroIsMark: boolean): number {
  let i = start;
  let marked = false;
  if (!digitAt(text, i)) i++;
  i += digitRun(text, i);
  while (true) {
    const kind = i < text.length ? separatorKind(text.charCodeAt(i)) : 0;
    if (kind === 0) break;
    const run = digitRun(text, i + 1);
    if (kind === POINT || kind === COMMA) {
      if (run > 0) {
        marked = true;
        i += 1 + run;
        continue;
      }
      // `36. 24`: a blank slipped in behind the decimal mark.
      if (
        separatorKind(codeAt(text, i + 1)) === SPACE &&
        digitRun(text, i + 2) === 2 &&
        separatorKind(codeAt(text, i + 4)) !== COMMA &&
        !(separatorKind(codeAt(text, i + 4)) === POINT && digitAt(text, i + 5))
      ) {
        i += 4;
      }
      break;
    }
    // `12 ,50`: or in front of it.
    const mark = separatorKind(codeAt(text, i + 1));
    if (kind === SPACE && !marked && (mark === POINT || mark === COMMA) && digitRun(text, i + 2) === 2) {
      i += 4;
      break;
    }
    // A blank or a quote groups three digits, and only before the decimal mark.
    if (run === 3 && (!marked || kind === QUOTE) && groupFits(text, start, i)) {
      i += 1 + run;
      continue;
    }
    break;
  }
  const split = splitEnd(text, start, i, marked, euroIsMark);
  if (split > 0) {
    push(NUMBER, start, split, 2, null);
    const at = signIn(text, start, split);
    push(MONEY, at, at + 1, 0, SIGNS.get(plainSign(text[at]!)) ?? null);
    return split;
  }
  push(NUMBER, start, i, percentAt(text, i) ? 1 : isDate(text, start, i) ? 3 : 0, null);
  return i;
}

function groupFits(text: string, start: number, end: number): boolean {
  let run = 0;
  for (let j = end - 1; j >= start && digitValue(text.charCodeAt(j)) >= 0; j--) run++;
  return run <= 3;
}

function percentAt(text: string, i: number): boolean {
  const c = codeAt(text, i);
  const sign = c === 32 || c === 0xa0 ? codeAt(text, i + 1) : c;
  return sign === 37 || sign === 0x66a || sign === 0xff05;
}

/** `35€ 99`, `35€99`: the end of the cents behind a sign that stands as the decimal mark; 0 where it does not. */
function splitEnd(text: string, start: number, end: number, marked: boolean, euroIsMark: boolean): number {
  if (marked && !euroIsMark) return 0;
  let i = end;
  while (i < text.length && separatorKind(text.charCodeAt(i)) === SPACE) i++;
  if (i >= text.length || i - end > 1 || i + 2 >= text.length || classOf(text.charCodeAt(i)) !== SIGN) return 0;
  if (text.indexOf(text[i]!, i + 1) >= 0 || text.lastIndexOf(text[i]!, start) >= 0) return 0;
  let j = i + 1;
  if (j < text.length && separatorKind(text.charCodeAt(j)) === SPACE) j++;
  const run = digitRun(text, j);
  if (!(run === 2 || (euroIsMark && run > 0 && j === i + 1))) return 0;
  const next = codeAt(text, j + run);
  if (percentAt(text, j + run) || (separatorKind(next) !== 0 && digitAt(text, j + run + 1))) return 0;
  return classOf(next) === LETTER || /^\s?(?:ml|g|kg|cm|mm|x|l|pcs)\b/i.test(text.slice(j + run, j + run + 5))
    ? 0
    : j + run;
}

function signIn(text: string, start: number, end: number): number {
  let i = start;
  while (i < end && classOf(text.charCodeAt(i)) !== SIGN) i++;
  return i;
}

/** The amount of text[start, end) whose decimal mark is a sign. */
export function splitAmount(text: string, start: number, end: number): string | null {
  const at = signIn(text, start, end);
  const head = text.slice(start, at).replaceAll(/[.,]/g, "");
  const whole = decimalOf(head, 0, head.length, null, false);
  if (whole === null) return null;
  const cents = decimalOf(text, at + 1, end, null, false) ?? "00";
  return `${whole}.${cents.padStart(digitRun(text, end - 2), "0")}`;
}

/** A sign, with the letter that may belong to it behind. */
function sign(text: string, i: number): number {
  const isLetter = (at: number) => at < text.length && classOf(text.charCodeAt(at)) === LETTER;
  if (isLetter(i + 1) && !isLetter(i + 2)) {
    const joined = lookUp(text, i, i + 2, 0)?.sign;
    if (joined) {
      push(MONEY, i, i + 2, 0, joined);
      return i + 2;
    }
  }
  const alone = lookUp(text, i, i + 1, 0)?.sign;
  if (alone) push(MONEY, i, i + 1, 0, alone);
  return i + 1;
}

function word(text: string, start: number): number {
  let i = start + 1;
  let dotted = false;
  while (i < text.length) {
    const c = text.charCodeAt(i);
    if ((c | 32) >= 97 && (c | 32) <= 122) {
      i++;
      continue;
    }
    if (c > 0x7f && classOf(c) === LETTER && digitValue(c) < 0) {
      i++;
      continue;
    }
    if (
      (c === 46 || c === 39 || c === 0x2bb || c === 34 || c === 0x2018 || c === 0x2019) &&
      i + 1 < text.length &&
      classOf(codeAt(text, i + 1)) === LETTER &&
      digitValue(codeAt(text, i + 1)) < 0
    ) {
      dotted = true;
      i += 2;
      continue;
    }
    break;
  }
  if (i - start > 16) return i;
  const joined = joinedEnd(text, start, i);
  if (joined > 0) return joined;
  const entry = lookUp(text, start, i, 0);
  if (entry?.pair) {
    const rest = /^\s(\p{L}+)/u.exec(text.slice(i, i + 14));
    const pair = rest && SIGNS.get(`${text.slice(start, i)}_${rest[1]!}`.toUpperCase());
    if (pair) {
      push(MONEY, start, i + rest![0].length, 0, pair);
      return i + rest![0].length;
    }
  }
  let money = entry?.sign;
  if (!money && dotted) money = firstPart(text.slice(start, i));
  if (money && entry?.unit && isUnit(text, start, i, money)) money = undefined;
  if (money && believable(text, start, i, money)) push(MONEY, start, i, 0, money);
  else if (entry?.label !== undefined) push(LABEL, start, i, entry.label, null);
  return i;
}

/** `US$`, `руб.`, `S/.`, `US $`: notes a word that is one sign with what stands behind it and gives its end, else 0. */
function joinedEnd(text: string, start: number, i: number): number {
  const c = codeAt(text, i);
  let end = i + 1;
  let joined: Sign | undefined;
  if (classOf(c) === SIGN) {
    // `U$S` goes on behind the sign.
    joined = classOf(codeAt(text, end)) === LETTER ? lookUp(text, start, end + 1, 0)?.sign : undefined;
    if (joined) end++;
    else joined = lookUp(text, start, i, c)?.sign;
  } else if (c === 46 || c === 47 || c === 39) {
    if (c === 47 && codeAt(text, end) === 46) end++;
    joined = lookUp(text, start, end, 0)?.sign;
  } else if (classOf(c) === BLANK && i - start >= 2 && classOf(codeAt(text, end)) === SIGN) {
    joined = lookUp(text, start, i, codeAt(text, end))?.sign;
    end++;
  }
  if (!joined) return 0;
  push(MONEY, start, end, 0, joined);
  return end;
}

/** `Kč.bez`: the sign before the first point. */
function firstPart(word: string): Sign | undefined {
  const upper = word.toUpperCase();
  return upper.includes(".") ? SIGNS.get(upper.slice(0, upper.indexOf("."))) : undefined;
}

/** `5 km` is no price; neither is `6 ft`, unless the page is from Hungary. */
const isUnit = (text: string, start: number, end: number, { codes }: Sign): boolean =>
  end - start <= 3 &&
  UNIT_SPELLINGS.has(text.slice(start, end)) &&
  (placeCurrency === null || !codes.includes(placeCurrency));

/** Short words are money only beside a number: `K`, `ID`, `All`, `eur` in running text are not. */
function believable(text: string, start: number, end: number, sign: Sign): boolean {
  const upper = text.charCodeAt(start) < 91 || text.charCodeAt(start) > 0x7f;
  if (sign.strength === 3 && upper) return true;
  if (sign.strength === 2) return true;
  let i = start - 1;
  while (i >= 0 && start - i < 5 && gap(text.charCodeAt(i))) i--;
  if (i >= 0 && digitValue(text.charCodeAt(i)) >= 0) return true;
  let j = end;
  while (j < text.length && j - end < 3 && gap(text.charCodeAt(j))) j++;
  if (digitAt(text, j) && (upper || sign.iso)) return true;
  return start === 0 && end === text.trimEnd().length;
}

const gap = (c: number) =>
  classOf(c) === BLANK ||
  classOf(c) === INVISIBLE ||
  c === 44 ||
  c === 45 ||
  c === 46 ||
  c === 58 ||
  c === 0x2013 ||
  c === 0x2014 ||
  c === 42 ||
  c === 61 ||
  c === 40;

export function near(text: string, from: number, to: number): boolean {
  if (to - from > 5) return false;
  for (let i = from; i < to; i++) {
    const c = text.charCodeAt(i);
    if (!gap(c)) return false;
    // `50 - $2`: a dash between blanks separates; `105. –` ends a number.
    if ((c === 45 || c === 0x2013) && i === from + 1 && classOf(text.charCodeAt(from)) === BLANK) return false;
  }
  return true;
}
