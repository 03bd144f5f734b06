// Reads feeds: one fetch for all alerts that read it, conditional and polite; new items go to the intake in the same
// transaction that remembers them.
import { createHash } from "node:crypto";
import type { Logger } from "pino";
import type { Clock } from "../../../lib/clock.ts";
import { GuardError, type GuardFetch } from "../../../lib/guard-fetch/index.ts";
import type { Random } from "../../../lib/random.ts";
import type { Seal } from "../../../lib/seal.ts";
import type { Db, Tx } from "../../../store/db.ts";
import { dedupeKeys } from "../engine/deliver/dedupe.ts";
import { discoverFeeds, hubOf } from "../engine/feed/discover.ts";
import { contentOf } from "../engine/feed/item-content.ts";
import type { Feed } from "../engine/feed/model.ts";
import { readFeed } from "../engine/feed/read.ts";
import { afterPoll, type PollAnswer } from "../engine/feed/schedule.ts";
import { demoFeed } from "../providers/simulated.ts";
import type { FeedRow } from "../store/alerts.ts";
import { type Incoming, shortened } from "../spec/content.ts";
import type { Intake } from "./intake.ts";
import type { LiveIndex } from "./index/live-index.ts";
import { keepFeedContent, leaseFeeds, rememberItems, saveFeed } from "../store/feeds.ts";
import { createWebSub, pollSlower } from "./websub.ts";

interface Parts {
  db: Db;
  clock: Clock;
  random: Random;
  log: Logger;
  guard: Pick<GuardFetch, "fetch">;
  index: LiveIndex;
  intake: Intake;
  seal: Seal;
  publicUrl(): string | null;
  kick(): void;
}

const LEASE_MS = 120_000;
const BATCH = 20;
/** Of one reading, for previews. */
const MAX_KEPT = 200;
const LIMITS = { totalMs: 20_000, idleMs: 10_000, connectMs: 5000, decodedBytes: 10_000_000 };

interface Fetched {
  answer: PollAnswer;
  feed: Feed | null;
  hub: { hub: string; topic: string } | null;
}

export function createPolling(parts: Parts) {
  const { db, clock, random, log, guard, index, intake } = parts;
  async function pollDue(): Promise<number> {
    const due = await leaseFeeds(db, clock.now(), LEASE_MS, BATCH);
    await Promise.all(
      due.map((feed) =>
        poll(feed).catch((error) =>
          log.error({ error: String(error), feed: feed.id }, "a feed could not be read; it falls due again"),
        ),
      ),
    );
    return due.length;
  }

  async function poll(row: FeedRow & { intervalS: number | null }): Promise<void> {
    const fetched = row.simulated ? demo(row) : await fetchFeed(row);
    const now = clock.now();
    const first = row.state.bodyHash === null;
    const polled = afterPoll(row.state, fetched.answer, row.intervalS, now, random.unit());
    const state = { ...polled, nextAt: pollSlower(row, now, polled.nextAt) };
    await db.sql.begin(async (tx) => {
      if (fetched.feed) await takeItems(tx, row, fetched.feed, first, now);
      const facts = fetched.feed && {
        format: fetched.feed.format,
        title: fetched.feed.channel.title?.value.slice(0, 200) ?? null,
        hub: fetched.hub?.hub ?? null,
      };
      await saveFeed(tx, row.id, state, facts);
    });
    await webSub.subscribe(row, fetched.hub ?? (row.websub && { hub: row.websub.hub, topic: row.websub.topic }));
  }

  /** On the first reading everything is old: nobody wants a year of posts at once. */
  async function takeItems(tx: Tx, row: FeedRow, feed: Feed, first: boolean, now: number): Promise<void> {
    const items = feed.items.map((item) => {
      const { publishedAt, ...content } = contentOf(item, feed);
      const incoming: Incoming = { ...content, publishedMs: publishedAt, subject: row.id, topic: null };
      return { incoming, keys: dedupeKeys(incoming, "auto", row.id) };
    });
    const fresh = await rememberItems(tx, row.id, [...new Set(items.flatMap((i) => i.keys))], now);
    const unseen = items.filter(({ keys }) => keys.every((key) => fresh.has(key))).slice(0, MAX_KEPT);
    await keepFeedContent(tx, row.id, unseen.map(({ incoming }) => shortened(incoming)).reverse(), now);
    if (first) return;
    const news = items.flatMap(({ incoming, keys }) => {
      const isFresh = keys.map((key) => fresh.delete(key));
      if (isFresh.every(Boolean)) return [incoming];
      // Known by its id or address, but in other words.
      return keys.length === 2 && !isFresh[0] && isFresh[1] ? [{ ...incoming, edited: true }] : [];
    });
    // The oldest first, as they were written.
    const contents = news.reverse();
    const matching = await index.ofFeed(row.id, contents);
    const arrivals = contents
      .map((content, i) => ({ content, numbers: matching[i] }))
      .filter((a) => a.numbers.length > 0);
    await intake.take(tx, arrivals, now);
  }

  async function fetchFeed(row: FeedRow, depth = 0, url = row.state.url): Promise<Fetched> {
    const silent = (error: string, status = 0, headers = {}): Fetched => ({
      answer: { status, headers, error, movedTo: null, bodyHash: null, channel: null },
      feed: null,
      hub: null,
    });
    try {
      const { etag, lastModified } = row.state;
      const conditional =
        depth === 0 && (etag !== null || lastModified !== null) ? { conditional: { etag, lastModified } } : {};
      const answer = await guard.fetch(url, {
        headers: {
          Accept: "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5",
        },
        redirects: 5,
        limits: LIMITS,
        ...conditional,
      });
      const headers = Object.fromEntries(answer.headers);
      if (answer.status === 304)
        return {
          answer: { status: 304, headers, error: null, movedTo: null, bodyHash: row.state.bodyHash, channel: null },
          feed: null,
          hub: null,
        };
      if (answer.status !== 200) return silent(`HTTP ${answer.status}`, answer.status, headers);
      const feed = readFeed(answer.body, { contentType: answer.headers.get("content-type"), url: answer.finalUrl });
      if (feed.format === "") {
        const [found] = depth === 0 ? discoverFeeds(answer.text(), answer.finalUrl) : [];
        if (!found) return silent("This is no feed, and names none.", 200, headers);
        const inner = await fetchFeed(row, 1, found.url);
        return { ...inner, answer: { ...inner.answer, movedTo: inner.feed ? found.url : null } };
      }
      const bodyHash = createHash("sha256").update(answer.body).digest("base64url").slice(0, 22);
      const same = bodyHash === row.state.bodyHash;
      return {
        answer: { status: 200, headers, error: null, movedTo: null, bodyHash, channel: feed.channel },
        feed: same ? null : feed,
        hub: hubOf(answer.headers.get("link"), { hub: feed.channel.hub, self: feed.channel.self ?? url }),
      };
    } catch (error) {
      if (!(error instanceof GuardError)) throw error;
      return silent(`${error.code}: ${error.detail}`);
    }
  }

  function demo(row: FeedRow): Fetched {
    const bytes = new TextEncoder().encode(demoFeed(row.url, clock.now()));
    const feed = readFeed(bytes);
    return {
      answer: { status: 200, headers: {}, error: null, movedTo: null, bodyHash: "demo", channel: feed.channel },
      feed,
      hub: null,
    };
  }

  const webSub = createWebSub(parts, takeItems, parts.kick);
  return { pollDue, handlers: webSub.handlers };
}
