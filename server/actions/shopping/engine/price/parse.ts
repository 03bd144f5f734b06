// A text from a price slot to an amount and a currency, in one scan. It does not know the page the text came from.
import { currencyOfPlace, decimalsOf, pairStarts, resolve, signs, type Sign } from "./currencies.ts";
import { BLANK, INVISIBLE, LETTER, SIGN, classOf, plainSign } from "./characters.ts";
import { COMMA, POINT, QUOTE, SPACE, decimalOf, digitValue, separatorKind } from "./number.ts";
import { COUNT, FROM, MONTH, NOW, OLD, SAVE, TO, free, isInstalment, labels, perOf } from "./words.ts";

export interface PriceOptions {
  /** Another text of the same slot that may name the currency. */
  hint?: string | null;
  decimalSeparator?: "." | "," | "€" | null;
  /** `de-AT`, `AT`, or a host's country ending; settles `$`, `kr`, `¥`. */
  locale?: string | null;
}

export interface PriceText {
  amount: string | null;
  /** ISO 4217. */
  currency: string | null;
  /** False where the sign may mean several currencies and nothing settles it. */
  certain: boolean;
  /** The sign or code as it was written. */
  symbol: string | null;
  candidates: readonly string[];
  source: "code" | "sign" | "word" | "hint" | null;
  kind: "price" | "from" | "range" | "per_period" | "per_unit" | "instalment" | "free" | "percent" | "date" | "none";
  high: string | null;
  per: string | null;
}

const NONE: readonly string[] = [];
const NUMBER = 1, MONEY = 2, LABEL = 3;

// Scratch of the scanner: parsing is synchronous, so one set serves every call.
const MOST = 256;
const kinds = new Uint8Array(MOST), starts = new Int32Array(MOST), ends = new Int32Array(MOST), values = new Uint8Array(MOST);
const found: (Sign | null)[] = [];
let count = 0;

export function parsePrice(text: string | null | undefined, options: PriceOptions = {}): PriceText {
  const input = text ?? "";
  scan(input, options.decimalSeparator === "€");
  const pick = choose(input);
  const place = options.locale ? currencyOfPlace(options.locale) : null;
  if (pick < 0) return withoutNumber(input, options, place);
  const start = starts[pick]!, end = ends[pick]!;
  const high = rangeEnd(input, pick);
  const money = moneyOf(input, pick, high);
  const sign = money < 0 ? null : found[money]!;
  const symbol = money < 0 ? null : input.slice(starts[money]!, ends[money]!);
  const kind = kindOf(input, pick, money, high);
  const forced = options.decimalSeparator === "." || options.decimalSeparator === "," ? options.decimalSeparator : null;
  const three = sign !== null && sign.codes.length > 0 && decimalsOf.get(sign.codes[0]!) === 3;
  const amount = values[pick] === 2 ? splitAmount(input.slice(start, end)) : decimalOf(input.slice(start, end), forced, three);
  const highAmount = high < 0 ? null : decimalOf(input.slice(starts[high]!, ends[high]!), forced, three);
  let currency = named(sign, symbol, place);
  if (options.hint && (!sign || (!currency.certain && sign.codes.length > 1))) currency = hinted(currency, sign, options.hint, place);
  return {
    amount, currency: currency.currency, certain: currency.certain, symbol: currency.symbol, candidates: currency.candidates,
    source: currency.source, kind: kind.kind, high: highAmount, per: kind.per,
  };
}

type Currency = Pick<PriceText, "currency" | "certain" | "symbol" | "candidates" | "source">;
const NO_CURRENCY: Currency = { currency: null, certain: false, symbol: null, candidates: NONE, source: null };

function named(sign: Sign | null, symbol: string | null, place: string | null): Currency {
  if (!sign) return NO_CURRENCY;
  const { code, certain } = resolve(sign.codes, place);
  return { currency: code, certain, symbol, candidates: sign.codes, source: sign.iso ? "code" : sign.strength === 3 ? "sign" : "word" };
}

/** The currency that a hint names; it may settle an unclear sign, never replace a clear one. */
function hinted(own: Currency, sign: Sign | null, hint: string, place: string | null): Currency {
  const other = currencyIn(hint, place);
  if (!other.symbol) return own;
  if (!sign) return { ...other, source: "hint" };
  return other.currency && sign.codes.includes(other.currency) ? { ...own, currency: other.currency, certain: other.certain } : own;
}

