// Rules round the price: codes, selectors, platform bodies, given restock pages; and that no rule names a shop.
import { describe, expect, test } from "bun:test";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describeWithData, sharedData } from "../../../../../tests/shared-data.ts";
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
});

describeWithData("shopping/platform-json.json", "the given platform bodies", () => {
  test("price, currency, stock, code", () => {
    for (const row of JSON.parse(readFileSync(`${sharedData}/shopping/platform-json.json`, "utf8"))) {
      const got = readPlatformJson(row.platform.startsWith("shopify") ? "shopify" : "woocommerce", row.body)!;
      expect([got.amount, got.currency, got.inStock]).toEqual([
        row.expected.price,
        row.expected.currency,
        row.expected.availability === "InStock",
      ]);
      if (row.expected.sku) expect(got.sku).toBe(row.expected.sku);
    }
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

describeWithData("shopping/changedetection.json", "the given restock pages", () => {
  test("price, currency and stock of each", () => {
    const { pages } = JSON.parse(readFileSync(`${sharedData}/shopping/changedetection.json`, "utf8"));
    for (const { name, html, expected } of pages) {
      const page = extractPage({ bytes: Buffer.from(html), url: "https://shop.example/p/1" });
      expect([name, Number(page.price?.amount)]).toEqual([name, Number(expected.price)]);
      if (expected.currency) expect(page.price?.currency).toBe(expected.currency);
      if (expected.inStock === false) expect(page.availability.status).toBe("out_of_stock");
      if (expected.inStock === true) expect(page.availability.status).not.toBe("out_of_stock");
    }
  });
});
