// Pages of the kinds shops are made of, written for these tests: what must be read from each.
import { describe, expect, test } from "bun:test";
import { extractPage, type PageInput } from "./extract.ts";

const read = (body: string, more: Partial<PageInput> = {}, head = "") =>
  extractPage({
    bytes: Buffer.from(`<!doctype html><html><head><title>Oak chair</title>${head}</head><body>${body}</body></html>`),
    url: "https://shop.example/p/oak-chair",
    ...more,
  });
const related = `<section class="related"><h2>You may also like</h2><ul><li class="product-card"><a href="/p/2">Pine stool <span class="price">$19.00</span></a></li><li class="product-card"><a href="/p/3">Desk <span class="price">$9.00</span></a></li></ul></section>`;

const kinds: Record<
  string,
  { html: string; amount: string; currency?: string | null; list?: string | null; url?: string }
> = {
  "del and ins": {
    html: `<h1>Oak chair</h1><p class="price"><del><bdi>£120.00</bdi></del> <ins><bdi>£95.00</bdi></ins></p><button class="single_add_to_cart_button">Add to cart</button>${related}`,
    amount: "95.00",
    currency: "GBP",
    list: "120.00",
  },
  "special and old price": {
    html: `<h1>Oak chair</h1><span class="special-price"><span class="price-label">Special Price</span> <span data-price-amount="80" data-price-type="finalPrice" class="price-wrapper"><span class="price">$80.00</span></span></span><span class="old-price"><span class="price-label">Was</span> <span class="price-wrapper" data-price-type="oldPrice"><span class="price">$100.00</span></span></span><button>Add to Cart</button>`,
    amount: "80.00",
    currency: "USD",
    list: "100.00",
  },
  "current price with content": {
    html: `<h1>Oak chair</h1><div class="product-prices"><div class="product-discount"><span class="regular-price">100,00 €</span></div><div class="current-price"><span class="current-price-value" content="79.9">79,90 €</span> <span class="discount discount-percentage">Save 20%</span></div><div class="tax-shipping-delivery-label">Tax included</div></div><button class="add-to-cart">Add to cart</button>`,
    amount: "79.90",
    currency: "EUR",
    list: "100.00",
  },
  "sale theme": {
    html: `<h1>Oak chair</h1><div class="price price--on-sale"><div class="price__regular"><span class="price-item price-item--regular">$50.00</span></div><div class="price__sale"><s class="price-item price-item--regular">$50.00</s><span class="price-item price-item--sale">$35.00</span></div></div><button name="add" class="product-form__submit">Add to cart</button>`,
    amount: "35.00",
    currency: "USD",
    list: "50.00",
  },
  "a bare heading": {
    html: `<h1>Oak chair</h1><ul class="list-unstyled"><li>Brand: Oak</li><li>Product Code: OC-1</li></ul><ul class="list-unstyled"><li><h2>$602.00</h2></li><li>Ex Tax: $500.00</li></ul><button id="button-cart">Add to Cart</button>`,
    amount: "602.00",
    currency: "USD",
  },
  "cents in sup": {
    html: `<h1>Oak chair</h1><p class="product-new-price">139<sup>98</sup> <span>Lei</span></p><button>Adaugă în coș</button>`,
    amount: "139.98",
    currency: "RON",
  },
  "three spans": {
    html: `<h1>Oak chair</h1><div class="price"><span>14</span><span>,</span><span>99</span><span> €</span></div><button>In den Warenkorb</button>`,
    amount: "14.99",
    currency: "EUR",
  },
  "sign apart": {
    html: `<h1>Oak chair</h1><div class="pdp-price"><span class="sign">$</span><span class="value">1,299</span></div><button>Buy now</button>`,
    amount: "1299.00",
    currency: "USD",
  },
  "per month beside": {
    html: `<h1>Oak chair</h1><div class="price">£480.00</div><div class="finance">or £40.00 per month</div><p>Free delivery over £50</p><button>Add to basket</button>`,
    amount: "480.00",
    currency: "GBP",
  },
  "unit price beside": {
    html: `<h1>Oak chair</h1><div class="price">4,99 €</div><div class="unit-price">(19,96 € / 1 kg)</div><button>In den Warenkorb</button>`,
    amount: "4.99",
    currency: "EUR",
  },
  "was and now in words": {
    html: `<h1>Oak chair</h1><div>Was $70.00</div><div>Now $49.00</div><button>Add to cart</button>`,
    amount: "49.00",
    currency: "USD",
    list: "70.00",
  },
  "no classes at all": {
    html: `<h1>Oak chair</h1><table><tr><td>Price:</td><td><b>€ 45,00</b></td></tr></table><form><input type=submit value="Add to cart"></form>`,
    amount: "45.00",
    currency: "EUR",
  },
  "a lone regular price": {
    html: `<h1>Oak chair</h1><span class="regular-price">$25.00</span><button>Add to cart</button>`,
    amount: "25.00",
    currency: "USD",
    list: null,
  },
  "dollars of a country": {
    html: `<h1>Oak chair</h1><span class="price">$25.00</span><button>Add to cart</button>`,
    amount: "25.00",
    currency: "AUD",
    url: "https://shop.example.com.au/p",
  },
  "large numbers with points": {
    html: `<h1>Silla</h1><span class="price">$ 24.990</span><button>Agregar al carro</button>`,
    amount: "24990",
    currency: "CLP",
    url: "https://tienda.example.cl/p",
  },
  yen: {
    html: `<h1>椅子</h1><span class="price">￥12,800</span><span>(税込)</span><button>カートに入れる</button>`,
    amount: "12800",
    currency: "JPY",
    url: "https://shop.example.jp/p",
  },
};

