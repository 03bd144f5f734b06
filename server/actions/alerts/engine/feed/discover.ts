// Finds the feeds that an HTML page names, best first. Reads only tags, runs nothing.
import { decodeEntities } from "./html/html.ts";
import { resolveUrl } from "./content.ts";

export interface Discovered {
  url: string;
  type: string;
  title: string | null;
}

const TYPES =
  /^application\/(?:rss|atom|rdf|feed)\+(?:xml|json)$|^(?:application|text)\/(?:xml|rss|atom)$|^application\/json$/i;
const ATTRIBUTE = /([a-z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/gi;

export function discoverFeeds(html: string, pageUrl: string): Discovered[] {
  const found: Discovered[] = [];
  const base = /<base\b[^>]*?href\s*=\s*["']?([^\s"'>]+)/i.exec(html)?.[1];
  const root = base ? resolveUrl(base, pageUrl) : pageUrl;
  for (const [tag] of html.slice(0, 1_000_000).matchAll(/<(?:link|a)\b[^>]*>/gi)) {
    const values = new Map(
      [...tag.matchAll(ATTRIBUTE)].map(([, n, a, b, c]) => [n.toLowerCase(), decodeEntities(a ?? b ?? c ?? "")]),
    );
    const rel = (values.get("rel") ?? "").toLowerCase().split(/\s+/);
    const type = (values.get("type") ?? "").trim().toLowerCase();
    const href = values.get("href")?.trim();
    if (!href || !(rel.includes("feed") || (rel.includes("alternate") && TYPES.test(type)))) continue;
    const url = resolveUrl(href, root);
    if (/^https?:/i.test(url) && !found.some((f) => f.url === url))
      found.push({ url, type, title: values.get("title") ?? null });
  }
  // A feed of comments is seldom what was meant.
  return found.sort((a, b) => Number(isComments(a)) - Number(isComments(b)));
}

function isComments(feed: Discovered): boolean {
  return /comment/i.test(`${feed.title} ${feed.url}`);
}

/** Hub and topic of WebSub: Link headers first, then what the feed itself said. */
export function hubOf(
  linkHeader: string | null,
  feed: { hub: string | null; self: string | null },
): { hub: string; topic: string } | null {
  const rels = new Map<string, string>();
  for (const [, url, parameters] of (linkHeader ?? "").matchAll(/<([^>]*)>((?:\s*;[^,<]*)*)/g)) {
    const rel = /;\s*rel\s*=\s*"?([^";]+)/i.exec(parameters)?.[1] ?? "";
    for (const one of rel.toLowerCase().split(/\s+/)) if (!rels.has(one)) rels.set(one, url);
  }
  const hub = rels.get("hub") ?? feed.hub;
  const topic = rels.get("self") ?? feed.self;
  return hub && topic ? { hub, topic } : null;
}
