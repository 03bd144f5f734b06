// The normal form in which stored terms and incoming text are compared: NFKC, full case folding, no diacritics on Latin,
// Greek and Cyrillic. Word boundaries are defined in chars.ts.
import { FOLD_EXCEPTIONS } from "./fold-table.ts";

const EXCEPTIONS = new Map<string, string>();
for (const word of FOLD_EXCEPTIONS.split(" ")) {
  const [from, ...to] = word.split(".").map((digits) => parseInt(digits, 36));
  EXCEPTIONS.set(String.fromCodePoint(from), String.fromCodePoint(...to));
}
const EXCEPTIONAL = new RegExp(`[${[...EXCEPTIONS.keys()].join("")}]`, "gu");

// Marks carry meaning in Indic, Thai, Hebrew and Arabic words, so only these three scripts lose them.
const DROPPABLE_MARKS = /(?<=[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}])\p{Mn}+/gu;
const IGNORABLE = /[\u00ad\u034f\u061c\u180b-\u180e\u200c-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]/g;
const ASCII = /^[\x00-\x7f]*$/;

/** Unicode full case folding (C + F); differs from toLowerCase() on 211 code points. */
export function foldCase(text: string): string {
  return text.toLowerCase().replace(EXCEPTIONAL, (c) => EXCEPTIONS.get(c)!);
}

/** NFKC and full case folding, diacritics kept: what `diacritics: "exact"` compares. */
export function foldKeepingMarks(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  const once = foldCase(text.replace(IGNORABLE, "").normalize("NFKC"));
  return foldCase(once.normalize("NFKC")).normalize("NFKC");
}

/** The form in which everything is matched. Folding twice changes nothing. */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  const bare = foldKeepingMarks(text).normalize("NFD").replace(DROPPABLE_MARKS, "");
  return foldCase(bare.normalize("NFKC")).normalize("NFC");
}

/** Tags are one tag whatever joins their words: "black friday", "black-friday" and "#Black_Friday" are equal. */
export function foldTag(tag: string): string {
  return foldText(tag.trim().replace(/^[#\uff03\ufe5f]+/, ""))
    .trim()
    .replace(/[\s_-]+/gu, "_");
}
