// What each element of a channel or an item means: the element's name on the left, the field it fills on the right. Order
// matters only where two elements compete for one field.
import { parseFeedDate } from "./dates.ts";
import { baseOf, resolveUrl, textFrom, type Reading } from "./content.ts";
import { emptyItem, type FeedChannel, type FeedDate, type FeedItem, type FeedNode } from "./model.ts";
import { placeFrom } from "./places.ts";
import { updateSeconds, wholeNumber } from "./update-period.ts";
import { textOf, type Element } from "./xml.ts";

const plain = (element: Element) => textOf(element).trim();
const elementsOf = (element: Element) => element.children.filter((c) => typeof c !== "string");

export function readItem(element: Element, reading: Reading): FeedItem {
  const item = emptyItem();
  const inner = { ...reading, base: baseOf(element) ? resolveUrl(baseOf(element)!, reading.base) : reading.base };
  const about = element.attributes.get("rdf:about");
  if (about) item.id = about;
  common(element, item, inner);
  let hasContent = false;
  for (const child of elementsOf(element)) {
    if (readShared(child, item, inner)) continue;
    switch (child.name) {
      case "description":
      case "dc:description":
      case "abstract":
      case "summary":
      case "itunes:summary":
      case "media:description": {
        const type = child.name === "summary" || child.name === "itunes:summary" ? "text/plain" : "text/html";
        const text = textFrom(child, type, inner);
        // A second summary is the fuller text, unless the first was only borrowed from the content.
        if (item.summary && !hasContent) item.content.push(text);
        else item.summary = text;
        break;
      }
      case "content":
      case "content:encoded":
      case "fullitem":
      case "xhtml:body":
      case "body":
      case "prodlink": {
        hasContent = true;
        const type =
          child.name === "content" ? "text/plain" : /body$/.test(child.name) ? "application/xhtml+xml" : "text/html";
        const text = textFrom(child, type, inner);
        const src = child.name === "content" ? child.attributes.get("src") : undefined;
        if (src !== undefined) {
          item.content.push({ ...text, src: resolveUrl(src, inner.base) });
          break;
        }
        item.content.push(text);
        if (/^text\/plain$|html/.test(text.type)) item.summary ??= text;
        break;
      }
      case "guid": {
        const permanent = (child.attributes.get("ispermalink") ?? "true").toLowerCase() === "true";
        const value = plain(child);
        item.id = permanent ? resolveUrl(value, inner.base) : value;
        item.idIsLink = permanent && item.link === null;
        if (permanent) item.link ??= item.id;
        break;
      }
      case "comments":
        item.comments = resolveUrl(plain(child), inner.base);
        break;
      default: {
        const place = placeFrom(child);
        if (place) item.where = place;
        else keepOther(child, item);
      }
    }
  }
  return item;
}

export function readChannel(element: Element, channel: FeedChannel, reading: Reading): void {
  common(element, channel, reading);
  for (const child of elementsOf(element)) {
    if (readShared(child, channel, reading)) continue;
    switch (child.name) {
      case "description":
      case "dc:description":
      case "tagline":
      case "subtitle":
      case "abstract":
      case "itunes:subtitle":
        channel.subtitle = textFrom(child, child.name === "description" ? "text/html" : "text/plain", reading);
        break;
      case "language":
      case "dc:language":
        channel.language = plain(child);
        break;
      case "ttl":
        channel.ttlMinutes = wholeNumber(plain(child));
        break;
      case "skiphours":
        channel.skipHours = elementsOf(child)
          .map((h) => wholeNumber(plain(h)))
          .filter((h) => h !== null && h <= 24)
          .map((h) => h! % 24);
        break;
      case "skipdays":
        channel.skipDays = elementsOf(child).map((d) => plain(d).toLowerCase());
        break;
      case "sy:updateperiod":
      case "sy:updatefrequency":
        keepOther(child, channel);
        channel.updateSeconds = updateSeconds(channel.other);
        break;
      default:
        keepOther(child, channel);
    }
  }
  channel.hub ??= channel.links.find((l) => l.rel === "hub")?.href ?? null;
  channel.self ??= channel.links.find((l) => l.rel === "self")?.href ?? null;
}

/** Attributes in which CDF keeps what others keep in elements. */
function common(element: Element, node: FeedNode, reading: Reading): void {
  const modified = element.attributes.get("lastmod");
  if (modified) node.updated = dateOf(modified);
  const href = element.attributes.get("href");
  if (href) node.link = resolveUrl(href, reading.base);
}

/** Nodes whose title is their own and not that of a module. */
const ownTitle = new WeakSet<FeedNode>();

