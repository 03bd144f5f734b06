// One walk over the visible text of a page: where prices, buy buttons, stock phrases and product codes stand. It
// records each with its surroundings and decides nothing.
import { decodeEntities } from "../html/entities.ts";
import { attribute, clean, sliceOf, textOf } from "../html/query.ts";
import { HAS_HIDDEN } from "../html/attribute-flags.ts";
import type { Tree } from "../html/tree.ts";
import { TEXT, isUnseen, tag } from "../html/tags.ts";
import { parsePrice, type PriceText } from "../price/parse.ts";
import { codeIn, codeLabel, labelOf, saysBuy, saysIn, saysOut, type Label } from "./phrases.ts";
import { isDoubtful, joinPrice, leadOf, unitBehind } from "./price-text.ts";
import { BUY, CHROME, CODE, HIDDEN, LISTING, PRICE, REVIEW, STOCK } from "./signals.ts";
import { quantityIn, termOf, type Term } from "./terms.ts";

export interface PriceSpot {
  price: PriceText;
  node: number;
  /** How much visible text stands before it. */
  at: number;
  zone: number;
  label: Label;
  text: string;
  /** Written larger or bolder than its surroundings. */
  large: boolean;
}
export interface ButtonSpot {
  node: number;
  at: number;
  zone: number;
  disabled: boolean;
}
export interface StockSpot {
  node: number;
  at: number;
  zone: number;
  text: string;
}
export interface CodeSpot {
  code: string;
  at: number;
  zone: number;
  weight: number;
}

export interface TermSpot {
  term: Term;
  at: number;
}

export interface Spots {
  prices: PriceSpot[];
  buttons: ButtonSpot[];
  out: StockSpot[];
  in: StockSpot[];
  codes: CodeSpot[];
  terms: TermSpot[];
  headingAt: number;
  length: number;
}

const EMPHASIS: Record<number, boolean> = Object.fromEntries(
  ["b", "strong", "h1", "h2", "h3", "big", "font"].map((name) => [tag(name), true]),
);
const BUTTON = tag("button"),
  A = tag("a"),
  INPUT = tag("input"),
  BODY = tag("body");

const TERM_LENGTH_MAX = 90;
const TERMS_MAX = 60;

class Walker {
  readonly spots: Spots = { prices: [], buttons: [], out: [], in: [], codes: [], terms: [], headingAt: -1, length: 0 };
  private at = 0;
  private before = "";
  private pendingCode: { weight: number; at: number; node: number } | null = null;
  private covered = -1;

  readonly tree: Tree;
  readonly zones: Int32Array;
  readonly locale: string | null;
  private readonly heading: number;

  constructor(tree: Tree, zones: Int32Array, heading: number, locale: string | null) {
    this.tree = tree;
    this.zones = zones;
    this.heading = heading;
    this.locale = locale;
  }

  walk(): Spots {
    const { tree } = this;
    let i = Math.max(0, tree.tag.subarray(0, tree.count).indexOf(BODY));
    while (i < tree.count) {
      if (i === this.heading) this.spots.headingAt = this.at;
      const id = tree.tag[i]!;
      if (isUnseen[id]) {
        i = tree.after[i]!;
        continue;
      }
      if (id === TEXT) this.text(i);
      else if (
        (id === BUTTON || id === A || id === INPUT || this.zones[i]! & BUY) &&
        !(this.zones[i]! & (LISTING | CHROME))
      )
        this.button(i, id);
      i++;
    }
    this.spots.length = this.at;
    return this.spots;
  }

  private text(node: number): void {
    const { tree } = this;
    const from = tree.open[node]!,
      to = tree.inner[node]!;
    const zone = this.zones[node]!;
    // A menu holds nothing we look for.
    if (to - from >= (tree.utf8 ? 420 : 160) || zone & CHROME) {
      this.before = "";
      if (!(zone & HIDDEN)) this.at += tree.utf8 ? lettersIn(tree.source, from, to) : to - from;
      return;
    }
    const text = clean(decodeEntities(sliceOf(tree, from, to)));
    if (text.length >= 160) {
      this.before = "";
      if (!(zone & HIDDEN)) this.at += text.length;
      return;
    }
    const digits = hasDigit(text);
    if (node > this.covered && digits) this.price(node, text, zone);
    if (!(zone & LISTING)) {
      this.stock(node, text, zone);
      this.terms(text, zone, digits);
      this.code(node, text, zone);
    }
    this.before = text.length <= 60 ? text : "";
    if (!(zone & HIDDEN)) this.at += text.length;
  }

