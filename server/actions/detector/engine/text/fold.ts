// Folds one UTF-16 code unit to the plain character a reader sees: accents, homoglyphs, full-width forms, quotes, dashes.
// Knows nothing of words; canonical.ts builds those.

/** What a folded code means when it is not an ASCII character. */
export const DROP = 0;
export const FOREIGN = 1;
export const EMOJI = 2;
export const SPACE = 32;
export const DASH = 95; // "_" stands for every dash that is not a hyphen inside a word
export const MULTI = 255;

/** Letters of other alphabets that are drawn like a Latin letter (Unicode confusables, the ones used to hide text). */
const LOOKALIKES: Record<string, string> = {
  а: "a",
  с: "c",
  ԁ: "d",
  е: "e",
  һ: "h",
  і: "i",
  ј: "j",
  ӏ: "l",
  о: "o",
  р: "p",
  ԛ: "q",
  ѕ: "s",
  ԝ: "w",
  х: "x",
  у: "y",
  А: "A",
  В: "B",
  С: "C",
  Е: "E",
  Н: "H",
  І: "I",
  Ј: "J",
  К: "K",
  М: "M",
  О: "O",
  Р: "P",
  Ѕ: "S",
  Т: "T",
  Х: "X",
  Ү: "Y",
  Ѵ: "V",
  к: "k",
  м: "m",
  т: "t",
  в: "b",
  н: "h",
  г: "r",
  п: "n",
  ѵ: "v",
  ѡ: "w",
  ғ: "f",
  ь: "b",
  З: "3",
  з: "3",
  ɡ: "g",
  ɑ: "a",
  ı: "i",
  ο: "o",
  α: "a",
  ε: "e",
  ι: "i",
  κ: "k",
  ν: "v",
  ρ: "p",
  τ: "t",
  υ: "u",
  χ: "x",
  γ: "y",
  η: "n",
  σ: "o",
  ω: "w",
  β: "b",
  ϲ: "c",
  ϳ: "j",
  Α: "A",
  Β: "B",
  Ε: "E",
  Ζ: "Z",
  Η: "H",
  Ι: "I",
  Κ: "K",
  Μ: "M",
  Ν: "N",
  Ο: "O",
  Ρ: "P",
  Τ: "T",
  Υ: "Y",
  Χ: "X",
  Ϲ: "C",
  հ: "h",
  ո: "n",
  օ: "o",
  ս: "u",
  ց: "g",
  զ: "q",
  ⅼ: "l",
  ℓ: "l",
  ɩ: "i",
  ʏ: "y",
  ʀ: "r",
  ᴀ: "a",
  ᴄ: "c",
  ᴅ: "d",
  ᴇ: "e",
  ᴊ: "j",
  ᴋ: "k",
  ᴍ: "m",
  ɴ: "n",
  ᴏ: "o",
  ᴘ: "p",
  ᴛ: "t",
  ᴜ: "u",
  ᴠ: "v",
  ᴡ: "w",
  ᴢ: "z",
  ø: "o",
  Ø: "O",
  ł: "l",
  Ł: "L",
  đ: "d",
  Đ: "D",
  ħ: "h",
  ŧ: "t",
  ƅ: "b",
  ɪ: "i",
  ƚ: "l",
  ꓲ: "I",
  ꓳ: "O",
  ꓮ: "A",
  ꓰ: "E",
  ꓢ: "S",
  ꓔ: "T",
};

const SEVERAL: Record<string, string> = { "…": "...", ß: "ss", æ: "ae", Æ: "AE", œ: "oe", Œ: "OE", "⸺": "--" };

/** What lies between is foreign as a whole: ideographs, Hangul, surrogates and private use. Each thread builds the table anew. */
const FOLDED_BLOCKS = [
  [0, 0x33ff],
  [0xa000, 0xabff],
  [0xf900, 0xffff],
];

const table = new Uint8Array(65536).fill(FOREIGN);
const several = new Map<number, string>();
build();

/** The folded form of one UTF-16 code unit: an ASCII code, DROP, FOREIGN, EMOJI or MULTI (then see `foldedText`). */
export function fold(unit: number): number {
  return table[unit];
}

/** The ASCII text of a code unit whose fold is MULTI. */
export function foldedText(unit: number): string {
  return several.get(unit) ?? "";
}

