// The demo shop: pages of several platforms and currencies whose prices move on the owned clock, so that a newcomer sees a
// price drop within a minute, offline. The same pages are served to people and read by trackers of test keys.
import { createHash } from "node:crypto";
import type { Clock } from "../../../lib/clock.ts";
import { type PageReader, ReadError } from "./port.ts";

export const DEMO_HOST = "demo-shop";
/** How long one price stands. */
const STEP_MS = 20_000;

interface Item {
  name: string;
  sku: string;
  about: string;
  render(step: number): { status: number; html: string };
}

const cycle = <T>(values: readonly T[], step: number): T => values[step % values.length]!;
const page = (title: string, head: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} – Demo shop</title>${head}</head><body><header><nav><a href="/demo-shop">Demo shop</a></nav></header><main>${body}</main><footer>Simulated: nothing here can be bought.</footer></body></html>`;
const ok = (html: string) => ({ status: 200, html });
const jsonLd = (value: unknown): string => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;

const items: Record<string, Item> = {
  kettle: {
    name: "Copper kettle",
    sku: "KET-100",
    about: "JSON-LD, euros; falls from 49.90 to 39.90 within a minute",
    render(step) {
      const price = cycle(["49.90", "49.90", "39.90", "44.90"], step);
      const offer = {
        "@type": "Offer",
        price,
        priceCurrency: "EUR",
        availability: "https://schema.org/InStock",
        url: "/demo-shop/kettle",
      };
      const strike = price === "39.90" ? '<del class="price--old">49,90 €</del> ' : "";
      return ok(
        page(
          "Copper kettle",
          jsonLd({
            "@context": "https://schema.org",
            "@type": "Product",
            name: "Copper kettle",
            sku: "KET-100",
            gtin13: "4006381333931",
            brand: { "@type": "Brand", name: "Demo" },
            offers: offer,
          }),
          `<h1>Copper kettle</h1><p class="product-price">${strike}<span class="price--now">${price.replace(".", ",")} €</span></p><button class="add-to-cart">Add to cart</button>`,
        ),
      );
    },
  },
  lamp: {
    name: "Desk lamp",
    sku: "LMP-7",
    about: "microdata, pounds; rises and falls by a tenth",
    render(step) {
      const price = cycle(["30.00", "33.00", "33.00", "27.00"], step);
      return ok(
        page(
          "Desk lamp",
          "",
          `<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Desk lamp</h1><meta itemprop="sku" content="LMP-7"><div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="priceCurrency" content="GBP"><span class="woocommerce-Price-amount" itemprop="price" content="${price}">£${price}</span><link itemprop="availability" href="https://schema.org/InStock"></div><button class="single_add_to_cart_button">Add to basket</button></div>`,
        ),
      );
    },
  },
  teapot: {
    name: "Iron teapot",
    sku: "TEA-3",
    about: "data attributes, yen; sold out for a while",
    render(step) {
      const out = cycle([false, false, true, true, false], step);
      const stock = out
        ? '<p class="stock unavailable">Out of stock</p>'
        : '<p class="stock available">In stock</p><button id="product-addtocart-button">Add to cart</button>';
      return ok(
        page(
          "Iron teapot",
          '<meta property="og:price:currency" content="JPY">',
          `<h1>Iron teapot</h1><div>SKU: TEA-3</div><span class="price-wrapper" data-price-amount="8800" data-price-type="finalPrice"><span class="price">¥8,800</span></span>${stock}`,
        ),
      );
    },
  },
  rug: {
    name: "Wool rug",
    sku: "RUG-42",
    about: "no markup at all, kronor, split price",
    render(step) {
      const whole = cycle(["1 299", "1 299", "999", "1 199"], step);
      return ok(
        page(
          "Wool rug",
          "",
          `<h1>Wool rug</h1><p>Art.nr: RUG-42</p><div class="price"><span>${whole}</span><sup>50</sup> <span>SEK</span></div><button>Köp</button><section class="related-products"><a href="/demo-shop/lamp">Desk lamp <span class="price">£30.00</span></a></section>`,
        ),
      );
    },
  },
  shirt: {
    name: "Linen shirt",
    sku: "SHIRT",
    about: "sizes with prices of their own: ?variant=SHIRT-M",
    render(step) {
      const variant = (size: string, price: string, stock: string) => ({
        "@type": "Product",
        name: `Linen shirt ${size}`,
        sku: `SHIRT-${size}`,
        size,
        offers: { "@type": "Offer", price, priceCurrency: "USD", availability: `https://schema.org/${stock}` },
      });
      const sale = cycle(["59.00", "59.00", "49.00"], step);
      return ok(
        page(
          "Linen shirt",
          jsonLd({
            "@context": "https://schema.org",
            "@type": "ProductGroup",
            name: "Linen shirt",
            productGroupID: "SHIRT",
            hasVariant: [
              variant("S", "59.00", "OutOfStock"),
              variant("M", sale, "InStock"),
              variant("L", "64.00", "InStock"),
            ],
          }),
          `<h1>Linen shirt</h1><p class="price">$${sale}</p><button class="add-to-cart">Add to cart</button>`,
        ),
      );
    },
  },
  teaset: {
    name: "Tea set",
    sku: "SET-2",
    about: "two prices, alone and with cups: choose which one is meant",
    render(step) {
      const alone = cycle(["24.00", "24.00", "21.00", "26.00"], step);
      const both = cycle(["49.00", "45.00", "49.00", "52.00"], step);
      return ok(
        page(
          "Tea set",
          "",
          `<h1>Tea set</h1><p>Art.no: SET-2</p><div class="offer"><p>The teapot alone</p><p class="price now">€${alone}</p></div><div class="bundle"><p>The teapot with six cups</p><p class="price both">€${both}</p></div><button>Add to cart</button>`,
        ),
      );
    },
  },
  guarded: {
    name: "A page that blocks",
    sku: "-",
    about: "answers 403 with a captcha: status blocked",
    render: () => ({
      status: 403,
      html: '<!doctype html><title>Just a moment...</title><div id="challenge-form">Enable JavaScript and cookies to continue</div>',
    }),
  },
};

