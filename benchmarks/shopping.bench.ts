// The page engine and the price strings against what people use, in one process, in alternating rounds. Ratios, not times; of
// each contestant the best round counts, as that is the one the rest of the machine disturbed least.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { extractPage } from "../server/actions/shopping/engine/page/extract.ts";
import { readMarked } from "./lib/marked.ts";
import { parsePrice } from "../server/actions/shopping/engine/price/parse.ts";
import type { Bench, Compared } from "../tools/bench.ts";

const require = createRequire(join(import.meta.dir, "peers/package.json"));
interface Page {
  bytes: Buffer;
  url: string;
}

export default {
  help: "pages per second against metascraper-shopping and cheerio; price strings against price-parser; hostile pages",
  async run({ quick, flags, say }) {
    const data = resolve(flags.data ?? join(import.meta.dir, "../../shared/data/shopping"));
    if (!existsSync(join(data, "pages")))
      throw new Error(`${data}/pages is absent. Hint: --data=DIR, laid out as the shopping folder of the shared data.`);
    const pages = readPages(data);
    const rounds = quick ? 3 : 8;
    const figures: Record<string, unknown> = { pages: pages.length, megabytes: round(total(pages) / 1e6) };
    figures.whole = await race(say, pages, rounds, { ours: wholePage, "cheerio (JSON-LD and metas)": cheerioPage });
    figures.structured = await race(say, pages, rounds, {
      "ours, structured": (p) => void readMarked(p.bytes),
      "decode + one scan": decodeAndScan,
    });
    const few = pages.filter((_, i) => i % (quick ? 12 : 6) === 0);
    figures.metascraper = await race(say, few, quick ? 1 : 2, {
      ours: wholePage,
      "metascraper-shopping": metascraperPage(),
    });
    const prices = await strings(say, data, quick ? 20 : 60, flags.before);
    figures.strings = prices;
    figures.worst = worst(say, pages);
    const aim = "10";
    figures.compared = [
      { what: "price strings ÷ npm price-parser", before: prices.before_ratio, now: prices.ratio, aim },
    ] satisfies Compared[];
    return figures;
  },
} satisfies Bench;

const round = (x: number) => Math.round(x * 100) / 100;
const total = (pages: Page[]) => pages.reduce((sum, p) => sum + p.bytes.length, 0);

function readPages(data: string): Page[] {
  const truth = JSON.parse(readFileSync(join(data, "pages/ground-truth.json"), "utf8"));
  return readdirSync(join(data, "pages/html")).map((file) => ({
    bytes: gunzipSync(readFileSync(join(data, "pages/html", file))),
    url: truth[file.slice(0, -8)].url,
  }));
}

const wholePage = (page: Page): void => void extractPage(page);

function decodeAndScan(page: Page): void {
  const text = new TextDecoder().decode(page.bytes);
  let n = 0;
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at + 1)) n++;
  if (n < 0) throw new Error("unreachable");
}

const cheerio = () => require("cheerio");
let load: any = null;
function cheerioPage(page: Page): void {
  load ??= cheerio().load;
  const $ = load(page.bytes.toString("utf8"), { xml: { xmlMode: false, decodeEntities: true } });
  $('script[type="application/ld+json"]').each((_: number, node: any) => {
    try {
      JSON.parse($(node).text());
    } catch {
      /* what it cannot read it leaves out */
    }
  });
  $("meta[property], meta[name]").each((_: number, node: any) => void $(node).attr("content"));
}

function metascraperPage(): (page: Page) => Promise<void> {
  const scraper = require("metascraper")([require("@samirrayani/metascraper-shopping")()]);
  return async (page) => {
    try {
      await scraper({ html: page.bytes.toString("utf8"), url: page.url });
    } catch {
      /* a page it fails on still took its time */
    }
  };
}

