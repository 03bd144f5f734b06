// The shop's own code for the product: what it shows as such, what markup says, what the address carries. And GTIN checks.
import { ASIDE, CHROME, LISTING, REVIEW } from "../visible/signals.ts";
import type { Product } from "../product/offers.ts";
import type { Spots } from "../visible/spots.ts";

export interface CodeInput {
  url: string;
  canonical: string | null;
  product: Product | null;
  offerSku: string | null;
  meta: string | null;
  /** Codes named in scripts and data attributes, with how often. */
  named: readonly { code: string; weight: number }[];
  /** Codes, in lower case, that belong to something else. */
  excluded: ReadonlySet<string>;
  spots: Spots;
}

export interface Code {
  code: string;
  source: string;
  score: number;
}

export function chooseCode(input: CodeInput): Code | null {
  const scores = new Map<string, Code & { sources: Set<string> }>();
  const add = (code: string | null | undefined, score: number, source: string) => {
    const clean = code?.trim();
    if (!clean || clean.length < 2 || clean.length > 60) return;
    const key = clean.toLowerCase();
    if (input.excluded.has(key)) return;
    const known = scores.get(key);
    if (!known) scores.set(key, { code: clean, source, score, sources: new Set([source]) });
    else if (known.sources.has(source)) known.score = Math.max(known.score, score);
    else known.score = Math.max(known.score, score) + Math.min(known.score, score) * 0.35;
    known?.sources.add(source);
  };
  const { product, spots } = input;
  add(input.offerSku, 5.5, "markup");
  add(product?.sku, 6, "markup");
  add(product?.productId?.replace(/^(?:sku|mpn|isbn|ean|upc|gtin\d*)\s*:\s*/i, ""), 5, "markup");
  add(product?.mpn, 2.2, "markup");
  add(product?.gtin, 1.5, "markup");
  add(input.meta, 4.5, "meta");
  for (const named of input.named) add(named.code, named.weight, "script");
  for (const spot of spots.codes) {
    const elsewhere = spot.zone & (LISTING | CHROME) ? -4 : spot.zone & (REVIEW | ASIDE) ? -0.5 : 0;
    const distance = spots.headingAt < 0 ? 0 : Math.abs(spot.at - spots.headingAt);
    add(spot.code, spot.weight + elsewhere + (distance < 600 ? 1 : distance < 3000 ? 0.4 : -0.5), "text");
  }
  for (const { code, weight } of codesInUrl(input.url)) add(code, weight, "url");
  let best: Code | null = null;
  const address = input.url.toLowerCase();
  for (const code of scores.values()) {
    const lower = code.code.toLowerCase();
    const carried =
      address.includes(lower) || (lower.length >= 6 && address.includes(lower.replaceAll(/[^a-z0-9]/g, "")));
    const inUrl = code.source !== "url" && code.code.length >= 4 && carried ? 1.2 : 0;
    code.score += inUrl;
    if (!best || code.score > best.score) best = code;
  }
  return best && best.score >= 1.5 ? { code: best.code, source: best.source, score: best.score } : null;
}

/** Parts of an address that look like a number of the shop's catalogue. */
function codesInUrl(url: string): { code: string; weight: number }[] {
  const out: { code: string; weight: number }[] = [];
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return out;
  }
  for (const [name, value] of parsed.searchParams) {
    if (
      /^(?:sku|pid|product_?id|item_?id|prod_?id|childsku|id|code|artikel|article|productcode|variant|skuid)$/i.test(
        name,
      ) &&
      /^[\w-]{3,30}$/.test(value) &&
      /\d/.test(value)
    )
      out.push({ code: value, weight: 4 });
  }
  const segments = parsed.pathname
    .split("/")
    .filter(Boolean)
    .map((s) => {
      try {
        return decodeURIComponent(s);
      } catch {
        return s;
      }
    });
  segments.forEach((segment, i) => {
    const last = i === segments.length - 1 ? 0.6 : 0;
    const bare = segment.replace(/\.(?:html?|php|aspx?|jsp)$/i, "");
    if (/^[A-Za-z]{0,3}\d{4,14}$/.test(bare) || /^(?=.*\d)[A-Z0-9]{8,14}$/.test(bare))
      out.push({ code: bare, weight: 3.4 + last });
    else {
      const tail = /(?:^|[-_.]|[-_][a-z])(\d{5,14}|[A-Z]{1,4}\d{4,12})$/.exec(bare);
      const head = /^[a-z]{0,2}[-_]?(\d{5,14})[-_]/i.exec(bare);
      const glued = /[a-z](\d{7,14})$/i.exec(bare);
      if (tail) out.push({ code: tail[1]!, weight: 3 + last });
      else if (head) out.push({ code: head[1]!, weight: 2.8 + last });
      else if (glued) out.push({ code: glued[1]!, weight: 2.6 + last });
    }
  });
  return out;
}

/** GTIN-8, 12, 13 or 14 with a right check digit; ISBN-10 counts. */
export function isGtin(text: string): boolean {
  const digits = text.replaceAll(/[\s-]/g, "");
  if (/^\d{9}[\dXx]$/.test(digits)) {
    let sum = 0;
    for (let i = 0; i < 10; i++) sum += (digits[i]!.toUpperCase() === "X" ? 10 : Number(digits[i])) * (10 - i);
    return sum % 11 === 0;
  }
  if (!/^(?:\d{8}|\d{12,14})$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length - 1; i++) sum += Number(digits[digits.length - 2 - i]) * (i % 2 === 0 ? 3 : 1);
  return (10 - (sum % 10)) % 10 === Number(digits.at(-1));
}