describe("visible prices", () => {
  for (const [name, { html, amount, currency, list, url }] of Object.entries(kinds)) {
    test(name, () => {
      const page = read(html, url ? { url } : {});
      expect(page.price?.amount).toBe(amount);
      if (currency !== undefined) expect(page.price?.currency).toBe(currency);
      if (list !== undefined) expect(page.price?.listAmount ?? null).toBe(list);
      expect(page.availability.status).not.toBe("out_of_stock");
    });
  }
});

const ld = (value: unknown) =>
  `<script type="application/ld+json">${typeof value === "string" ? value : JSON.stringify(value)}</script>`;
const offer = (more: object = {}) => ({
  "@type": "Offer",
  price: "95.00",
  priceCurrency: "EUR",
  availability: "https://schema.org/InStock",
  ...more,
});

describe("markup", () => {
  test("JSON-LD in a graph, with a broken script beside it", () => {
    const page = read(
      "<h1>Oak chair</h1>",
      {},
      ld("{ this is not json") +
        ld({
          "@graph": [{ "@type": "WebPage" }, { "@type": "Product", name: "Oak chair", sku: "OC-1", offers: [offer()] }],
        }),
    );
    expect([page.price?.amount, page.price?.currency, page.product.sku]).toEqual(["95.00", "EUR", "OC-1"]);
  });
  test.each([
    ["a trailing comma", '{"@type":"Product","name":"Oak chair","offers":{"price":"95.00","priceCurrency":"EUR",}}'],
    ["a brace too many", '{"@type":"Product","name":"Oak chair","offers":{"price":"95.00","priceCurrency":"EUR"}}}'],
    ["a semicolon", '{"@type":"Product","name":"Oak chair","offers":{"price":"95.00","priceCurrency":"EUR"}};'],
    [
      "CDATA",
      '//<![CDATA[\n{"@type":"Product","name":"Oak chair","offers":{"price":"95.00","priceCurrency":"EUR"}}\n//]]>',
    ],
    [
      "a raw line break",
      '{"@type":"Product","name":"Oak chair","description":"a\nb","Offers":{"price":"95.00","priceCurrency":"EUR"}}',
    ],
    ["a remark", '<!-- x -->{"@type":"Product","name":"Oak chair","offers":{"price":"95.00","priceCurrency":"EUR"}}'],
  ])("JSON-LD with %s", (_, text) => {
    expect(read("<h1>Oak chair</h1>", {}, ld(text)).price).toMatchObject({ amount: "95.00", currency: "EUR" });
  });
  test("the visible lower price wins over markup that names the struck one", () => {
    const page = read(
      `<h1>Oak chair</h1><p class="price"><del>€150.00</del> <span class="sale-price">€120.00</span></p><button>Add to cart</button>`,
      {},
      ld({ "@type": "Product", name: "Oak chair", offers: offer({ price: "150.00" }) }),
    );
    expect([page.price?.amount, page.price?.listAmount]).toEqual(["120.00", "150.00"]);
  });
  test("other products in the markup are not the product", () => {
    const page = read(
      "<h1>Oak chair</h1>",
      {},
      ld({
        "@type": "ItemList",
        itemListElement: [
          { "@type": "ListItem", item: { "@type": "Product", name: "Pine stool", offers: offer({ price: "19.00" }) } },
        ],
      }) +
        ld({
          "@type": "Product",
          name: "Oak chair",
          isRelatedTo: { "@type": "Product", name: "Desk", offers: offer({ price: "9.00" }) },
          offers: offer(),
        }),
    );
    expect(page.price?.amount).toBe("95.00");
  });
  test("price types: list prices are never the price", () => {
    const page = read(
      "<h1>Oak chair</h1>",
      {},
      ld({
        "@type": "Product",
        name: "Oak chair",
        offers: offer({
          price: undefined,
          priceSpecification: [
            {
              "@type": "UnitPriceSpecification",
              priceType: "https://schema.org/StrikethroughPrice",
              price: "150.00",
              priceCurrency: "EUR",
            },
            { "@type": "UnitPriceSpecification", price: "120.00", priceCurrency: "EUR" },
          ],
        }),
      }),
    );
    expect([page.price?.amount, page.price?.listAmount]).toEqual(["120.00", "150.00"]);
  });
  test("variants: the one the address or the caller names", () => {
    const group = {
      "@type": "ProductGroup",
      name: "Oak chair",
      productGroupID: "OC",
      hasVariant: [
        { "@type": "Product", name: "Oak chair S", sku: "OC-S", size: "S", offers: offer({ price: "50.00" }) },
        {
          "@type": "Product",
          name: "Oak chair L",
          sku: "OC-L",
          size: "L",
          offers: offer({ price: "70.00", availability: "OutOfStock" }),
        },
      ],
    };
    expect(read("<h1>Oak chair</h1>", {}, ld(group)).price?.amount).toBe("50.00");
    expect(read("<h1>Oak chair</h1>", { url: "https://shop.example/p?sku=OC-L" }, ld(group))).toMatchObject({
      price: { amount: "70.00" },
      availability: { status: "out_of_stock" },
      product: { variant: { id: "OC-L", selectedBy: "url" } },
    });
    expect(read("<h1>Oak chair</h1>", { variant: "size:L" }, ld(group)).price?.amount).toBe("70.00");
  });
  test("microdata, Open Graph and metas of sales", () => {
    expect(
      read(
        `<div itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">Oak chair</h1><div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><span itemprop="price" content="95.00">95,-</span><meta itemprop="priceCurrency" content="EUR"></div></div>`,
      ).price,
    ).toMatchObject({ amount: "95.00", currency: "EUR" });
    expect(
      read(
        "<h1>Oak chair</h1>",
        {},
        `<meta property="product:price:amount" content="120.00"><meta property="product:sale_price:amount" content="95.00"><meta property="product:price:currency" content="EUR">`,
      ).price,
    ).toMatchObject({ amount: "95.00", currency: "EUR" });
  });
  test("used offers are not new ones", () => {
    const both = ld({
      "@type": "Product",
      name: "Oak chair",
      offers: [
        offer({ price: "40.00", itemCondition: "https://schema.org/UsedCondition" }),
        offer({ itemCondition: "https://schema.org/NewCondition" }),
      ],
    });
    expect(read("<h1>Oak chair</h1>", { condition: "new" }, both).price?.amount).toBe("95.00");
    expect(read("<h1>Oak chair</h1>", { condition: "used" }, both).price?.amount).toBe("40.00");
  });
});

