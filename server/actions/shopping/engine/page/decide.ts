// From everything that was read of a page to one answer: product, price, stock, and how sure that is.
import type { Tree } from "../html/tree.ts";
import { mainProduct, type PageFacts } from "../product/main-product.ts";
import type { Offer, Product } from "../product/offers.ts";
import { platformOf } from "../product/platform.ts";
import { chooseVariant, NO_CHOICE, type VariantChoice } from "../product/variants.ts";
import { baseOf } from "../structured/documents.ts";
import type { Heading } from "../visible/heading.ts";
import { CHROME, LISTING } from "../visible/signals.ts";
import { plainAmount } from "./amounts.ts";
import { chooseCode, isGtin } from "./codes.ts";
import { absolute, conditionOf, gtinOf, type PageInput, type Read } from "./context.ts";
import { showCandidates } from "./point.ts";
import { priceOf, type Terms, termsNear } from "./price.ts";
import type { ExtractedPage, PageStatus, PageWarning } from "./result.ts";
import { isPurchasable, judgeStock, stockByName, type Stock } from "./stock.ts";
import { type Candidate, type Weighed, weigh } from "./weigh.ts";
import { lowest, matchingOffers, pointedPrice, witnessesOf } from "./witnesses.ts";

/** How sure a price is, from 0 to 1: where it starts, what raises and what lowers it. */
const CONFIDENCE = {
  start: 0.55,
  min: 0.3,
  max: 0.99,
  /** A lead of 30 points over the next candidate would be worth 1, the score of 100 points too; both are capped. */
  leadPoints: 30,
  leadMax: 0.25,
  scorePoints: 100,
  scoreMax: 0.2,
  severalWitnesses: 0.08,
  oneWitness: -0.1,
  /** Markup names a price that the page does not show, and shows another in its place. */
  disagreement: -0.4,
  /** The caller pointed at something that is not there. */
  selectorMissed: -0.3,
  /** Below this the answer is ambiguous. */
  ambiguousBelow: 0.42,
} as const;

/** How much more the offers of a variant weigh because the caller or the address names it. */
const VARIANT_WEIGHT = { request: 30, url: 3 } as const;
/** From this score on an amount may be a price. */
const CANDIDATE_SCORE = 6;
const MAX_CANDIDATES = 5;
const MAX_OFFERS = 50;
const MAX_VARIANTS = 200;

interface PageParts {
  input: PageInput;
  tree: Tree;
  heading: Heading;
  facts: PageFacts;
  read: Read;
}

/** What is settled before the answer is written. */
interface Decision {
  choice: VariantChoice;
  offers: Offer[];
  weighed: Weighed;
  best: Candidate | null;
  /** The offer of the price, and the variant it belongs to where that is clear. */
  offer: Offer | null;
  variant: Product | null;
  stock: Stock;
  terms: Terms;
  confidence: number;
  warnings: PageWarning[];
}

export function decide(parts: PageParts): ExtractedPage {
  const { input, read } = parts;
  const asked = settle(parts, chooseVariant(read.main, input.variant ?? null, input.url));
  // The address may name one variant while the page shows another: then what is shown counts, code and all.
  const isElsewhere = asked.choice.by === "url" && asked.best !== null && asked.offer === null;
  const decision = isElsewhere ? settle(parts, NO_CHOICE) : asked;
  const { weighed, best, offer, choice, stock, terms, confidence } = decision;
  const price = best
    ? priceOf({ weighed, best, offer, input, read, terms, options: optionsOf(read.main, decision) })
    : null;
  return {
    status: statusOf(parts, decision),
    canonicalUrl: absolute(read.canonical, input.url),
    // Named only where the page shows no price: then the platform's own JSON may.
    platform: price === null && choice.kind !== "missing" ? platformOf(input.bytes) : null,
    product: productOf(parts, decision),
    price,
    availability: availabilityOf(stock, offer, terms),
    method: best ? best.methods.join("+") : null,
    confidence: Number(confidence.toFixed(2)),
    warnings: decision.warnings,
    candidates: showCandidates(
      parts.tree,
      weighed.candidates.filter((c) => c.score > 0).slice(0, MAX_CANDIDATES),
      read.place,
    ),
    offers: decision.offers.slice(0, MAX_OFFERS),
    variants: (read.main?.variants ?? []).slice(0, MAX_VARIANTS).map(variantOf),
  };
}