function withoutNumber(input: string, options: PriceOptions, place: string | null): PriceText {
  const bare = input.trim().toUpperCase();
  const kind = free.has(bare) ? "free" : bare.includes("%") ? "percent" : "none";
  const none = { amount: kind === "free" ? "0" : null, kind, high: null, per: null } as const;
  const own = currencyIn(input, place);
  return { ...none, ...(own.symbol || !options.hint ? own : currencyIn(options.hint, place)) };
}

/** The first believable currency of a text without a chosen number. */
function currencyIn(text: string, place: string | null): Currency {
  scan(text, false);
  let best = -1;
  for (let i = 0; i < count; i++) {
    if (kinds[i] !== MONEY) continue;
    const strength = found[i]!.strength;
    const beside = (i > 0 && kinds[i - 1] === NUMBER && near(text, ends[i - 1]!, starts[i]!))
      || (i + 1 < count && kinds[i + 1] === NUMBER && near(text, ends[i]!, starts[i + 1]!));
    const alone = count === 1 && text.trim().length === ends[i]! - starts[i]!;
    if (strength < 2 && !beside && !alone) continue;
    if (best < 0 || (found[i]!.iso && !found[best]!.iso && strength === 3)) best = i;
  }
  return best < 0 ? NO_CURRENCY : named(found[best]!, text.slice(starts[best]!, ends[best]!), place);
}

function scan(text: string, euroIsMark: boolean): void {
  count = 0;
  let i = 0;
  while (i < text.length && count < MOST - 2) {
    const c = text.charCodeAt(i);
    if (c === 32) { i++; continue; }
    if (c >= 48 && c <= 57 ? true : c > 0x65f && digitValue(c) >= 0) {
      i = number(text, i, euroIsMark);
      continue;
    }
    if ((c === 46 || c === 44) && digitValue(text.charCodeAt(i + 1)) >= 0 && !wordBefore(text, i)) {
      i = number(text, i, euroIsMark);
      continue;
    }
    const kind = classOf(c);
    if (kind === LETTER) i = word(text, i);
    else if (kind === SIGN) i = sign(text, i, i);
    else i++;
  }
}

const wordBefore = (text: string, i: number) => i > 0 && classOf(text.charCodeAt(i - 1)) === LETTER;

function push(kind: number, start: number, end: number, value: number, sign: Sign | null): void {
  kinds[count] = kind;
  starts[count] = start;
  ends[count] = end;
  values[count] = value;
  found[count] = sign;
  count++;
}

const digitAt = (text: string, i: number) => i < text.length && digitValue(text.charCodeAt(i)) >= 0;
function digitRun(text: string, i: number): number {
  let j = i;
  while (j < text.length && digitValue(text.charCodeAt(j)) >= 0) j++;
  return j - i;
}

/** value 0: a number; 1: a percentage; 2: a number whose decimal mark is a currency sign; 3: a date. */
function number(text: string, start: number, euroIsMark: boolean): number {
  let i = start;
  let marked = false;
  if (!digitAt(text, i)) i++;
  while (true) {
    i += digitRun(text, i);
    const kind = i < text.length ? separatorKind(text.charCodeAt(i)) : 0;
    if (kind === 0) break;
    const run = digitRun(text, i + 1);
    if (kind === POINT || kind === COMMA) {
      if (run > 0) { marked = true; i++; continue; }
      // `36. 24`: a blank slipped in behind the decimal mark.
      if (separatorKind(text.charCodeAt(i + 1)) === SPACE && digitRun(text, i + 2) === 2 && separatorKind(text.charCodeAt(i + 4)) !== COMMA
        && !(separatorKind(text.charCodeAt(i + 4)) === POINT && digitAt(text, i + 5))) {
        i += 4;
      }
      break;
    }
    // A blank or a quote groups three digits, and only before the decimal mark.
    if (run === 3 && (!marked || kind === QUOTE) && groupFits(text, start, i)) { i++; continue; }
    break;
  }
  const split = splitEnd(text, start, i, marked, euroIsMark);
  if (split > 0) {
    push(NUMBER, start, split, 2, null);
    const at = signIn(text, start, split);
    push(MONEY, at, at + 1, 0, signs.get(plainSign(text[at]!)) ?? null);
    return split;
  }
  push(NUMBER, start, i, percentAt(text, i) ? 1 : isDate(text, start, i) ? 3 : 0, null);
  return i;
}

