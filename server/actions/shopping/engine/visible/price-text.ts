// A price as a page writes it: spread over several elements, with its unit behind it, or in doubt because its currency is a word.
import { decodeEntities } from "../html/entities.ts";
import { clean, sliceOf } from "../html/query.ts";
import { TEXT, isUnseen } from "../html/tags.ts";
import type { Tree } from "../html/tree.ts";
import { parsePrice, type PriceText } from "../price/parse.ts";
import { perOf } from "../price/words.ts";
import { CENTS } from "./signals.ts";

interface Page {
  tree: Tree;
  zones: Int32Array;
  locale: string | null;
}

interface JoinedPrice {
  price: PriceText;
  text: string;
  node: number;
}

/** `139` `98` `Lei` in three elements: the text of the smallest parent that makes it a price. */
export function joinPrice(page: Page, node: number, own: PriceText): JoinedPrice | null {
  const { tree } = page;
  let n = tree.parent[node]!;
  for (let level = 0; level < 4 && n >= 0; level++, n = tree.parent[n]!) {
    if (tree.after[n]! - n > 24 || tree.close[n]! - tree.inner[n]! > 2500) return null;
    const text = joinedText(page, n);
    if (text.length > 48) return null;
    const price = parsePrice(text, { locale: page.locale });
    if (price.amount === null || price.kind === "range") continue;
    const better =
      (own.currency === null && price.currency !== null) ||
      (own.currency !== null && !own.amount!.includes(".") && price.amount.startsWith(`${own.amount!}.`));
    if (better && price.amount.startsWith(own.amount!.split(".")[0]!)) {
      const up = tree.parent[n]!;
      return price.amount.includes(".") || level === 3 || up < 0
        ? { price, text, node: n }
        : (centsAbove(page, up, price) ?? { price, text, node: n });
    }
  }
  return null;
}

/** One level further up the cents may stand apart from sign and whole. */
function centsAbove(page: Page, node: number, own: PriceText): JoinedPrice | null {
  if (page.tree.after[node]! - node > 16) return null;
  const text = joinedText(page, node);
  const price = text.length <= 24 ? parsePrice(text, { locale: page.locale }) : null;
  return price?.amount?.startsWith(`${own.amount!}.`) && price.currency === own.currency ? { price, text, node } : null;
}

function joinedText({ tree, zones }: Page, node: number): string {
  let out = "";
  for (let i = node + 1; i < tree.after[node]! && out.length < 80; ) {
    const id = tree.tag[i]!;
    if (id === TEXT) {
      const raw = decodeEntities(sliceOf(tree, tree.open[i]!, tree.inner[i]!));
      const part = clean(raw);
      const isCents = /^\d\d$/.test(part) && /\d$/.test(out) && (zones[i]! & CENTS) !== 0;
      out += glueOf(out, raw, part, isCents) + part + (/\s$/.test(raw) && !/[.,]\s*$/.test(raw) ? " " : "");
    } else if (isUnseen[id]) {
      i = tree.after[i]!;
      continue;
    }
    i++;
  }
  return clean(out);
}

function glueOf(before: string, raw: string, part: string, isCents: boolean): string {
  if (isCents) return ".";
  if (/^[.,]\d?/.test(part) || /[.,]$/.test(before)) return "";
  return (/\d$/.test(before) && /^\d/.test(part)) || /^\s/.test(raw) ? " " : "";
}

/** `/ month`, `per kg`: what stands right behind a price. */
export function unitBehind(tree: Tree, node: number): ReturnType<typeof perOf> {
  for (let i = tree.after[node]!, hops = 0; i < tree.count && hops < 4; i++, hops++) {
    if (tree.tag[i] !== TEXT) continue;
    return perOf(
      clean(sliceOf(tree, tree.open[i]!, Math.min(tree.inner[i]!, tree.open[i]! + 40))).replace(
        /^\/?\s*(?=\p{L})/u,
        "/",
      ),
    );
  }
  return null;
}

/** Short words that are money on price tags; others of their length are words first. */
const SHORT =
  /^(?:kr\.?|ft\.?|tl|rs\.?|s?fr\.?|z[lł]|k[cč]|le[iu]|kn\.?|rm|rp\.?|р\.?|лв\.?|lv\.?|тг\.?|din\.?|km|bs|dhs?|qr|sr|br|tk\.?|k?shs?|nt|s\/\.?|b\/\.?|dt|da|kd|jd|mt|tsh)$/iu;

/** Whether the currency may be an ordinary word of the page. */
export function isDoubtful(price: PriceText): boolean {
  const symbol = price.symbol!;
  if (price.source === "sign") return false;
  if (price.source === "code")
    return (
      (symbol !== symbol.toUpperCase() && !/^[a-z]{3}$/.test(symbol)) ||
      /^(?:TOP|ALL|CUP|MOP|ANG|BOB|SOS|PEN)$/i.test(symbol)
    );
  return symbol.length <= 3 && !SHORT.test(symbol) && symbol !== "R";
}

/** The words of a text before its first digit or sign. */
export function leadOf(text: string): string {
  const end = text.search(/[\d$€£¥₽₴₹]/u);
  return end > 2 ? text.slice(0, end) : "";
}
