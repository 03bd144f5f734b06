// Polls feeds that are due: one fetch for all alerts that read a feed.
import type { Logger } from "pino";
import type { Clock } from "../../../lib/clock.ts";
import { workFairly } from "../../../lib/fair-work.ts";
import type { Random } from "../../../lib/random.ts";
import { MINUTE_MS } from "../../../lib/time.ts";
import { appendEvents } from "../../../platform/events/index.ts";
import type { Tx } from "../../../store/db.ts";
import { afterPoll, type PollState } from "../engine/feed/schedule.ts";
import type { FeedRow } from "../rows.ts";
import { leaseFeeds, type LeasedFeed, readFeedAlerts, saveFeed } from "../store/feeds.ts";
import { type FeedItemDeps, takeItems } from "./feed-items.ts";
import { fetchDemoFeed, fetchFeed } from "./fetch-feed.ts";
import { pollSlower, subscribe, type WebSubDeps } from "./websub.ts";

export interface PollingDeps extends FeedItemDeps, WebSubDeps {
  clock: Clock;
  random: Random;
  log: Logger;
}

const LEASE_MS = 2 * MINUTE_MS;
const CONCURRENCY = 20;
const MAX_TITLE = 200;

/** Reads every feed that is due; `onRead` is called after each. */
export function pollDue(deps: PollingDeps, signal: AbortSignal, onRead: () => void): Promise<void> {
  const { db, clock, log } = deps;
  return workFairly(
    {
      clock,
      concurrency: CONCURRENCY,
      claim: (limit, without) => leaseFeeds(db.sql, clock.now(), LEASE_MS, limit, without),
      accountOf: ({ tenantId }) => tenantId,
      work: (feed) => poll(deps, feed, signal).then(onRead),
      // The lease brings the feed back.
      onError(error, { id }) {
        if (!signal.aborted) log.error({ error: String(error), feed: id }, "reading a feed failed; it falls due again");
      },
    },
    signal,
  );
}

const isDead = ({ status }: PollState) => status === "failing" || status === "gone";

/** One event for each alert that reads the feed: it would fall silent otherwise. */
async function announceDeadFeed(deps: PollingDeps, tx: Tx, row: FeedRow, error: string, now: number): Promise<void> {
  const alerts = await readFeedAlerts(tx, row.id);
  const events = alerts.map(({ id, tenantId }) => {
    const data = { alert_id: id, source_id: row.id, url: row.url, error };
    return { id: deps.makeId("evt"), tenantId, type: "alert.source_failed", tags: [], data, at: now };
  });
  await appendEvents(tx, events);
}

async function poll(deps: PollingDeps, row: LeasedFeed, signal: AbortSignal): Promise<void> {
  const { db, clock, random } = deps;
  const fetched = row.simulated
    ? fetchDemoFeed(row, clock.now())
    : await fetchFeed(deps, row, { account: row.tenantId, signal });
  const now = clock.now();
  const isFirst = row.state.bodyHash === null;
  const polled = afterPoll(row.state, fetched.answer, row.intervalS, now, random.unit());
  const state = { ...polled, nextAt: pollSlower(row, now, polled.nextAt) };
  await db.sql.begin(async (tx) => {
    if (fetched.feed) await takeItems(deps, tx, row, fetched.feed, isFirst, now);
    const facts = fetched.feed && {
      format: fetched.feed.format,
      title: fetched.feed.channel.title?.value.slice(0, MAX_TITLE) ?? null,
      hub: fetched.hub?.hub ?? null,
    };
    await saveFeed(tx, row.id, state, facts);
    if (isDead(state) && !isDead(row.state)) await announceDeadFeed(deps, tx, row, state.lastError ?? "", now);
  });
  await subscribe(deps, row, fetched.hub ?? row.websub);
}
