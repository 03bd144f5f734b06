// Which variant of a product is meant: by code, by number, or by options that all fit.
import type { Offer, Product } from "./offers.ts";

export interface VariantChoice {
  /** none: nobody named one; missing: none fits what was asked for. */
  kind: "none" | "one" | "several" | "missing";
  by: "request" | "url" | null;
  variants: Product[];
  /** An offer of its own where the product has no variants but offers with codes. */
  offer: Offer | null;
}

export const NO_CHOICE: VariantChoice = { kind: "none", by: null, variants: [], offer: null };
/** Parameters by which shops name a variant in an address. */
const URL_PARAMETERS = ["variant", "sku", "childSku", "variantId", "vid", "skuId"];

/** What the caller asked for, else what the address names. An address that names nothing known is no mistake. */
export function chooseVariant(product: Product | null, asked: string | null, url: string): VariantChoice {
  if (asked) return (product && find(product, asked, "request")) ?? { ...NO_CHOICE, kind: "missing", by: "request" };
  const named = namedInUrl(url);
  return (named && product && find(product, named, "url")) || NO_CHOICE;
}

function find(product: Product, asked: string, by: "request" | "url"): VariantChoice | null {
  const wanted = asked.trim().toLowerCase();
  const isWanted = (code: string | null) => code?.toLowerCase() === wanted;
  const hasCode = (p: Product) => [p.sku, p.productId, p.mpn, p.gtin, p.name].some(isWanted) || urlNames(p.url, wanted);
  const byCode = product.variants.find(hasCode);
  if (byCode) return { kind: "one", by, variants: [byCode], offer: null };
  const offer = product.offers.find((o) => isWanted(o.sku) || urlNames(o.url, wanted));
  if (offer) return { kind: "one", by, variants: [], offer };
  const parts = wanted.split(",").map((part) => part.trim());
  const fitting = product.variants.filter((v) => parts.every((part) => hasOption(v, part)));
  if (fitting.length > 0) return { kind: fitting.length === 1 ? "one" : "several", by, variants: fitting, offer: null };
  // A product without variants is the variant, when its own code is asked for.
  return hasCode(product) || parts.every((part) => hasOption(product, part)) ? { ...NO_CHOICE, by } : null;
}

/** `size:m` or a bare `m`. */
function hasOption(product: Product, part: string): boolean {
  const colon = part.indexOf(":");
  const name = colon < 0 ? null : part.slice(0, colon).trim();
  const value = part.slice(colon + 1).trim();
  return Object.entries(product.options).some(
    ([key, option]) => (name === null || key.toLowerCase() === name) && option.trim().toLowerCase() === value,
  );
}

/** Whether one of the address's parameters has this very value. */
function urlNames(url: string | null, wanted: string): boolean {
  const query = url?.split("?", 2)[1];
  if (!query) return false;
  return [...new URLSearchParams(query.split("#", 1)[0]).values()].some((value) => value.toLowerCase() === wanted);
}

function namedInUrl(url: string): string | null {
  try {
    const query = new URL(url).searchParams;
    const name = URL_PARAMETERS.find((parameter) => query.get(parameter));
    return name ? query.get(name) : null;
  } catch {
    return null;
  }
}
