// One written number to one decimal string: which separator is the decimal mark, in any digit system. It sees the
// number alone; parse.ts handles the words beside it.

const ZEROS = [
  48, 0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20, 0x1040,
];
const FULL_WIDTH_ZERO = 0xff10;
const VALUES_END = 0x10a0;
const VALUES = new Int8Array(VALUES_END).fill(-1);
for (const zero of ZEROS) for (let value = 0; value < 10; value++) VALUES[zero + value] = value;

/** The value of a digit character, or -1. */
export function digitValue(c: number): number {
  if (c < VALUES_END) return VALUES[c]!;
  return c >= FULL_WIDTH_ZERO && c <= FULL_WIDTH_ZERO + 9 ? c - FULL_WIDTH_ZERO : -1;
}

export const POINT = 1;
export const COMMA = 2;
export const SPACE = 3;
export const QUOTE = 4;

const POINTS = [46, 0xb7, 0x66b, 0xff0e];
const COMMAS = [44, 0x60c, 0x201a, 0x3001, 0xff0c];
const SPACES = [32, 0xa0, 0x2007, 0x2008, 0x2009, 0x202f];
const QUOTES = [39, 0x60, 0xb4, 0x2bc, 0x66c, 0x2018, 0x2019];
const SEPARATORS = new Uint8Array(0x3002);
for (const [kind, codes] of [POINTS, COMMAS, SPACES, QUOTES].entries())
  for (const c of codes) if (c < SEPARATORS.length) SEPARATORS[c] = kind + 1;

/** What kind of separator a character can be inside a number; 0 for none. */
export function separatorKind(c: number): number {
  if (c < 0x3002) return SEPARATORS[c]!;
  return c === 0xff0e ? POINT : c === 0xff0c ? COMMA : 0;
}

/** The decimal of text[from, to). `separator` forces the decimal mark; `threeDecimals`: the currency has a thousandth. */
export function decimalOf(
  text: string,
  from: number,
  to: number,
  separator: "." | "," | null,
  threeDecimals: boolean,
): string | null {
  let points = 0,
    commas = 0,
    lastAt = -1,
    lastKind = 0,
    digits = 0,
    beforeFirst = -1;
  let plain = true;
  for (let i = from; i < to; i++) {
    const c = text.charCodeAt(i);
    if (isAsciiDigit(c)) {
      digits++;
      continue;
    }
    if (c > 127) plain = false;
    if (digitValue(c) >= 0) {
      digits++;
      continue;
    }
    const kind = separatorKind(c);
    if (kind !== POINT && kind !== COMMA) {
      plain = false;
      continue;
    }
    if (beforeFirst < 0) beforeFirst = digits;
    if (kind === POINT) points++;
    else commas++;
    lastKind = kind;
    lastAt = digits;
  }
  if (digits === 0) return null;
  const zeroHead = text.charCodeAt(from) === 48;
  if (lastKind === 0) return plain && !zeroHead ? text.slice(from, to) : format(text, from, to, digits, -1);
  let at = -1;
  if (separator) at = forcedAt(text, from, to, separator === "." ? POINT : COMMA);
  else if (isDecimal(points, commas, lastKind, digits - lastAt, beforeFirst, zeroHead, threeDecimals)) at = lastAt;
  if (plain && at > 0 && points + commas === 1 && !(zeroHead && at > 1))
    return lastKind === POINT
      ? text.slice(from, to)
      : `${text.slice(from, from + at)}.${text.slice(from + at + 1, to)}`;
  return format(text, from, to, digits, at);
}

/** Whether the last mark of a number is its decimal mark, from what stands before the first and behind the last one. */
export function isDecimal(
  points: number,
  commas: number,
  lastKind: number,
  afterLast: number,
  beforeFirst: number,
  zeroHead: boolean,
  three: boolean,
): boolean {
  if (afterLast === 0) return false;
  const same = lastKind === POINT ? points : commas;
  const other = lastKind === POINT ? commas : points;
  // 1.234,56 and 1,234.567: of two kinds the last one is the decimal mark, unless it repeats.
  if (other > 0) return same === 1 || afterLast !== 3;
  if (same > 1) return afterLast !== 3 || beforeFirst === 0;
  if (afterLast !== 3 || three) return true;
  // 1.234: a group, unless the head cannot be one.
  return !(beforeFirst > 0 && beforeFirst <= 3 && !(beforeFirst === 1 && zeroHead));
}

function forcedAt(text: string, from: number, to: number, kind: number): number {
  let at = -1;
  let seen = 0;
  for (let i = from; i < to; i++) {
    if (digitValue(text.charCodeAt(i)) >= 0) seen++;
    else if (separatorKind(text.charCodeAt(i)) === kind) at = seen;
  }
  return at;
}

/** The digits of text[from, to) with a decimal mark before digit `at`, or none where `at` is -1; no zeros in front. */
function format(text: string, from: number, to: number, digits: number, at: number): string {
  const whole = at < 0 ? digits : at;
  let out = whole === 0 ? "0" : "";
  let seen = 0;
  for (let i = from; i < to; ) {
    const value = digitValue(text.charCodeAt(i));
    if (value < 0 || (value === 0 && out === "" && seen + 1 < whole)) {
      if (value === 0) seen++;
      i++;
      continue;
    }
    if (seen === at) out += ".";
    let end = i + 1;
    const ascii = text.charCodeAt(i) < 58;
    while (ascii && end < to && isAsciiDigit(text.charCodeAt(end)) && seen + end - i !== at) end++;
    out += ascii ? text.slice(i, end) : value;
    seen += end - i;
    i = end;
  }
  return out;
}

const isAsciiDigit = (c: number): boolean => c >= 48 && c <= 57;

const DATE_MIN = 8;
const DATE_MAX = 10;

/** `15.08.2017`, `2017.08.15`: three numbers of which the first or the last is a year. */
export function isDate(text: string, start: number, end: number): boolean {
  if (end - start < DATE_MIN || end - start > DATE_MAX) return false;
  let first = -1,
    second = -1;
  for (let i = start; i < end; i++) {
    const c = text.charCodeAt(i);
    if (isAsciiDigit(c)) continue;
    if ((c !== 46 && c !== 44) || second >= 0) return false;
    if (first < 0) first = i;
    else second = i;
  }
  if (second < 0 || !isDayOrMonth(second - first - 1)) return false;
  return (
    (isDayOrMonth(first - start) && end - second === 5 && isYear(text, second + 1)) ||
    (first - start === 4 && isYear(text, start) && isDayOrMonth(end - second - 1))
  );
}

const isDayOrMonth = (length: number): boolean => length === 1 || length === 2;

/** 19.. or 20.. */
function isYear(text: string, at: number): boolean {
  const c = text.charCodeAt(at);
  return (c === 49 && text.charCodeAt(at + 1) === 57) || (c === 50 && text.charCodeAt(at + 1) === 48);
}
