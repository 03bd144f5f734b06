// Sentences for the caller: why a page gives no price, and which settings matched nothing.
import type { ExtractedPage } from "./result.ts";

interface Asked {
  selector: string | null;
  seller: string | null;
  condition: string | null;
}

export const WARNINGS: Record<ExtractedPage["warnings"][number], (asked: Asked) => { detail: string; hint: string }> = {
  selector_found_nothing: ({ selector }) => ({
    detail: `selector ${selector} finds no price on the page, so the price was looked for elsewhere.`,
    hint: "Point at the element that holds the price, or send selector: null",
  }),
  no_matching_offer: ({ seller, condition }) => ({
    detail: `The page marks no offer ${[seller && `of ${seller}`, condition && `as ${condition}`].filter(Boolean).join(" and ")}.`,
    hint: "Look at the offers with include=offers, then send one of their sellers or conditions",
  }),
};

/** Why there is no price, or no certain one, in a sentence that helps. */
export function reasonOf(
  status: string,
  result: ExtractedPage | null,
  variant: string | null,
  httpStatus: number | null,
): string | null {
  const variants = (result?.variants ?? []).map((v) => v.id ?? v.name).filter(Boolean);
  const listed = variants.length > 0 ? `It has: ${variants.slice(0, 10).join(", ")}.` : "It names no variants.";
  switch (status) {
    case "blocked":
      return `The shop answers with a bot check or refuses (HTTP ${httpStatus}). Nothing is done to get around it.`;
    case "gone":
      return `The page answers ${httpStatus}. After three times in a row it counts as gone.`;
    case "no_price":
      return "The page shows no price without scripts. The operator can set CONNECTOR_SHOPPING_BROWSER to render it; selector can point at a price that is there.";
    case "not_a_product":
      return "The page does not look like a product page: it has no product markup and no heading with a price.";
    case "variant_not_found":
      return `The page has no variant ${variant}. ${listed}`;
    case "ambiguous":
      return variant !== null && variants.length > 0
        ? `Several variants fit ${variant}. ${listed}`
        : "Several prices are about equally likely. include=candidates shows them, selector points at one.";
    case "error":
      return httpStatus === null ? null : `The page answers ${httpStatus}.`;
    default:
      return null;
  }
}
