// A page's bytes and address to a product: reads every witness once, weighs them, says what it believes and why.
import { openPage } from "../html/charset.ts";
import { scan, type Tree } from "../html/scan.ts";
import { currencyOfPlace, decimalsOf } from "../price/currencies.ts";
import { chosenVariant, mainProduct, type PageFacts } from "../product/main-product.ts";
import { amountOf, productsOf, type Offer, type Product } from "../product/offers.ts";
import { platformOf } from "../product/platform.ts";
import { baseOf } from "../structured/documents.ts";
import { jsonLdItems, jsonLdValues, scriptsOf } from "../structured/json-ld.ts";
import { readMetas, type Metas } from "../structured/metas.ts";
import { looseProperties, microdataItems } from "../structured/microdata.ts";
import { rdfaItems } from "../structured/rdfa.ts";
import { findHeading, type Heading } from "../visible/heading.ts";
import { CHROME, LISTING } from "../visible/signals.ts";
import { collectSpots } from "../visible/spots.ts";
import { zonesOf } from "../visible/zones.ts";
import { compareAmounts, plainAmount, withDecimals } from "./amounts.ts";
import { pageFault } from "./blocked.ts";
import { chooseCode, isGtin } from "./codes.ts";
import { absolute, canonicalOf, conditionOf, gtinOf, type PageInput, placeOf, type Read } from "./context.ts";
import { gatherEvidence } from "./evidence.ts";
import type { ExtractedPage } from "./result.ts";
import { isPurchasable, judgeStock, stockByName, type Stock } from "./stock.ts";
import { weigh, type Weighed } from "./weigh.ts";
import { lowest, pointedPrice, wanted, witnessesOf } from "./witnesses.ts";

export type { PageInput } from "./context.ts";

export function extractPage(input: PageInput): ExtractedPage {
  const { source, utf8 } = openPage(input.bytes, input.contentType);
  const tree = scan(source, utf8);
  const heading = findHeading(tree);
  const fault = pageFault(input.status ?? 200, input.contentType ?? null, source, heading.title);
  const page = readPage(input, tree, heading);
  if (fault === "not_html") return { ...page, status: "not_a_product" };
  if (fault === "absent") return { ...page, status: "gone", price: null };
  const sure = page.method !== null && /json-ld|microdata|rdfa|meta/.test(page.method);
  if (fault === "blocked" && page.price === null) return { ...page, status: "blocked" };
  if (fault === "gone" && !sure) return { ...page, status: "gone", price: null };
  return page;
}

function readPage(input: PageInput, tree: Tree, heading: Heading): ExtractedPage {
  const metas = readMetas(tree);
  const place = placeOf(tree, input);
  const zones = zonesOf(tree, heading.node);
  const canonical = canonicalOf(tree, input.url) ?? metas.get("og:url");
  const facts: PageFacts = {
    url: input.url,
    canonical,
    heading: heading.text,
    title: heading.title,
    headingNode: heading.node,
    after: (node) => tree.after[node] ?? node,
    elsewhere: (node) => (zones[node]! & (LISTING | CHROME)) !== 0,
  };
  const products = [
    ...productsOf(jsonLdItems(jsonLdValues(tree, scriptsOf(tree))), "json-ld"),
    ...productsOf(microdataItems(tree, { contentAnywhere: true, orphans: true }), "microdata"),
    ...productsOf(rdfaItems(tree), "rdfa"),
  ];
  const spots = collectSpots(tree, zones, heading.node, place);
  const read: Read = {
    metas,
    products,
    main: mainProduct(products, facts),
    zones,
    spots,
    evidence: gatherEvidence(tree, zones),
    place,
    canonical,
    loose: looseProperties(tree),
  };
  return conclude(input, tree, heading, facts, read);
}

