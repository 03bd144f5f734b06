// Splits a price text into numbers, currency signs and words with a meaning, in one scan. It marks positions and
// chooses nothing.
import { UNIT_SPELLINGS, PAIR_STARTS, SIGNS, type Sign } from "./currencies.ts";
import { BLANK, INVISIBLE, LETTER, SIGN, classOf, plainSign } from "./characters.ts";
import { COMMA, POINT, QUOTE, SPACE, decimalOf, digitValue, separatorKind } from "./number.ts";
import { LABELS } from "./words.ts";

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
    if ((c === 46 || c === 44) && digitValue(text.charCodeAt(i + 1)) >= 0 && !wordBefore(text, i)) {
      i = number(text, i, euroIsMark);
      continue;
    }
    const kind = classOf(c);
    if (kind === LETTER) i = word(text, i);
    else if (kind === SIGN) i = sign(text, i, i);
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
  while (true) {
    i += digitRun(text, i);
    const kind = i < text.length ? separatorKind(text.charCodeAt(i)) : 0;
    if (kind === 0) break;
    const run = digitRun(text, i + 1);
    if (kind === POINT || kind === COMMA) {
      if (run > 0) {
        marked = true;
        i++;
        continue;
      }
      // `36. 24`: a blank slipped in behind the decimal mark.
      if (
        separatorKind(text.charCodeAt(i + 1)) === SPACE &&
        digitRun(text, i + 2) === 2 &&
        separatorKind(text.charCodeAt(i + 4)) !== COMMA &&
        !(separatorKind(text.charCodeAt(i + 4)) === POINT && digitAt(text, i + 5))
      ) {
        i += 4;
      }
      break;
    }
    // `12 ,50`: or in front of it.
    const mark = separatorKind(text.charCodeAt(i + 1));
    if (kind === SPACE && !marked && (mark === POINT || mark === COMMA) && digitRun(text, i + 2) === 2) {
      i += 4;
      break;
    }
    // A blank or a quote groups three digits, and only before the decimal mark.
    if (run === 3 && (!marked || kind === QUOTE) && groupFits(text, start, i)) {
      i++;
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
  const c = text.charCodeAt(i);
  const sign = c === 32 || c === 0xa0 ? text.charCodeAt(i + 1) : c;
  return sign === 37 || sign === 0x66a || sign === 0xff05;
}

export const isDate = (text: string, start: number, end: number): boolean =>
  end - start >= 8 &&
  end - start <= 10 &&
  /^(?:\d{1,2}[.,]\d{1,2}[.,](?:19|20)\d\d|(?:19|20)\d\d[.,]\d{1,2}[.,]\d{1,2})$/.test(text.slice(start, end));

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
  const next = text.charCodeAt(j + run);
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

export function splitAmount(raw: string): string | null {
  const at = signIn(raw, 0, raw.length);
  const whole = decimalOf(raw.slice(0, at).replaceAll(/[.,]/g, ""), null, false);
  return whole === null
    ? null
    : `${whole}.${decimalOf(raw.slice(at + 1), null, false)?.padStart(digitRun(raw, raw.length - 2), "0") ?? "00"}`;
}

/** A sign, with the letters that may belong to it before (from `from`) or behind. */
function sign(text: string, i: number, from: number): number {
  const one = plainSign(text[i]!);
  const next = text[i + 1];
  if (
    next &&
    classOf(next.charCodeAt(0)) === LETTER &&
    !(i + 2 < text.length && classOf(text.charCodeAt(i + 2)) === LETTER)
  ) {
    const joined = SIGNS.get(one + next.toUpperCase());
    if (joined) {
      push(MONEY, from, i + 2, 0, joined);
      return i + 2;
    }
  }
  const plain = SIGNS.get(one);
  if (plain) push(MONEY, i, i + 1, 0, plain);
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
      (c === 46 || c === 39 || c === 0x2bb || c === 34 || c === 0x2019) &&
      i + 1 < text.length &&
      classOf(text.charCodeAt(i + 1)) === LETTER &&
      digitValue(text.charCodeAt(i + 1)) < 0
    ) {
      dotted = true;
      i += 2;
      continue;
    }
    break;
  }
  if (i - start > 16) return i;
  const upper = text.slice(start, i).toUpperCase();
  const c = text.charCodeAt(i);
  if (classOf(c) === SIGN) {
    const joined = SIGNS.get(upper + plainSign(text[i]!));
    if (joined) {
      push(MONEY, start, i + 1, 0, joined);
      return i + 1;
    }
  } else if (c === 46 || c === 47 || c === 39) {
    const end = text.charCodeAt(i + 1) === 46 && c === 47 ? i + 2 : i + 1;
    const pointed = SIGNS.get(upper + text.slice(i, end));
    if (pointed) {
      push(MONEY, start, end, 0, pointed);
      return end;
    }
  } else if (classOf(c) === BLANK && i - start >= 2 && classOf(text.charCodeAt(i + 1)) === SIGN) {
    const joined = SIGNS.get(upper + plainSign(text[i + 1]!));
    if (joined) {
      push(MONEY, start, i + 2, 0, joined);
      return i + 2;
    }
  }
  const entry = LEXICON.get(upper);
  let money = entry?.sign;
  if (entry?.pair) {
    const rest = /^\s(\p{L}+)/u.exec(text.slice(i, i + 14));
    const pair = rest && SIGNS.get(`${upper}_${rest[1]!.toUpperCase()}`);
    if (pair) {
      push(MONEY, start, i + rest![0].length, 0, pair);
      return i + rest![0].length;
    }
  }
  if (!money && dotted && upper.includes(".")) money = SIGNS.get(upper.slice(0, upper.indexOf(".")));
  if (money && isUnit(text, start, i, money)) money = undefined;
  if (money && believable(text, start, i, money)) push(MONEY, start, i, 0, money);
  else if (entry?.label !== undefined) push(LABEL, start, i, entry.label, null);
  return i;
}

/** Signs, labels and beginnings of two-word names in one look-up. */
const LEXICON = new Map<string, { sign?: Sign; label?: number; pair: boolean }>();
for (const key of new Set([...SIGNS.keys(), ...LABELS.keys(), ...PAIR_STARTS]))
  LEXICON.set(key, { sign: SIGNS.get(key), label: LABELS.get(key), pair: PAIR_STARTS.has(key) });

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