describe("stock", () => {
  const priced = `<h1>Oak chair</h1><p class="price">$95.00</p>`;
  test.each([
    ["in words", `${priced}<p class="stock">Out of stock</p>`, "out_of_stock"],
    ["in German words", `${priced}<div class="availability">Derzeit nicht verfügbar.</div>`, "out_of_stock"],
    ["a button", `${priced}<button>Add to cart</button>`, "in_stock"],
    ["nothing said", priced, "unknown"],
    [
      "of other products",
      `${priced}<button>Add to cart</button><div class="related-products"><p>Sold out</p></div>`,
      "in_stock",
    ],
    ["of a picture", `${priced}<button>Add to cart</button><p>Image not available</p>`, "in_stock"],
  ])("%s", (_, html, status) => expect(read(html).availability.status).toBe(status as "unknown"));
  test("markup that says in stock yields to words in the buy box", () => {
    const page = read(
      `<h1>Oak chair</h1><p class="price">€95.00</p><p class="stock unavailable">Sold out</p>`,
      {},
      ld({ "@type": "Product", name: "Oak chair", offers: offer() }),
    );
    expect(page.availability).toMatchObject({ status: "out_of_stock", source: "text" });
  });
  test.each([
    ["PreOrder", "preorder"],
    ["https://schema.org/BackOrder", "backorder"],
    ["LimitedAvailability", "limited"],
    ["http://schema.org/Discontinued", "discontinued"],
    ["InStoreOnly", "in_store_only"],
  ])("%s", (name, status) => {
    expect(
      read(
        "<h1>Oak chair</h1>",
        {},
        ld({ "@type": "Product", name: "Oak chair", offers: offer({ availability: name }) }),
      ).availability.status,
    ).toBe(status as "unknown");
  });
});

