// Which of the products in the markup is the page's own.
import { likeness } from "../visible/heading.ts";
import type { Product } from "./offers.ts";

export interface PageFacts {
  url: string;
  canonical: string | null;
  heading: string;
  title: string;
  headingNode: number;
  /** Where a product's element ends, by its node; for products read from elements. */
  after(node: number): number;
  /** Whether the element stands in a list of other products. */
  elsewhere(node: number): boolean;
}

export function mainProduct(products: readonly Product[], facts: PageFacts): Product | null {
  let best: Product | null = null;
  let bestScore = -Infinity;
  products.forEach((product, index) => {
    const score = scoreOf(product, facts) - Math.min(index, 20) * 0.05;
    if (score > bestScore) {
      best = product;
      bestScore = score;
    }
  });
  return bestScore < -1.5 ? null : best;
}

function scoreOf(product: Product, facts: PageFacts): number {
  let score = 0;
  if (product.name) {
    const alike = Math.max(likeness(product.name, facts.heading), likeness(product.name, facts.title));
    score += alike > 0.3 ? alike * 3 : -2;
  }
  if (product.url && samePage(product.url, facts)) score += 2;
  if (product.sku && facts.url.includes(product.sku)) score += 1;
  if (product.offers.some((offer) => offer.amount !== null) || product.variants.length > 0) score += 1;
  if (product.offers.some((offer) => offer.url && samePage(offer.url, facts))) score += 0.5;
  if (product.node >= 0) {
    if (facts.headingNode > product.node && facts.headingNode < facts.after(product.node)) score += 3;
    if (facts.elsewhere(product.node)) score -= 3;
  }
  return score;
}

function samePage(url: string, facts: PageFacts): boolean {
  try {
    const target = new URL(url, facts.url);
    return [facts.url, facts.canonical].some((other) => {
      if (!other) return false;
      const known = new URL(other, facts.url);
      return (
        known.pathname === target.pathname &&
        target.pathname.length > 1 &&
        (target.search === "" || target.search === known.search || known.searchParams.size === 0)
      );
    });
  } catch {
    return false;
  }
}
