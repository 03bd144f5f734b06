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
const ATTRIBUTE = /(?<![a-z-])([a-z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/gi;

const LINK_TAG = /<(link|base|a)(?![\w-])/iy;
/** A page names its feeds in its head. */
const MAX_LENGTH = 262_144;
const MAX_TAG = 4096;
const MAX_FOUND = 100;

export function discoverFeeds(html: string, pageUrl: string): Discovered[] {
  const found: Discovered[] = [];
  const tags = [...linkTags(html.slice(0, MAX_LENGTH))];
  const base = tags.find(({ name }) => name === "base")?.values.get("href");
  const root = base ? resolveUrl(base.trim(), pageUrl) : pageUrl;
  for (const { name, values } of tags) {
    if (name === "base" || found.length >= MAX_FOUND) continue;
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

/** The tags that can name a feed or a base. Ends at the first tag that is never closed, as no later one is. */
function* linkTags(html: string): Generator<{ name: string; values: Map<string, string> }> {
  for (let at = html.indexOf("<"); at >= 0; at = html.indexOf("<", at + 1)) {
    LINK_TAG.lastIndex = at;
    const name = LINK_TAG.exec(html)?.[1].toLowerCase();
    if (name === undefined) continue;
    const end = html.indexOf(">", at);
    if (end < 0) return;
    const attributes = html.slice(at, Math.min(end, at + MAX_TAG)).matchAll(ATTRIBUTE);
    yield {
      name,
      values: new Map([...attributes].map(([, n, a, b, c]) => [n.toLowerCase(), decodeEntities(a ?? b ?? c ?? "")])),
    };
    at = end;
  }
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