describe("pages that are not the page", () => {
  test("walls, absent pages, pages without a price", () => {
    expect(
      extractPage({
        bytes: Buffer.from("<title>Just a moment...</title><div class=cf-browser-verification></div>"),
        url: "https://shop.example/p",
      }).status,
    ).toBe("blocked");
    expect(read("<h1>x</h1>", { status: 403 }).status).toBe("blocked");
    expect(read("<h1>x</h1>", { status: 404 }).status).toBe("gone");
    const peugeot = `<title>404</title><h1>Peugeot 404</h1><p class="price">€95.00</p>`;
    expect(extractPage({ bytes: Buffer.from(peugeot), url: "https://shop.example/p" }).status).toBe("gone");
    const marked = ld({ "@type": "Product", name: "Peugeot 404", offers: offer() });
    expect(extractPage({ bytes: Buffer.from(peugeot + marked), url: "https://shop.example/p" }).status).toBe("ok");
    expect(
      extractPage({ bytes: Buffer.from("<title>Page not found</title><h1>Sorry</h1>"), url: "https://shop.example/p" })
        .status,
    ).toBe("gone");
    expect(read("<h1>Oak chair</h1><p>Ask us for a price.</p>")).toMatchObject({ status: "no_price", price: null });
    expect(
      extractPage({ bytes: Buffer.from("%PDF"), url: "https://shop.example/p", contentType: "application/pdf" }).status,
    ).toBe("not_a_product");
  });
});
