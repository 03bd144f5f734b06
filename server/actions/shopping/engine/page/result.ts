// What the engine says about a page. Shapes only.
import type { Offer, Rating } from "../product/offers.ts";
import type { Platform } from "../product/platform.ts";
import type { Coupon } from "../visible/terms.ts";
import type { Stock, StockState } from "./stock.ts";

export type PageStatus = "ok" | "ambiguous" | "no_price" | "not_a_product" | "variant_not_found" | "blocked" | "gone";

/** Settings of the caller that matched nothing. */
export type PageWarning = "selector_found_nothing" | "no_matching_offer";

export interface ExtractedPage {
  status: PageStatus;
  canonicalUrl: string | null;
  /** Named only where there is no price. */
  platform: Platform | null;
  product: {
    name: string | null;
    brand: string | null;
    image: string | null;
    sku: string | null;
    skuSource: string | null;
    mpn: string | null;
    gtin: string | null;
    gtinValid: boolean | null;
    condition: "new" | "used" | "refurbished" | "damaged" | null;
    rating: Rating | null;
    seller: string | null;
    groupId: string | null;
    variant: { id: string | null; options: Record<string, string>; selectedBy: "request" | "url" } | null;
  };
  price: {
    amount: string;
    /** from: the lowest of several options; range: of a range that the page shows. */
    kind: "price" | "from" | "range";
    currency: string | null;
    /** markup: named by the page's data; text: beside the amount; context: by place or meta; guess: the likeliest of several. */
    currencySource: "markup" | "text" | "context" | "guess" | null;
    listAmount: string | null;
    listType: "strikethrough" | "markup" | null;
    low: string;
    high: string;
    shipping: string | null;
    taxIncluded: boolean | null;
    coupon: Coupon | null;
    unit: { amount: string; per: string } | null;
    validUntil: string | null;
    raw: string;
  } | null;
  availability: {
    status: StockState;
    purchasable: boolean | null;
    quantity: number | null;
    availableFrom: string | null;
    schemaOrg: string | null;
    raw: string | null;
    source: Stock["source"];
    confidence: number;
  };
  /** Which witnesses agreed on the price: `json-ld+dom+script`. */
  method: string | null;
  confidence: number;
  warnings: PageWarning[];
  candidates: {
    amount: string;
    currency: string | null;
    method: string;
    score: number;
    /** As the page shows it; null where it only stands in markup or scripts. */
    text: string | null;
    context: string | null;
    selector: string | null;
  }[];
  offers: Offer[];
  variants: {
    id: string | null;
    name: string | null;
    options: Record<string, string>;
    amount: string | null;
    currency: string | null;
    availability: StockState;
  }[];
}
