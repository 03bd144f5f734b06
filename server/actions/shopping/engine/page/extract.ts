// A page's bytes and address to a product: reads every witness once, weighs them, says what it believes and why.
import { decodePage } from "../html/charset.ts";
import { attribute } from "../html/query.ts";
import { scan, type Tree } from "../html/scan.ts";
import { tag } from "../html/tags.ts";
import { currencyOfPlace, decimalsOf } from "../price/currencies.ts";
import { parsePrice } from "../price/parse.ts";
import { baseOf } from "../structured/documents.ts";
import { jsonLdItems, jsonLdValues, scriptsOf } from "../structured/json-ld.ts";
import { readMetas, type Metas } from "../structured/metas.ts";
import { looseProperties, microdataItems } from "../structured/microdata.ts";
import { rdfaItems } from "../structured/rdfa.ts";
import { compareAmounts, plainAmount, withDecimals } from "./amounts.ts";
import { pageFault } from "./blocked.ts";
import { chooseCode, isGtin } from "./codes.ts";
import { gatherEvidence, type Evidence } from "./evidence.ts";
import { findHeading, type Heading } from "./heading.ts";
import { chosenVariant, mainProduct, type PageFacts } from "./main-product.ts";
import { amountOf, productsOf, type Offer, type Product } from "./offers.ts";
import { platformOf, type Platform } from "./platform.ts";
import type { ExtractedPage } from "./result.ts";
import { LISTING, CHROME, OLD } from "./signals.ts";
import { selectText } from "./select.ts";
import { collectSpots, type Spots } from "./spots.ts";
import { isPurchasable, judgeStock, stockByName, type Stock } from "./stock.ts";
import { weigh, type Weighed, type Witness } from "./weigh.ts";
import { zonesOf } from "./zones.ts";

export interface PageInput {
  bytes: Uint8Array;
  url: string;
  status?: number;
  contentType?: string | null;
  /** Which variant the caller asked for: a code, a number, `size:M`. */
  variant?: string | null;
  /** Hints; markup that names a currency is never overruled. */
  currency?: string | null;
  locale?: string | null;
  /** Only offers of this condition or seller count. */
  condition?: string | null;
  seller?: string | null;
  /** The caller's own pointer to the price. */
  selector?: string | null;
}

export function extractPage(input: PageInput): ExtractedPage {
  const source = decodePage(input.bytes, input.contentType);
  const tree = scan(source);
  const heading = findHeading(tree);
  const fault = pageFault(input.status ?? 200, input.contentType ?? null, source, heading.title);
  const page = readPage(input, tree, heading);
  if (fault === "not_html") return { ...page, status: "not_a_product" };
  if (fault === "gone" || (fault === "blocked" && page.price === null)) return { ...page, status: fault, price: null };
  return page;
}

interface Read {
  metas: Metas;
  products: Product[];
  main: Product | null;
  zones: Int32Array;
  spots: Spots;
  evidence: Evidence;
  place: string | null;
  canonical: string | null;
  platform: Platform | null;
  loose: ReturnType<typeof looseProperties>;
}

function readPage(input: PageInput, tree: Tree, heading: Heading): ExtractedPage {
  const metas = readMetas(tree);
  const place = placeOf(tree, input);
  const zones = zonesOf(tree, heading.node);
  const canonical = canonicalOf(tree, input.url) ?? metas.get("og:url");
  const facts: PageFacts = {
    url: input.url, canonical, heading: heading.text, title: heading.title, headingNode: heading.node,
    after: (node) => tree.after[node] ?? node, elsewhere: (node) => (zones[node]! & (LISTING | CHROME)) !== 0,
  };
  const products = [...productsOf(jsonLdItems(jsonLdValues(tree, scriptsOf(tree))), "json-ld"), ...productsOf(microdataItems(tree), "microdata"), ...productsOf(rdfaItems(tree), "rdfa")];
  const spots = collectSpots(tree, zones, heading.node, place);
  const read: Read = { metas, products, main: mainProduct(products, facts), zones, spots, evidence: gatherEvidence(tree), place, canonical, platform: platformOf(input.bytes), loose: looseProperties(tree) };
  return conclude(input, tree, heading, facts, read);
}

