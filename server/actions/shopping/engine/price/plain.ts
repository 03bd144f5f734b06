// The fast path for most price tags: a number with one sign or word beside it and nothing else, in one pass over the
// character codes. What it is not sure of it leaves to the general path, so both always give the same answer.
import type { Sign } from "./currencies.ts";
import type { Form } from "./lexicon.ts";
import { LETTER, SIGN, classOf, codeAt } from "./characters.ts";
import { formAt, lookUp } from "./lexicon.ts";
import { COMMA, POINT, digitValue, isDate, isDecimal } from "./number.ts";
import { FROM } from "./words.ts";

const LENGTH_MAX = 32;
const WORD_MAX = 16;
const SIGN_MAX = 6;

// What the pass recorded: one set for every call, read at once.
let numberFrom = 0,
  numberTo = 0,
  points = 0,
  commas = 0,
  blanks = 0,
  firstMark = 0,
  lastMark = 0;
/** The sign or word beside the number of the last text for which `isPlain` was true. */
export let plainForm: Form | null = null;
/** Whether a word in front of that price said "from". */
export let plainFrom = false;

const DIGIT = 1;
const BLANK = 2;
const KINDS = new Uint8Array(256);
for (let c = 48; c <= 57; c++) KINDS[c] = DIGIT;
KINDS[32] = BLANK;
KINDS[0xa0] = BLANK;
const STAR = 42;
const COLON = 58;

const isBlank = (c: number): boolean => c < 256 && KINDS[c] === BLANK;
const isDigit = (c: number): boolean => c >= 48 && c <= 57;

/** Whether the whole text is one plain price. Then `plainForm` and `plainAmount` give its parts. */
export function isPlain(text: string): boolean {
  let i = 0,
    end = text.length;
  if (end > LENGTH_MAX) return false;
  while (i < end && isBlank(text.charCodeAt(i))) i++;
  // A star points at a footnote and says nothing about the price.
  while (end > i && (text.charCodeAt(end - 1) === STAR || isBlank(text.charCodeAt(end - 1)))) end--;
  if (i === end) return false;
  plainForm = null;
  plainFrom = false;
  if (!isDigit(text.charCodeAt(i))) {
    const number = signBefore(text, i, end);
    i = number >= 0 ? number : behindWords(text, i, end);
    if (i < 0) return false;
  }
  i = readNumber(text, i, end);
  if (points + commas === 2 && isDate(text, numberFrom, numberTo)) return false;
  if (i === end) return true;
  return plainForm === null && signBehind(text, isBlank(text.charCodeAt(i)) ? i + 1 : i, end);
}

/** A sign or word of money in front: where the number behind it begins, or -1. */
function signBefore(text: string, from: number, end: number): number {
  let i = from + 1;
  while (i < end && i - from < SIGN_MAX) {
    const c = text.charCodeAt(i);
    if (c < 256 && KINDS[c] !== 0) break;
    i++;
  }
  let start = i;
  if (start < end && isBlank(text.charCodeAt(start))) start++;
  if (start >= end || !isDigit(text.charCodeAt(start))) return -1;
  const form = formAt(text, from, i);
  if (form === undefined || !isBelievedBefore(text.charCodeAt(from), form.sign)) return -1;
  plainForm = form;
  return start;
}

/** Words in front that say nothing about the price, or "from": where the number behind them begins, or -1. */
function behindWords(text: string, from: number, end: number): number {
  let i = from;
  while (i < end && isLetter(text.charCodeAt(i))) {
    const start = i;
    while (i < end && isLetter(text.charCodeAt(i))) i++;
    if (i - start > WORD_MAX || i === end) return -1;
    const entry = lookUp(text, start, i, 0);
    // A word of money is read with its number; any other word with a meaning is left to the general path.
    if (entry !== undefined && (entry.label !== FROM || entry.sign !== undefined || entry.pair))
      return signBefore(text, start, end);
    if (text.charCodeAt(i) === COLON) i++;
    else if (!isBlank(text.charCodeAt(i))) return -1;
    else if (classOf(codeAt(text, i + 1)) === SIGN && lookUp(text, start, i, text.charCodeAt(i + 1)) !== undefined)
      return -1;
    if (entry !== undefined) plainFrom = true;
    while (i < end && isBlank(text.charCodeAt(i))) i++;
  }
  if (i === from || i >= end) return -1;
  return isDigit(text.charCodeAt(i)) ? i : signBefore(text, i, end);
}

