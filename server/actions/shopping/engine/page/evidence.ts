// Prices and codes that stand in scripts, data attributes and hidden fields: not visible, so they only support other
// evidence.
import { attribute } from "../html/query.ts";
import { HAS_DATA, HAS_RDFA } from "../html/attribute-flags.ts";
import type { Tree } from "../html/tree.ts";
import { tag } from "../html/tags.ts";
import { CHROME, LISTING } from "../visible/signals.ts";
import { plainAmount } from "./amounts.ts";

const SCRIPT = tag("script"),
  INPUT = tag("input");
const SCRIPT_MAX = 600_000;
/** Codes stand near the beginning of the data they belong to. */
const CODES_MAX = 150_000;
const HITS_MAX = 600;

export interface Evidence {
  /** How often each amount is named as a price. */
  amounts: Map<string, number>;
  codes: { code: string; weight: number }[];
  currency: string | null;
  /** Shops on this platform write hundredths in their scripts. */
  cents: boolean;
  inStock: boolean | null;
}

export function gatherEvidence(tree: Tree, zones: Int32Array): Evidence {
  const evidence: Evidence = { amounts: new Map(), codes: [], currency: null, cents: false, inStock: null };
  let hits = 0;
  for (let i = 0; i < tree.count && hits < HITS_MAX; i++) {
    const id = tree.tag[i]!;
    if (id === SCRIPT) hits += script(tree, i, evidence);
    else if (id === INPUT) hits += input(tree, i, evidence);
    else if (zones[i]! & (LISTING | CHROME)) continue;
    else if (tree.flags[i]! & HAS_DATA || (tree.flags[i]! & HAS_RDFA && hasBarePrice(tree, i)))
      hits += element(tree, i, evidence);
  }
  evidence.codes = mergeCodes(evidence.codes);
  return evidence;
}

