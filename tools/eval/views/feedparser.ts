// Shows a Feed under the names of the Python library feedparser, whose expectations the suite is written in.
import type { Feed, FeedDate, FeedItem, FeedNode } from "../../../server/actions/alerts/engine/feed/model.ts";

export function asFeedparser(feed: Feed): Record<string, unknown> {
  const channel = node(feed.channel);
  const subtitle = feed.channel.subtitle?.value;
  const image = feed.channel.image && { ...feed.channel.image, url: feed.channel.image.href };
  return {
    bozo: feed.fault !== null,
    version: feed.format,
    encoding: feed.encoding,
    feed: {
      ...channel,
      subtitle,
      description: subtitle,
      tagline: subtitle,
      language: feed.channel.language ?? undefined,
      image,
    },
    entries: feed.items.map(entry),
  };
}

function node(n: FeedNode): Record<string, unknown> {
  const text = (t: { type: string; value: string } | null) => t?.value;
  const detail = (t: { type: string; value: string } | null) => t ?? undefined;
  const updated = n.updated ?? n.published;
  return {
    ...n.other,
    id: n.id ?? undefined,
    guid: n.id ?? undefined,
    title: text(n.title),
    title_detail: detail(n.title),
    link: n.link ?? undefined,
    links: n.links,
    author: n.author ?? undefined,
    tags: n.tags,
    category: n.tags[0]?.term,
    rights: text(n.rights),
    copyright: text(n.rights),
    rights_detail: detail(n.rights),
    published: n.published?.source,
    published_parsed: tuple(n.published),
    issued_parsed: tuple(n.published),
    updated: updated?.source,
    updated_parsed: tuple(updated),
    modified_parsed: tuple(updated),
    date_parsed: tuple(updated),
    created_parsed: tuple(n.created),
    expired_parsed: tuple(n.expired),
    enclosures: n.links.filter((l) => l.rel === "enclosure").map(({ rel: _, ...rest }) => rest),
  };
}

function entry(item: FeedItem): Record<string, unknown> {
  return {
    ...node(item),
    guidislink: item.idIsLink ?? undefined,
    comments: item.comments ?? undefined,
    summary: item.summary?.value,
    description: item.summary?.value,
    summary_detail: item.summary ?? undefined,
    content: item.content,
    where: item.where ?? undefined,
  };
}

function tuple(date: FeedDate | null): number[] | undefined {
  if (date?.at === null || date === null || date === undefined) return undefined;
  const d = new Date(date.at);
  const day = Math.floor(
    (Date.UTC(d.getUTCFullYear(), d.getUTCMonth(), d.getUTCDate()) - Date.UTC(d.getUTCFullYear(), 0, 1)) / 86_400_000,
  );
  return [
    d.getUTCFullYear(),
    d.getUTCMonth() + 1,
    d.getUTCDate(),
    d.getUTCHours(),
    d.getUTCMinutes(),
    d.getUTCSeconds(),
    (d.getUTCDay() + 6) % 7,
    day + 1,
    0,
  ];
}