/** Elements that mean the same in a channel and in an item. Says whether it was one. */
function readShared(child: Element, node: FeedNode, reading: Reading): boolean {
  switch (child.name) {
    case "title":
    case "dc:title":
    case "media:title": {
      const title = textFrom(child, "text/plain", reading);
      // The first wins, and the item's own wins over a module's.
      if (title.value !== "" && (node.title === null || (child.name === "title" && !ownTitle.has(node)))) {
        node.title = title;
        if (child.name === "title") ownTitle.add(node);
      }
      return true;
    }
    case "link":
      readLink(child, node, reading);
      return true;
    case "enclosure":
      node.links.push({ ...attributesOf(child), rel: "enclosure" });
      return true;
    case "id":
      node.id = plain(child);
      return true;
    case "author":
    case "dc:creator":
    case "dc:author":
    case "managingeditor":
    case "itunes:author":
      node.author = person(child) || node.author;
      return true;
    case "category":
    case "dc:subject":
    case "keywords":
    case "itunes:keywords":
    case "itunes:category":
    case "tags":
      readTags(child, node);
      return true;
    case "rights":
    case "copyright":
    case "dc:rights":
      node.rights = textFrom(child, "text/plain", reading);
      return true;
    case "image":
      node.image ??= readImage(child, reading);
      return true;
    case "textinput":
      return true;
    default:
      return readDate(child, node);
  }
}

const DATES: Record<string, "published" | "updated" | "created" | "expired"> = {
  pubdate: "published",
  published: "published",
  issued: "published",
  "dcterms:issued": "published",
  updated: "updated",
  modified: "updated",
  "dcterms:modified": "updated",
  "dc:date": "updated",
  lastbuilddate: "updated",
  lastmod: "updated",
  created: "created",
  "dcterms:created": "created",
  expirationdate: "expired",
};

function readDate(child: Element, node: FeedNode): boolean {
  if (!Object.hasOwn(DATES, child.name)) return false;
  const field = DATES[child.name];
  node[field] = dateOf(plain(child));
  return true;
}

function dateOf(source: string): FeedDate {
  return { source, at: parseFeedDate(source) };
}

function attributesOf(child: Element): { rel: string; type?: string; href?: string } {
  const given = Object.fromEntries(child.attributes) as Record<string, string>;
  const { url, uri, ...rest } = given;
  const href = rest.href ?? url ?? uri;
  return { ...rest, rel: rest.rel ?? "alternate", ...(href === undefined ? {} : { href }) };
}

function readLink(child: Element, node: FeedNode, reading: Reading): void {
  const link = attributesOf(child);
  link.type ??= link.rel === "self" ? "application/atom+xml" : "text/html";
  const value = (link.href ?? plain(child)).replaceAll("&amp;", "&").replace(/&([A-Za-z0-9_]+);/g, "&$1");
  const href = resolveUrl(value, baseOf(child) ?? reading.base);
  const written = link.href === undefined;
  if (href !== "") link.href = href;
  node.links.push(link);
  if (href === "" || link.rel !== "alternate") return;
  if (written || /^(?:text\/html|application\/xhtml\+xml)$/.test(link.type)) node.link = href;
}

function person(child: Element): string {
  const parts = new Map(elementsOf(child).map((c) => [c.name.replace(/^.*:/, ""), plain(c)]));
  const name = parts.get("name");
  const email = parts.get("email");
  if (parts.size === 0) return plain(child);
  return name && email ? `${name} (${email})` : (name ?? email ?? "");
}

function readTags(child: Element, node: FeedNode): void {
  const own =
    child.children
      .filter((c) => typeof c === "string")
      .join("")
      .trim() || plain(child);
  const add = (term: string | null, scheme: string | null, label: string | null) => {
    if (!term && !scheme && !label) return;
    if (!node.tags.some((t) => t.term === term && t.scheme === scheme && t.label === label))
      node.tags.push({ term, scheme, label });
  };
  switch (child.name) {
    case "category": {
      const a = child.attributes;
      add(a.get("term") ?? (own || null), a.get("scheme") ?? a.get("domain") ?? null, a.get("label") ?? null);
      break;
    }
    case "itunes:category":
      add(child.attributes.get("text") ?? null, "http://www.itunes.com/", null);
      for (const inner of elementsOf(child)) readTags(inner, node);
      break;
    case "dc:subject":
      add(own, null, null);
      break;
    case "keywords":
      for (const term of own.split(/\s+/)) add(term, null, null);
      break;
    default:
      for (const term of own.split(","))
        add(term.trim(), child.name === "tags" ? null : "http://www.itunes.com/", null);
  }
}

function readImage(child: Element, reading: Reading): FeedNode["image"] {
  const image: NonNullable<FeedNode["image"]> = {};
  for (const part of elementsOf(child)) {
    const value = plain(part);
    if (part.name === "url" || part.name === "href") image.href = resolveUrl(value, reading.base);
    else if (part.name === "link") image.link = resolveUrl(value, reading.base);
    else if (part.name === "title") image.title = textFrom(part, "text/plain", reading).value;
    else if (part.name === "description") image.description = textFrom(part, "text/html", reading).value;
    else if (part.name === "width") image.width = wholeNumber(value) ?? 0;
    else if (part.name === "height") image.height = wholeNumber(value) ?? 0;
  }
  return image;
}

function keepOther(child: Element, node: FeedNode): void {
  if (Object.keys(node.other).length < 64) node.other[child.name.replace(":", "_")] = plain(child).slice(0, 4096);
}