export interface DemoShop extends PageReader {
  /** The page as people see it; null where there is none. */
  render(name: string, nowMs: number): { status: number; html: string } | null;
  index(): string;
  isOurs(url: string): boolean;
}

export function createDemoShop(clock: Clock, publicUrl: () => string): DemoShop {
  const render: DemoShop["render"] = (name, nowMs) =>
    Object.hasOwn(items, name) ? items[name]!.render(Math.floor(nowMs / STEP_MS)) : null;
  const nameOf = (url: string): string | null => {
    const parsed = new URL(url);
    const home = publicUrl();
    const ours = parsed.hostname === DEMO_HOST || (home !== "" && parsed.host === new URL(home).host);
    return ours ? (/^\/demo-shop\/([a-z0-9-]{1,40})\/?$/.exec(parsed.pathname)?.[1] ?? null) : null;
  };
  return {
    simulated: true,
    render,
    isOurs: (url) => nameOf(url) !== null,
    index: () =>
      page(
        "All pages",
        "",
        `<h1>Demo shop</h1><p>Track one of these with a test key. Prices move every ${STEP_MS / 1000} seconds.</p><ul>${Object.entries(
          items,
        )
          .map(([name, item]) => `<li><a href="/demo-shop/${name}">${item.name}</a>: ${item.about}</li>`)
          .join("")}</ul>`,
      ),
    async check(url) {
      if (nameOf(url) === null) throw new ReadError("target_not_allowed", "A test key reads only the demo shop.");
    },
    async read(url, { etag }) {
      const found = render(nameOf(url) ?? "", clock.now()) ?? {
        status: 404,
        html: "<!doctype html><title>Not found</title>",
      };
      const body = Buffer.from(found.html);
      const own = `"${createHash("sha256").update(body).digest("base64url").slice(0, 16)}"`;
      const notModified = found.status === 200 && etag === own;
      return {
        status: notModified ? 304 : found.status,
        body: notModified ? Buffer.alloc(0) : body,
        contentType: "text/html; charset=utf-8",
        finalUrl: url,
        notModified,
        etag: own,
        lastModified: null,
        retryAfterMs: null,
      };
    },
  };
}
