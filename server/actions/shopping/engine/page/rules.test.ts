// Rules round the price: codes, selectors, platform bodies, restock pages; and that no rule names a shop.
import { describe, expect, test } from "bun:test";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { scan } from "../html/scan.ts";
import { platformAddress, readPlatformJson } from "../product/platform.ts";
import { isGtin } from "./codes.ts";
import { extractPage, type PageInput } from "./extract.ts";
import { selectText } from "./select.ts";

const read = (body: string, more: Partial<PageInput> = {}, head = "") =>
  extractPage({
    bytes: Buffer.from(`<!doctype html><html><head><title>Oak chair</title>${head}</head><body>${body}</body></html>`),
    url: "https://shop.example/p/oak-chair",
    ...more,
  });
const ld = (value: unknown) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;
const offer = () => ({ "@type": "Offer", price: "95.00", priceCurrency: "EUR" });

test("codes: GTIN check digits, the shop's code as shown", () => {
  expect(["4006381333931", "978-1-56619-909-4", "0-545-01022-5", "4006381333932", "123"].map(isGtin)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
  expect(
    read(
      `<h1>Oak chair</h1><p>Product code: 83810610</p><p class="price">$5.00</p>`,
      {},
      ld({ "@type": "Product", name: "Oak chair", sku: "int-77", offers: offer() }),
    ).product.sku,
  ).toBe("83810610");
  expect(read(`<h1>Oak chair</h1>`, { url: "https://shop.example/oak-chair-1589482.html" }).product.sku).toBe(
    "1589482",
  );
});

test("a caller's own selector wins", () => {
  expect(
    read(`<h1>Oak chair</h1><p class="price">$95.00</p><div id="b2b"><span class="net">$80.00</span></div>`, {
      selector: "#b2b > .net",
    }).price?.amount,
  ).toBe("80.00");
  expect(selectText(scan(`<a data-x="1"><b>t</b></a>`), 'a[data-x="1"] b')).toBe("t");
});

describe("platform JSON", () => {
  test("addresses", () => {
    expect(platformAddress("shopify", "https://s.example/collections/a/products/red-coat?variant=1")).toBe(
      "https://s.example/products/red-coat.js",
    );
    expect(platformAddress("woocommerce", "https://s.example/product/pennant/")).toBe(
      "https://s.example/wp-json/wc/store/v1/products?slug=pennant",
    );
  });

  test("a Shopify body: minor units, the first variant's code, stock of any variant", () => {
    const body = {
      title: "Red coat",
      price: 12995,
      available: true,
      variants: [{ id: 7, sku: "COAT-S", title: "S", price: 12995, available: false }],
    };
    expect(readPlatformJson("shopify", body)).toMatchObject({ amount: "129.95", inStock: true, name: "Red coat" });
  });

  test("a WooCommerce body: the unit of the currency is obeyed", () => {
    const product = (unit: number, price: string, code: string) => [
      {
        name: "Pennant",
        sku: "pen-1",
        is_in_stock: false,
        prices: { currency_code: code, currency_minor_unit: unit, price, regular_price: price, sale_price: price },
      },
    ];
    expect(readPlatformJson("woocommerce", product(2, "1105", "GBP"))).toMatchObject({
      amount: "11.05",
      currency: "GBP",
      inStock: false,
      sku: "pen-1",
    });
    expect(readPlatformJson("woocommerce", product(0, "1105", "JPY"))).toMatchObject({
      amount: "1105",
      currency: "JPY",
    });
  });
});

describe("restock pages", () => {
  const stocked = (availability: string) =>
    read(
      `<h1>Oak chair</h1><p>price: $121.95</p>`,
      {},
      ld({
        "@type": ["Product", "SubType"],
        name: "Oak chair",
        Offers: { "@type": "Offer", price: "95.00", priceCurrency: "EUR", availability },
      }),
    );

  test("out of stock by the structured data, whatever form the word has", () => {
    for (const word of ["https://schema.org/OutOfStock", "http://schema.org/SoldOut", "OutOfStock"])
      expect([word, stocked(word).availability.status]).toEqual([word, "out_of_stock"]);
    expect(stocked("https://schema.org/InStock").availability.status).toBe("in_stock");
  });
});

test("no rule of the engine names a shop", () => {
  const shops =
    /amazon|ebay(?! item number)|ikea|zalando|zara(?![a-z])|walmart|johnlewis|john lewis|otto\.de|mediamarkt|currys|alibaba|aliexpress|etsy|target\.com|bestbuy|emag(?![a-z])|craigslist|rakuten|allegro|bol\.com/i;
  const folder = join(import.meta.dir, "..");
  const wrong: string[] = [];
  for (const file of readdirSync(folder, { recursive: true }) as string[]) {
    if (!file.endsWith(".ts") || file.endsWith(".test.ts")) continue;
    readFileSync(join(folder, file), "utf8")
      .split("\n")
      .forEach((line, i) => {
        if (shops.test(line)) wrong.push(`${file}:${i + 1}`);
      });
  }
  expect(wrong).toEqual([]);
});
