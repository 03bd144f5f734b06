// From structured items to products with offers: prices, list prices, shipping, stock, codes. Which product is the page's own
// is decided in main-product.ts.
import { clean } from "../html/query.ts";
import { decodeEntities } from "../html/entities.ts";
import { parsePrice } from "../price/parse.ts";
import { all, hasType, isItem, items, shortName, text, type Item, type Value } from "../structured/item.ts";

export interface Offer {
  amount: string | null;
  high: string | null;
  currency: string | null;
  list: string | null;
  shipping: string | null;
  availability: string | null;
  availableFrom: string | null;
  quantity: number | null;
  condition: string | null;
  seller: string | null;
  sku: string | null;
  url: string | null;
  validUntil: string | null;
  taxIncluded: boolean | null;
  raw: string | null;
}

export interface Rating {
  value: number;
  best: number;
  count: number | null;
}

export interface Product {
  name: string | null;
  brand: string | null;
  image: string | null;
  description: string | null;
  sku: string | null;
  productId: string | null;
  mpn: string | null;
  gtin: string | null;
  url: string | null;
  groupId: string | null;
  condition: string | null;
  rating: Rating | null;
  offers: Offer[];
  variants: Product[];
  options: Record<string, string>;
  source: "json-ld" | "microdata" | "rdfa";
  node: number;
}

const PRODUCT_TYPES = new Set([
  "product",
  "productgroup",
  "productmodel",
  "individualproduct",
  "someproducts",
  "vehicle",
  "car",
  "motorcycle",
  "book",
  "softwareapplication",
  "mobileapplication",
  "videogame",
  "movie",
  "musicalbum",
  "dietarysupplement",
  "drug",
  "event",
  "course",
  "hotelroom",
  "apartment",
  "house",
  "accommodation",
  "singlefamilyresidence",
  "service",
]);
const ELSEWHERE = new Set([
  "isRelatedTo",
  "isSimilarTo",
  "isAccessoryOrSparePartFor",
  "isConsumableFor",
  "review",
  "reviews",
  "itemListElement",
  "breadcrumb",
  "isVariantOf",
  "relatedTo",
  "publisher",
  "author",
  "seller",
  "brand",
  "potentialAction",
  "hasVariant",
  "offers",
  "makesOffer",
]);

export function productsOf(tops: readonly Item[], source: Product["source"]): Product[] {
  const out: Product[] = [];
  const seen = new Set<Item>();
  const visit = (item: Item, depth: number): void => {
    if (seen.has(item) || depth > 12 || out.length > 300) return;
    seen.add(item);
    if (isProduct(item)) out.push(productOf(item, source, seen));
    else if (hasType(item, "Offer", "AggregateOffer")) {
      const inner = items(item, "itemOffered")[0];
      const offers = offersOf([item]);
      if (offers.length > 0)
        out.push({
          ...productOf(inner ?? { types: [], id: null, props: new Map(), node: item.node }, source, seen),
          offers,
        });
    }
    if (hasType(item, "ItemList", "OfferCatalog", "BreadcrumbList")) return;
    for (const [name, values] of item.props) {
      if (ELSEWHERE.has(name)) continue;
      for (const value of values) if (isItem(value)) visit(value, depth + 1);
    }
  };
  for (const top of tops) visit(top, 0);
  return out;
}

const isProduct = (item: Item): boolean =>
  item.types.some((type) => PRODUCT_TYPES.has(shortName(type).toLowerCase())) || item.props.has("offers");

function productOf(item: Item, source: Product["source"], seen: Set<Item>): Product {
  const variants = items(item, "hasVariant")
    .filter((v) => !seen.has(v) && v !== item)
    .slice(0, 500);
  for (const variant of variants) seen.add(variant);
  const named = (...names: string[]) => {
    const value = text(item, ...names);
    return value === null ? null : clean(decodeEntities(value)) || null;
  };
  return {
    name: named("name", "title"),
    brand: named("brand", "manufacturer"),
    image: imageOf(item),
    description: named("description"),
    sku: named("sku"),
    productId: named("productID", "productId", "identifier"),
    mpn: named("mpn", "model"),
    gtin: named("gtin", "gtin13", "gtin14", "gtin12", "gtin8", "isbn", "ean"),
    url: named("url") ?? item.id,
    groupId: named("productGroupID", "inProductGroupWithID"),
    condition: named("itemCondition"),
    rating: ratingOf(item),
    offers: offersOf(items(item, "offers", "offer", "makesOffer")).concat(ownPrice(item)),
    variants: variants.map((variant) => productOf(variant, source, seen)),
    options: optionsOf(item),
    source,
    node: item.node,
  };
}

/** schema.org: the best rating is 5 unless it is named. */
const BEST_RATING = 5;

function ratingOf(item: Item): Rating | null {
  const rating = items(item, "aggregateRating")[0];
  const value = rating && numberOf(text(rating, "ratingValue"));
  if (!rating || value === null || value === undefined) return null;
  const count = numberOf(text(rating, "ratingCount", "reviewCount"));
  return {
    value,
    best: numberOf(text(rating, "bestRating")) ?? BEST_RATING,
    count: count === null ? null : Math.trunc(count),
  };
}

const numberOf = (raw: string | null): number | null =>
  raw !== null && /^\s*\d{1,9}(?:[.,]\d{1,6})?\s*$/.test(raw) ? Number(raw.trim().replace(",", ".")) : null;