const isLetter = (c: number): boolean => {
  const ascii = c | 32;
  return (ascii >= 97 && ascii <= 122) || (c > 127 && classOf(c) === LETTER && digitValue(c) < 0);
};

/** In front of a number a short word in small letters is no money. */
const isBelievedBefore = (first: number, { strength, iso }: Sign): boolean =>
  strength > 1 || iso || first < 97 || first > 127;

function signBehind(text: string, from: number, end: number): boolean {
  if (from >= end || end - from > SIGN_MAX) return false;
  const form = formAt(text, from, end);
  if (form === undefined) return false;
  plainForm = form;
  return true;
}

/** Digits with points, commas and blanks between them as shops group; anything else ends it. */
function readNumber(text: string, from: number, end: number): number {
  let i = from + 1,
    run = 1;
  points = commas = blanks = 0;
  while (i < end) {
    const c = text.charCodeAt(i);
    if (isDigit(c)) {
      i++;
      run++;
    } else if ((c === 46 || c === 44) && i + 1 < end && isDigit(text.charCodeAt(i + 1))) {
      if (points + commas === 0) firstMark = i;
      lastMark = i;
      if (c === 46) points++;
      else commas++;
      i += 2;
      run = 1;
    } else if (points + commas === 0 && run <= 3 && isBlank(c) && isThreeDigits(text, i + 1, end)) {
      blanks++;
      i += 4;
      run = 3;
    } else break;
  }
  numberFrom = from;
  numberTo = i;
  return i;
}

const isThreeDigits = (text: string, at: number, end: number): boolean =>
  at + 2 < end &&
  isDigit(text.charCodeAt(at)) &&
  isDigit(text.charCodeAt(at + 1)) &&
  isDigit(text.charCodeAt(at + 2)) &&
  !(at + 3 < end && isDigit(text.charCodeAt(at + 3)));

/** The amount of the text that `isPlain` has just read. */
export function plainAmount(text: string): string {
  if (points + commas === 0) return blanks === 0 ? tail(text, numberTo, numberTo) : wholeText(text, numberTo);
  const lastKind = text.charCodeAt(lastMark) === 46 ? POINT : COMMA;
  const zeroHead = text.charCodeAt(numberFrom) === 48;
  const three = plainForm !== null && plainForm.sign.three;
  const before = firstMark - numberFrom - blanks;
  const decimals = numberTo - lastMark - 1;
  if (!isDecimal(points, commas, lastKind, decimals, before, zeroHead, three)) return wholeText(text, numberTo);
  if (lastKind === POINT && blanks === 0 && points + commas === 1) return tail(text, lastMark, numberTo);
  const whole = wholeText(text, lastMark);
  if (decimals !== 2) return `${whole}.${text.slice(lastMark + 1, numberTo)}`;
  return whole + CENTS[text.charCodeAt(lastMark + 1) * 10 + text.charCodeAt(lastMark + 2) - CENTS_FROM]!;
}

/** `.00` to `.99`, so that no string is made for them. */
const CENTS = Array.from({ length: 100 }, (_, cents) => `.${String(cents).padStart(2, "0")}`);
const CENTS_FROM = 48 * 10 + 48;
const WHOLES = Array.from({ length: 1000 }, (_, whole) => String(whole));
/** So many digits fit a small integer. */
const SMALL_DIGITS = 9;

/** The text of the number up to `to` as it stands, without the zeros in front of its whole part, which ends at `end`. */
function tail(text: string, end: number, to: number): string {
  let start = numberFrom;
  while (start < end - 1 && text.charCodeAt(start) === 48) start++;
  return text.slice(start, to);
}

/** The whole part, which ends at `end`, without groups and zeros in front. */
function wholeText(text: string, end: number): string {
  let value = 0,
    digits = 0;
  for (let i = numberFrom; i < end; i++) {
    const c = text.charCodeAt(i);
    if (!isDigit(c)) continue;
    value = value * 10 + c - 48;
    digits++;
  }
  if (digits > SMALL_DIGITS) return longWhole(text, end);
  return value < 1000 ? WHOLES[value]! : String(value);
}

function longWhole(text: string, end: number): string {
  let start = numberFrom;
  while (start < end - 1 && !isFirstDigit(text.charCodeAt(start))) start++;
  let out = "";
  for (let i = start + 1; i < end; i++) {
    if (isDigit(text.charCodeAt(i))) continue;
    out += text.slice(start, i);
    start = i + 1;
  }
  return out + text.slice(start, end);
}

const isFirstDigit = (c: number): boolean => c >= 49 && c <= 57;