/** Folds a surrogate pair: mathematical letters become plain ones, the rest is an emoji or a foreign letter. */
export function foldPair(high: number, low: number): number {
  const point = ((high - 0xd800) << 10) + (low - 0xdc00) + 0x10000;
  if (point >= 0xe0000 && point <= 0xe0fff) return DROP;
  if ((point >= 0x1d400 && point <= 0x1d7ff) || (point >= 0x1f100 && point <= 0x1f16f)) {
    const plain = String.fromCodePoint(point).normalize("NFKD").charCodeAt(0);
    return plain < 128 ? plain : table[plain];
  }
  if (point >= 0x1f000 && point <= 0x1faff) return EMOJI;
  return FOREIGN;
}

/** Characters that draw nothing: they hide text from a naive reader, so they are counted as a signal. */
export function isInvisible(unit: number): boolean {
  return (
    unit === 0x00ad ||
    unit === 0x034f ||
    unit === 0x061c ||
    unit === 0x115f ||
    unit === 0x1160 ||
    unit === 0x17b4 ||
    unit === 0x17b5 ||
    unit === 0x180e ||
    unit === 0x3164 ||
    unit === 0xfeff ||
    unit === 0xffa0 ||
    (unit >= 0x200b && unit <= 0x200f) ||
    (unit >= 0x202a && unit <= 0x202e) ||
    (unit >= 0x2060 && unit <= 0x206f) ||
    (unit >= 0xfe00 && unit <= 0xfe0f) ||
    (unit >= 0xfff9 && unit <= 0xfffb)
  );
}

/** A letter of another alphabet drawn like a Latin one. */
export function isLookalike(unit: number): boolean {
  return unit >= 0x250 && LOOKALIKE_UNITS.has(unit);
}

const LOOKALIKE_UNITS = new Set(
  Object.keys(LOOKALIKES)
    .map((c) => c.charCodeAt(0))
    .filter((unit) => unit >= 0x250),
);

function build(): void {
  for (const [first, last] of FOLDED_BLOCKS) for (let unit = first; unit <= last; unit++) table[unit] = foldUnit(unit);
}

function foldUnit(unit: number): number {
  if (unit < 128) return foldAscii(unit);
  if (unit >= 0xd800 && unit <= 0xdfff) return FOREIGN;
  if (isInvisible(unit)) return DROP;
  if (unit >= 0x300 && unit <= 0x36f) return DROP;
  if (unit === 0x85 || unit === 0xa0 || unit === 0x1680 || (unit >= 0x2000 && unit <= 0x200a)) return SPACE;
  if (unit === 0x2028 || unit === 0x2029) return 10;
  if (unit === 0x202f || unit === 0x205f || unit === 0x3000 || unit === 0x2800) return SPACE;
  if (unit === 0x2010 || unit === 0x2011 || unit === 0x2043) return 45;
  if ((unit >= 0x2012 && unit <= 0x2015) || unit === 0x2212 || unit === 0x2500) return DASH;
  if ([0xab, 0xbb, 0x201c, 0x201d, 0x201e, 0x201f, 0x2033, 0x2036, 0x300c, 0x300d, 0x301d, 0x301e].includes(unit))
    return 34;
  if ([0xb4, 0x2b9, 0x2bb, 0x2bc, 0x2bd, 0x2018, 0x2019, 0x201a, 0x201b, 0x2032, 0x2035, 0x2039, 0x203a].includes(unit))
    return 39;
  if (unit === 0x2022 || unit === 0x25cf || unit === 0x25aa || unit === 0x2023 || unit === 0xb7) return 42;
  const character = String.fromCharCode(unit);
  const plain = LOOKALIKES[character];
  if (plain) return plain.charCodeAt(0);
  if (unit < 0x250 || (unit >= 0x1e00 && unit <= 0x1eff) || unit === 0x2026 || unit >= 0x2070)
    return foldCompatible(unit, character);
  return FOREIGN;
}

function foldCompatible(unit: number, character: string): number {
  const text = SEVERAL[character] ?? character.normalize("NFKD").replace(/[\u0300-\u036f]/g, "");
  if (/^[\x20-\x7e]+$/.test(text)) {
    if (text.length === 1) return text.charCodeAt(0);
    several.set(unit, text);
    return MULTI;
  }
  if (unit >= 0x2600 && unit <= 0x27bf) return EMOJI;
  return unit < 0xc0 || (unit >= 0x2070 && unit <= 0x2bff) ? DROP : FOREIGN;
}

function foldAscii(unit: number): number {
  if (unit === 10 || unit === 13) return 10;
  if (unit === 9 || unit === 11 || unit === 12) return SPACE;
  if (unit < 32 || unit === 127) return DROP;
  return unit;
}
