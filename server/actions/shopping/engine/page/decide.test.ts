// What the answer says beside the price: the words near it, doubts, and settings that matched nothing.
import { describe, expect, test } from "bun:test";
import { extractPage, type PageInput } from "./extract.ts";

const read = (html: string, more: Partial<PageInput> = {}) =>
  extractPage({ bytes: Buffer.from(html), url: "https://shop.example/p", ...more });
const tag = (words: string) =>
  `<h1>Copper kettle</h1><p class="price">49,90 €</p><p>${words}</p><button>Add to cart</button>`;
const ld = (price: string, more = "") =>
  `<script type="application/ld+json">{"@type":"Product","name":"Copper kettle","offers":{"@type":"Offer","price":"${price}","priceCurrency":"EUR"}${more}}</script>`;

describe("words beside the price", () => {
  test.each([
    ["Only 2 left in stock", 2, "limited"],
    ["Noch 3 Stück auf Lager", 3, "limited"],
    ["Plus que 4 exemplaires", 4, "limited"],
    ["12 in stock", 12, "in_stock"],
    ["More than 10 available", null, "in_stock"],
  ])("%s: %p", (words, quantity, status) => {
    expect(read(tag(words)).availability).toMatchObject({ quantity, status });
  });

  test.each([
    ["Save 10% with coupon", { percent: 10, amount: null, code: null }],
    ["Apply $5 coupon", { percent: null, amount: "5", code: null }],
    ["15 % Rabatt mit Gutscheincode: SOMMER15", { percent: 15, amount: null, code: "SOMMER15" }],
    ["-20% avec le code promo HIVER20", { percent: 20, amount: null, code: "HIVER20" }],
  ])("%s is a coupon, and not part of the price", (words, coupon) => {
    expect(read(tag(words)).price).toMatchObject({ amount: "49.90", coupon: { ...coupon, text: words } });
  });

  test.each(["Have a coupon?", "Gift voucher", "Enter promo code"])("%s is none", (words) => {
    expect(read(tag(words)).price?.coupon).toBeNull();
  });

  test.each([
    ["inkl. MwSt.", true],
    ["Price incl. VAT", true],
    ["zzgl. MwSt.", false],
    ["excl. VAT", false],
    ["A kettle of copper", null],
  ])("tax: %s is %p", (words, included) => {
    expect(read(tag(words)).price?.taxIncluded).toBe(included);
  });

  test.each([
    ["Delivery FREE", "0.00"],
    ["Versandkostenfrei", "0.00"],
    ["Free delivery over £50", null],
    ["Delivery in two days", null],
  ])("shipping: %s is %p", (words, shipping) => {
    expect(read(tag(words)).price?.shipping).toBe(shipping);
  });

  test("ratings come from the markup", () => {
    const rated = ld("49.90", ',"aggregateRating":{"ratingValue":"4.4","reviewCount":"89"}');
    expect(read(rated + tag("")).product.rating).toEqual({ value: 4.4, best: 5, count: 89 });
  });
});

describe("doubt", () => {
  test("markup that names another price than the page shows is believed less", () => {
    const agreed = read(`${ld("49.90")}${tag("")}`);
    const auction = read(
      `${ld("41.00")}<meta property="product:price:amount" content="41.00"><h1>Copper kettle</h1><div>Current bid: 49,90 €</div><button>Place bid</button>`,
    );
    expect(agreed.confidence).toBeGreaterThan(0.9);
    expect(auction.confidence).toBeLessThan(0.6);
    expect(auction.candidates.map((c) => c.amount).sort()).toEqual(["41", "49.9"]);
  });

  test("from stays from", () => {
    const page = read('<h1>Copper kettle</h1><p class="price">from 2,900 €</p><button>Add to cart</button>');
    expect(page.price).toMatchObject({ amount: "2900.00", kind: "from" });
  });
});

describe("asked for in vain", () => {
  test("a selector that finds nothing warns and lowers the confidence", () => {
    const page = read(`${ld("49.90")}${tag("")}`, { selector: ".nothing" });
    expect(page.warnings).toEqual(["selector_found_nothing"]);
    expect(page.price?.amount).toBe("49.90");
    expect(page.confidence).toBeLessThan(0.8);
    expect(read(`${ld("49.90")}${tag("")}`, { selector: ".price" }).warnings).toEqual([]);
  });

  test("a seller or condition that no offer has gives no price", () => {
    for (const asked of [{ seller: "Nobody" }, { condition: "used" }])
      expect(read(`${ld("49.90")}${tag("")}`, asked)).toMatchObject({ price: null, warnings: ["no_matching_offer"] });
    expect(read(`${ld("49.90")}${tag("")}`, { condition: "new" })).toMatchObject({ price: { amount: "49.90" } });
  });
});

describe("candidates say where they stand", () => {
  const page = `<h1>Copper kettle</h1><div class="offer"><p>Your price today</p><p class="now">49,90 €</p></div>
    <div class="bundle"><p>With a matching cup</p><p class="now both">59,80 €</p></div><button>Add to cart</button>`;
  const { candidates } = read(page);
  const other = candidates.find((c) => c.amount === "59.8")!;

  test("with the text around them, and scores that add up to 1", () => {
    expect(other).toMatchObject({ text: "59,80 €", selector: "p.now.both" });
    expect(other.context).toContain("With a matching cup");
    expect(candidates.reduce((sum, c) => sum + c.score, 0)).toBeCloseTo(1, 1);
  });

  test("with a selector that, sent back, makes them the price", () => {
    for (const candidate of candidates)
      expect(Number(read(page, { selector: candidate.selector! }).price?.amount)).toBe(Number(candidate.amount));
  });

  test("without a selector where markup alone names them", () => {
    const marked = read(`${ld("12.00")}<h1>Copper kettle</h1><button>Add to cart</button>`);
    expect(marked.candidates[0]).toMatchObject({ text: null, context: null, selector: null });
  });
});
