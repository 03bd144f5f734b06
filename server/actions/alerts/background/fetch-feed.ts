// Fetches one feed: conditional, bounded, with discovery when the address is a page that names a feed.
import { createHash } from "node:crypto";
import { GuardError, type GuardFetch } from "../../../lib/guard-fetch/index.ts";
import { type Account, type Pool, TaskEnded } from "../../../lib/pool/index.ts";
import { hubOf } from "../engine/feed/discover.ts";
import type { PollAnswer } from "../engine/feed/schedule.ts";
import { demoFeed } from "../providers/simulated.ts";
import type { FeedRow } from "../rows.ts";
import { parseFeedBytes } from "./parse.ts";
import { type ParsedFeed, parseFeed } from "./thread-tasks.ts";

export interface FetchDeps {
  guard: Pick<GuardFetch, "fetch">;
  pool: Pool;
}

interface Visit {
  /** Whose work it is, for the pool that parses. */
  account: Account;
  signal: AbortSignal;
}

export interface FetchedFeed {
  answer: PollAnswer;
  /** Null when there is nothing new to read. */
  feed: ParsedFeed | null;
  hub: { hub: string; topic: string } | null;
}

const LIMITS = { totalMs: 20_000, idleMs: 10_000, connectMs: 5000, decodedBytes: 10_000_000 };
const ACCEPT = "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5";

/** Rejects when the signal aborts. */
export async function fetchFeed(deps: FetchDeps, row: FeedRow, visit: Visit): Promise<FetchedFeed> {
  try {
    return await fetchFrom({ ...deps, ...visit }, row, row.state.url, true);
  } catch (error) {
    if (error instanceof TaskEnded) return failedFetch(`The feed could not be read. ${error.message}`, 200);
    if (!(error instanceof GuardError) || visit.signal.aborted) throw error;
    return failedFetch(`${error.code}: ${error.detail}`);
  }
}

async function fetchFrom(
  deps: FetchDeps & Visit,
  row: FeedRow,
  url: string,
  mayDiscover: boolean,
): Promise<FetchedFeed> {
  const { etag, lastModified, bodyHash: oldHash } = row.state;
  const isConditional = mayDiscover && (etag !== null || lastModified !== null);
  const answer = await deps.guard.fetch(url, {
    headers: { Accept: ACCEPT },
    redirects: 5,
    limits: LIMITS,
    signal: deps.signal,
    ...(isConditional ? { conditional: { etag, lastModified } } : {}),
  });
  const headers = Object.fromEntries(answer.headers);
  if (answer.status === 304) {
    const unchanged = { status: 304, headers, error: null, movedTo: null, bodyHash: oldHash, channel: null };
    return { answer: unchanged, feed: null, hub: null };
  }
  if (answer.status !== 200) return failedFetch(`HTTP ${answer.status}`, answer.status, headers);
  const contentType = answer.headers.get("content-type");
  const input = { bytes: answer.body, contentType, url: answer.finalUrl, feedId: row.id, mayDiscover };
  const { feed, found } = await parseFeedBytes(deps.pool, input, deps.account);
  if (feed.format === "") {
    if (!found) return failedFetch("This is not a feed, and it names none.", 200, headers);
    const inner = await fetchFrom(deps, row, found, false);
    return { ...inner, answer: { ...inner.answer, movedTo: inner.feed ? found : null } };
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
  const bytes = new TextEncoder().encode(demoFeed(row.url, now));
  const { feed } = parseFeed({ bytes, contentType: null, url: row.url, feedId: row.id, mayDiscover: false });
  return {
    answer: { status: 200, headers: {}, error: null, movedTo: null, bodyHash: "demo", channel: feed.channel },
    feed,
    hub: null,
  };
}
