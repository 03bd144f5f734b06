// One written number to one decimal string: which separator is the decimal mark, in any digit system. It sees the
// number alone; parse.ts handles the words beside it.

const ZEROS = [
  0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20, 0x1040, 0xff10,
];

/** The value of a digit character, or -1. */
export function digitValue(c: number): number {
  if (c < 58) return c >= 48 ? c - 48 : -1;
  if (c < 0x660) return -1;
  for (const zero of ZEROS) if (c >= zero && c <= zero + 9) return c - zero;
  return -1;
}

export const POINT = 1;
export const COMMA = 2;
export const SPACE = 3;
export const QUOTE = 4;

/** What kind of separator a character can be inside a number; 0 for none. */
export function separatorKind(c: number): number {
  switch (c) {
    case 46:
    case 0xff0e:
    case 0xb7:
    case 0x66b:
      return POINT;
    case 44:
    case 0x60c:
    case 0xff0c:
    case 0x3001:
    case 0x201a:
      return COMMA;
    case 32:
    case 0xa0:
    case 0x202f:
    case 0x2009:
    case 0x2007:
    case 0x2008:
      return SPACE;
    case 39:
    case 0x2019:
    case 0x66c:
    case 0xb4:
    case 0x60:
    case 0x2bc:
    case 0x2018:
      return QUOTE;
    default:
      return 0;
  }
}

/** `separator` forces the decimal mark; `threeDecimals` says that the currency has a thousandth. */
export function decimalOf(raw: string, separator: "." | "," | null, threeDecimals: boolean): string | null {
  let points = 0,
    commas = 0,
    lastAt = -1,
    lastKind = 0,
    digits = 0,
    afterLast = 0,
    beforeFirst = -1;
  let plain = true;
  for (let i = 0; i < raw.length; i++) {
    const c = raw.charCodeAt(i);
    if (c >= 48 && c <= 57) {
      digits++;
      afterLast++;
      continue;
    }
    if (c > 127) plain = false;
    if (digitValue(c) >= 0) {
      digits++;
      afterLast++;
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
    afterLast = 0;
  }
  if (digits === 0) return null;
  const zeroHead = raw.charCodeAt(0) === 48;
  if (lastKind === 0) return plain && !zeroHead ? raw : format(digitsOf(raw), -1);
  const at = separator
    ? forcedAt(raw, separator === "." ? POINT : COMMA)
    : decimalAt(points, commas, lastKind, lastAt, afterLast, beforeFirst, zeroHead, threeDecimals);
  if (plain && at > 0 && points + commas === 1 && !(zeroHead && at > 1))
    return lastKind === POINT ? raw : `${raw.slice(0, at)}.${raw.slice(at + 1)}`;
  return format(digitsOf(raw), at);
}

function decimalAt(
  points: number,
  commas: number,
  lastKind: number,
  lastAt: number,
  afterLast: number,
  beforeFirst: number,
  zeroHead: boolean,
  three: boolean,
): number {
  if (afterLast === 0) return -1;
  const same = lastKind === POINT ? points : commas;
  const other = lastKind === POINT ? commas : points;
  // 1.234,56 and 1,234.567: of two kinds the last one is the decimal mark, unless it repeats.
  if (other > 0) return same === 1 || afterLast !== 3 ? lastAt : -1;
  if (same > 1) return afterLast === 3 && beforeFirst > 0 ? -1 : lastAt;
  if (afterLast !== 3) return lastAt;
  // 1.234: a group, unless the head cannot be one.
  const headIsGroup = beforeFirst > 0 && beforeFirst <= 3 && !(beforeFirst === 1 && zeroHead);
  return headIsGroup && !three ? -1 : lastAt;
}

function digitsOf(raw: string): string {
  let out = "";
  for (let i = 0; i < raw.length; i++) {
    const value = digitValue(raw.charCodeAt(i));
    if (value >= 0) out += value;
  }
  return out;
}

function forcedAt(raw: string, kind: number): number {
  let at = -1;
  let seen = 0;
  for (let i = 0; i < raw.length; i++) {
    if (digitValue(raw.charCodeAt(i)) >= 0) seen++;
    else if (separatorKind(raw.charCodeAt(i)) === kind) at = seen;
  }
  return at;
}

function format(digits: string, at: number): string {
  const whole = at < 0 ? digits : digits.slice(0, at);
  const fraction = at < 0 ? "" : digits.slice(at);
  let start = 0;
  while (start < whole.length - 1 && whole.charCodeAt(start) === 48) start++;
  const head = whole === "" ? "0" : start === 0 ? whole : whole.slice(start);
  return fraction === "" ? head : `${head}.${fraction}`;
}
