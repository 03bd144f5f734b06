// Terms of sale in the words beside a price: tax, free shipping, coupons, how many are left. Data and matching only.
import { parsePrice } from "../price/parse.ts";
import { PhraseBook } from "./phrase-book.ts";

/** A reduction that the buyer must ask for: by a box to tick or a code to enter. */
export interface Coupon {
  percent: number | null;
  amount: string | null;
  code: string | null;
  text: string;
}

export type Term =
  | { kind: "tax"; included: boolean }
  | { kind: "free_shipping" }
  | ({ kind: "coupon" } & Coupon)
  /** `few`: the shop itself says that there are not many. */
  | { kind: "quantity"; count: number; few: boolean };

const TAX_INCLUDED = new PhraseBook(
  `inkl mwst|inkl. mwst|inkl. gesetzl|inkl. ust|inklusive mwst|inkl. 19|inkl. 20|incl. vat|incl vat|inc. vat|inc vat|including vat|vat included|
vat incl|tax included|incl. tax|including tax|taxes included|ttc|tva incluse|tva comprise|iva incluido|iva inc|iva inclusa|
iva inclusiva|iva incluída|incl. btw|inclusief btw|z vat|brutto|vč. dph|včetně dph|s dph|vrátane dph|inkl. moms|inkl moms|
inkl. mva|sis. alv|sis alv|bruttó|cu tva|tva inclus|с ндс|включая ндс|με φπα|kdv dahil|z ddv|s pdv-om|税込|含税|含稅|부가세 포함`,
);
const TAX_EXCLUDED = new PhraseBook(
  `zzgl. mwst|zzgl mwst|exkl. mwst|ohne mwst|netto|excl. vat|excl vat|ex. vat|ex vat|exc. vat|excluding vat|plus vat|excl. tax|
excluding tax|plus tax|hors taxe|iva no incluido|sin iva|iva esclusa|sem iva|excl. btw|exclusief btw|bez dph|exkl. moms|
ekskl. moms|eks. mva|alv 0|nettó|fără tva|без ндс|χωρίς φπα|kdv hariç|税抜|未税|未稅`,
);
const FREE_SHIPPING = new PhraseBook(
  `free shipping|free delivery|free uk delivery|free standard delivery|free postage|delivery free|shipping free|delivery: free|
shipping: free|free p&p|versandkostenfrei|kostenloser versand|kostenlose lieferung|gratis versand|gratisversand|
livraison gratuite|livraison offerte|envío gratis|envío gratuito|spedizione gratuita|spedizione gratis|frete grátis|
portes grátis|envio grátis|gratis verzending|gratis bezorging|gratis levering|darmowa dostawa|doprava zdarma|fri frakt|
gratis frakt|fri fragt|ilmainen toimitus|ingyenes szállítás|livrare gratuită|transport gratuit|бесплатная доставка|
безкоштовна доставка|безплатна доставка|δωρεάν μεταφορικά|ücretsiz kargo|kargo bedava|brezplačna dostava|
besplatna dostava|送料無料|免运费|包邮|免運|무료배송`,
);
/** Free from a sum on, or for members, is not free. */
const CONDITION =
  /\d|over|above|from|ab\s|dès|à partir|desde|a partir|sopra|oltre|vanaf|od\s|över|fra\s|от\s|member|prime/i;

const FEW =
  /(?:^|[^\p{L}])(?:only|just|nur noch|nur|noch|plus que|ne reste(?: plus)? que|reste|solo quedan|quedan(?: solo)?|solo|últim[oa]s|rimangono(?: solo)?|ultim[ie]|restam(?: apenas)?|apenas|slechts|nog(?: maar)?|zostało(?: tylko)?|ostatni[ea]|zbývá|posledn[íé]|bara|endast|kun|vain|осталось(?: всего)?|залишилось)\s*:?\s*(\d{1,4})(?![\d.,:%])\s*(?!\p{Sc})(?:left|remaining|in stock|available|st(?:ü|u)ck|stk|pcs|auf lager|verfügbar|vorrätig|exemplaires?|en stock|disponibles?|unidades|pezzi|disponibil[ie]|unidade|op voorraad|stuks|szt|w magazynie|ks|kus[yů]?|skladem|kvar|i lager|på lager|tilbage|igjen|kpl|jäljellä|шт)/iu;
const FEW_UNSPACED = /(?:残り|仅剩|僅剩|只剩)\s*(\d{1,4})/u;
const COUNTED =
  /(?:^|[^\p{L}\d.,>+])(\d{1,4})\s*(?:x\s*)?(?:left|remaining|in stock|available|st(?:ü|u)ck (?:auf lager|verfügbar|vorrätig)|auf lager|exemplaires? en stock|en stock|disponibles|pezzi disponibili|op voorraad|szt\.? w magazynie|ks skladem|i lager|på lager)(?![\p{L}])/iu;
const MORE_THAN = /more than|over|at least|mehr als|über|plus de|más de|più di|meer dan|ponad|více než|[>+≥]/i;

const COUPON = new PhraseBook(
  `coupon|coupons|voucher|vouchers|promo code|promotion code|promocode|discount code|gutschein|gutscheincode|rabattcode|
code promo|bon de réduction|cupón|cupon|cupones|código de descuento|codice sconto|buono sconto|cupom|kortingscode|
kod rabatowy|slevový kód|rabattkod|rabatkode|alennuskoodi|kuponkód|промокод|купон`,
);
const PERCENT = /(?:^|[^\d.,])(\d{1,2})\s?%/;
const CODE =
  /(?:code|kod|kód|código|codice|koodi|промокод|coupon|voucher|gutschein)(?: promo)?\s*:?\s*["“„»']?([A-Z][A-Z0-9]{3,14})(?![\p{L}\d])/u;

/** A coupon names what it takes off; "Have a coupon?" does not. */
function couponIn(text: string): Term | null {
  if (!COUPON.isIn(text)) return null;
  const percent = Number(PERCENT.exec(text)?.[1] ?? 0) || null;
  const price = percent === null ? parsePrice(text) : null;
  const amount = price?.symbol ? price.amount : null;
  if (percent === null && amount === null) return null;
  return { kind: "coupon", percent, amount, code: CODE.exec(text)?.[1] ?? null, text };
}

/** What a short text says about the terms of the price near it; null for most texts. */
export function termOf(text: string): Term | null {
  if (TAX_INCLUDED.isIn(text)) return { kind: "tax", included: true };
  if (TAX_EXCLUDED.isIn(text)) return { kind: "tax", included: false };
  if (FREE_SHIPPING.isIn(text)) return CONDITION.test(text) ? null : { kind: "free_shipping" };
  return couponIn(text);
}

/** How many are left, where the text says so. */
export function quantityIn(text: string): Extract<Term, { kind: "quantity" }> | null {
  if (MORE_THAN.test(text)) return null;
  const few = FEW.exec(text) ?? FEW_UNSPACED.exec(text);
  if (few) return { kind: "quantity", count: Number(few[1]), few: true };
  const counted = COUNTED.exec(text);
  return counted ? { kind: "quantity", count: Number(counted[1]), few: false } : null;
}