function imageOf(item: Item): string | null {
  const value = all(item, "image", "photo")[0];
  return value === undefined
    ? null
    : isItem(value)
      ? (text(value, "url", "contentUrl", "src") ?? value.id)
      : String(value);
}

function optionsOf(item: Item): Record<string, string> {
  const out: Record<string, string> = {};
  for (const name of ["color", "size", "material", "pattern"]) {
    const value = text(item, name);
    if (value) out[name] = value;
  }
  return out;
}

/** Some shops put the price on the product itself. */
function ownPrice(item: Item): Offer[] {
  return item.props.has("offers") || !(item.props.has("price") || item.props.has("lowPrice")) ? [] : offersOf([item]);
}

function offersOf(list: readonly Item[], depth = 0): Offer[] {
  const out: Offer[] = [];
  for (const item of list) {
    if (out.length > 500 || depth > 4) break;
    const inner = offersOf(items(item, "offers", "offer"), depth + 1);
    const own = offerOf(item);
    if (inner.some((offer) => offer.amount !== null)) {
      for (const offer of inner)
        out.push({
          ...offer,
          currency: offer.currency ?? own.currency,
          availability: offer.availability ?? own.availability,
        });
    } else if (own.amount !== null || own.availability !== null) out.push(own);
  }
  return out;
}

function offerOf(item: Item): Offer {
  const specs = items(item, "priceSpecification");
  const currency = upper(
    text(item, "priceCurrency", "currency") ?? specs.map((s) => text(s, "priceCurrency")).find(Boolean) ?? null,
  );
  const spec = specs.find((s) => !isListPrice(s) && !isComponent(s) && s.props.has("price"));
  const list = specs.find((s) => isListPrice(s) && s.props.has("price"));
  const raw =
    firstPrice(item, "price") ??
    (spec ? firstPrice(spec, "price", "minPrice") : null) ??
    firstPrice(item, "lowPrice", "lowprice", "minPrice");
  const read = raw === null ? null : amountOf(raw);
  return {
    amount: read?.amount ?? null,
    high: amountOf(firstPrice(item, "highPrice", "highprice", "maxPrice"))?.amount ?? null,
    currency: currency ?? read?.currency ?? null,
    list: list ? (amountOf(firstPrice(list, "price"))?.amount ?? null) : null,
    shipping: shippingOf(item),
    availability: text(item, "availability"),
    availableFrom: text(item, "availabilityStarts"),
    quantity: quantityOf(item),
    condition: text(item, "itemCondition"),
    seller: text(item, "seller", "offeredBy"),
    sku: text(item, "sku"),
    url: text(item, "url") ?? item.id,
    validUntil: text(item, "priceValidUntil"),
    taxIncluded: taxOf(item, specs),
    raw,
  };
}

const isListPrice = (spec: Item): boolean =>
  /ListPrice|MSRP|SRP|StrikethroughPrice|RegularPrice|InvoicePrice|MinimumAdvertisedPrice/.test(
    text(spec, "priceType") ?? "",
  );
const isComponent = (spec: Item): boolean =>
  spec.props.has("priceComponentType") ||
  spec.props.has("validForMemberTier") ||
  (spec.props.has("referenceQuantity") &&
    hasType(spec, "UnitPriceSpecification") &&
    !/SalePrice/.test(text(spec, "priceType") ?? "") &&
    text(spec, "unitText") !== null);
const upper = (code: string | null): string | null =>
  code && /^[A-Za-z]{3}$/.test(code.trim()) ? code.trim().toUpperCase() : code ? parsePrice(code).currency : null;

function firstPrice(item: Item, ...names: string[]): string | null {
  for (const value of all(item, ...names)) {
    if (isItem(value)) {
      const inner = text(value, "price", "value", "amount");
      if (inner) return inner;
    } else if (String(value).trim() !== "") return String(value).trim();
  }
  return null;
}

/** Markup writes a plain number with a point; anything else is read as a shop writes prices. */
export function amountOf(raw: string | null): { amount: string | null; currency: string | null } | null {
  if (raw === null) return null;
  if (/^\d+(?:\.\d+)?$/.test(raw)) return { amount: raw, currency: null };
  if (/^\d+\.\d+[eE]\+?\d+$/.test(raw)) return { amount: String(Number(raw)), currency: null };
  const parsed = parsePrice(clean(raw).slice(0, 120));
  return { amount: parsed.amount, currency: parsed.currency };
}

function shippingOf(item: Item): string | null {
  for (const detail of items(item, "shippingDetails"))
    for (const rate of items(detail, "shippingRate")) {
      const value = amountOf(firstPrice(rate, "value", "price"))?.amount;
      if (value) return value;
    }
  return null;
}

function quantityOf(item: Item): number | null {
  const level = all(item, "inventoryLevel")[0];
  const value: Value | null = level === undefined ? null : isItem(level) ? text(level, "value") : level;
  return value !== null && /^\d{1,7}$/.test(String(value)) ? Number(value) : null;
}

function taxOf(item: Item, specs: readonly Item[]): boolean | null {
  const value = text(item, "valueAddedTaxIncluded") ?? specs.map((s) => text(s, "valueAddedTaxIncluded")).find(Boolean);
  return value === null || value === undefined ? null : /^true$/i.test(value);
}
