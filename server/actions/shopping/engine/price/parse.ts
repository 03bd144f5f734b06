// A text from a price slot to an amount and a currency, in one scan. It does not know the page the text came from.
import { currencyOfPlace, resolve, type Sign } from "./currencies.ts";
import { BLANK, LETTER, classOf, codeAt } from "./characters.ts";
import { chooseNumber, moneyOf, rangeEnd } from "./choose.ts";
import { decimalOf } from "./number.ts";
import { isPlain, plainAmount, plainForm, plainFrom } from "./plain.ts";
import { LABEL, MONEY, NUMBER, count, ends, found, kinds, near, scan, splitAmount, starts, values } from "./tokens.ts";
import { FREE_MAX, FREE_WORDS, FROM, isInstalment, mayBeginPer, perOf } from "./words.ts";

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
const NO_OPTIONS: PriceOptions = {};

export function parsePrice(text: string | null | undefined, options: PriceOptions = NO_OPTIONS): PriceText {
  const input = text ?? "";
  if (!options.decimalSeparator && isPlain(input)) return plainPrice(input, options);
  return parseSlowly(input, options);
}

function plainPrice(input: string, options: PriceOptions): PriceText {
  const amount = plainAmount(input);
  const sign = plainForm === null ? null : plainForm.sign;
  const symbol = plainForm === null ? null : plainForm.text;
  if (options.hint || options.locale) {
    const place = options.locale ? currencyOfPlace(options.locale) : null;
    let currency = named(sign, symbol, place);
    if (options.hint && (!sign || (!currency.certain && sign.codes.length > 1)))
      currency = hinted(currency, sign, options.hint, place);
    return answer(amount, currency, plainFrom ? "from" : "price", null, null);
  }
  const codes = sign === null ? NONE : sign.codes;
  return {
    amount,
    currency: codes.length === 0 ? null : codes[0]!,
    certain: codes.length === 1,
    symbol,
    candidates: codes,
    source: sign === null ? null : sign.source,
    kind: plainFrom ? "from" : "price",
    high: null,
    per: null,
  };
}

/** The long way, for any text. Exported for the test that both ways agree. */
export function parseSlowly(input: string, options: PriceOptions = NO_OPTIONS): PriceText {
  const place = options.locale ? currencyOfPlace(options.locale) : null;
  scan(input, options.decimalSeparator === "€", place);
  const pick = chooseNumber(input);
  if (pick < 0) return withoutNumber(input, options, place);
  const start = starts[pick]!,
    end = ends[pick]!;
  const high = rangeEnd(input, pick);
  const money = moneyOf(input, pick, high);
  const sign = money < 0 ? null : found[money]!;
  const symbol = money < 0 ? null : input.slice(starts[money]!, ends[money]!);
  const kind = kindOf(input, pick, money, high);
  const forced = options.decimalSeparator === "." || options.decimalSeparator === "," ? options.decimalSeparator : null;
  const three = sign !== null && sign.three;
  const amount = values[pick] === 2 ? splitAmount(input, start, end) : decimalOf(input, start, end, forced, three);
  const highAmount = high < 0 ? null : decimalOf(input, starts[high]!, ends[high]!, forced, three);
  let currency = named(sign, symbol, place);
  if (options.hint && (!sign || (!currency.certain && sign.codes.length > 1)))
    currency = hinted(currency, sign, options.hint, place);
  return answer(amount, currency, kind.kind, highAmount, kind.per);
}

/** All answers have their members in one order, so that they share one shape. */
function answer(
  amount: string | null,
  { currency, certain, symbol, candidates, source }: Currency,
  kind: PriceText["kind"],
  high: string | null,
  per: string | null,
): PriceText {
  return { amount, currency, certain, symbol, candidates, source, kind, high, per };
}

type Currency = Pick<PriceText, "currency" | "certain" | "symbol" | "candidates" | "source">;
const NO_CURRENCY: Currency = { currency: null, certain: false, symbol: null, candidates: NONE, source: null };