function conclude(input: PageInput, tree: Tree, heading: Heading, facts: PageFacts, read: Read): ExtractedPage {
  const { main, spots, metas } = read;
  const chosen = main
    ? chosenVariant(main, input.variant ?? null, input.url)
    : { variant: null, offer: null, by: null };
  const offers = wanted(offersFor(main, chosen, read, facts), input);
  const pointed = input.selector ? pointedPrice(tree, input.selector, read.place) : [];
  const weighed = weigh(
    [...witnessesOf(offers, read, chosen.by === "request" ? 30 : chosen.by === "url" ? 3 : 0), ...pointed],
    spots,
    read.evidence,
  );
  const best = weighed.best;
  const stock = judgeStock({
    offers,
    meta: metas.get("product:availability", "og:availability", "availability") ?? looseStock(read),
    platform: null,
    spots,
    priceAt: best?.spot?.at ?? -1,
    hasPrice: best !== null,
  });
  const offer = best ? (offers.find((o) => plainAmount(o.amount) === best.amount) ?? null) : null;
  const code = chooseCode({
    url: input.url,
    canonical: read.canonical,
    product: chosen.variant ?? main,
    offerSku: offer?.sku ?? (offers.length === 1 ? offers[0]!.sku : null),
    meta: metas.get("product:retailer_item_id", "product:sku", "product:retailer_part_no"),
    named: read.evidence.codes,
    spots,
  });
  const gtin = gtinOf(chosen.variant ?? main, metas);
  const price = best ? priceOf(weighed, offer, input, read) : null;
  const first = weighed.candidates[0]?.score ?? 0,
    second = weighed.candidates[1]?.score ?? 0;
  const confidence = best
    ? Math.max(
        0.3,
        Math.min(
          0.99,
          0.55 +
            Math.min(0.25, (first - second) / 30) +
            Math.min(0.2, first / 100) +
            (best.methods.length > 1 ? 0.08 : -0.1),
        ),
      )
    : 0;
  return {
    status: price
      ? confidence < 0.42
        ? "ambiguous"
        : "ok"
      : first >= 6
        ? "ambiguous"
        : main || spots.headingAt >= 0
          ? "no_price"
          : "not_a_product",
    canonicalUrl: absolute(read.canonical, input.url),
    // Asked only where the page shows no price: then the platform's own JSON may.
    platform: price === null ? platformOf(input.bytes) : null,
    product: {
      name: main?.name ?? (heading.text || heading.title || null),
      brand: main?.brand ?? metas.get("product:brand", "og:brand"),
      image: absolute(main?.image ?? metas.get("og:image", "twitter:image"), baseOf(tree, input.url)),
      sku: code?.code ?? null,
      skuSource: code?.source ?? null,
      mpn: (chosen.variant ?? main)?.mpn ?? null,
      gtin,
      gtinValid: gtin === null ? null : isGtin(gtin),
      condition: conditionOf(offer?.condition ?? main?.condition ?? metas.get("product:condition")),
      seller: offer?.seller ?? null,
      groupId: main?.groupId ?? null,
      variant: chosen.variant
        ? {
            id: chosen.variant.sku ?? chosen.variant.productId,
            options: chosen.variant.options,
            selectedBy: chosen.by!,
          }
        : null,
    },
    price,
    availability: availabilityOf(stock, offer),
    method: best ? best.methods.join("+") : null,
    confidence: Number(confidence.toFixed(2)),
    candidates: weighed.candidates
      .filter((c) => c.score > 0)
      .slice(0, 5)
      .map((c) => ({
        amount: c.amount,
        currency: c.currency,
        method: c.methods.join("+") || "dom",
        score: Number(c.score.toFixed(1)),
      })),
    offers: offers.slice(0, 50),
    variants: (main?.variants ?? []).slice(0, 200).map((v) => ({
      id: v.sku ?? v.productId,
      name: v.name,
      options: v.options,
      amount: lowest(v.offers)?.amount ?? null,
      currency: lowest(v.offers)?.currency ?? null,
      availability: stockByName(v.offers[0]?.availability)?.status ?? "unknown",
    })),
  };
}

