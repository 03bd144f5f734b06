// Reads the bytes of a feed: RSS, RDF, Atom, CDF and JSON Feed. Never throws: a broken feed gives what can be read of it
// and says what was wrong.
import { decodeBytes } from "./charset/decode.ts";
import type { Reading } from "./content.ts";
import { readChannel, readItem } from "./elements.ts";
import { readJsonFeed } from "./json-feed.ts";
import { emptyChannel, type Feed, type FeedFormat, type FeedItem } from "./model.ts";
import { readXml, type Element } from "./xml.ts";

export interface FeedSource {
  contentType?: string | null;
  /** Where it was fetched: relative links are resolved against it. */
  url?: string | null;
}

const MAX_ITEMS = 10_000;
const MAX_SEARCHED = 10_000;
const ROOTS = new Set(["rss", "feed", "rdf:rdf", "channel", "redirect"]);

export function readFeed(bytes: Uint8Array, source: FeedSource = {}): Feed {
  const { text, encoding, fault } = decodeBytes(bytes, source.contentType ?? null);
  const json = /^[\s\ufeff]*\{/.test(text) ? readJsonFeed(text) : null;
  if (json) return { ...json, encoding };
  const xml = readXml(text);
  const root = xml.root && findRoot(xml.root);
  const wrong = fault ?? xml.fault ?? (root ? null : "not a feed");
  if (!root) return { format: "", encoding, fault: wrong, channel: emptyChannel(), items: [] };
  const format = formatOf(root, xml.doctype);
  const reading: Reading = {
    atom: format.startsWith("atom"),
    atom10: format === "atom10",
    utf8: encoding === "utf-8",
    base: root.attributes.get("xml:base") ?? source.url ?? null,
  };
  const channel = emptyChannel();
  const items: FeedItem[] = [];
  for (const part of partsOf(root)) {
    if (part.name === "item" || part.name === "entry") {
      if (items.length < MAX_ITEMS) items.push(readItem(part, reading));
    } else readChannel(part, channel, reading);
  }
  return { format, encoding, fault: wrong, channel, items };
}

/** Some servers wrap a feed in a page, and some write in capitals. */
function findRoot(element: Element): Element | null {
  const queue = [element];
  for (let seen = 0; seen < queue.length && seen < MAX_SEARCHED; seen++) {
    const next = queue[seen];
    if (ROOTS.has(next.name)) return next;
    for (const child of next.children) if (typeof child !== "string") queue.push(child);
  }
  return null;
}

/** The channel's own elements and the items, wherever the format puts them, in order. */
function partsOf(root: Element): Element[] {
  const parts: Element[] = [];
  const open = (element: Element, isChannel: boolean) => {
    const inner = element.children.filter((c) => typeof c !== "string");
    const own = inner.filter((c) => c.name !== "item" && c.name !== "entry" && c.name !== "channel");
    if (isChannel) parts.push({ ...element, children: own });
    for (const child of inner) {
      if (child.name === "item" || child.name === "entry") parts.push(child);
      else if (child.name === "channel") open(child, true);
    }
    if (!isChannel) {
      const loose = own.filter((c) => c.name === "image");
      if (loose.length > 0) parts.push({ ...element, attributes: new Map(), children: loose });
    }
  };
  open(root, root.name === "feed" || root.name === "channel");
  return parts;
}

function formatOf(root: Element, doctype: string): FeedFormat {
  const version = root.attributes.get("version") ?? "";
  const spaces = root.raw.filter(([n]) => n.startsWith("xmlns")).map(([n, v]) => [n, v.toLowerCase()]);
  if (root.name === "channel") return "cdf";
  if (root.name === "feed") {
    const numbered = { "0.1": "atom01", "0.2": "atom02", "0.3": "atom03" }[version];
    if (numbered) return numbered as FeedFormat;
    return spaces.some(([, v]) => v === "http://www.w3.org/2005/atom") || root.uri === ""
      ? root.uri === "" && !spaces.length
        ? "atom"
        : "atom10"
      : "atom";
  }
  if (root.name === "rdf:rdf") {
    if (spaces.some(([, v]) => v === "http://purl.org/rss/1.0/")) return "rss10";
    return spaces.some(([n, v]) => n === "xmlns" && v.includes("netscape.com/rdf/simple/0.9")) ? "rss090" : "rss";
  }
  if (version === "0.91") return /netscape communications/i.test(doctype) ? "rss091n" : "rss091u";
  const known = { "0.90": "rss090", "0.92": "rss092", "0.93": "rss093", "0.94": "rss094" }[version];
  return (known ?? (version.startsWith("2.") ? "rss20" : "rss")) as FeedFormat;
}