function settle({ input, tree, facts, read }: PageParts, choice: VariantChoice): Decision {
  const { main, spots } = read;
  const all = offersFor(choice, read, facts);
  const offers = matchingOffers(all, input);
  const pointed = input.selector ? pointedPrice(tree, input.selector, read.place) : [];
  const asksForOffer = Boolean(input.seller || (input.condition && input.condition !== "any"));
  const weight = choice.kind === "none" || choice.by === null ? 0 : VARIANT_WEIGHT[choice.by];
  const weighed = weigh([...witnessesOf(offers, read, weight), ...pointed], spots, read.evidence);
  // A price of another variant, or of another seller than the one asked for, is worse than none.
  const refused = choice.kind === "missing" || (asksForOffer && all.length > 0 && offers.length === 0);
  const best = refused ? null : weighed.best;
  const warnings: PageWarning[] = [];
  if (input.selector && pointed.length === 0) warnings.push("selector_found_nothing");
  if (asksForOffer && offers.length === 0) warnings.push("no_matching_offer");
  const stock = judgeStock({
    offers,
    meta: read.metas.get("product:availability", "og:availability", "availability") ?? looseStock(read),
    platform: null,
    spots,
    priceAt: best?.spot?.at ?? -1,
    hasPrice: best !== null,
    variantNamed: choice.kind === "one" && offers.length > 0,
  });
  const offer = best ? (offers.find((o) => plainAmount(o.amount) === best.amount) ?? null) : null;
  return {
    choice,
    offers,
    weighed,
    best,
    offer,
    variant: choice.kind === "one" ? (choice.variants[0] ?? null) : ownerOf(main, choice, best),
    stock,
    terms: termsNear(spots, best),
    confidence: best ? confidenceOf(weighed, best, warnings) : 0,
    warnings,
  };
}

/** The only variant that costs this much; null where there are several, or none. */
function ownerOf(main: Product | null, choice: VariantChoice, best: Candidate | null): Product | null {
  if (best === null || choice.kind === "several") return null;
  const owners = (main?.variants ?? []).filter((v) => plainAmount(lowest(v.offers)?.amount ?? null) === best.amount);
  const buyable = owners.filter((v) => isBuyable(lowest(v.offers)));
  const [owner, second] = buyable.length > 0 ? buyable : owners;
  return owner && !second ? owner : null;
}

function isBuyable(offer: Offer | null): boolean {
  const status = stockByName(offer?.availability)?.status;
  return offer !== null && (status === undefined || isPurchasable(status));
}

/** The prices of the options that the answer leaves open: of the variants that can be bought. */
function optionsOf(main: Product | null, { choice }: Decision): string[] {
  const variants = choice.kind === "several" ? choice.variants : choice.kind === "none" ? (main?.variants ?? []) : [];
  return variants
    .map((v) => lowest(v.offers))
    .filter(isBuyable)
    .map((o) => plainAmount(o!.amount))
    .filter((amount): amount is string => amount !== null);
}

function confidenceOf({ candidates }: Weighed, best: Candidate, warnings: readonly PageWarning[]): number {
  const first = candidates[0]?.score ?? 0;
  const second = candidates[1]?.score ?? 0;
  const sum =
    CONFIDENCE.start +
    Math.min(CONFIDENCE.leadMax, (first - second) / CONFIDENCE.leadPoints) +
    Math.min(CONFIDENCE.scoreMax, first / CONFIDENCE.scorePoints) +
    (best.methods.length > 1 ? CONFIDENCE.severalWitnesses : CONFIDENCE.oneWitness) +
    (isContradicted(best, candidates) ? CONFIDENCE.disagreement : 0) +
    (warnings.includes("selector_found_nothing") ? CONFIDENCE.selectorMissed : 0);
  return Math.max(CONFIDENCE.min, Math.min(CONFIDENCE.max, sum));
}

/** Only markup names the price, and another amount stands where a price is shown. */
function isContradicted(best: Candidate, candidates: readonly Candidate[]): boolean {
  if (best.spot !== null || best.methods.includes("selector")) return false;
  return candidates.some(
    (c) =>
      c !== best &&
      !c.struck &&
      c.score >= CANDIDATE_SCORE &&
      c.spot !== null &&
      c.methods.includes("dom") &&
      !(c.spot.zone & (LISTING | CHROME)),
  );
}

