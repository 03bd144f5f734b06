// Looks up signs and words by the characters where they stand in a text, so that no string is made for a look-up.
import { plainSign } from "./characters.ts";
import { PAIR_STARTS, SIGNS, UNIT_SPELLINGS, type Sign } from "./currencies.ts";
import { LABELS } from "./words.ts";

/** A hash table whose keys lie one after the other in one array of character codes. */
interface WordTable<T> {
  /** Index of the entry plus one; 0 where free. */
  slots: Int32Array;
  /** Where the key of an entry begins in `codes`; it ends where the next one begins. */
  offsets: Int32Array;
  codes: Uint16Array;
  entries: T[];
}

export interface Entry {
  sign: Sign | undefined;
  label: number | undefined;
  /** Whether a two-word name may begin here. */
  pair: boolean;
  /** Whether some spelling of it is a unit. */
  unit: boolean;
}

export interface Form {
  sign: Sign;
  text: string;
}

const SEED = 7;
const mix = (hash: number, c: number): number => (Math.imul(hash, 31) + c) | 0;
const slotOf = (hash: number, size: number): number => (hash ^ (hash >>> 15)) & (size - 1);

function wordTable<T>(words: ReadonlyMap<string, T>): WordTable<T> {
  let size = 64;
  while (size < words.size * 4) size *= 2;
  const keys = [...words.keys()];
  const slots = new Int32Array(size);
  const offsets = new Int32Array(keys.length + 1);
  for (let k = 0; k < keys.length; k++) {
    const key = keys[k]!;
    offsets[k + 1] = offsets[k]! + key.length;
    let hash = SEED;
    for (let i = 0; i < key.length; i++) hash = mix(hash, key.charCodeAt(i));
    let slot = slotOf(hash, size);
    while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
    slots[slot] = k + 1;
  }
  const joined = keys.join("");
  const codes = Uint16Array.from({ length: joined.length }, (_, i) => joined.charCodeAt(i));
  return { slots, offsets, codes, entries: [...words.values()] };
}

// Upper case by character. Below CASED_END a table; 0 where the upper case is more than one character.
const CASED_END = 0x10a0;
const UPPER = new Uint16Array(CASED_END);
for (let c = 0; c < CASED_END; c++) {
  const upper = String.fromCharCode(c).toUpperCase();
  UPPER[c] = upper.length === 1 ? upper.charCodeAt(0) : 0;
}
// The florin sign is a lower-case letter to Unicode.
const FLORIN = "ƒ";
UPPER[FLORIN.charCodeAt(0)] = FLORIN.charCodeAt(0);

/** The upper case of a character; 0 where only the whole string can be upper-cased. */
function upperOf(c: number): number {
  if (c < CASED_END) return UPPER[c]!;
  const uncased = (c >= 0x20a0 && c <= 0x20cf) || (c >= 0x3000 && c < 0xa000) || (c >= 0xac00 && c < 0xd800);
  return uncased ? c : 0;
}

/** Signs, labels and beginnings of two-word names, by upper-case text. */
const LEXICON = new Map<string, Entry>();
const UNITS = new Set([...UNIT_SPELLINGS].map((unit) => unit.toUpperCase()));
for (const key of new Set([...SIGNS.keys(), ...LABELS.keys(), ...PAIR_STARTS]))
  LEXICON.set(key, {
    sign: SIGNS.get(key),
    label: LABELS.get(key),
    pair: PAIR_STARTS.has(key),
    unit: UNITS.has(key),
  });
const UPPER_TABLE = wordTable(LEXICON);

/** The entry for a part of the text in any case, with one more character behind it unless `extra` is 0. */
export function lookUp(text: string, from: number, to: number, extra: number): Entry | undefined {
  const { slots, offsets, codes } = UPPER_TABLE;
  let hash = SEED;
  for (let i = from; i < to; i++) {
    const upper = upperOf(text.charCodeAt(i));
    if (upper === 0) return lookUpString(text, from, to, extra);
    hash = mix(hash, upper);
  }
  const last = extra === 0 ? 0 : upperOf(extra);
  if (extra !== 0 && last === 0) return lookUpString(text, from, to, extra);
  const length = to - from + (extra === 0 ? 0 : 1);
  if (extra !== 0) hash = mix(hash, last);
  let slot = slotOf(hash, slots.length);
  for (let k = slots[slot]!; k !== 0; k = slots[slot]!) {
    const at = offsets[k - 1]!;
    if (offsets[k]! - at === length) {
      let i = from;
      while (i < to && codes[at + i - from] === upperOf(text.charCodeAt(i))) i++;
      if (i === to && (extra === 0 || codes[at + length - 1] === last)) return UPPER_TABLE.entries[k - 1];
    }
    slot = (slot + 1) & (slots.length - 1);
  }
  return undefined;
}

function lookUpString(text: string, from: number, to: number, extra: number): Entry | undefined {
  let key = "";
  for (let i = from; i < to; i++) key += upperString(text[i]!);
  if (extra !== 0) key += upperString(String.fromCharCode(extra));
  return LEXICON.get(key);
}

const upperString = (character: string): string =>
  character === FLORIN ? character : plainSign(character).toUpperCase();

/** Words as shops write them: upper case, lower case, or with a capital. Units stay out. */
const FORMS = new Map<string, Form>();
for (const [text, sign] of SIGNS) {
  if (text.length > 6 || /[_"'/ʻ]/.test(text)) continue;
  for (const form of [text, text.toLowerCase(), text[0] + text.slice(1).toLowerCase()])
    if (!UNIT_SPELLINGS.has(form)) FORMS.set(form, { sign, text: form });
}
const FORM_TABLE = wordTable(FORMS);

/** Those of one character, by its code. */
const SINGLE_END = 0x20d0;
const SINGLE: (Form | undefined)[] = Array.from({ length: SINGLE_END }, (_, c) => FORMS.get(String.fromCharCode(c)));

/** The sign or word that is written exactly so in this part of the text. */
export function formAt(text: string, from: number, to: number): Form | undefined {
  if (to - from === 1) {
    const c = text.charCodeAt(from);
    if (c < SINGLE_END) return SINGLE[c];
  }
  const { slots, offsets, codes } = FORM_TABLE;
  let hash = SEED;
  for (let i = from; i < to; i++) hash = mix(hash, text.charCodeAt(i));
  let slot = slotOf(hash, slots.length);
  for (let k = slots[slot]!; k !== 0; k = slots[slot]!) {
    const at = offsets[k - 1]!;
    if (offsets[k]! - at === to - from) {
      let i = from;
      while (i < to && codes[at + i - from] === text.charCodeAt(i)) i++;
      if (i === to) return FORM_TABLE.entries[k - 1];
    }
    slot = (slot + 1) & (slots.length - 1);
  }
  return undefined;
}