function conclude(input: PageInput, tree: Tree, heading: Heading, facts: PageFacts, read: Read): ExtractedPage {
  const { main, spots, metas } = read;
  const chosen = main ? chosenVariant(main, input.variant ?? null, input.url) : { variant: null, offer: null, by: null };
  const offers = wanted(offersFor(main, chosen, read, facts), input);
  const pointed = input.selector ? pointedPrice(tree, input.selector, read.place) : [];
  const weighed = weigh([...witnessesOf(offers, read, chosen.by === "request" ? 30 : chosen.by === "url" ? 3 : 0), ...pointed], spots, read.evidence);
  const best = weighed.best;
  const stock = judgeStock({ offers, meta: metas.get("product:availability", "og:availability", "availability") ?? looseStock(read), platform: null, spots, priceAt: best?.spot?.at ?? -1, hasPrice: best !== null });
  const offer = best ? offers.find((o) => plainAmount(o.amount) === best.amount) ?? null : null;
  const code = chooseCode({ url: input.url, canonical: read.canonical, product: chosen.variant ?? main, offerSku: offer?.sku ?? (offers.length === 1 ? offers[0]!.sku : null), meta: metas.get("product:retailer_item_id", "product:sku", "product:retailer_part_no"), named: read.evidence.codes, spots });
  const gtin = gtinOf(chosen.variant ?? main, metas);
  const price = best ? priceOf(weighed, offer, input, read) : null;
  const first = weighed.candidates[0]?.score ?? 0, second = weighed.candidates[1]?.score ?? 0;
  const confidence = best ? Math.max(0.3, Math.min(0.99, 0.55 + Math.min(0.25, (first - second) / 30) + Math.min(0.2, first / 100) + (best.methods.length > 1 ? 0.08 : -0.1))) : 0;
  return {
    status: price ? (confidence < 0.42 ? "ambiguous" : "ok") : main || spots.headingAt >= 0 ? "no_price" : "not_a_product",
    canonicalUrl: absolute(read.canonical, input.url), platform: read.platform,
    product: {
      name: main?.name ?? (heading.text || heading.title || null), brand: main?.brand ?? metas.get("product:brand", "og:brand"),
      image: absolute(main?.image ?? metas.get("og:image", "twitter:image"), baseOf(tree, input.url)), sku: code?.code ?? null, skuSource: code?.source ?? null,
      mpn: (chosen.variant ?? main)?.mpn ?? null, gtin, gtinValid: gtin === null ? null : isGtin(gtin),
      condition: conditionOf(offer?.condition ?? main?.condition ?? metas.get("product:condition")), seller: offer?.seller ?? null, groupId: main?.groupId ?? null,
      variant: chosen.variant ? { id: chosen.variant.sku ?? chosen.variant.productId, options: chosen.variant.options, selectedBy: chosen.by! } : null,
    },
    price, availability: availabilityOf(stock, offer),
    method: best ? best.methods.join("+") : null, confidence: Number(confidence.toFixed(2)),
    candidates: weighed.candidates.filter((c) => c.score > 0).slice(0, 5).map((c) => ({ amount: c.amount, currency: c.currency, method: c.methods.join("+") || "dom", score: Number(c.score.toFixed(1)) })),
    offers: offers.slice(0, 50), variants: (main?.variants ?? []).slice(0, 200).map((v) => ({ id: v.sku ?? v.productId, name: v.name, options: v.options, amount: lowest(v.offers)?.amount ?? null, currency: lowest(v.offers)?.currency ?? null, availability: stockByName(v.offers[0]?.availability)?.status ?? "unknown" })),
  };
}

/** The offers of the page's own product: a named variant's, else all, other products with the same name included. */
function offersFor(main: Product | null, chosen: ReturnType<typeof chosenVariant>, read: Read, facts: PageFacts): Offer[] {
  if (!main) return [];
  if (chosen.offer) return [chosen.offer];
  if (chosen.variant) return chosen.variant.offers;
  const own = main.offers.length > 0 ? main.offers : main.variants.flatMap((v) => v.offers);
  const twins = read.products.filter((p) => p !== main && p.source === main.source && p.name !== null && p.name === main.name && p.node < 0 && p.offers.length > 0);
  const others = read.products.filter((p) => p !== main && p.source !== main.source && p === mainProduct(read.products.filter((x) => x.source === p.source), facts));
  return [...own, ...twins.flatMap((p) => p.offers), ...others.flatMap((p) => p.offers)];
}

