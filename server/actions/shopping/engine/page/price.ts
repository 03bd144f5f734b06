// The price of the answer: amount, currency and its source, list price, range, and the terms that stand beside it.
import { currencyOfPlace, DECIMALS_OF } from "../price/currencies.ts";
import { amountOf, type Offer } from "../product/offers.ts";
import type { Metas } from "../structured/metas.ts";
import type { Spots } from "../visible/spots.ts";
import type { Coupon } from "../visible/terms.ts";
import { compareAmounts, plainAmount, withDecimals } from "./amounts.ts";
import type { PageInput, Read } from "./context.ts";
import type { ExtractedPage } from "./result.ts";
import type { Candidate, Weighed } from "./weigh.ts";

/** How far from the price, in letters of visible text, words still refer to it. */
const REACH = { tax: 300, shipping: 1_500, coupon: 1_500, quantity: 2_000, unitPrice: 200 } as const;
/** Fewer than this is few, whether the shop says so or not. */
const FEW = 3;

/** What the words near the price say; null where they say nothing. */
export interface Terms {
  taxIncluded: boolean | null;
  freeShipping: boolean;
  quantity: number | null;
  few: boolean;
  coupon: Coupon | null;
}

export function termsNear(spots: Spots, best: Candidate | null): Terms {
  const at = best?.spot?.at ?? spots.headingAt;
  const terms: Terms = { taxIncluded: null, freeShipping: false, quantity: null, few: false, coupon: null };
  let taxDistance = Infinity;
  for (const spot of at < 0 ? [] : spots.terms) {
    const distance = Math.abs(spot.at - at);
    const { term } = spot;
    if (term.kind === "tax" && distance < Math.min(REACH.tax, taxDistance)) {
      terms.taxIncluded = term.included;
      taxDistance = distance;
    } else if (term.kind === "free_shipping" && distance < REACH.shipping) terms.freeShipping = true;
    else if (term.kind === "coupon" && distance < REACH.coupon) terms.coupon ??= couponOf(term);
    else if (term.kind === "quantity" && distance < REACH.quantity && terms.quantity === null) {
      terms.quantity = term.count;
      terms.few = term.few || term.count <= FEW;
    }
  }
  return terms;
}

const couponOf = ({ percent, amount, code, text }: Coupon): Coupon => ({ percent, amount, code, text });

export interface PriceParts {
  weighed: Weighed;
  best: Candidate;
  offer: Offer | null;
  input: PageInput;
  read: Read;
  terms: Terms;
  /** Prices of the options that are left open. */
  options: readonly string[];
}

type Price = NonNullable<ExtractedPage["price"]>;

export function priceOf(parts: PriceParts): Price {
  const { weighed, best, offer, read, terms } = parts;
  const { currency, currencySource } = currencyFor(parts);
  const decimals = currency ? (DECIMALS_OF.get(currency) ?? 2) : 2;
  const money = (amount: string) => withDecimals(amount, decimals);
  const list =
    weighed.list ??
    (offer?.list && compareAmounts(offer.list, best.amount) > 0 ? plainAmount(offer.list) : null) ??
    metaList(read.metas, best.amount);
  const unit = read.spots.prices.find(
    (s) =>
      s.price.kind === "per_unit" &&
      best.spot &&
      Math.abs(s.at - best.spot.at) < REACH.unitPrice &&
      s.price.amount !== null,
  );
  const shipping = offer?.shipping ?? (terms.freeShipping ? "0" : null);
  return {
    amount: money(best.amount),
    ...rangeOf(parts, money),
    currency,
    currencySource,
    listAmount: list ? money(list) : null,
    listType: list ? (weighed.list ? "strikethrough" : "markup") : null,
    shipping: shipping === null ? null : money(shipping),
    taxIncluded: offer?.taxIncluded ?? terms.taxIncluded,
    coupon: terms.coupon,
    unit: unit ? { amount: unit.price.amount!, per: unit.price.per ?? "" } : null,
    validUntil: offer?.validUntil ?? null,
    raw: best.raw ?? offer?.raw ?? best.amount,
  };
}

/** Lowest and highest of what is left open, and how the page puts it. */
function rangeOf(
  { best, offer, options }: PriceParts,
  money: (amount: string) => string,
): Pick<Price, "kind" | "low" | "high"> {
  const shown = best.spot?.price ?? null;
  const above = [offer?.high, shown?.high, ...options].filter(
    (amount): amount is string => !!amount && plainAmount(amount) !== null && compareAmounts(amount, best.amount) > 0,
  );
  const high = above.reduce((max, amount) => (compareAmounts(amount, max) > 0 ? amount : max), best.amount);
  const kind = shown?.kind === "range" ? "range" : shown?.kind === "from" || above.length > 0 ? "from" : "price";
  return { kind, low: money(best.amount), high: money(high) };
}

/** By markup, else by what stands beside the amount, else by the page's other data, else the likeliest of the sign. */
function currencyFor({ best, offer, input, read }: PriceParts): Pick<Price, "currency" | "currencySource"> {
  const shown = best.spot?.price ?? null;
  const isMarked = best.methods.some((method) => method !== "dom" && method !== "script");
  const marked = offer?.currency ?? (isMarked ? best.currency : null);
  if (marked) return { currency: marked, currencySource: "markup" };
  if (shown?.currency && shown.certain) return { currency: shown.currency, currencySource: "text" };
  const settled = [
    read.metas.get("product:price:currency", "og:price:currency"),
    read.evidence.currency,
    input.currency,
    currencyOfPlace(read.place),
  ].find((c) => c && (!shown || shown.candidates.length === 0 || shown.candidates.includes(c)));
  if (settled) return { currency: settled, currencySource: "context" };
  return shown?.currency
    ? { currency: shown.currency, currencySource: "guess" }
    : { currency: null, currencySource: null };
}

function metaList(metas: Metas, amount: string): string | null {
  const found = amountOf(metas.get("product:original_price:amount", "og:price:standard_amount"))?.amount;
  return found && compareAmounts(found, amount) > 0 ? plainAmount(found) : null;
}
