// An address as words that can be compared: accents, abbreviations, ordinals, unit numbers and countries taken away. Pure.

export interface AddressWords {
  /** House numbers, ordinal street names and postcodes. */
  numbers: string[];
  /** Names: streets, towns, districts. */
  names: string[];
  /** Kinds of street (street, avenue) and directions (north), in their long English form. */
  kinds: string[];
  /** Names and kinds of the part that holds the house number; empty when the text has one part only. */
  street: string[];
}

const KINDS: Record<string, string> = {
  st: "street",
  str: "street",
  strasse: "street",
  street: "street",
  straat: "street",
  ave: "avenue",
  av: "avenue",
  avenue: "avenue",
  avenida: "avenue",
  avda: "avenue",
  rd: "road",
  road: "road",
  blvd: "boulevard",
  bd: "boulevard",
  boulevard: "boulevard",
  bulevar: "boulevard",
  dr: "drive",
  drive: "drive",
  ln: "lane",
  lane: "lane",
  ct: "court",
  court: "court",
  pl: "place",
  place: "place",
  platz: "place",
  plaza: "place",
  plein: "place",
  sq: "square",
  square: "square",
  hwy: "highway",
  highway: "highway",
  pkwy: "parkway",
  parkway: "parkway",
  ter: "terrace",
  terrace: "terrace",
  cres: "crescent",
  crescent: "crescent",
  rue: "rue",
  calle: "calle",
  cl: "calle",
  via: "via",
  weg: "way",
  way: "way",
  gasse: "lane",
  allee: "allee",
  alle: "allee",
  ulica: "street",
  ul: "street",
  north: "north",
  south: "south",
  east: "east",
  west: "west",
  n: "north",
  s: "south",
  e: "east",
  w: "west",
  ne: "northeast",
  nw: "northwest",
  se: "southeast",
  sw: "southwest",
};
const SUFFIXES = ["strasse", "straat", "str", "platz", "plein", "gasse", "allee", "weg"];
const ORDINALS: Record<string, string> = Object.fromEntries(
  "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
    .split(" ")
    .map((word, i) => [word, String(i + 1)]),
);
/** The door inside a building: the place is the building. */
const UNIT =
  /(?:\b(?:apartment|apt|suite|ste|unit|flat|room|rm|floor|fl|etage|wohnung|whg|appartement|piso|depto)\b\.?\s*|#\s*)#?[a-z]?\d*[a-z]?\b|\b\d{1,2}(?:st|nd|rd|th|\.|e)?\s*(?:floor|og|etage|stock|piso)\b/g;
const NOISE = new Set([
  "the",
  "of",
  "no",
  "nr",
  "num",
  "number",
  "de",
  "la",
  "le",
  "les",
  "du",
  "des",
  "del",
  "di",
  "da",
  "und",
  "and",
  "near",
  "bei",
]);
const COUNTRIES = countryNames();

/** A pasted address has line breaks; a geocoder wants commas. */
export const oneLine = (address: string): string =>
  address
    .split(/[\r\n]+/)
    .map((line) => line.trim().replace(/,$/, ""))
    .filter((line) => line !== "")
    .join(", ");

export function addressWords(text: string): AddressWords {
  const parts = fold(text)
    .replace(UNIT, " ")
    .split(/[,;\n]+/)
    .map(wordsOf)
    .filter((part) => part.numbers.length + part.names.length + part.kinds.length > 0);
  const all = (pick: (part: Part) => string[]) => [...new Set(parts.flatMap(pick))];
  const street =
    parts.length > 1
      ? parts.find((part) => part.numbers.some((n) => n.length < 5) && part.names.length + part.kinds.length > 0)
      : undefined;
  return {
    numbers: all((part) => part.numbers),
    names: all((part) => part.names),
    kinds: all((part) => part.kinds),
    street: street ? [...street.names, ...street.kinds] : [],
  };
}

/** Lower case without accents; `ö` and `oe` become one. */
function fold(text: string): string {
  return text
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll("ø", "o")
    .replaceAll("æ", "a")
    .replaceAll("ł", "l")
    .replaceAll("ı", "i")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "");
}

type Part = Omit<AddressWords, "street">;

function wordsOf(part: string): Part {
  const found: Part = { numbers: [], names: [], kinds: [] };
  if (COUNTRIES.has(part.trim())) return found;
  // "12 a" is "12a", and "4-6" stays one number.
  const text = part.replace(/\b(\d+)\s+([a-d])\b(?!\s*\p{L})/gu, "$1$2").replace(/(\d)\s*[-–/]\s*(\d)/g, "$1-$2");
  for (const raw of text.split(/[^\p{L}\p{N}-]+/u)) {
    const word = raw.replace(/^-+|-+$/g, "");
    if (word === "" || NOISE.has(word)) continue;
    if (/\d/.test(word)) found.numbers.push(word.replace(/^(\d+)(st|nd|rd|th)$/, "$1").replace(/^0+(?=\d)/, ""));
    else for (const piece of word.split("-")) addName(piece, found);
  }
  return found;
}

function addName(word: string, found: Part): void {
  if (word === "" || COUNTRIES.has(word)) return;
  if (ORDINALS[word]) return void found.numbers.push(ORDINALS[word]);
  if (KINDS[word]) return void found.kinds.push(KINDS[word]);
  const suffix = SUFFIXES.find((end) => word.endsWith(end) && word.length > end.length + 2);
  if (!suffix) return void found.names.push(plain(word));
  found.names.push(plain(word.slice(0, -suffix.length)));
  found.kinds.push(KINDS[suffix]);
}

/** Spellings of one sound: "ae" for "ä", which the folding made "a". */
const plain = (word: string): string => word.replace(/(a|o|u)e/g, "$1");

function countryNames(): Set<string> {
  const names = new Set([
    "usa",
    "us",
    "u.s.a.",
    "uk",
    "united states of america",
    "great britain",
    "england",
    "deutschland",
    "espana",
    "polska",
    "italia",
    "osterreich",
    "schweiz",
    "nederland",
  ]);
  const english = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });
  for (let a = 65; a <= 90; a++) {
    for (let b = 65; b <= 90; b++) {
      const name = english.of(String.fromCharCode(a, b));
      if (name) names.add(fold(name));
    }
  }
  return names;
}
