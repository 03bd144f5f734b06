// What threads of the pool do for alerts: read feeds and pushed content, find keys and highlights, try a query on recent
// content. Pure functions of what they are sent.
import type { NewContent } from "../contract/index.ts";
import { type DedupeBy, dedupeKeys, passageKeys } from "../engine/deliver/dedupe.ts";
import { discoverFeeds } from "../engine/feed/discover.ts";
import { contentOf } from "../engine/feed/item-content.ts";
import type { Feed } from "../engine/feed/model.ts";
import { readFeed } from "../engine/feed/read.ts";
import { analyseForHighlights, type Highlighted, highlightsOf } from "../engine/query/highlight.ts";
import type { Watch } from "../rows.ts";
import { contentFromRequest, type IncomingContent } from "../spec/content.ts";
import { previewOf, type Recent } from "../spec/preview.ts";
import { nodeOf } from "../spec/query.ts";

export { readContentLines } from "../spec/content-lines.ts";

export interface FeedBytes {
  bytes: Uint8Array;
  contentType: string | null;
  url: string;
  /** The feed's own id: its items are known by it. */
  feedId: string;
  /** Whether a page that is no feed is searched for one. */
  mayDiscover: boolean;
}

/** A feed whose items are ready to be matched. */
export interface ParsedFeed extends Pick<Feed, "format" | "channel"> {
  items: { content: IncomingContent; keys: string[] }[];
}

export function parseFeed(input: FeedBytes): { feed: ParsedFeed; found: string | null } {
  const { bytes, contentType, url, feedId, mayDiscover } = input;
  const feed = readFeed(bytes, { contentType, url });
  const { format, channel } = feed;
  const items = feed.items.map((item) => {
    const { publishedAt, ...rest } = contentOf(item, feed);
    const content: IncomingContent = { ...rest, publishedMs: publishedAt, subject: feedId, topic: null };
    return { content, keys: dedupeKeys(content, "auto", feedId) };
  });
  const found =
    format === "" && mayDiscover ? (discoverFeeds(new TextDecoder().decode(bytes), url)[0]?.url ?? null) : null;
  return { feed: { format, channel, items }, found };
}

export const contentsFromRequests = (requests: NewContent[]): IncomingContent[] => requests.map(contentFromRequest);

export interface Questions {
  contents: IncomingContent[];
  /** Keys that identify a content, by its place in the list. */
  keys: { at: number; by: DedupeBy }[];
  /** Where the terms of a query stand in a content, and on request the keys of those sentences. */
  highlights: { at: number; watch: Watch; passages: boolean }[];
}

export interface Examined extends Highlighted {
  passages: string[];
}

export interface Answers {
  keys: string[][];
  highlights: Examined[];
}

/** Expects the highlights of one content one after the other: only the last analysis is kept. */
export function examine({ contents, keys, highlights }: Questions): Answers {
  let last = -1;
  let analysis = analyseForHighlights({});
  return {
    keys: keys.map(({ at, by }) => dedupeKeys(contents[at], by, contents[at].source ?? "")),
    highlights: highlights.map(({ at, watch, passages }) => {
      if (at !== last) analysis = analyseForHighlights(contents[at]);
      last = at;
      const found = highlightsOf(nodeOf(watch), analysis);
      const { source = "" } = contents[at];
      return { ...found, passages: passages ? passageKeys(contents[at], source, found.highlights) : [] };
    }),
  };
}

export const tryQuery = ({ watch, recent }: { watch: Watch; recent: Recent[] }) => previewOf(nodeOf(watch), recent);