function groupFits(text: string, start: number, end: number): boolean {
  let run = 0;
  for (let j = end - 1; j >= start && digitValue(text.charCodeAt(j)) >= 0; j--) run++;
  return run <= 3;
}

function percentAt(text: string, i: number): boolean {
  const c = text.charCodeAt(i);
  const sign = c === 32 || c === 0xa0 ? text.charCodeAt(i + 1) : c;
  return sign === 37 || sign === 0x66a || sign === 0xff05;
}

const isDate = (text: string, start: number, end: number): boolean =>
  end - start >= 8 && end - start <= 10 && /^(?:\d{1,2}[.,]\d{1,2}[.,](?:19|20)\d\d|(?:19|20)\d\d[.,]\d{1,2}[.,]\d{1,2})$/.test(text.slice(start, end));

/** `35€ 99`, `35€99`: the end of the cents behind a sign that stands as the decimal mark; 0 where it does not. */
function splitEnd(text: string, start: number, end: number, marked: boolean, euroIsMark: boolean): number {
  if (marked && !euroIsMark) return 0;
  let i = end;
  while (i < text.length && separatorKind(text.charCodeAt(i)) === SPACE) i++;
  if (i >= text.length || i - end > 1 || i + 2 >= text.length || classOf(text.charCodeAt(i)) !== SIGN) return 0;
  if (text.indexOf(text[i]!, i + 1) >= 0 || text.lastIndexOf(text[i]!, start) >= 0) return 0;
  let j = i + 1;
  if (j < text.length && separatorKind(text.charCodeAt(j)) === SPACE) j++;
  const run = digitRun(text, j);
  if (!(run === 2 || (euroIsMark && run > 0 && j === i + 1))) return 0;
  const next = text.charCodeAt(j + run);
  if (percentAt(text, j + run) || (separatorKind(next) !== 0 && digitAt(text, j + run + 1))) return 0;
  return classOf(next) === LETTER || /^\s?(?:ml|g|kg|cm|mm|x|l|pcs)\b/i.test(text.slice(j + run, j + run + 5)) ? 0 : j + run;
}

function signIn(text: string, start: number, end: number): number {
  let i = start;
  while (i < end && classOf(text.charCodeAt(i)) !== SIGN) i++;
  return i;
}

function splitAmount(raw: string): string | null {
  const at = signIn(raw, 0, raw.length);
  const whole = decimalOf(raw.slice(0, at).replaceAll(/[.,]/g, ""), null, false);
  return whole === null ? null : `${whole}.${decimalOf(raw.slice(at + 1), null, false)?.padStart(digitRun(raw, raw.length - 2), "0") ?? "00"}`;
}

/** A sign, with the letters that may belong to it before (from `from`) or behind. */
function sign(text: string, i: number, from: number): number {
  const one = plainSign(text[i]!);
  const next = text[i + 1];
  if (next && classOf(next.charCodeAt(0)) === LETTER && !(i + 2 < text.length && classOf(text.charCodeAt(i + 2)) === LETTER)) {
    const joined = signs.get(one + next.toUpperCase());
    if (joined) { push(MONEY, from, i + 2, 0, joined); return i + 2; }
  }
  const plain = signs.get(one);
  if (plain) push(MONEY, i, i + 1, 0, plain);
  return i + 1;
}

