// Which characters make words and which are signs of money, for the price scanner. A table, no decisions.

const OTHER = 0;
export const LETTER = 1;
export const SIGN = 2;
export const BLANK = 3;
export const INVISIBLE = 4;

const SIGN_CODES = new Set([
  36, 0xa3, 0xa5, 0x192, 0x243, 0xe3f, 0x60b, 0xfdfc, 0x58f, 0x17db, 0x9f3, 0x9f2, 0xaf1, 0x5143, 0x5186, 0x5713,
  0x5706, 0xc6d0, 0xffe5, 0xff04, 0xffe1, 0xffe6,
]);

const TABLE_END = 0x3040;
const CLASSES = new Uint8Array(TABLE_END);
for (let c = 0; c < TABLE_END; c++) CLASSES[c] = slow(c);

export function classOf(c: number): number {
  return c < TABLE_END ? CLASSES[c]! : c >= TABLE_END ? slow(c) : OTHER;
}

/** Stands for the end of a text: no letter, digit, blank or sign. */
const END = 0x7f;

/** The character code there, or `END`. Reading behind the end would make every later read slow. */
export const codeAt = (text: string, i: number): number => (i >= 0 && i < text.length ? text.charCodeAt(i) : END);

function slow(c: number): number {
  if (SIGN_CODES.has(c) || (c >= 0x20a0 && c <= 0x20cf)) return SIGN;
  if ((c >= 65 && c <= 90) || (c >= 97 && c <= 122)) return LETTER;
  if (c <= 32 || c === 0xa0 || (c >= 0x2000 && c <= 0x200a) || c === 0x202f || c === 0x3000 || c === 0x205f)
    return BLANK;
  if (c < 0xc0) return c === 0xaa || c === 0xb5 || c === 0xba ? LETTER : OTHER;
  if (c === 0xd7 || c === 0xf7) return OTHER;
  if ((c >= 0x200b && c <= 0x200f) || c === 0x61c || (c >= 0x2066 && c <= 0x2069) || c === 0xfeff || c === 0xfffd)
    return INVISIBLE;
  if ((c >= 0x2010 && c <= 0x209f) || (c >= 0x2190 && c <= 0x2bff) || (c >= 0x3001 && c <= 0x303f)) return OTHER;
  if (c >= 0xff00 && c <= 0xff20) return OTHER;
  return LETTER;
}

const FULL_WIDTH: Record<string, string> = { "￥": "¥", "＄": "$", "￡": "£", "￦": "₩" };
export const plainSign = (sign: string): string => (sign.charCodeAt(0) < 0xff00 ? sign : (FULL_WIDTH[sign] ?? sign));