/** The offers of the page's own product: a named variant's, else all, other products with the same name included. */
function offersFor(
  main: Product | null,
  chosen: ReturnType<typeof chosenVariant>,
  read: Read,
  facts: PageFacts,
): Offer[] {
  if (!main) return [];
  if (chosen.offer) return [chosen.offer];
  if (chosen.variant) return chosen.variant.offers;
  const own = main.offers.length > 0 ? main.offers : main.variants.flatMap((v) => v.offers);
  const twins = read.products.filter(
    (p) =>
      p !== main &&
      p.source === main.source &&
      p.name !== null &&
      p.name === main.name &&
      p.node < 0 &&
      p.offers.length > 0,
  );
  const others = read.products.filter(
    (p) =>
      p !== main &&
      p.source !== main.source &&
      p ===
        mainProduct(
          read.products.filter((x) => x.source === p.source),
          facts,
        ),
  );
  return [...own, ...twins.flatMap((p) => p.offers), ...others.flatMap((p) => p.offers)];
}

function priceOf(
  weighed: Weighed,
  offer: Offer | null,
  input: PageInput,
  read: Read,
): NonNullable<ExtractedPage["price"]> {
  const best = weighed.best!;
  const spot = best.spot?.price ?? null;
  const marked = offer?.currency ?? (best.methods.some((m) => m !== "dom" && m !== "script") ? best.currency : null);
  const shown = spot?.currency && spot.certain ? spot.currency : null;
  const settled =
    [
      read.metas.get("product:price:currency", "og:price:currency"),
      read.evidence.currency,
      input.currency,
      currencyOfPlace(read.place),
    ].find((c) => c && (!spot || spot.candidates.length === 0 || spot.candidates.includes(c))) ?? null;
  const currency = marked ?? shown ?? settled ?? spot?.currency ?? null;
  const decimals = currency ? (decimalsOf.get(currency) ?? 2) : 2;
  const list =
    weighed.list ??
    (offer?.list && compareAmounts(offer.list, best.amount) > 0 ? plainAmount(offer.list) : null) ??
    metaList(read.metas, best.amount);
  const unit = read.spots.prices.find(
    (s) => s.price.kind === "per_unit" && best.spot && Math.abs(s.at - best.spot.at) < 200 && s.price.amount !== null,
  );
  return {
    amount: withDecimals(best.amount, decimals),
    currency,
    currencySource: marked ? "markup" : shown ? "text" : settled ? "context" : currency ? "guess" : null,
    listAmount: list ? withDecimals(list, decimals) : null,
    listType: list ? (weighed.list ? "strikethrough" : "markup") : null,
    low: withDecimals(best.amount, decimals),
    high: withDecimals(
      offer?.high && compareAmounts(offer.high, best.amount) > 0 ? offer.high : (spot?.high ?? best.amount),
      decimals,
    ),
    shipping: offer?.shipping ? withDecimals(offer.shipping, decimals) : null,
    taxIncluded: offer?.taxIncluded ?? null,
    unit: unit ? { amount: unit.price.amount!, per: unit.price.per ?? "" } : null,
    validUntil: offer?.validUntil ?? null,
    raw: best.raw ?? offer?.raw ?? best.amount,
  };
}

function metaList(metas: Metas, amount: string): string | null {
  const found = amountOf(metas.get("product:original_price:amount", "og:price:standard_amount"))?.amount;
  return found && compareAmounts(found, amount) > 0 ? plainAmount(found) : null;
}

const availabilityOf = (stock: Stock, offer: Offer | null): ExtractedPage["availability"] => ({
  status: stock.status,
  purchasable: stock.status === "unknown" ? null : isPurchasable(stock.status),
  quantity: offer?.quantity ?? null,
  availableFrom: offer?.availableFrom ?? null,
  schemaOrg: stock.schemaOrg,
  raw: stock.raw,
  source: stock.source,
  confidence: stock.confidence,
});

function looseStock({ loose, zones }: Read): string | null {
  return loose.find((p) => p.name === "availability" && !(zones[p.node]! & (LISTING | CHROME)))?.value ?? null;
}