function word(text: string, start: number): number {
  let i = start + 1;
  let dotted = false;
  while (i < text.length) {
    const c = text.charCodeAt(i);
    if ((c | 32) >= 97 && (c | 32) <= 122) { i++; continue; }
    if (c > 0x7f && classOf(c) === LETTER && digitValue(c) < 0) { i++; continue; }
    if ((c === 46 || c === 39 || c === 0x2bb || c === 34 || c === 0x2019) && i + 1 < text.length && classOf(text.charCodeAt(i + 1)) === LETTER && digitValue(text.charCodeAt(i + 1)) < 0) {
      dotted = true;
      i += 2;
      continue;
    }
    break;
  }
  if (i - start > 16) return i;
  const upper = text.slice(start, i).toUpperCase();
  const c = text.charCodeAt(i);
  if (classOf(c) === SIGN) {
    const joined = signs.get(upper + plainSign(text[i]!));
    if (joined) { push(MONEY, start, i + 1, 0, joined); return i + 1; }
  } else if (c === 46 || c === 47 || c === 39) {
    const end = text.charCodeAt(i + 1) === 46 && c === 47 ? i + 2 : i + 1;
    const pointed = signs.get(upper + text.slice(i, end));
    if (pointed) { push(MONEY, start, end, 0, pointed); return end; }
  } else if (classOf(c) === BLANK && i - start >= 2 && classOf(text.charCodeAt(i + 1)) === SIGN) {
    const joined = signs.get(upper + plainSign(text[i + 1]!));
    if (joined) { push(MONEY, start, i + 2, 0, joined); return i + 2; }
  }
  const entry = lexicon.get(upper);
  let money = entry?.sign;
  if (entry?.pair) {
    const rest = /^\s(\p{L}+)/u.exec(text.slice(i, i + 14));
    const pair = rest && signs.get(`${upper}_${rest[1]!.toUpperCase()}`);
    if (pair) { push(MONEY, start, i + rest![0].length, 0, pair); return i + rest![0].length; }
  }
  if (!money && dotted && upper.includes(".")) money = signs.get(upper.slice(0, upper.indexOf(".")));
  if (money && believable(text, start, i, money)) push(MONEY, start, i, 0, money);
  else if (entry?.label !== undefined) push(LABEL, start, i, entry.label, null);
  return i;
}

/** Signs, labels and beginnings of two-word names in one look-up. */
const lexicon = new Map<string, { sign?: Sign; label?: number; pair: boolean }>();
for (const key of new Set([...signs.keys(), ...labels.keys(), ...pairStarts])) lexicon.set(key, { sign: signs.get(key), label: labels.get(key), pair: pairStarts.has(key) });

/** Short words are money only beside a number: `K`, `ID`, `All`, `eur` in running text are not. */
function believable(text: string, start: number, end: number, sign: Sign): boolean {
  const upper = text.charCodeAt(start) < 91 || text.charCodeAt(start) > 0x7f;
  if (sign.strength === 3 && upper) return true;
  if (sign.strength === 2) return true;
  let i = start - 1;
  while (i >= 0 && start - i < 5 && gap(text.charCodeAt(i))) i--;
  if (i >= 0 && digitValue(text.charCodeAt(i)) >= 0) return true;
  let j = end;
  while (j < text.length && j - end < 3 && gap(text.charCodeAt(j))) j++;
  if (digitAt(text, j) && (upper || sign.iso)) return true;
  return start === 0 && end === text.trimEnd().length;
}

const gap = (c: number) => classOf(c) === BLANK || classOf(c) === INVISIBLE || c === 44 || c === 45 || c === 46 || c === 58 || c === 0x2013 || c === 0x2014 || c === 42 || c === 61 || c === 40;

function near(text: string, from: number, to: number): boolean {
  if (to - from > 5) return false;
  for (let i = from; i < to; i++) {
    const c = text.charCodeAt(i);
    if (!gap(c)) return false;
    // `50 - $2`: a dash between blanks separates; `105. –` ends a number.
    if ((c === 45 || c === 0x2013) && i === from + 1 && classOf(text.charCodeAt(from)) === BLANK) return false;
  }
  return true;
}

/** The index of the number that is the price, or -1. */
function choose(text: string): number {
  let firstMoney = -1, firstPlain = -1, now = -1;
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
  return (i > 0 && kinds[i - 1] === MONEY && near(text, ends[i - 1]!, starts[i]!))
    || (i + 1 < count && kinds[i + 1] === MONEY && near(text, ends[i]!, starts[i + 1]!));
}

