// New items of a feed: recorded, kept for previews, matched, and handed to the intake, all in one transaction.
import type { Tx } from "../../../store/db.ts";
import type { FeedRow } from "../rows.ts";
import { shortened } from "../spec/content.ts";
import { insertItemKeys } from "../store/feeds.ts";
import { insertFeedContent } from "../store/recent.ts";
import type { LiveIndex } from "./index/live-index.ts";
import { type IntakeDeps, takeArrivals } from "./intake.ts";
import type { ParsedFeed } from "./thread-tasks.ts";

export interface FeedItemDeps extends IntakeDeps {
  index: LiveIndex;
}

/** Of one reading, for previews. */
const MAX_KEPT = 200;

/** On the first reading nothing is matched: all of it is old. */
export async function takeItems(
  deps: FeedItemDeps,
  tx: Tx,
  row: FeedRow,
  { items }: ParsedFeed,
  isFirst: boolean,
  now: number,
): Promise<void> {
  const fresh = await insertItemKeys(tx, row.id, [...new Set(items.flatMap((i) => i.keys))], now);
  const unseen = items.filter(({ keys }) => keys.every((key) => fresh.has(key))).slice(0, MAX_KEPT);
  await insertFeedContent(tx, row.id, unseen.map(({ content }) => shortened(content)).reverse(), now);
  if (isFirst) return;
  const news = items.flatMap(({ content, keys }) => {
    const isFresh = keys.map((key) => fresh.delete(key));
    if (isFresh.every(Boolean)) return [content];
    // Known by its id or address, but in other words.
    return keys.length === 2 && !isFresh[0] && isFresh[1] ? [{ ...content, edited: true }] : [];
  });
  // The oldest first, as they were published.
  const contents = news.reverse();
  const { numbers } = await deps.index.matchForFeed(row.id, contents);
  const arrivals = contents.map((content, i) => ({ content, numbers: numbers[i] })).filter((a) => a.numbers.length > 0);
  await takeArrivals(deps, tx, arrivals, `feed ${row.id}`, now);
}
