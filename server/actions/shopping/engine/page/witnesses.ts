// Evidence for a price, each with its weight: offers in the markup, meta elements, loose properties, the caller's own
// selector.
import type { Tree } from "../html/tree.ts";
import { parsePrice } from "../price/parse.ts";
import { amountOf, type Offer } from "../product/offers.ts";
import { CHROME, LISTING, OLD } from "../visible/signals.ts";
import { compareAmounts, plainAmount } from "./amounts.ts";
import { conditionOf, type PageInput, type Read } from "./context.ts";
import { selectText } from "./select.ts";
import { isPurchasable, stockByName } from "./stock.ts";
import type { Witness } from "./weigh.ts";

/** Offers of the asked condition and seller. What names no condition is new. */
export function matchingOffers(offers: readonly Offer[], input: PageInput): Offer[] {
  const seller = input.seller?.toLowerCase();
  return offers.filter(
    (o) =>
      (!input.condition || input.condition === "any" || (conditionOf(o.condition) ?? "new") === input.condition) &&
      (!seller || o.seller?.toLowerCase() === seller),
  );
}

/** What the caller points at outweighs everything the page says elsewhere. */
export function pointedPrice(tree: Tree, selector: string, place: string | null): Witness[] {
  const text = selectText(tree, selector);
  const parsed = text === null ? null : parsePrice(text.slice(0, 160), { locale: place });
  return parsed?.amount ? [{ amount: parsed.amount, currency: parsed.currency, method: "selector", weight: 60 }] : [];
}

export function lowest(offers: readonly Offer[]): Offer | null {
  const priced = offers.filter((o) => plainAmount(o.amount) !== null && plainAmount(o.amount) !== "0");
  const buyable = priced.filter((o) => {
    const s = stockByName(o.availability)?.status;
    return s === undefined || isPurchasable(s);
  });
  const pool = buyable.length > 0 ? buyable : priced;
  return pool.reduce<Offer | null>(
    (low, o) => (low === null || compareAmounts(o.amount!, low.amount!) < 0 ? o : low),
    null,
  );
}

const WEIGHT = { "json-ld": 11, microdata: 10, rdfa: 9, meta: 8, loose: 5 };

/** `sure`: how much more the offers weigh because the caller or the address names their variant. */
export function witnessesOf(offers: readonly Offer[], read: Read, sure: number): Witness[] {
  const out: Witness[] = [];
  const source = read.main?.source ?? "json-ld";
  const low = lowest(offers);
  for (const offer of offers.slice(0, 100)) {
    if (offer.amount === null) continue;
    // Of many offers the lowest that can be bought is the price; the others only support.
    const weight = offer === low || offer.amount === low?.amount ? WEIGHT[source] + sure : WEIGHT[source] * 0.45;
    out.push({ amount: offer.amount, currency: offer.currency, method: source, weight });
    const grouped = /^\d{1,3}(?:\.\d{3})+$/.test(offer.raw ?? "") ? offer.raw!.replaceAll(".", "") : null;
    if (grouped) out.push({ amount: grouped, currency: offer.currency, method: source, weight: WEIGHT[source] * 0.5 });
  }
  const { metas } = read;
  const sale = metas.get("product:sale_price:amount"),
    plain = metas.get("product:price:amount"),
    og = metas.get("og:price:amount", "twitter:data1");
  const currency = metas.get(
    "product:sale_price:currency",
    "product:price:currency",
    "og:price:currency",
    "product:currency",
  );
  if (sale) meta(sale, WEIGHT.meta + 1);
  if (plain) meta(plain, sale ? 1 : WEIGHT.meta);
  if (og && /\d/.test(og)) meta(og, sale || plain ? WEIGHT.meta * 0.8 : WEIGHT.meta);
  // Some shops say the price in the description they hand to search engines.
  const described = parsePrice((metas.get("og:description", "description") ?? "").slice(0, 160), {
    locale: read.place,
  });
  if (described.amount && described.source === "sign" && described.kind === "price")
    out.push({
      amount: described.amount,
      currency: described.certain ? described.currency : null,
      method: "meta-text",
      weight: 2.5,
    });
  const loose = read.loose.filter(
    (p) => /^(?:price|lowPrice)$/.test(p.name) && !(read.zones[p.node]! & (LISTING | CHROME | OLD)),
  );
  for (const property of loose.slice(0, 3)) {
    const read1 = amountOf(property.value.slice(0, 60));
    if (read1?.amount)
      out.push({
        amount: read1.amount,
        currency: read1.currency,
        method: "microdata",
        weight: loose.length > 3 ? 2 : WEIGHT.loose,
      });
  }
  return out;

  function meta(raw: string, weight: number): void {
    const found = amountOf(raw.trim());
    if (found?.amount)
      out.push({
        amount: found.amount,
        currency: currency?.trim().toUpperCase() || found.currency,
        method: "meta",
        weight,
      });
  }
}