const counted = (text: string, i: number) => i > 0 && kinds[i - 1] === LABEL && values[i - 1] === COUNT && starts[i]! - ends[i - 1]! < 4;
function dated(text: string, i: number): boolean {
  const length = ends[i]! - starts[i]!;
  if (i > 0 && kinds[i - 1] === LABEL && values[i - 1] === MONTH && length <= 4) return true;
  return length <= 4 && text.length > length + 1 && /^\d{1,4}[-/]\d{1,2}(?:[-/]\d{2,4})?$/.test(text.trim());
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

/** The upper end of a range that starts at `i`, or -1. */
function rangeEnd(text: string, i: number): number {
  let j = i + 1;
  while (j < count && (kinds[j] === MONEY || (kinds[j] === LABEL && values[j] === TO))) j++;
  if (j >= count || kinds[j] !== NUMBER || values[j] !== 0 || j === i) return -1;
  let from = ends[i]!;
  if (kinds[i + 1] === MONEY && starts[i + 1]! >= from && near(text, from, starts[i + 1]!) && ends[i + 1]! <= starts[j]!) {
    const rest = text.slice(ends[i + 1]!, starts[j]!);
    if (/[-–—~]/.test(text.slice(from, starts[i + 1]!))) return j;
    from += 0;
    return /^\s*(?:[-–—~]|to|bis|à|do|до|tot|til)\s*\S{0,4}\s*$/iu.test(rest) ? j : -1;
  }
  return /^\s*(?:[-–—~]|to|bis|à|a|do|до|tot|til)\s*\S{0,4}\s*$/iu.test(text.slice(from, starts[j]!)) ? j : -1;
}

/** The currency token that belongs to the number; a code beside it beats an unclear sign. */
function moneyOf(text: string, i: number, high: number): number {
  if (values[i] === 2) return i + 1;
  let before = i > 0 && kinds[i - 1] === MONEY && near(text, ends[i - 1]!, starts[i]!) ? i - 1 : -1;
  let after = i + 1 < count && kinds[i + 1] === MONEY && near(text, ends[i]!, starts[i + 1]!) ? i + 1 : -1;
  if (before > 0 && after < 0 && kinds[before - 1] === MONEY && near(text, ends[before - 1]!, starts[before]!) && better(before - 1, before)) before--;
  if (after >= 0 && before < 0 && after + 1 < count && kinds[after + 1] === MONEY && near(text, ends[after]!, starts[after + 1]!) && better(after + 1, after)) after++;
  if (before >= 0 && after >= 0) {
    // `399 руб 420 руб`: a sign between two numbers belongs to the one it follows.
    if (found[before]!.strength < 3 && found[after]!.strength >= found[before]!.strength) return after;
    if (after + 1 < count && kinds[after + 1] === NUMBER && near(text, ends[after]!, starts[after + 1]!) && !found[after]!.iso) return before;
    return better(after, before) ? after : before;
  }
  if (before >= 0) return before;
  if (after >= 0) return after;
  if (high >= 0) return moneyOf(text, high, -1);
  let first = -1;
  for (let k = 0; k < count; k++) if (kinds[k] === MONEY && found[k]!.strength === 3 && first < 0) first = k;
  return first;
}

const better = (a: number, b: number) => (found[a]!.iso && !found[b]!.iso && found[b]!.codes.length !== 1) || (found[a]!.codes.length === 1 && found[b]!.codes.length > 1 && found[a]!.strength >= 2);

function kindOf(text: string, pick: number, money: number, high: number): { kind: PriceText["kind"]; per: string | null } {
  const end = money >= 0 && starts[money]! >= ends[pick]! && kinds[money] === MONEY && money === pick + 1 ? ends[money]! : ends[pick]!;
  if (text.length > end + 1 && mayBePer(text, end)) {
    const after = perOf(text.slice(end, end + 24));
    if (after) return { kind: after.kind === "period" ? "per_period" : "per_unit", per: after.per };
  }
  if (pick > 0 && numberBefore(pick) && isInstalment(text.slice(0, starts[money >= 0 && money < pick ? money : pick]!))) return { kind: "instalment", per: null };
  if (high >= 0) return { kind: "range", per: null };
  for (let i = 0; i < pick; i++) if (kinds[i] === LABEL && values[i] === FROM) return { kind: "from", per: null };
  return PLAIN_PRICE;
}

const PLAIN_PRICE = { kind: "price", per: null } as const;

function numberBefore(pick: number): boolean {
  for (let i = 0; i < pick; i++) if (kinds[i] === NUMBER) return true;
  return false;
}

/** A cheap look before the expressions: a slash, a letter or an equals sign must come next. */
function mayBePer(text: string, end: number): boolean {
  let i = end;
  while (i < text.length && classOf(text.charCodeAt(i)) === BLANK) i++;
  const c = text.charCodeAt(i);
  return c === 47 || c === 61 || classOf(c) === LETTER;
}
