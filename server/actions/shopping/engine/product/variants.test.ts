// Which variant is meant, and that no answer mixes two of them.
import { describe, expect, test } from "bun:test";
import { extractPage, type PageInput } from "../page/extract.ts";

const variant = (sku: string, size: string, color: string, price: string, stock: string) => ({
  "@type": "Product",
  name: `Boot ${size} ${color}`,
  sku,
  size,
  color,
  url: `https://shop.example/boot?v=${sku}`,
  offers: { "@type": "Offer", price, priceCurrency: "EUR", availability: `https://schema.org/${stock}` },
});
const group = {
  "@type": "ProductGroup",
  name: "Boot",
  productGroupID: "BOOT",
  hasVariant: [
    variant("R-41-BLK", "41", "black", "89.00", "OutOfStock"),
    variant("R-42-BLK", "42", "black", "99.00", "InStock"),
    variant("R-42-RED", "42", "red", "79.00", "InStock"),
  ],
};
const html = `<script type="application/ld+json">${JSON.stringify(group)}</script><h1>Boot</h1><p class="price">79,00 €</p><button>Add to cart</button>`;
const read = (variantAsked: string | null, more: Partial<PageInput> = {}) =>
  extractPage({ bytes: Buffer.from(html), url: "https://shop.example/boot", variant: variantAsked, ...more });

describe("a named variant", () => {
  test("by code, by number in its address, by all of its options", () => {
    for (const asked of ["R-42-BLK", "r-42-blk", "size:42,color:black", "42, black", "Boot 42 black"]) {
      const page = read(asked);
      expect([asked, page.status, page.price?.amount, page.product.sku]).toEqual([asked, "ok", "99.00", "R-42-BLK"]);
      expect(page.product.variant).toMatchObject({ id: "R-42-BLK", selectedBy: "request" });
    }
  });

  test("that is sold out is sold out, though the page's button belongs to another", () => {
    const page = read("size:41,color:black");
    expect(page.price?.amount).toBe("89.00");
    expect(page.availability.status).toBe("out_of_stock");
  });

  test("that does not exist gives no price, and the list", () => {
    for (const asked of ["XXL", "size:43", "size:41,color:red", "4"]) {
      const page = read(asked);
      expect([asked, page.status, page.price, page.variants.length]).toEqual([asked, "variant_not_found", null, 3]);
    }
  });

  test("that fits several is ambiguous: the lowest price, the range, no code", () => {
    const page = read("size:42");
    expect(page.status).toBe("ambiguous");
    expect(page.price).toMatchObject({ amount: "79.00", low: "79.00", high: "99.00", kind: "from" });
    expect([page.product.sku, page.product.variant]).toEqual([null, null]);
  });

  test("on a page without variants is its own product by its code, else missing", () => {
    const plain = (asked: string) =>
      extractPage({
        bytes: Buffer.from(
          '<script type="application/ld+json">{"@type":"Product","name":"Cup","sku":"C-1","offers":{"price":"5","priceCurrency":"EUR"}}</script><h1>Cup</h1>',
        ),
        url: "https://shop.example/cup",
        variant: asked,
      });
    expect(plain("C-1")).toMatchObject({ status: "ok", price: { amount: "5.00" } });
    expect(plain("C-2")).toMatchObject({ status: "variant_not_found", price: null });
  });
});

describe("no variant named", () => {
  test("price and code are of the same variant, and the range is that of what can be bought", () => {
    const page = read(null);
    expect(page.price).toMatchObject({ amount: "79.00", low: "79.00", high: "99.00", kind: "from" });
    expect(page.product.sku).toBe("R-42-RED");
    expect(page.availability.status).toBe("in_stock");
  });

  test("several variants of one price: no code of any of them", () => {
    const same = {
      ...group,
      hasVariant: group.hasVariant.map((v) => ({ ...v, offers: { ...v.offers, price: "79.00" } })),
    };
    const page = extractPage({
      bytes: Buffer.from(`<script type="application/ld+json">${JSON.stringify(same)}</script><h1>Boot</h1>`),
      url: "https://shop.example/boot",
    });
    expect([page.price?.amount, page.product.sku, page.price?.kind]).toEqual(["79.00", null, "price"]);
  });

  test("a variant that the address names is read; one it names in vain is no mistake", () => {
    const named = "https://shop.example/boot?variant=R-42-BLK";
    const unshown = Buffer.from(html.replace('<p class="price">79,00 €</p>', ""));
    expect(read(null, { bytes: unshown, url: named })).toMatchObject({
      price: { amount: "99.00" },
      product: { sku: "R-42-BLK", variant: { selectedBy: "url" } },
    });
    // The page shows another one than its address names: price and code are of the one it shows.
    expect(read(null, { url: named })).toMatchObject({
      price: { amount: "79.00" },
      product: { sku: "R-42-RED", variant: null },
    });
    expect(read(null, { url: "https://shop.example/boot?variant=nothing" })).toMatchObject({
      status: "ok",
      price: { amount: "79.00" },
    });
  });
});
