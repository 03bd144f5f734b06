// Shop platforms: how to recognise one from its page, where its product JSON lives, and how to read that JSON. Platforms, not shops.
import { plainAmount } from "../page/amounts.ts";

export type Platform = "shopify" | "woocommerce" | "magento" | "prestashop" | "bigcommerce";

export interface PlatformProduct {
  amount: string | null;
  currency: string | null;
  list: string | null;
  inStock: boolean | null;
  sku: string | null;
  name: string | null;
  variants: { id: string; sku: string | null; title: string | null; amount: string | null; inStock: boolean | null }[];
}

const MARKS: [Platform, string[]][] = [
  ["shopify", ["cdn.shopify.com", "Shopify.theme", "shopify-section"]],
  ["woocommerce", ["woocommerce-product-gallery", "wp-content/plugins/woocommerce", "single_add_to_cart_button"]],
  ["magento", ['data-price-type="finalPrice"', "Magento_Ui", "mage/cookies", "catalog-product-view"]],
  ["prestashop", ["var prestashop =", 'id="prestashop"', "/modules/ps_", 'content="PrestaShop']],
  ["bigcommerce", [".bigcommerce.com", "data-product-price-without-tax", "BCData"]],
];

/** On the bytes: looking for plain marks is fastest there. */
export function platformOf(bytes: Uint8Array): Platform | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 160_000));
  for (const [platform, marks] of MARKS) if (marks.some((mark) => head.includes(mark))) return platform;
  return null;
}

/** The address of a product's JSON on the same host; null where the platform has none that is public. */
export function platformAddress(platform: Platform, url: string): string | null {
  const page = new URL(url);
  if (platform === "shopify") {
    const handle = /\/products\/([^/?#]+)/.exec(page.pathname)?.[1];
    return handle ? new URL(`/products/${handle.replace(/\.js(?:on)?$/, "")}.js`, page).href : null;
  }
  if (platform === "woocommerce") {
    const slug = page.pathname.split("/").filter(Boolean).at(-1);
    return slug ? new URL(`/wp-json/wc/store/v1/products?slug=${encodeURIComponent(slug)}`, page).href : null;
  }
  return null;
}

/** The same from the bytes of the answer; null where they are no JSON. */
export function readPlatformBytes({ platform, bytes }: { platform: Platform; bytes: Uint8Array }) {
  try {
    return readPlatformJson(platform, JSON.parse(Buffer.from(bytes).toString()));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

export function readPlatformJson(platform: Platform, body: unknown): PlatformProduct | null {
  const value = Array.isArray(body) ? body[0] : body;
  if (value === null || typeof value !== "object") return null;
  const object = value as Record<string, any>;
  return platform === "shopify"
    ? readShopify(object.product ?? object)
    : platform === "woocommerce"
      ? readWoo(object)
      : null;
}

/** Hundredths, whatever the currency has; which currency it is, the body does not say. */
function readShopify(p: Record<string, any>): PlatformProduct | null {
  const amount = hundredths(p.price ?? p.variants?.[0]?.price);
  if (amount === null) return null;
  return {
    amount,
    currency: null,
    list: hundredths(p.compare_at_price) === "0" ? null : hundredths(p.compare_at_price),
    inStock: typeof p.available === "boolean" ? p.available : null,
    sku: stringOr(p.variants?.[0]?.sku),
    name: stringOr(p.title),
    variants: (Array.isArray(p.variants) ? p.variants : []).slice(0, 500).map((v: any) => ({
      id: String(v.id),
      sku: stringOr(v.sku),
      title: stringOr(v.title),
      amount: hundredths(v.price),
      inStock: typeof v.available === "boolean" ? v.available : null,
    })),
  };
}

function readWoo(p: Record<string, any>): PlatformProduct | null {
  const unit = Number(p.prices?.currency_minor_unit ?? 2);
  const amount = minor(p.prices?.price, unit);
  if (amount === null) return null;
  const regular = minor(p.prices?.regular_price, unit);
  return {
    amount,
    currency: stringOr(p.prices?.currency_code),
    list: p.on_sale && regular !== amount ? regular : null,
    inStock: typeof p.is_in_stock === "boolean" ? p.is_in_stock : null,
    sku: stringOr(p.sku),
    name: stringOr(p.name),
    variants: [],
  };
}

const stringOr = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value : typeof value === "number" ? String(value) : null;

/** Shopify's .js bodies write integers; some themes write decimals already. */
function hundredths(value: unknown): string | null {
  if (typeof value === "string" && value.includes(".")) return plainAmount(value);
  return minor(value, 2);
}

function minor(value: unknown, decimals: number): string | null {
  if ((typeof value !== "number" && typeof value !== "string") || !/^\d{1,15}$/.test(String(value))) return null;
  const digits = String(value).padStart(decimals + 1, "0");
  return decimals === 0 ? plainAmount(digits) : `${plainAmount(digits.slice(0, -decimals))}.${digits.slice(-decimals)}`;
}
