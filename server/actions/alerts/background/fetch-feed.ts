// Fetches one feed: conditional, bounded, with discovery when the address is a page that names a feed.
import { createHash } from "node:crypto";
import { GuardError, type GuardFetch } from "../../../lib/guard-fetch/index.ts";
import { discoverFeeds, hubOf } from "../engine/feed/discover.ts";
import type { Feed } from "../engine/feed/model.ts";
import { readFeed } from "../engine/feed/read.ts";
import type { PollAnswer } from "../engine/feed/schedule.ts";
import { demoFeed } from "../providers/simulated.ts";
import type { FeedRow } from "../rows.ts";

export interface FetchedFeed {
  answer: PollAnswer;
  /** Null when there is nothing new to read. */
  feed: Feed | null;
  hub: { hub: string; topic: string } | null;
}

const LIMITS = { totalMs: 20_000, idleMs: 10_000, connectMs: 5000, decodedBytes: 10_000_000 };
const ACCEPT = "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5";

export async function fetchFeed(guard: Pick<GuardFetch, "fetch">, row: FeedRow): Promise<FetchedFeed> {
  try {
    return await fetchFrom(guard, row, row.state.url, true);
  } catch (error) {
    if (!(error instanceof GuardError)) throw error;
    return failedFetch(`${error.code}: ${error.detail}`);
  }
}

async function fetchFrom(
  guard: Pick<GuardFetch, "fetch">,
  row: FeedRow,
  url: string,
  mayDiscover: boolean,
): Promise<FetchedFeed> {
  const { etag, lastModified, bodyHash: oldHash } = row.state;
  const isConditional = mayDiscover && (etag !== null || lastModified !== null);
  const answer = await guard.fetch(url, {
    headers: { Accept: ACCEPT },
    redirects: 5,
    limits: LIMITS,
    ...(isConditional ? { conditional: { etag, lastModified } } : {}),
  });
  const headers = Object.fromEntries(answer.headers);
  if (answer.status === 304) {
    const unchanged = { status: 304, headers, error: null, movedTo: null, bodyHash: oldHash, channel: null };
    return { answer: unchanged, feed: null, hub: null };
  }
  if (answer.status !== 200) return failedFetch(`HTTP ${answer.status}`, answer.status, headers);
  const feed = readFeed(answer.body, { contentType: answer.headers.get("content-type"), url: answer.finalUrl });
  if (feed.format === "") {
    const [found] = mayDiscover ? discoverFeeds(answer.text(), answer.finalUrl) : [];
    if (!found) return failedFetch("This is not a feed, and it names none.", 200, headers);
    const inner = await fetchFrom(guard, row, found.url, false);
    return { ...inner, answer: { ...inner.answer, movedTo: inner.feed ? found.url : null } };
  }
  const bodyHash = createHash("sha256").update(answer.body).digest("base64url").slice(0, 22);
  return {
    answer: { status: 200, headers, error: null, movedTo: null, bodyHash, channel: feed.channel },
    feed: bodyHash === oldHash ? null : feed,
    hub: hubOf(answer.headers.get("link"), { hub: feed.channel.hub, self: feed.channel.self ?? url }),
  };
}

const failedFetch = (error: string, status = 0, headers = {}): FetchedFeed => ({
  answer: { status, headers, error, movedTo: null, bodyHash: null, channel: null },
  feed: null,
  hub: null,
});

/** What test keys get instead of a fetch. */
export function fetchDemoFeed(row: FeedRow, now: number): FetchedFeed {
  const feed = readFeed(new TextEncoder().encode(demoFeed(row.url, now)));
  return {
    answer: { status: 200, headers: {}, error: null, movedTo: null, bodyHash: "demo", channel: feed.channel },
    feed,
    hub: null,
  };
}
