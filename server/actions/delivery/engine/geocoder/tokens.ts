// Cuts a text into words and says what sort of word each is. Looks nothing up.
import { fold, type Key, transliterate, wordKey } from "./text.ts";
import { fillers, longForm, nearWords, streetAfter, streetBefore, unitWords, venueWords } from "./words.ts";

export type WordSort = "number" | "street" | "unit" | "filler" | "venue" | "word";

export interface Word {
  text: string;
  key: Key;
  /** The key of the form used in names of places. */
  canon: Key;
  /** Whether those two differ. */
  short: boolean;
  /** Which comma-separated part it stands in. */
  part: number;
  sort: WordSort;
  /** Holds a digit somewhere. */
  digit: boolean;
}

const LONGEST = 40;
/** Names run together in Chinese and Japanese; what ends a prefecture, city or district also ends a name of two signs or more. */
const EAST_ASIAN = /([\u3040-\u30ff\u4e00-\u9fff]{2,}?)[都道府県市区省]/gu;

/** The words of an address, at most 40: the first ones give way, because what matters for where stands last. */
export function cutWords(text: string): Word[] {
  const folded = fold(text).replace(EAST_ASIAN, "$1 ");
  const words: Word[] = [];
  folded.split(",").forEach((part, index) => {
    if (part === "") return;
    for (const word of part.split(" ")) {
      if (word !== "") words.push(wordOf(word, index));
    }
  });
  return words.length > LONGEST ? words.slice(words.length - LONGEST) : words;
}

function wordOf(text: string, part: number): Word {
  const key = wordKey(text);
  const long = longForm[text];
  return {
    text,
    key,
    canon: long ? wordKey(long) : key,
    short: long !== undefined,
    part,
    sort: sortOf(text),
    digit: hasDigit(text),
  };
}

export function latinWords(words: Word[]): Word[] | null {
  let changed = false;
  const out = words.map((word) => {
    const latin = transliterate(word.text);
    if (latin === null) return word;
    changed = true;
    return wordOf(latin, word.part);
  });
  return changed ? out : null;
}

function hasDigit(word: string): boolean {
  for (let i = 0; i < word.length; i++) {
    const c = word.charCodeAt(i);
    if (c >= 48 && c <= 57) return true;
  }
  return false;
}

function sortOf(word: string): WordSort {
  const first = word.charCodeAt(0);
  if (first >= 48 && first <= 57) return "number";
  if (streetAfter.has(word) || streetBefore.has(word)) return "street";
  if (unitWords.has(word)) return "unit";
  if (fillers.has(word)) return "filler";
  if (venueWords.has(word)) return "venue";
  return "word";
}

/** Whether the text names a place only to say "near it". */
export const saysNear = (words: Word[]): boolean => words.some((word) => nearWords.has(word.text));
