// Which parts of a feed item are matched, and what identifies it.
import type { Content } from "../query/ast.ts";
import { htmlToText } from "./html/html.ts";
import type { Feed, FeedItem, FeedText } from "./model.ts";

export interface ItemContent extends Content {
  /** The publisher's id, or null when it gave none. */
  guid: string | null;
  publishedAt: number | null;
}

export function contentOf(item: FeedItem, feed: Feed): ItemContent {
  const parts = [...new Set([item.summary, ...item.content].filter((t) => t !== null).map(plainText))];
  return {
    guid: item.id,
    title: item.title ? plainText(item.title) : undefined,
    text: parts.join("\n") || undefined,
    tags: item.tags.flatMap((t) => [t.label ?? t.term ?? ""]).filter(Boolean),
    url: item.link ?? undefined,
    author: item.author ?? feed.channel.author ?? undefined,
    lang: feed.channel.language ?? undefined,
    source: feed.channel.title ? plainText(feed.channel.title) : undefined,
    publishedAt: item.published?.at ?? item.updated?.at ?? null,
  };
}

function plainText(text: FeedText): string {
  return /html/.test(text.type) ? htmlToText(text.value) : text.value;
}