function named(sign: Sign | null, symbol: string | null, place: string | null): Currency {
  if (!sign) return NO_CURRENCY;
  const { code, certain } = resolve(sign.codes, place);
  return {
    currency: code,
    certain,
    symbol,
    candidates: sign.codes,
    source: sign.source,
  };
}

/** The currency that a hint names; it may settle an unclear sign, never replace a clear one. */
function hinted(own: Currency, sign: Sign | null, hint: string, place: string | null): Currency {
  const other = currencyIn(hint, place);
  if (!other.symbol) return own;
  if (!sign) return { ...other, source: "hint" };
  return other.currency && sign.codes.includes(other.currency)
    ? { ...own, currency: other.currency, certain: other.certain }
    : own;
}

function withoutNumber(input: string, options: PriceOptions, place: string | null): PriceText {
  const bare = input.trim();
  const isFree = bare.length <= FREE_MAX && FREE_WORDS.has(bare.toUpperCase());
  const kind = isFree ? "free" : bare.includes("%") ? "percent" : "none";
  // The tokens of the input are still there, unless it was read with the sign as a decimal mark.
  if (options.decimalSeparator === "€") scan(input, false, place);
  const own = scannedCurrency(input, place);
  const currency = own.symbol || !options.hint ? own : currencyIn(options.hint, place);
  return answer(isFree ? "0" : null, currency, kind, null, null);
}

function currencyIn(text: string, place: string | null): Currency {
  scan(text, false, place);
  return scannedCurrency(text, place);
}

/** The first believable currency of a scanned text without a chosen number. */
function scannedCurrency(text: string, place: string | null): Currency {
  let best = -1;
  for (let i = 0; i < count; i++) {
    if (kinds[i] !== MONEY) continue;
    const strength = found[i]!.strength;
    const beside =
      (i > 0 && kinds[i - 1] === NUMBER && near(text, ends[i - 1]!, starts[i]!)) ||
      (i + 1 < count && kinds[i + 1] === NUMBER && near(text, ends[i]!, starts[i + 1]!));
    const alone = count === 1 && text.trim().length === ends[i]! - starts[i]!;
    if (strength < 2 && !beside && !alone) continue;
    if (best < 0 || (found[i]!.iso && !found[best]!.iso && strength === 3)) best = i;
  }
  return best < 0 ? NO_CURRENCY : named(found[best]!, text.slice(starts[best]!, ends[best]!), place);
}

function kindOf(
  text: string,
  pick: number,
  money: number,
  high: number,
): { kind: PriceText["kind"]; per: string | null } {
  const end =
    money >= 0 && starts[money]! >= ends[pick]! && kinds[money] === MONEY && money === pick + 1
      ? ends[money]!
      : ends[pick]!;
  if (text.length > end + 1 && mayBePer(text, end)) {
    const after = perOf(text.slice(end, end + 24));
    if (after) return { kind: after.kind === "period" ? "per_period" : "per_unit", per: after.per };
  }
  if (pick > 0 && numberBefore(pick) && isInstalment(text, starts[money >= 0 && money < pick ? money : pick]!))
    return { kind: "instalment", per: null };
  if (high >= 0) return { kind: "range", per: null };
  for (let i = 0; i < pick; i++) if (kinds[i] === LABEL && values[i] === FROM) return { kind: "from", per: null };
  return PLAIN_PRICE;
}

const PLAIN_PRICE = { kind: "price", per: null } as const;

function numberBefore(pick: number): boolean {
  for (let i = 0; i < pick; i++) if (kinds[i] === NUMBER) return true;
  return false;
}

/** A cheap look before the expressions: a slash, an equals sign or the beginning of a word for each must come next. */
function mayBePer(text: string, end: number): boolean {
  let i = end;
  while (i < text.length && classOf(text.charCodeAt(i)) === BLANK) i++;
  const c = codeAt(text, i);
  return c === 47 || c === 61 || (classOf(c) === LETTER && mayBeginPer(c, codeAt(text, i + 1)));
}
