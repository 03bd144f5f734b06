// Character references of HTML to text: numbers, and the names that shops use. Unknown names stay as they are.

const LATIN1 =
  `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute
micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring
AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml
times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil
egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash
ugrave uacute ucirc uuml yacute thorn yuml`.split(/\s+/);

const OTHERS: Record<string, number> = {
  amp: 38,
  lt: 60,
  gt: 62,
  quot: 34,
  apos: 39,
  AMP: 38,
  LT: 60,
  GT: 62,
  QUOT: 34,
  euro: 0x20ac,
  hellip: 0x2026,
  ndash: 0x2013,
  mdash: 0x2014,
  lsquo: 0x2018,
  rsquo: 0x2019,
  sbquo: 0x201a,
  ldquo: 0x201c,
  rdquo: 0x201d,
  bdquo: 0x201e,
  bull: 0x2022,
  trade: 0x2122,
  ensp: 0x2002,
  emsp: 0x2003,
  thinsp: 0x2009,
  zwnj: 0x200c,
  zwj: 0x200d,
  lrm: 0x200e,
  rlm: 0x200f,
  prime: 0x2032,
  minus: 0x2212,
  fnof: 0x192,
  OElig: 0x152,
  oelig: 0x153,
  Scaron: 0x160,
  scaron: 0x161,
  Yuml: 0x178,
  Zcaron: 0x17d,
  zcaron: 0x17e,
  ccaron: 0x10d,
  Ccaron: 0x10c,
  rarr: 0x2192,
  larr: 0x2190,
  check: 0x2713,
  star: 0x2606,
  starf: 0x2605,
  colon: 58,
  comma: 44,
  period: 46,
  dollar: 36,
  num: 35,
  percnt: 37,
  sol: 47,
  lpar: 40,
  rpar: 41,
  lowbar: 95,
  plus: 43,
  equals: 61,
  excl: 33,
  quest: 63,
  semi: 59,
  NewLine: 10,
  Tab: 9,
  NonBreakingSpace: 160,
  lcub: 123,
  rcub: 125,
  lbrace: 123,
  rbrace: 125,
  lsqb: 91,
  rsqb: 93,
  lbrack: 91,
  rbrack: 93,
  commat: 64,
  bsol: 92,
  verbar: 124,
  vert: 124,
  grave: 96,
  lira: 0x20a4,
  zlstrok: 0x142,
  lstrok: 0x142,
  Lstrok: 0x141,
  odblac: 0x151,
  udblac: 0x171,
  scedil: 0x15f,
  Scedil: 0x15e,
  gbreve: 0x11f,
  inodot: 0x131,
  alpha: 0x3b1,
  beta: 0x3b2,
  gamma: 0x3b3,
  delta: 0x3b4,
  epsilon: 0x3b5,
  mu: 0x3bc,
  omega: 0x3c9,
  Omega: 0x3a9,
  pi: 0x3c0,
  ge: 0x2265,
  le: 0x2264,
  ne: 0x2260,
};

const NAMED = new Map<string, string>(Object.entries(OTHERS).map(([name, code]) => [name, String.fromCodePoint(code)]));
LATIN1.forEach((name, i) => NAMED.set(name, String.fromCharCode(160 + i)));

/** What browsers read for the numbers 128 to 159. */
const WINDOWS = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

export function decodeEntities(text: string): string {
  const first = text.indexOf("&");
  if (first < 0) return text;
  let out = "";
  let from = 0;
  for (let at = first; at >= 0; at = text.indexOf("&", at + 1)) {
    let i = at + 1;
    const c = text.charCodeAt(i);
    let value: string | undefined;
    if (c === 35) {
      const hex = (text.charCodeAt(i + 1) | 32) === 120;
      i += hex ? 2 : 1;
      const start = i;
      while (i - start < 8 && isHexDigit(text.charCodeAt(i), hex)) i++;
      const code = i === start ? -1 : parseInt(text.slice(start, i), hex ? 16 : 10);
      if (code >= 0) value = fromCode(code);
    } else {
      while (i - at < 20 && isNameCharacter(text.charCodeAt(i))) i++;
      value = NAMED.get(text.slice(at + 1, i));
    }
    if (value === undefined) continue;
    out += text.slice(from, at) + value;
    from = text.charCodeAt(i) === 59 ? i + 1 : i;
    at = from - 1;
  }
  return from === 0 ? text : out + text.slice(from);
}

const isHexDigit = (c: number, hex: boolean) => (c >= 48 && c <= 57) || (hex && (c | 32) >= 97 && (c | 32) <= 102);
const isNameCharacter = (c: number) => ((c | 32) >= 97 && (c | 32) <= 122) || (c >= 48 && c <= 57);

function fromCode(code: number): string {
  if (code >= 128 && code < 160) return WINDOWS[code - 128]!;
  return code === 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? "\ufffd" : String.fromCodePoint(code);
}
