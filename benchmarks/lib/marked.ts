// The price as markup alone says it, without reading the page: marks are found in the bytes and only their slices decoded.
// For a first impression of many pages; the page engine weighs it against what is shown.
import { scan } from "../../server/actions/shopping/engine/html/scan.ts";
import { jsonLdItems, parseScript } from "../../server/actions/shopping/engine/structured/json-ld.ts";
import { attribute } from "../../server/actions/shopping/engine/html/query.ts";
import { amountOf, productsOf, type Product } from "../../server/actions/shopping/engine/product/offers.ts";

export interface Marked {
  products: Product[];
  /** Price metas in the order of the page. */
  metas: { name: string; content: string }[];
  amount: string | null;
  currency: string | null;
}

const LD = Buffer.from("application/ld+json"),
  END = Buffer.from("</script"),
  PRICE_META = Buffer.from("price:"),
  GT = 62,
  LT = 60;
const SCRIPTS_MAX = 200;

export function readMarked(bytes: Uint8Array): Marked {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values: unknown[] = [];
  for (let at = buffer.indexOf(LD), n = 0; at >= 0 && n < SCRIPTS_MAX; n++) {
    const start = buffer.indexOf(GT, at);
    const end = start < 0 ? -1 : buffer.indexOf(END, start);
    if (end < 0) break;
    values.push(...parseScript(buffer.toString("utf8", start + 1, end)));
    at = buffer.indexOf(LD, end);
  }
  const metas: Marked["metas"] = [];
  for (let at = buffer.indexOf(PRICE_META), n = 0; at >= 0 && n < 50; at = buffer.indexOf(PRICE_META, at + 6), n++) {
    const open = buffer.lastIndexOf(LT, at),
      close = buffer.indexOf(GT, at);
    if (open < 0 || close < 0 || close - open > 600) continue;
    const tree = scan(buffer.toString("utf8", open, close + 1));
    const name = tree.count > 0 ? (attribute(tree, 0, "property") ?? attribute(tree, 0, "name")) : null;
    const content = tree.count > 0 ? attribute(tree, 0, "content") : null;
    if (name && content) metas.push({ name: name.toLowerCase(), content });
  }
  const products = productsOf(jsonLdItems(values), "json-ld");
  const offer = products.flatMap((p) => p.offers).find((o) => o.amount !== null);
  const meta = metas.find((m) => /price:amount$/.test(m.name));
  return {
    products,
    metas,
    amount: offer?.amount ?? (meta ? (amountOf(meta.content)?.amount ?? null) : null),
    currency: offer?.currency ?? metas.find((m) => /price:currency$/.test(m.name))?.content ?? null,
  };
}
