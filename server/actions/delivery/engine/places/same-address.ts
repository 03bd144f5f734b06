// Whether two texts name the same door, spelled differently. Strict where streets differ, tolerant where people do. Pure.
import type { AddressWords } from "./address-words.ts";

export interface Compared {
  words: AddressWords;
  /** Where the geocoder puts the text, when it puts it anywhere. */
  at: { lat: number; lon: number } | null;
}

/** A number of this length is a postcode: one text may leave it out. */
const POSTCODE_LENGTH = 4;
/** The geocoder gives one town one point, in whatever language it is named. */
const SAME_POINT_DEGREES = 0.01;

export function isSameAddress(a: Compared, b: Compared): boolean {
  const numbers = compareNumbers(a.words.numbers, b.words.numbers);
  if (!numbers) return false;
  if (!kindsAgree(a.words.kinds, b.words.kinds)) return false;
  const names = matchNames(a.words.names, b.words.names);
  if (names.shared.length === 0) return false;
  const hasNumber = numbers.house > 0;
  if (names.onlyA.length === 0 && names.onlyB.length === 0) {
    // Without a number, or with one name alone, every word must be the very same.
    if (!hasNumber) return names.typos === 0 && numbers.shared === a.words.numbers.length;
    return names.shared.length >= 2 || numbers.postcode || numbers.shared >= 2;
  }
  if (!hasNumber || names.typos > 1) return false;
  if (names.onlyA.length === 0 || names.onlyB.length === 0) return numbers.postcode && names.shared.length >= 1;
  return sameTown(a, b, names);
}

interface Numbers {
  shared: number;
  /** Shared house numbers or numbered streets. */
  house: number;
  /** Whether both name the same postcode. */
  postcode: boolean;
}

/** Null when the two disagree. */
function compareNumbers(a: string[], b: string[]): Numbers | null {
  const shared = a.filter((n) => b.includes(n));
  const left = [...a.filter((n) => !b.includes(n)), ...b.filter((n) => !a.includes(n))];
  if (left.some((n) => !isPostcode(n))) return null;
  const onlyA = a.some((n) => !b.includes(n));
  const onlyB = b.some((n) => !a.includes(n));
  if (onlyA && onlyB) return null;
  return {
    shared: shared.length,
    house: shared.filter((n) => !isPostcode(n)).length,
    postcode: shared.some(isPostcode),
  };
}

const isPostcode = (number: string): boolean => number.length >= POSTCODE_LENGTH && !number.includes("-");

/** A kind of street may be left out; two different ones are two streets. Directions may not be left out. */
function kindsAgree(a: string[], b: string[]): boolean {
  const directions = (kinds: string[]) =>
    kinds
      .filter((k) => /north|south|east|west/.test(k))
      .sort()
      .join(" ");
  if (directions(a) !== directions(b)) return false;
  const kinds = (all: string[]) => all.filter((k) => !/north|south|east|west/.test(k));
  const [x, y] = [kinds(a), kinds(b)];
  return x.length === 0 || y.length === 0 || x.every((k) => y.includes(k)) || y.every((k) => x.includes(k));
}

interface Names {
  shared: string[];
  onlyA: string[];
  onlyB: string[];
  typos: number;
}

function matchNames(a: string[], b: string[]): Names {
  const left = [...b];
  const names: Names = { shared: [], onlyA: [], onlyB: left, typos: 0 };
  const loose: string[] = [];
  for (const word of a) {
    const at = left.indexOf(word);
    if (at < 0) loose.push(word);
    else names.shared.push(...left.splice(at, 1));
  }
  for (const word of loose) {
    const at = left.findIndex((other) => isTypo(word, other));
    if (at < 0) names.onlyA.push(word);
    else {
      names.shared.push(...left.splice(at, 1));
      names.typos++;
    }
  }
  // A state's two letters may be left out, but not contradicted: Salem, MA is not Salem, OR.
  if (names.onlyB.length === 0) names.onlyA = names.onlyA.filter((word) => !isShort(word));
  else if (names.onlyA.length === 0) names.onlyB = names.onlyB.filter((word) => !isShort(word));
  return names;
}

const isShort = (word: string): boolean => word.length <= 2;

/** One typing error in a word of six letters, two in one of ten; the first letter must be right. */
function isTypo(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  const slips = shorter >= 10 ? 2 : shorter >= 6 ? 1 : 0;
  return slips > 0 && a[0] === b[0] && Math.abs(a.length - b.length) <= slips && distance(a, b) <= slips;
}

/** Edits between two words; a swap of neighbours is one. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        next[j] = Math.min(next[j], before[j - 2] + 1);
    }
    before = row;
    row = next;
  }
  return row[b.length];
}

/** The streets are the same and only the towns are spelled in another way, which the geocoder sees through. */
function sameTown(a: Compared, b: Compared, names: Names): boolean {
  if (!a.at || !b.at || names.typos > 0) return false;
  if (a.words.street.length === 0 || b.words.street.length === 0) return false;
  if (names.onlyA.some((w) => a.words.street.includes(w)) || names.onlyB.some((w) => b.words.street.includes(w)))
    return false;
  if (!names.shared.some((w) => a.words.street.includes(w) && b.words.street.includes(w))) return false;
  return Math.abs(a.at.lat - b.at.lat) < SAME_POINT_DEGREES && Math.abs(a.at.lon - b.at.lon) < SAME_POINT_DEGREES;
}
