// Turns any spelling of a name into one form, and that form into a 64-bit key. Knows letters, not places.

/** Letters that Unicode decomposition leaves alone, in the spelling people type without them. */
const plainLetter: Record<string, string> = {
  ß: "ss",
  ẞ: "ss",
  ø: "o",
  Ø: "o",
  æ: "ae",
  Æ: "ae",
  œ: "oe",
  Œ: "oe",
  ł: "l",
  Ł: "l",
  đ: "d",
  Đ: "d",
  ð: "d",
  Ð: "d",
  þ: "th",
  Þ: "th",
  ı: "i",
  İ: "i",
  ŋ: "n",
  ə: "e",
  Ə: "e",
  ħ: "h",
  Ħ: "h",
  ŧ: "t",
  ĸ: "k",
  ʻ: "",
  ʼ: "'",
  ʿ: "",
  ʾ: "",
  "’": "'",
  "‘": "'",
  "`": "'",
  "´": "'",
  ʹ: "",
  ʺ: "",
  "−": "-",
  "–": "-",
  "—": "-",
  "‐": "-",
  "،": ",",
  "，": ",",
  "、": ",",
  "。": ".",
};

const cyrillic = latinTable(
  "абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґўј",
  "a b v g d e zh z i y k l m n o p r s t u f kh ts ch sh shch _ y _ e yu ya i yi ye g u j",
);
const greek = latinTable("αβγδεζηθικλμνξοπρσςτυφχψω", "a v g d e z i th i k l m n x o p r s s t y f ch ps o");

function latinTable(letters: string, latin: string): Map<string, string> {
  const parts = latin.split(" ");
  return new Map([...letters].map((letter, i) => [letter, parts[i] === "_" ? "" : parts[i]]));
}

/** Lower case without marks, one space between words, commas kept: "Ft. Môn-Río, FL" → "ft mon rio, fl". */
export function fold(text: string): string {
  // eslint-disable-next-line no-control-regex
  const plain = /^[\x00-\x7f]*$/.test(text) ? text : decompose(text);
  return plain
    .toLowerCase()
    .replace(/\b([dlqnsm]|qu|dell|all|nell|sant)'(?=\p{L})/gu, "$1 ")
    .replace(/['"]/g, "")
    .replace(/\b([a-z])\.(?=[a-z]\b)/g, "$1")
    .replace(/[;\n\r|]+/g, ",")
    .replace(/[^\p{L}\p{N},]+/gu, " ")
    .replace(/ *, */g, ",")
    .trim();
}

function decompose(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^\x00-\x7f]/g, (letter) => plainLetter[letter] ?? letter)
    .normalize("NFC");
}

/** A name as an index key: folded, without commas. */
export function foldName(text: string): string {
  if (/^[A-Za-z0-9]+( [A-Za-z0-9]+)*$/.test(text)) return text.toLowerCase();
  return fold(text).replaceAll(",", " ").replace(/ +/g, " ").trim();
}

/** Cyrillic and Greek words in Latin letters; null when the text has neither. */
export function transliterate(folded: string): string | null {
  if (!/[\u0370-\u03ff\u0400-\u04ff]/.test(folded)) return null;
  let out = "";
  for (const letter of folded) out += cyrillic.get(letter) ?? greek.get(letter) ?? letter;
  return out;
}

/** German and Nordic digraphs back to one letter: "muenchen" → "munchen"; null when nothing changes. */
export function withoutDigraphs(word: string): string | null {
  const out = word.replace(/([aou])e(?![aeiou])/g, "$1");
  return out === word ? null : out;
}

/** The two halves of a key. A phrase's key is mixed from its words' keys, so that a word is read once. */
export interface Key {
  a: number;
  b: number;
}

export const emptyKey: Key = { a: 0x811c9dc5 | 0, b: 0x9747b28c | 0 };

/** One more letter of a word, in place. */
export function stepKey(key: Key, code: number): void {
  key.a = Math.imul(key.a ^ code, 0x01000193);
  const b = Math.imul(key.b ^ code, 0x5bd1e995);
  key.b = b ^ (b >>> 15);
}

export function wordKey(word: string): Key {
  const key = { a: emptyKey.a, b: emptyKey.b };
  for (let i = 0; i < word.length; i++) stepKey(key, word.charCodeAt(i));
  return key;
}

/** The key of "previous words" + " " + word. */
export function extendKey(key: Key, word: Key, into: Key): void {
  let a = Math.imul(key.a ^ word.a, 0x9e3779b1);
  let b = Math.imul((key.b ^ word.b) + 0x7f4a7c15, 0x85ebca6b);
  a ^= a >>> 15;
  b ^= b >>> 13;
  into.a = a;
  into.b = b;
}

export function keyOf(folded: string): Key {
  const key = { a: emptyKey.a, b: emptyKey.b };
  for (const word of folded.split(" ")) if (word !== "") extendKey(key, wordKey(word), key);
  return { a: key.a >>> 0, b: key.b >>> 0 };
}

/** A short code of a text, e.g. of "US.FL": equal texts, equal codes. */
export function code32(text: string): number {
  return keyOf(text).a;
}