  private price(node: number, text: string, zone: number): void {
    if (text.length > 90 || this.spots.prices.length > 4000) return;
    let price = parsePrice(text, { locale: this.locale });
    if (price.amount === null) return;
    let used = text;
    let at = node;
    const whole = price.currency === null || (!price.amount.includes(".") && text.length < 14);
    if (whole && text.length <= 24 && (price.symbol !== null || !/\p{L}/u.test(text))) {
      const joined = joinPrice(this, node, price);
      if (joined) {
        price = joined.price;
        used = joined.text;
        at = joined.node;
        this.covered = this.tree.after[at]! - 1;
      }
    }
    if (price.currency === null && !(zone & PRICE)) return;
    if (price.currency === null && !/^[\d\s.,'’]+[-–—*]*$/.test(used)) return;
    if (price.symbol !== null && isDoubtful(price)) return;
    // In a list of other products the circumstances do not matter: it is only remembered that the amount stands there.
    const elsewhere = (zone & LISTING) !== 0;
    const after = elsewhere ? null : unitBehind(this.tree, at);
    const kind = after
      ? { ...price, kind: after.kind === "period" ? ("per_period" as const) : ("per_unit" as const), per: after.per }
      : price;
    const lead = leadOf(used);
    this.spots.prices.push({
      price: kind,
      node: at,
      at: this.at,
      zone: zone | this.zones[at]!,
      label: elsewhere ? null : labelOf(lead || this.before),
      text: used,
      large: !elsewhere && this.isLarge(node),
    });
  }

  private isLarge(node: number): boolean {
    const { tree } = this;
    for (let n = tree.parent[node]!, hops = 0; n >= 0 && hops < 3; hops++, n = tree.parent[n]!) {
      const id = tree.tag[n]!;
      if (
        EMPHASIS[id] ||
        (tree.flags[n]! & HAS_HIDDEN &&
          /font(?:-size)?\s*:[^;"']*?(?:1[89]|[2-5]\d)px|font-weight\s*:\s*(?:bold|[6-9]00)/i.test(
            tree.source.slice(tree.open[n]!, tree.inner[n]!),
          ))
      )
        return true;
    }
    return false;
  }

  private stock(node: number, text: string, zone: number): void {
    if (text.length > 110 || zone & (LISTING | CHROME | REVIEW)) return;
    if (this.spots.out.length < 60 && saysOut(text)) this.spots.out.push({ node, at: this.at, zone, text });
    else if (this.spots.in.length < 60 && (zone & STOCK || text.length < 40) && saysIn(text))
      this.spots.in.push({ node, at: this.at, zone, text });
  }

  private terms(text: string, zone: number, digits: boolean): void {
    if (text.length > TERM_LENGTH_MAX || zone & (CHROME | REVIEW | HIDDEN) || this.spots.terms.length >= TERMS_MAX)
      return;
    const term = termOf(text) ?? (digits ? quantityIn(text) : null);
    if (term) this.spots.terms.push({ term, at: this.at });
  }

  private code(node: number, text: string, zone: number): void {
    if (this.pendingCode && node - this.pendingCode.node < 8) {
      const code = codeIn(text);
      if (code) this.spots.codes.push({ code, at: this.at, zone, weight: this.pendingCode.weight });
      if (code || /[\p{L}\p{N}]/u.test(text)) this.pendingCode = null;
      if (code) return;
    }
    const label = codeLabel(text);
    if (label) {
      const code = codeIn(label.rest);
      if (code) this.spots.codes.push({ code, at: this.at, zone, weight: label.weight });
      else if (label.rest.length < 3) this.pendingCode = { weight: label.weight, at: this.at, node };
    } else if (zone & CODE && !(zone & (LISTING | CHROME)) && text.length < 40) {
      const code = codeIn(text);
      if (code && code.length === text.replace(/^[#:\s]+/, "").length && /\d{3}|[A-Z]+\d|\d+\//.test(code))
        this.spots.codes.push({ code, at: this.at, zone, weight: 8 });
    }
  }

  private button(node: number, id: number): void {
    const { tree } = this;
    if (this.spots.buttons.length > 200 || (id !== BUTTON && id !== A && id !== INPUT && tree.after[node]! - node > 12))
      return;
    const zone = this.zones[node]!;
    const text =
      id === INPUT ? inputText(tree, node) : tree.after[node]! - node > 14 ? "" : clean(textOf(tree, node, 60, " "));
    if (id === INPUT && text === "") return;
    const named = zone & BUY && !(zone & (CHROME | LISTING)) && id !== A && text.length < 40;
    if (!saysBuy(text) && !(named && text !== "")) return;
    const open = tree.source.slice(tree.open[node]!, tree.inner[node]!);
    const disabled =
      /\sdisabled(?=[\s=>/])|aria-disabled\s*=\s*["']?true|(?:^|[\s"'-])(?:disabled|inactive|is-disabled)(?=[\s"'])/i.test(
        open,
      );
    this.spots.buttons.push({ node, at: this.at, zone, disabled: disabled || saysOut(text) });
  }
}

/** Letters, not bytes, of a stretch of UTF-8: what continues a letter is not counted. */
function lettersIn(source: string, from: number, to: number): number {
  let n = 0;
  for (let i = from; i < to; i++) if ((source.charCodeAt(i) & 0xc0) !== 0x80) n++;
  return n;
}

const inputText = (tree: Tree, node: number): string =>
  /^(?:submit|button|image)$/i.test(attribute(tree, node, "type") ?? "")
    ? clean(attribute(tree, node, "value") ?? attribute(tree, node, "alt") ?? "")
    : "";

function hasDigit(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (
      (c >= 48 && c <= 57) ||
      (c >= 0x660 && c <= 0x669) ||
      (c >= 0x6f0 && c <= 0x6f9) ||
      (c >= 0xff10 && c <= 0xff19)
    )
      return true;
  }
  return false;
}

export function collectSpots(tree: Tree, zones: Int32Array, heading: number, locale: string | null): Spots {
  return new Walker(tree, zones, heading, locale).walk();
}