/** Offers of the asked condition and seller; all of them where none says either. */
function wanted(offers: Offer[], input: PageInput): Offer[] {
  const seller = input.seller?.toLowerCase();
  const fits = offers.filter((o) => (!input.condition || input.condition === "any" || (conditionOf(o.condition) ?? "new") === input.condition) && (!seller || o.seller?.toLowerCase() === seller));
  return fits.length > 0 || input.seller ? fits : offers;
}

/** What the caller points at outweighs everything the page says elsewhere. */
function pointedPrice(tree: Tree, selector: string, place: string | null): Witness[] {
  const text = selectText(tree, selector);
  const parsed = text === null ? null : parsePrice(text.slice(0, 160), { locale: place });
  return parsed?.amount ? [{ amount: parsed.amount, currency: parsed.currency, method: "selector", weight: 60 }] : [];
}

function lowest(offers: readonly Offer[]): Offer | null {
  const priced = offers.filter((o) => plainAmount(o.amount) !== null && plainAmount(o.amount) !== "0");
  const buyable = priced.filter((o) => { const s = stockByName(o.availability)?.status; return s === undefined || isPurchasable(s); });
  const pool = buyable.length > 0 ? buyable : priced;
  return pool.reduce<Offer | null>((low, o) => (low === null || compareAmounts(o.amount!, low.amount!) < 0 ? o : low), null);
}

const WEIGHT = { "json-ld": 11, microdata: 10, rdfa: 9, meta: 8, loose: 5 };

/** `sure`: how much more the offers weigh because the caller or the address names their variant. */
function witnessesOf(offers: readonly Offer[], read: Read, sure: number): Witness[] {
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
  const sale = metas.get("product:sale_price:amount"), plain = metas.get("product:price:amount"), og = metas.get("og:price:amount", "twitter:data1");
  const currency = metas.get("product:sale_price:currency", "product:price:currency", "og:price:currency", "product:currency");
  if (sale) meta(sale, WEIGHT.meta + 1);
  if (plain) meta(plain, sale ? 1 : WEIGHT.meta);
  if (og && /\d/.test(og)) meta(og, sale || plain ? WEIGHT.meta * 0.8 : WEIGHT.meta);
  // Some shops say the price in the description they hand to search engines.
  const described = parsePrice((metas.get("og:description", "description") ?? "").slice(0, 160), { locale: read.place });
  if (described.amount && described.source === "sign" && described.kind === "price") out.push({ amount: described.amount, currency: described.certain ? described.currency : null, method: "meta-text", weight: 2.5 });
  const loose = read.loose.filter((p) => /^(?:price|lowPrice)$/.test(p.name) && !(read.zones[p.node]! & (LISTING | CHROME | OLD)));
  for (const property of loose.slice(0, 3)) {
    const read1 = amountOf(property.value.slice(0, 60));
    if (read1?.amount) out.push({ amount: read1.amount, currency: read1.currency, method: "microdata", weight: loose.length > 3 ? 2 : WEIGHT.loose });
  }
  return out;

  function meta(raw: string, weight: number): void {
    const found = amountOf(raw.trim());
    if (found?.amount) out.push({ amount: found.amount, currency: currency?.trim().toUpperCase() || found.currency, method: "meta", weight });
  }
}

