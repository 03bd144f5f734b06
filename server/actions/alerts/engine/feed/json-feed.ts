// Reads JSON Feed 1 and 1.1 into the common model. Anything else is null, never an exception.
import { parseFeedDate } from "./dates.ts";
import { sanitise } from "./html/html.ts";
import { emptyChannel, emptyItem, type Feed, type FeedDate, type FeedItem } from "./model.ts";

type Json = Record<string, unknown>;

export function readJsonFeed(text: string): Omit<Feed, "encoding"> | null {
  let json: Json;
  try {
    json = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    return null;
  }
  if (!isObject(json) || (!string(json.version)?.includes("jsonfeed.org") && !Array.isArray(json.items))) return null;
  const channel = emptyChannel();
  channel.title = plain(json.title);
  channel.link = string(json.home_page_url);
  channel.self = string(json.feed_url);
  channel.id = channel.self;
  channel.subtitle = plain(json.description);
  channel.language = string(json.language);
  channel.author = authorOf(json);
  if (string(json.icon)) channel.image = { href: string(json.icon)! };
  channel.hub =
    list(json.hubs)
      .map((h) => string(h.url))
      .find(Boolean) ?? null;
  if (channel.link) channel.links.push({ rel: "alternate", type: "text/html", href: channel.link });
  if (channel.self) channel.links.push({ rel: "self", type: "application/feed+json", href: channel.self });
  return {
    format: string(json.version)?.includes("1.1") ? "json11" : "json1",
    fault: null,
    channel,
    items: list(json.items).slice(0, 10_000).map(itemOf),
  };
}

function itemOf(json: Json): FeedItem {
  const item = emptyItem();
  item.id = typeof json.id === "number" ? String(json.id) : string(json.id);
  item.title = plain(json.title);
  item.link = string(json.url) ?? string(json.external_url);
  item.author = authorOf(json);
  item.published = date(json.date_published);
  item.updated = date(json.date_modified);
  const html = string(json.content_html);
  const text = string(json.content_text);
  if (html !== null) item.content.push({ type: "text/html", value: sanitise(html) });
  if (text !== null) item.content.push({ type: "text/plain", value: text });
  item.summary = plain(json.summary) ?? item.content[0] ?? null;
  item.tags = (Array.isArray(json.tags) ? json.tags : [])
    .filter((t) => typeof t === "string")
    .map((term) => ({ term, scheme: null, label: null }));
  if (item.link) item.links.push({ rel: "alternate", type: "text/html", href: item.link });
  for (const a of list(json.attachments)) {
    const length = typeof a.size_in_bytes === "number" ? { length: String(a.size_in_bytes) } : {};
    item.links.push({ rel: "enclosure", href: string(a.url) ?? "", type: string(a.mime_type) ?? "", ...length });
  }
  if (string(json.image)) item.image = { href: string(json.image)! };
  return item;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function string(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function plain(value: unknown) {
  const text = string(value);
  return text === null ? null : { type: "text/plain", value: text };
}

function date(value: unknown): FeedDate | null {
  const source = string(value);
  return source === null ? null : { source, at: parseFeedDate(source) };
}

function authorOf(json: Json): string | null {
  const authors = list(json.authors);
  if (isObject(json.author)) authors.push(json.author);
  return (
    authors
      .map((a) => string(a.name) ?? string(a.url))
      .filter(Boolean)
      .join(", ") || null
  );
}
