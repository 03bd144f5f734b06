// What is known of a page before its price is weighed: what was asked, what was read, where the page is from.
import { attribute } from "../html/query.ts";
import type { Tree } from "../html/tree.ts";
import { tag } from "../html/tags.ts";
import { currencyOfPlace } from "../price/currencies.ts";
import type { Product } from "../product/offers.ts";
import type { Metas } from "../structured/metas.ts";
import type { looseProperties } from "../structured/microdata.ts";
import type { Spots } from "../visible/spots.ts";
import type { Evidence } from "./evidence.ts";

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

export interface Read {
  metas: Metas;
  products: Product[];
  main: Product | null;
  zones: Int32Array;
  spots: Spots;
  evidence: Evidence;
  place: string | null;
  canonical: string | null;
  loose: ReturnType<typeof looseProperties>;
}

export function gtinOf(product: Product | null, metas: Metas): string | null {
  const raw = product?.gtin ?? metas.get("product:gtin", "product:ean", "product:upc", "product:isbn");
  const digits = raw?.replaceAll(/[^\dXx]/g, "") ?? "";
  return digits.length >= 8 ? digits : null;
}

export function conditionOf(raw: string | null): "new" | "used" | "refurbished" | "damaged" | null {
  if (!raw) return null;
  return /refurb/i.test(raw)
    ? "refurbished"
    : /used|gebraucht/i.test(raw)
      ? "used"
      : /damaged/i.test(raw)
        ? "damaged"
        : /new/i.test(raw)
          ? "new"
          : null;
}

const HTML = tag("html"),
  LINK_TAG = tag("link");

/** Where the page is from, for signs that several countries use: the language's region, else the host's country. */
export function placeOf(tree: Tree, input: PageInput): string | null {
  if (input.locale) return input.locale;
  const html = tree.tag.subarray(0, Math.min(tree.count, 50)).indexOf(HTML);
  const lang = html < 0 ? null : (attribute(tree, html, "lang") ?? attribute(tree, html, "xml:lang"));
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

export function canonicalOf(tree: Tree, url: string): string | null {
  for (let i = 0; i < tree.count; i++) {
    if (tree.tag[i] !== LINK_TAG || !/canonical/i.test(attribute(tree, i, "rel") ?? "")) continue;
    return absolute(attribute(tree, i, "href"), url);
  }
  return null;
}

export function absolute(address: string | null | undefined, base: string): string | null {
  if (!address) return null;
  try {
    const url = new URL(address.trim(), base);
    return /^https?:$/.test(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}