function priceOf(weighed: Weighed, offer: Offer | null, input: PageInput, read: Read): NonNullable<ExtractedPage["price"]> {
  const best = weighed.best!;
  const spot = best.spot?.price ?? null;
  const marked = offer?.currency ?? (best.methods.some((m) => m !== "dom" && m !== "script") ? best.currency : null);
  const shown = spot?.currency && spot.certain ? spot.currency : null;
  const settled = [read.metas.get("product:price:currency", "og:price:currency"), read.evidence.currency, input.currency, currencyOfPlace(read.place)].find((c) => c && (!spot || spot.candidates.length === 0 || spot.candidates.includes(c))) ?? null;
  const currency = marked ?? shown ?? settled ?? spot?.currency ?? null;
  const decimals = currency ? decimalsOf.get(currency) ?? 2 : 2;
  const list = weighed.list ?? (offer?.list && compareAmounts(offer.list, best.amount) > 0 ? plainAmount(offer.list) : null) ?? metaList(read.metas, best.amount);
  const unit = read.spots.prices.find((s) => s.price.kind === "per_unit" && best.spot && Math.abs(s.at - best.spot.at) < 200 && s.price.amount !== null);
  return {
    amount: withDecimals(best.amount, decimals), currency, currencySource: marked ? "markup" : shown ? "text" : settled ? "context" : currency ? "guess" : null,
    listAmount: list ? withDecimals(list, decimals) : null, listType: list ? (weighed.list ? "strikethrough" : "markup") : null,
    low: withDecimals(best.amount, decimals), high: withDecimals(offer?.high && compareAmounts(offer.high, best.amount) > 0 ? offer.high : spot?.high ?? best.amount, decimals),
    shipping: offer?.shipping ? withDecimals(offer.shipping, decimals) : null, taxIncluded: offer?.taxIncluded ?? null,
    unit: unit ? { amount: unit.price.amount!, per: unit.price.per ?? "" } : null, validUntil: offer?.validUntil ?? null, raw: best.raw ?? offer?.raw ?? best.amount,
  };
}

function metaList(metas: Metas, amount: string): string | null {
  const found = amountOf(metas.get("product:original_price:amount", "og:price:standard_amount"))?.amount;
  return found && compareAmounts(found, amount) > 0 ? plainAmount(found) : null;
}

const availabilityOf = (stock: Stock, offer: Offer | null): ExtractedPage["availability"] => ({
  status: stock.status, purchasable: stock.status === "unknown" ? null : isPurchasable(stock.status), quantity: offer?.quantity ?? null,
  availableFrom: offer?.availableFrom ?? null, schemaOrg: stock.schemaOrg, raw: stock.raw, source: stock.source, confidence: stock.confidence,
});

function looseStock({ loose, zones }: Read): string | null {
  return loose.find((p) => p.name === "availability" && !(zones[p.node]! & (LISTING | CHROME)))?.value ?? null;
}

function gtinOf(product: Product | null, metas: Metas): string | null {
  const raw = product?.gtin ?? metas.get("product:gtin", "product:ean", "product:upc", "product:isbn");
  const digits = raw?.replaceAll(/[^\dXx]/g, "") ?? "";
  return digits.length >= 8 ? digits : null;
}

function conditionOf(raw: string | null): string | null {
  if (!raw) return null;
  return /refurb/i.test(raw) ? "refurbished" : /used|gebraucht/i.test(raw) ? "used" : /damaged/i.test(raw) ? "damaged" : /new/i.test(raw) ? "new" : null;
}

const HTML = tag("html"), LINK_TAG = tag("link");

/** Where the page is from, for signs that several countries use: the language's region, else the host's country. */
function placeOf(tree: Tree, input: PageInput): string | null {
  if (input.locale) return input.locale;
  const html = tree.tag.subarray(0, Math.min(tree.count, 50)).indexOf(HTML);
  const lang = html < 0 ? null : attribute(tree, html, "lang") ?? attribute(tree, html, "xml:lang");
  let host = "";
  try {
    host = new URL(input.url).hostname;
  } catch {
    return lang;
  }
  const ending = host.slice(host.lastIndexOf(".") + 1);
  if (ending.length === 2 && currencyOfPlace(ending)) return ending;
  return lang && /[-_]\w{2}$/.test(lang) ? lang : /^(?:ja|zh|ko)\b/.test(lang ?? "") ? lang : null;
}

function canonicalOf(tree: Tree, url: string): string | null {
  for (let i = 0; i < tree.count; i++) {
    if (tree.tag[i] !== LINK_TAG || !/canonical/i.test(attribute(tree, i, "rel") ?? "")) continue;
    return absolute(attribute(tree, i, "href"), url);
  }
  return null;
}

function absolute(address: string | null | undefined, base: string): string | null {
  if (!address) return null;
  try {
    const url = new URL(address.trim(), base);
    return /^https?:$/.test(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}
