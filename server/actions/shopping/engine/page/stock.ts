// What the page says about stock: markup, buttons and phrases weighed into one state with its evidence.
import { ASIDE, BUY, CHROME, CURRENT, HIDDEN, LISTING, OPTION, PRICE, REVIEW, STOCK } from "../visible/signals.ts";
import type { Offer } from "../product/offers.ts";
import type { Spots } from "../visible/spots.ts";

export type StockState =
  | "in_stock"
  | "limited"
  | "in_store_only"
  | "preorder"
  | "backorder"
  | "made_to_order"
  | "reserved"
  | "out_of_stock"
  | "discontinued"
  | "unknown";

export interface Stock {
  status: StockState;
  schemaOrg: string | null;
  raw: string | null;
  source: "markup" | "platform" | "text" | "button" | null;
  confidence: number;
}

const BY_NAME: [RegExp, StockState, string][] = [
  [/in\s?store\s?only/i, "in_store_only", "InStoreOnly"],
  [/limited/i, "limited", "LimitedAvailability"],
  [/pre[-\s]?order/i, "preorder", "PreOrder"],
  [/pre[-\s]?sale/i, "preorder", "PreSale"],
  [/back[-\s]?order/i, "backorder", "BackOrder"],
  [/made\s?to\s?order/i, "made_to_order", "MadeToOrder"],
  [/reserved/i, "reserved", "Reserved"],
  [/discontinued/i, "discontinued", "Discontinued"],
  [/out[-_\s]?of[-_\s]?stock|^oos$|^not\s?available$|^unavailable$/i, "out_of_stock", "OutOfStock"],
  [/^sold[-_\s]?out$|\/SoldOut$/i, "out_of_stock", "SoldOut"],
  [/online\s?only/i, "in_stock", "OnlineOnly"],
  [/in[-_\s]?stock|^available$|^instock$|^true$|^yes$/i, "in_stock", "InStock"],
];

export function stockByName(name: string | null | undefined): { status: StockState; schemaOrg: string } | null {
  if (!name) return null;
  const short = name.trim().slice(name.trim().lastIndexOf("/") + 1);
  for (const [rule, status, schemaOrg] of BY_NAME) if (rule.test(short)) return { status, schemaOrg };
  return null;
}

const PURCHASABLE = new Set<StockState>(["in_stock", "limited", "preorder", "backorder", "made_to_order"]);
export const isPurchasable = (status: StockState): boolean => PURCHASABLE.has(status);

/** Of several offers the best one speaks: one size in stock is in stock. */
function stockOfOffers(offers: readonly Offer[]): (ReturnType<typeof stockByName> & { raw: string }) | null {
  const rank: StockState[] = [
    "in_stock",
    "limited",
    "preorder",
    "backorder",
    "made_to_order",
    "in_store_only",
    "reserved",
    "out_of_stock",
    "discontinued",
  ];
  let best: (NonNullable<ReturnType<typeof stockByName>> & { raw: string }) | null = null;
  for (const offer of offers) {
    const found = stockByName(offer.availability);
    if (found && (!best || rank.indexOf(found.status) < rank.indexOf(best.status)))
      best = { ...found, raw: offer.availability! };
  }
  return best;
}

export interface StockInput {
  offers: readonly Offer[];
  meta: string | null;
  platform: boolean | null;
  spots: Spots;
  /** Visible position of the chosen price; -1 where none. */
  priceAt: number;
  hasPrice: boolean;
  /** The offers are of one variant that was named: the button on the page may belong to another. */
  variantNamed: boolean;
}

export function judgeStock(input: StockInput): Stock {
  const { spots } = input;
  const box = boxOf(input);
  const button = spots.buttons.find(
    (b) => !b.disabled && !(b.zone & (LISTING | CHROME | HIDDEN | REVIEW)) && b.at >= box.from && b.at <= box.to,
  );
  const out = spots.out.find(
    (s) =>
      s.at >= box.from &&
      s.at <= box.to &&
      !(s.zone & (HIDDEN | REVIEW | LISTING)) &&
      !(s.zone & ASIDE && !(s.zone & STOCK)) &&
      !(s.zone & OPTION && !(s.zone & STOCK)) &&
      (s.text.length < 70 || (s.zone & STOCK) !== 0),
  );
  const firm = out && (out.zone & (STOCK | PRICE | CURRENT | BUY) || out.text.length < 34);
  const markup = stockOfOffers(input.offers) ?? withRaw(stockByName(input.meta), input.meta);
  if (markup) {
    const says = { schemaOrg: markup.schemaOrg, raw: markup.raw };
    const gone = markup.status === "out_of_stock" || markup.status === "discontinued";
    if (!gone && firm && !button && !input.variantNamed)
      return { status: "out_of_stock", ...says, raw: out.text, source: "text", confidence: 0.7 };
    // A button that can be pressed beats a stale mark, where no words say otherwise.
    if (gone && button && !out && input.hasPrice && !input.variantNamed)
      return { status: "in_stock", ...says, source: "button", confidence: 0.6 };
    return { status: markup.status, ...says, source: "markup", confidence: button || firm ? 0.97 : 0.9 };
  }
  if (input.platform !== null)
    return {
      status: input.platform ? "in_stock" : "out_of_stock",
      schemaOrg: null,
      raw: null,
      source: "platform",
      confidence: 0.85,
    };
  if (firm && !(button && input.hasPrice && !(out.zone & STOCK)))
    return { status: "out_of_stock", schemaOrg: null, raw: out.text, source: "text", confidence: 0.8 };
  const inText = spots.in.find((s) => s.at >= box.from && s.at <= box.to && !(s.zone & (HIDDEN | LISTING | REVIEW)));
  if (inText && inText.zone & STOCK)
    return { status: "in_stock", schemaOrg: null, raw: inText.text, source: "text", confidence: 0.8 };
  if (button) return { status: "in_stock", schemaOrg: null, raw: null, source: "button", confidence: 0.7 };
  return { status: "unknown", schemaOrg: null, raw: null, source: null, confidence: 0 };
}

const withRaw = (found: ReturnType<typeof stockByName>, raw: string | null) => (found ? { ...found, raw: raw! } : null);

/** The part of the visible text whose words are about this product: around heading and price. */
function boxOf(input: StockInput): { from: number; to: number } {
  const heading = input.spots.headingAt;
  const price = input.priceAt;
  if (heading < 0 && price < 0) return { from: 0, to: 3000 };
  const from = Math.min(
    heading < 0 ? price : heading,
    price < 0 || (heading >= 0 && Math.abs(price - heading) > 6000) ? heading : price,
  );
  const to = Math.max(heading, price >= 0 && (heading < 0 || price - heading < 6000) ? price : heading);
  return { from: from - 400, to: to + 1800 };
}
