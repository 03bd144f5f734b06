// Scores the page engine by the product-extraction benchmark's rule: at most one prediction a field, decimal equality, any listed
// truth counts, a missing availability counts as in stock.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { plainAmount } from "../../server/actions/shopping/engine/page/amounts.ts";
import { extractPage } from "../../server/actions/shopping/engine/page/extract.ts";
import { DataError, type EvalOptions, type Suite } from "../eval.ts";

interface Truth {
  url: string;
  price?: string[];
  sku?: string[];
  availability?: string[];
}

class Tally {
  right = 0;
  wrong = 0;
  missed = 0;
  count(expected: string[] | undefined, got: string | null, same: (a: string, b: string) => boolean): boolean {
    const ok = expected !== undefined && got !== null && expected.some((e) => same(e, got));
    if (ok) this.right++;
    else {
      if (got !== null) this.wrong++;
      if (expected !== undefined && expected.length > 0) this.missed++;
    }
    return ok || (got === null && !expected?.length);
  }
  result() {
    const p = this.right / Math.max(1, this.right + this.wrong),
      r = this.right / Math.max(1, this.right + this.missed);
    return {
      p: round(p),
      r: round(r),
      f1: round(p + r === 0 ? 0 : (2 * p * r) / (p + r)),
      n: this.right + this.missed,
    };
  }
}
const round = (x: number) => Math.round(x * 1000) / 1000;

export default {
  help: "product pages: price, availability, SKU (DIR/pages/ground-truth.json and html/*.html.gz)",
  run({ data, limit, flags, progress }: EvalOptions) {
    const folder = existsSync(join(data, "pages")) ? join(data, "pages") : data;
    if (!existsSync(join(folder, "ground-truth.json"))) throw new DataError(`no ground-truth.json in ${folder}`);
    const truth = Object.entries(
      JSON.parse(readFileSync(join(folder, "ground-truth.json"), "utf8")) as Record<string, Truth>,
    ).slice(0, limit);
    const price = new Tally(),
      sku = new Tally(),
      stock = new Tally(),
      out = new Tally();
    const failures: Record<string, unknown>[] = [];
    let bytes = 0,
      ms = 0,
      worst = 0,
      done = 0;
    for (const [id, row] of truth) {
      const html = gunzipSync(readFileSync(join(folder, "html", `${id}.html.gz`)));
      const got = extractPage({ bytes: html, url: row.url });
      // Timed once warm: what counts is the speed of a running service, not of its first second.
      for (let i = 0; i < (done < 10 ? 10 : 1); i++) extractPage({ bytes: html, url: row.url });
      const started = performance.now();
      extractPage({ bytes: html, url: row.url });
      const took = performance.now() - started;
      ms += took;
      bytes += html.length;
      worst = Math.max(worst, (took / html.length) * 1e6);
      const state =
        got.availability.status === "unknown" ||
        got.availability.purchasable ||
        got.availability.status === "in_store_only"
          ? "InStock"
          : "OutOfStock";
      const rightPrice = price.count(row.price, got.price?.amount ?? null, (a, b) => plainAmount(a) === plainAmount(b));
      const rightSku = sku.count(row.sku, got.product.sku, (a, b) => a.trim().toLowerCase() === b.trim().toLowerCase());
      const rightStock = stock.count(row.availability ?? ["InStock"], state, (a, b) => a === b);
      const isOut = row.availability?.includes("OutOfStock") ?? false;
      out.count(isOut ? ["OutOfStock"] : undefined, state === "OutOfStock" ? state : null, (a, b) => a === b);
      if (!rightPrice || !rightSku || !rightStock)
        failures.push({
          id: id.slice(0, 8),
          host: new URL(row.url).host,
          ...(rightPrice ? {} : { price: [row.price, got.price?.amount ?? null, got.candidates] }),
          ...(rightSku ? {} : { sku: [row.sku, got.product.sku, got.product.skuSource] }),
          ...(rightStock ? {} : { availability: [row.availability, got.availability] }),
        });
      progress(++done, truth.length);
    }
    return {
      n: truth.length,
      price: price.result(),
      availability: stock.result(),
      sku: sku.result(),
      out_of_stock: out.result(),
      ms_per_mb: round((ms / bytes) * 1e6),
      worst_ms_per_mb: round(worst),
      ...("failures" in flags ? { failures } : {}),
      failing: failures.map((f) => f.id),
    };
  },
  table: (r) =>
    [
      ...["price", "availability", "sku", "out_of_stock"].map(
        (k) =>
          `${k.padEnd(14)} P ${r[k].p.toFixed(3)}  R ${r[k].r.toFixed(3)}  F1 ${r[k].f1.toFixed(3)}  (n ${r[k].n})`,
      ),
      `${r.n} pages, ${r.ms_per_mb} ms per MB, worst page ${r.worst_ms_per_mb} ms per MB`,
      ...(r.failures ?? []).map((f: unknown) => JSON.stringify(f)),
    ].join("\n"),
} satisfies Suite;
