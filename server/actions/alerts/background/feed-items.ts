// New items of a feed: recorded, kept for previews, matched, and handed to the intake, all in one transaction.
import type { Tx } from "../../../store/db.ts";
import { dedupeKeys } from "../engine/deliver/dedupe.ts";
import { contentOf } from "../engine/feed/item-content.ts";
import type { Feed } from "../engine/feed/model.ts";
import type { FeedRow } from "../rows.ts";
import { type IncomingContent, shortened } from "../spec/content.ts";
import { insertItemKeys } from "../store/feeds.ts";
import { insertFeedContent } from "../store/recent.ts";
import type { LiveIndex } from "./index/live-index.ts";
import { takeArrivals } from "./intake.ts";
import type { MessageDeps } from "./messages.ts";

export interface FeedItemDeps extends MessageDeps {
  index: LiveIndex;
}

/** Of one reading, for previews. */
const MAX_KEPT = 200;

/** On the first reading nothing is matched: all of it is old. */
export async function takeItems(
  deps: FeedItemDeps,
  tx: Tx,
  row: FeedRow,
  feed: Feed,
  isFirst: boolean,
  now: number,
): Promise<void> {
  const items = feed.items.map((item) => {
    const { publishedAt, ...content } = contentOf(item, feed);
    const incoming: IncomingContent = { ...content, publishedMs: publishedAt, subject: row.id, topic: null };
    return { incoming, keys: dedupeKeys(incoming, "auto", row.id) };
  });
  const fresh = await insertItemKeys(tx, row.id, [...new Set(items.flatMap((i) => i.keys))], now);
  const unseen = items.filter(({ keys }) => keys.every((key) => fresh.has(key))).slice(0, MAX_KEPT);
  await insertFeedContent(tx, row.id, unseen.map(({ incoming }) => shortened(incoming)).reverse(), now);
  if (isFirst) return;
  const news = items.flatMap(({ incoming, keys }) => {
    const isFresh = keys.map((key) => fresh.delete(key));
    if (isFresh.every(Boolean)) return [incoming];
    // Known by its id or address, but in other words.
    return keys.length === 2 && !isFresh[0] && isFresh[1] ? [{ ...incoming, edited: true }] : [];
  });
  // The oldest first, as they were published.
  const contents = news.reverse();
  const matching = await deps.index.matchForFeed(row.id, contents);
  const arrivals = contents
    .map((content, i) => ({ content, numbers: matching[i] }))
    .filter((a) => a.numbers.length > 0);
  await takeArrivals(deps, tx, arrivals, now);
}