const AFTER_PRICE =
  /^(?:Amount|Value|_value|_amount|Number|WithTax|InclTax|_incl_tax|Raw|s)?\\?["']?\s*[:=]\s*\\?["']?([0-9]{1,9}(?:[.,][0-9]{1,4})?)(?![0-9%])/;
const AFTER_CODE = /^(?:_?id|Id|ID|_?code)?\\?["']?\s*[:=]\s*\\?["']([A-Za-z0-9][\w./-]{2,29})\\?["']/;
const AFTER_CURRENCY = /^(?:Code|_code|ISO|Iso)?\\?["']?\s*[:=]\s*\\?["']([A-Z]{3})\\?["']/;

function script(tree: Tree, node: number, evidence: Evidence): number {
  const { source } = tree;
  const start = tree.inner[node]!;
  const end = Math.min(tree.close[node]!, start + SCRIPT_MAX);
  if (end - start < 20) return 0;
  const text = source.slice(start, end);
  if (!evidence.cents && text.includes("compare_at_price")) evidence.cents = true;
  let hits = 0;
  for (let at = text.indexOf("rice"); at >= 0 && hits < 120; at = text.indexOf("rice", at + 4)) {
    const before = text.charCodeAt(at - 1) | 32;
    if (before !== 112) continue;
    const match = AFTER_PRICE.exec(text.slice(at + 4, at + 44));
    if (!match) continue;
    const lead = text.slice(Math.max(0, at - 14), at - 1).toLowerCase();
    hits++;
    if (/old|list|was|regular|original|compare|shipping|min|max|strike|before|unit/.test(lead)) continue;
    vote(evidence, match[1]!);
  }
  hits += codesIn(text.length > CODES_MAX ? text.slice(0, CODES_MAX) : text, evidence);
  if (evidence.currency === null) {
    const at = text.indexOf("urrency");
    const match = at < 0 ? null : AFTER_CURRENCY.exec(text.slice(at + 7, at + 40));
    if (match) evidence.currency = match[1]!;
  }
  return hits;
}

function codesIn(text: string, evidence: Evidence): number {
  let hits = 0;
  for (const [needle, weight] of [
    ["sku", 2.6],
    ["Sku", 2.4],
    ["SKU", 2.4],
    ["product_id", 1.6],
    ["productId", 1.6],
    ["productID", 1.6],
    ["product_code", 2],
  ] as const) {
    for (let at = text.indexOf(needle), n = 0; at >= 0 && n < 12; at = text.indexOf(needle, at + needle.length), n++) {
      const match = AFTER_CODE.exec(text.slice(at + needle.length, at + needle.length + 48));
      if (!match || !/\d/.test(match[1]!)) continue;
      evidence.codes.push({ code: match[1]!, weight });
      hits++;
    }
  }
  return hits;
}

function vote(evidence: Evidence, raw: string): void {
  const amount = plainAmount(raw.replace(",", "."));
  if (amount === null || amount === "0") return;
  evidence.amounts.set(amount, (evidence.amounts.get(amount) ?? 0) + 1);
}

function input(tree: Tree, node: number, evidence: Evidence): number {
  const open = tree.source.slice(tree.open[node]!, tree.inner[node]!);
  if (!/hidden/i.test(open)) return 0;
  const name = `${attribute(tree, node, "name") ?? ""} ${attribute(tree, node, "id") ?? ""}`;
  const value = attribute(tree, node, "value")?.trim() ?? "";
  if (/price|amount|preis|prix|precio/i.test(name) && /^\d{1,9}(?:[.,]\d{1,4})?$/.test(value)) {
    vote(evidence, value);
    return 1;
  }
  if (
    /sku|product.?(?:id|code|number)|item.?(?:id|number)|asin|artikel/i.test(name) &&
    /^[\w./-]{3,30}$/.test(value) &&
    /\d/.test(value)
  ) {
    evidence.codes.push({ code: value, weight: /sku|asin|code|number/i.test(name) ? 3 : 2 });
    return 1;
  }
  return 0;
}

const DATA_PRICE =
  /\s(?:data-[\w-]*price(?:-amount|-value)?|price)\s*=\s*["']?([0-9]{1,9}(?:[.,][0-9]{1,4})?)["'\s>]/gi;
const DATA_CODE =
  /\sdata-(?:[\w-]*-)?(?:sku|product-?code|product-?number|article-?number|asin|product-?sku|item-?number)\s*=\s*["']([\w./-]{3,30})["']/gi;

const hasBarePrice = (tree: Tree, node: number): boolean => {
  const end = tree.inner[node]! - tree.open[node]!;
  return (
    end > 60 &&
    end < 4000 &&
    tree.tag[node] !== 0 &&
    tree.source.slice(tree.open[node]!, tree.inner[node]!).includes(" price=")
  );
};

function element(tree: Tree, node: number, evidence: Evidence): number {
  const open = tree.source.slice(tree.open[node]!, Math.min(tree.inner[node]!, tree.open[node]! + 3000));
  let hits = 0;
  if (open.includes("price")) {
    for (const match of open.matchAll(DATA_PRICE)) {
      if (!/old|list|was|regular|original|compare|shipping/i.test(match[0])) vote(evidence, match[1]!);
      hits++;
    }
  }
  if (/sku|code|number|asin/i.test(open)) {
    for (const match of open.matchAll(DATA_CODE)) {
      if (/\d/.test(match[1]!)) evidence.codes.push({ code: match[1]!, weight: 2.4 });
      hits++;
    }
  }
  return hits;
}

/** The same code named often is worth more, but never as much as one that is shown. */
function mergeCodes(codes: { code: string; weight: number }[]): { code: string; weight: number }[] {
  const by = new Map<string, { code: string; weight: number; n: number }>();
  codes.forEach((entry, order) => {
    const known = by.get(entry.code);
    if (known) {
      known.n++;
      known.weight = Math.max(known.weight, entry.weight);
    } else if (by.size < 200) by.set(entry.code, { ...entry, weight: entry.weight - Math.min(order, 50) * 0.01, n: 1 });
  });
  return [...by.values()].map(({ code, weight, n }) => ({ code, weight: weight + Math.min(n - 1, 4) * 0.25 }));
}