function statusOf({ read }: PageParts, { choice, best, weighed, confidence }: Decision): PageStatus {
  if (choice.kind === "missing") return "variant_not_found";
  if (best) return choice.kind === "several" || confidence < CONFIDENCE.ambiguousBelow ? "ambiguous" : "ok";
  if ((weighed.candidates[0]?.score ?? 0) >= CANDIDATE_SCORE) return "ambiguous";
  return read.main || read.spots.headingAt >= 0 ? "no_price" : "not_a_product";
}

function productOf({ input, tree, heading, read }: PageParts, decision: Decision): ExtractedPage["product"] {
  const { main, metas } = read;
  const { choice, offer, offers, variant } = decision;
  const product = variant ?? main;
  const gtin = gtinOf(product, metas);
  const code = chooseCode({
    url: input.url,
    canonical: read.canonical,
    product,
    offerSku: offer?.sku ?? (offers.length === 1 ? offers[0]!.sku : null),
    meta: metas.get("product:retailer_item_id", "product:sku", "product:retailer_part_no"),
    named: read.evidence.codes,
    excluded: otherCodes(main, variant),
    spots: read.spots,
  });
  return {
    name: main?.name ?? (heading.text || heading.title || null),
    brand: main?.brand ?? metas.get("product:brand", "og:brand"),
    image: absolute(main?.image ?? metas.get("og:image", "twitter:image"), baseOf(tree, input.url)),
    sku: code?.code ?? null,
    skuSource: code?.source ?? null,
    mpn: product?.mpn ?? null,
    gtin,
    gtinValid: gtin === null ? null : isGtin(gtin),
    condition: conditionOf(offer?.condition ?? main?.condition ?? metas.get("product:condition")),
    rating: main?.rating ?? null,
    seller: offer?.seller ?? null,
    groupId: main?.groupId ?? null,
    variant:
      choice.kind === "one" && variant
        ? { id: variant.sku ?? variant.productId, options: variant.options, selectedBy: choice.by! }
        : null,
  };
}

/** Codes of the variants that are not meant: the code of one must never stand beside the price of another. */
function otherCodes(main: Product | null, variant: Product | null): Set<string> {
  const codes = new Set<string>();
  for (const other of main?.variants ?? [])
    if (other !== variant) for (const code of [other.sku, other.productId]) if (code) codes.add(code.toLowerCase());
  for (const code of [variant?.sku, variant?.productId, main?.sku]) if (code) codes.delete(code.toLowerCase());
  return codes;
}

/** The offers of the page's own product: a named variant's, else all, other products with the same name included. */
function offersFor(choice: VariantChoice, { main, products }: Read, facts: PageFacts): Offer[] {
  if (!main || choice.kind === "missing") return [];
  if (choice.offer) return [choice.offer];
  if (choice.variants.length > 0) return choice.variants.flatMap((v) => v.offers);
  const own = main.offers.length > 0 ? main.offers : main.variants.flatMap((v) => v.offers);
  const twins = products.filter(
    (p) =>
      p !== main &&
      p.source === main.source &&
      p.name !== null &&
      p.name === main.name &&
      p.node < 0 &&
      p.offers.length > 0,
  );
  const others = (["json-ld", "microdata", "rdfa"] as const)
    .filter((source) => source !== main.source)
    .map((source) =>
      mainProduct(
        products.filter((p) => p.source === source),
        facts,
      ),
    );
  return [...own, ...twins.flatMap((p) => p.offers), ...others.flatMap((p) => p?.offers ?? [])];
}

const variantOf = (v: Product): ExtractedPage["variants"][number] => {
  const offer = lowest(v.offers);
  return {
    id: v.sku ?? v.productId,
    name: v.name,
    options: v.options,
    amount: offer?.amount ?? null,
    currency: offer?.currency ?? null,
    availability: stockByName(v.offers[0]?.availability)?.status ?? "unknown",
  };
};

function availabilityOf(stock: Stock, offer: Offer | null, terms: Terms): ExtractedPage["availability"] {
  const few = terms.quantity !== null && terms.few && stock.status === "in_stock";
  return {
    status: few ? "limited" : stock.status,
    purchasable: stock.status === "unknown" ? null : isPurchasable(stock.status),
    quantity: offer?.quantity ?? (isPurchasable(stock.status) ? terms.quantity : null),
    availableFrom: offer?.availableFrom ?? null,
    schemaOrg: stock.schemaOrg,
    raw: stock.raw,
    source: stock.source,
    confidence: stock.confidence,
  };
}

const looseStock = ({ loose, zones }: Read): string | null =>
  loose.find((p) => p.name === "availability" && !(zones[p.node]! & (LISTING | CHROME)))?.value ?? null;
