// Turns a page's bytes and address into a product: reads every source of evidence once, then decide.ts weighs them.
import { openPage } from "../html/charset.ts";
import { scan } from "../html/scan.ts";
import type { Tree } from "../html/tree.ts";
import { mainProduct, type PageFacts } from "../product/main-product.ts";
import { productsOf } from "../product/offers.ts";
import { jsonLdItems, jsonLdValues, scriptsOf } from "../structured/json-ld.ts";
import { readMetas } from "../structured/metas.ts";
import { looseProperties, microdataItems } from "../structured/microdata.ts";
import { rdfaItems } from "../structured/rdfa.ts";
import { findHeading, type Heading } from "../visible/heading.ts";
import { CHROME, LISTING } from "../visible/signals.ts";
import { collectSpots } from "../visible/spots.ts";
import { zonesOf } from "../visible/zones.ts";
import { pageFault } from "./blocked.ts";
import { canonicalOf, type PageInput, placeOf, type Read } from "./context.ts";
import { decide } from "./decide.ts";
import { gatherEvidence } from "./evidence.ts";
import type { ExtractedPage } from "./result.ts";

export type { PageInput } from "./context.ts";

export function extractPage(input: PageInput): ExtractedPage {
  const { source, utf8 } = openPage(input.bytes, input.contentType);
  const tree = scan(source, utf8);
  const heading = findHeading(tree);
  const fault = pageFault(input.status ?? 200, input.contentType ?? null, source, heading.title);
  const page = readPage(input, tree, heading);
  if (fault === "not_html") return { ...page, status: "not_a_product" };
  if (fault === "absent") return { ...page, status: "gone", price: null };
  const isMarked = page.method !== null && /json-ld|microdata|rdfa|meta/.test(page.method);
  if (fault === "blocked" && page.price === null) return { ...page, status: "blocked" };
  if (fault === "gone" && !isMarked) return { ...page, status: "gone", price: null };
  return page;
}

function readPage(input: PageInput, tree: Tree, heading: Heading): ExtractedPage {
  const metas = readMetas(tree);
  const place = placeOf(tree, input);
  const zones = zonesOf(tree, heading.node);
  const canonical = canonicalOf(tree, input.url) ?? metas.get("og:url");
  const facts: PageFacts = {
    url: input.url,
    canonical,
    heading: heading.text,
    title: heading.title,
    headingNode: heading.node,
    after: (node) => tree.after[node] ?? node,
    elsewhere: (node) => (zones[node]! & (LISTING | CHROME)) !== 0,
  };
  const products = [
    ...productsOf(jsonLdItems(jsonLdValues(tree, scriptsOf(tree))), "json-ld"),
    ...productsOf(microdataItems(tree, { contentAnywhere: true, orphans: true }), "microdata"),
    ...productsOf(rdfaItems(tree), "rdfa"),
  ];
  const spots = collectSpots(tree, zones, heading.node, place);
  const read: Read = {
    metas,
    products,
    main: mainProduct(products, facts),
    zones,
    spots,
    evidence: gatherEvidence(tree, zones),
    place,
    canonical,
    loose: looseProperties(tree),
  };
  return decide({ input, tree, heading, facts, read });
}
