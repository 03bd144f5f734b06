// Which of the tokens is the price, which ends a range, and which currency belongs to it.
import { codeAt } from "./characters.ts";
import { LABEL, MONEY, NUMBER, count, ends, found, kinds, near, starts, values } from "./tokens.ts";
import { COUNT, MONTH, NOW, OLD, SAVE, TO } from "./words.ts";

/** The index of the number that is the price, or -1. */
export function chooseNumber(text: string): number {
  let firstMoney = -1,
    firstPlain = -1,
    now = -1;
  let old = false;
  for (let i = 0; i < count; i++) {
    if (kinds[i] === LABEL) {
      if (values[i] === OLD || values[i] === SAVE) old = true;
      else if (values[i] === NOW) old = false;
    }
    if (kinds[i] !== NUMBER || values[i] === 1 || values[i] === 3) continue;
    const money = besideMoney(text, i) || values[i] === 2;
    if (money && i > 0 && kinds[i - 1] === LABEL && values[i - 1] === NOW && now < 0) now = i;
    if (money && now < 0 && i > 1 && kinds[i - 1] === MONEY && kinds[i - 2] === LABEL && values[i - 2] === NOW) now = i;
    if (money && firstMoney < 0 && !(old && hasNow())) firstMoney = i;
    if (firstPlain < 0 && firstMoney < 0 && !counted(text, i) && !dated(text, i)) firstPlain = i;
  }
  if (now >= 0 && old === false && hasLabel(OLD)) return now;
  if (firstMoney < 0) return firstPlain;
  const low = rangeStart(text, firstMoney);
  return low >= 0 ? low : firstMoney;
}

function hasLabel(label: number): boolean {
  for (let i = 0; i < count; i++) if (kinds[i] === LABEL && values[i] === label) return true;
  return false;
}
const hasNow = () => hasLabel(NOW);

function besideMoney(text: string, i: number): boolean {
  return (
    (i > 0 && kinds[i - 1] === MONEY && near(text, ends[i - 1]!, starts[i]!)) ||
    (i + 1 < count && kinds[i + 1] === MONEY && near(text, ends[i]!, starts[i + 1]!))
  );
}

const counted = (text: string, i: number) =>
  i > 0 && kinds[i - 1] === LABEL && values[i - 1] === COUNT && starts[i]! - ends[i - 1]! < 4;
function dated(text: string, i: number): boolean {
  const length = ends[i]! - starts[i]!;
  if (i > 0 && kinds[i - 1] === LABEL && values[i - 1] === MONTH && length <= 4) return true;
  if (length > 4 || text.length <= length + 1 || !(text.includes("-") || text.includes("/"))) return false;
  return /^\d{1,4}[-/]\d{1,2}(?:[-/]\d{2,4})?$/.test(text.trim());
}

/** `26 to 50 €`: the number before, when only the last one carries the sign behind it. */
function rangeStart(text: string, i: number): number {
  let j = i - 1;
  const label = j >= 0 && kinds[j] === LABEL && values[j] === TO;
  if (label) j--;
  if (j < 0 || kinds[j] !== NUMBER || values[j] !== 0 || besideMoney(text, j)) return -1;
  if (i > 0 && kinds[i - 1] === MONEY) return -1;
  return label || isDash(text.slice(ends[j]!, starts[i]!)) ? j : -1;
}

const isDash = (between: string) => /^\s*[-–—~]\s*$/.test(between);

/** A cheap look before the expressions of a range: false where the first visible character cannot begin one. */
function mayBeRange(text: string, from: number): boolean {
  let i = from;
  while (codeAt(text, i) <= 32 || codeAt(text, i) === 0xa0) i++;
  const c = codeAt(text, i);
  return c > 127 || RANGE_STARTS.has(c);
}
const RANGE_STARTS = new Set([..."-~tTbBaAdD"].map((start) => start.charCodeAt(0)));

/** The upper end of a range that starts at `i`, or -1. */
export function rangeEnd(text: string, i: number): number {
  let j = i + 1;
  while (j < count && (kinds[j] === MONEY || (kinds[j] === LABEL && values[j] === TO))) j++;
  if (j >= count || kinds[j] !== NUMBER || values[j] !== 0 || j === i) return -1;
  const from = ends[i]!;
  if (
    kinds[i + 1] === MONEY &&
    starts[i + 1]! >= from &&
    near(text, from, starts[i + 1]!) &&
    ends[i + 1]! <= starts[j]!
  ) {
    if (starts[i + 1]! > from && /[-–—~]/.test(text.slice(from, starts[i + 1]!))) return j;
    return mayBeRange(text, ends[i + 1]!) && BEHIND_SIGN.test(text.slice(ends[i + 1]!, starts[j]!)) ? j : -1;
  }
  return mayBeRange(text, from) && BEHIND_NUMBER.test(text.slice(from, starts[j]!)) ? j : -1;
}

const BEHIND_SIGN = /^\s*(?:[-–—~]|to|bis|à|do|до|tot|til)\s*\S{0,4}\s*$/iu;
const BEHIND_NUMBER = /^\s*(?:[-–—~]|to|bis|à|a|do|до|tot|til)\s*\S{0,4}\s*$/iu;

/** The currency token that belongs to the number; a code beside it beats an unclear sign. */
export function moneyOf(text: string, i: number, high: number): number {
  if (values[i] === 2) return i + 1;
  let before = i > 0 && kinds[i - 1] === MONEY && near(text, ends[i - 1]!, starts[i]!) ? i - 1 : -1;
  let after = i + 1 < count && kinds[i + 1] === MONEY && near(text, ends[i]!, starts[i + 1]!) ? i + 1 : -1;
  if (
    before > 0 &&
    after < 0 &&
    kinds[before - 1] === MONEY &&
    near(text, ends[before - 1]!, starts[before]!) &&
    better(before - 1, before)
  )
    before--;
  if (
    after >= 0 &&
    before < 0 &&
    after + 1 < count &&
    kinds[after + 1] === MONEY &&
    near(text, ends[after]!, starts[after + 1]!) &&
    better(after + 1, after)
  )
    after++;
  if (before >= 0 && after >= 0) {
    // `399 руб 420 руб`: a sign between two numbers belongs to the one it follows.
    if (found[before]!.strength < 3 && found[after]!.strength >= found[before]!.strength) return after;
    if (
      after + 1 < count &&
      kinds[after + 1] === NUMBER &&
      near(text, ends[after]!, starts[after + 1]!) &&
      !found[after]!.iso
    )
      return before;
    return better(after, before) ? after : before;
  }
  if (before >= 0) return before;
  if (after >= 0) return after;
  if (high >= 0) return moneyOf(text, high, -1);
  let first = -1;
  for (let k = 0; k < count; k++) if (kinds[k] === MONEY && found[k]!.strength === 3 && first < 0) first = k;
  return first;
}

const better = (a: number, b: number) =>
  (found[a]!.iso && !found[b]!.iso && found[b]!.codes.length !== 1) ||
  (found[a]!.codes.length === 1 && found[b]!.codes.length > 1 && found[a]!.strength >= 2);