/** Alternating rounds over all pages; the best of each, and how many times faster the first is. */
async function race(
  say: (line: string) => void,
  pages: Page[],
  rounds: number,
  runners: Record<string, (page: Page) => unknown>,
) {
  const times: Record<string, number[]> = Object.fromEntries(Object.keys(runners).map((name) => [name, []]));
  for (let i = 0; i <= rounds; i++) {
    for (const [name, run] of Object.entries(runners)) {
      // What one leaves behind must not be collected on the other's time.
      Bun.gc(true);
      const started = performance.now();
      for (const page of pages) await run(page);
      if (i > 0) times[name]!.push(performance.now() - started);
    }
  }
  const speeds = Object.fromEntries(
    Object.entries(times).map(([name, list]) => [name, round(total(pages) / 1e3 / Math.min(...list))]),
  );
  const [ours, peer] = Object.values(speeds) as [number, number];
  say(
    `${Object.entries(speeds)
      .map(([name, speed]) => `${name} ${speed} MB/s`)
      .join("   ")}   ratio ${round(ours / peer)}`,
  );
  return { mb_per_s: speeds, ratio: round(ours / peer) };
}

async function strings(say: (line: string) => void, data: string, rounds: number, beforePath: string | undefined) {
  const inputs: string[] = JSON.parse(readFileSync(join(data, "price-strings.json"), "utf8"))
    .map((r: any) => r.input)
    .filter((s: unknown) => typeof s === "string");
  const peer = require("price-parser");
  const parsePeer = peer.parseFirst ?? peer.default?.parseFirst;
  const earlier = beforePath
    ? await import(join(resolve(beforePath), "server/actions/shopping/engine/price/parse.ts"))
    : null;
  const runners: Record<string, (text: string) => void> = {
    ours: (text) => void parsePrice(text),
    peer: (text) => void parsePeer(text),
    ...(earlier ? { before: (text: string) => void earlier.parsePrice(text) } : {}),
  };
  const best: Record<string, number> = { ours: Infinity, peer: Infinity, before: Infinity };
  const batch = 20;
  for (let i = 0; i < rounds; i++) {
    for (const [name, run] of Object.entries(runners)) {
      Bun.gc(true);
      const started = performance.now();
      for (let n = 0; n < batch; n++) {
        for (const text of inputs) {
          try {
            run(text);
          } catch {
            /* counted all the same */
          }
        }
      }
      best[name] = Math.min(best[name], performance.now() - started);
    }
  }
  const ns = (ms: number) => Math.round((ms * 1e6) / (inputs.length * batch));
  const ratio = round(best.peer / best.ours);
  say(`price strings: ours ${ns(best.ours)} ns, price-parser ${ns(best.peer)} ns   ratio ${ratio}`);
  const beforeRatio = earlier ? round(best.peer / best.before) : null;
  return { ours_ns: ns(best.ours), price_parser_ns: ns(best.peer), ratio, before_ratio: beforeRatio };
}

const HOSTILE: Record<string, string> = {
  "open tags": "<div class=price>",
  prices: '<span class="price">$1.99</span>',
  "stray ends": "<b><div></b>",
  "less-than": "<",
  "open quotes": '<a href="',
  scripts: '<script>"price":"1"',
  "json-ld": '<script type="application/ld+json">[[[[{"a":',
  items: '<div itemscope itemprop="offers"><i itemprop="price">1</i>',
  digits: "1 2 3 4 5 6 7 8 9 0 ",
  entities: "&amp;&#x20;&bogus",
};

function worst(say: (line: string) => void, pages: Page[]) {
  let slowest = 0;
  for (const page of pages) {
    const started = performance.now();
    extractPage(page);
    slowest = Math.max(slowest, performance.now() - started);
  }
  const largest = pages.reduce((a, b) => (a.bytes.length > b.bytes.length ? a : b));
  const started = performance.now();
  extractPage(largest);
  const largestMsPerMb = round((performance.now() - started) / (largest.bytes.length / 1e6));
  const hostile: Record<string, number> = {};
  for (const [name, piece] of Object.entries(HOSTILE)) {
    const bytes = Buffer.from(piece.repeat(Math.floor(5e6 / piece.length)));
    let best = Infinity;
    for (let i = 0; i < 3; i++) {
      const from = performance.now();
      extractPage({ bytes, url: "https://shop.example/p" });
      best = Math.min(best, performance.now() - from);
    }
    hostile[name] = round(best / 5);
  }
  say(
    `slowest page ${round(slowest)} ms; largest page ${largestMsPerMb} ms/MB; hostile 5 MB: ${Object.entries(hostile)
      .map(([n, ms]) => `${n} ${ms}`)
      .join(", ")} ms/MB`,
  );
  return { slowest_page_ms: round(slowest), largest_page_ms_per_mb: largestMsPerMb, hostile_ms_per_mb: hostile };
}
