// One look at a page for all its trackers: robots first, then the page, then state, points and events in one transaction.
import { createHash } from "node:crypto";
import { appendEvents, type NewEvent } from "../../../platform/events/index.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Tx } from "../../../store/db.ts";
import type { ExtractedPage } from "../engine/page/result.ts";
import { ROBOTS_TTL_MS, hostPause, nextInterval } from "../engine/schedule/interval.ts";
import { type Happening, step } from "../machine.ts";
import type { HostRow, PageRow, TrackerRow } from "../store.ts";
import { askPlatform, fetchPage } from "./fetch.ts";
import { type Fetched, describe, isPlain, optionsKey, readingOf, rulesOf } from "./reading.ts";
import { type CheckDeps, fetchRobots, gapOf, robotsFresh } from "./robots.ts";

export const LEASE_MS = 120_000;
/** Demo pages move every few seconds; their trackers look as often for the first ten minutes. */
const DEMO_LOOK_MS = 10_000;
const DEMO_LOOKS = 60;

/** Looks at a page that was claimed. Returns false where only robots.txt was read and the page's turn comes after the gap. */
export async function checkPage(deps: CheckDeps, page: PageRow, host: HostRow, signal?: AbortSignal): Promise<boolean> {
  const { store } = deps;
  const { clock, db } = deps.platform;
  if (!page.simulated && !robotsFresh(host, clock.now())) {
    await fetchRobots(deps, host, page.url, signal);
    const free = clock.now() + gapOf(deps, host);
    await store.freeHost(host.host, free);
    await store.release(page.id, free);
    return false;
  }
  const fetched = await fetchPage(deps, page, host, signal);
  const results = new Map<string, ExtractedPage>();
  const { answer } = fetched;
  fetched.hash = answer?.status === 200 ? createHash("sha256").update(answer.body).digest("base64url") : null;
  fetched.same = answer !== null && (answer.notModified || (answer.status === 200 && fetched.hash === page.body_hash));
  if (!page.simulated && !fetched.same)
    fetched.platform = await askPlatform(deps, page, host, fetched, results, signal);
  await db.sql.begin((tx) => conclude(deps, tx, page, host, fetched, results));
  return true;
}

async function conclude(
  deps: CheckDeps,
  tx: Tx,
  page: PageRow,
  host: HostRow,
  fetched: Fetched,
  results: Map<string, ExtractedPage>,
): Promise<void> {
  const { store, platform } = deps;
  const now = platform.clock.now();
  const { answer } = fetched;
  const { hash, same } = fetched;
  const trackers = await store.trackersOfPage(tx, page.id);
  const events: NewEvent[] = [];
  let changed = false,
    failed = fetched.failure !== null || (answer !== null && answer.status >= 400),
    plain = page.result;
  for (const tracker of trackers) {
    const reading = readingOf(tracker, fetched, same, results, page);
    const result = results.get(optionsKey(tracker)) ?? null;
    const next = step(tracker.state.machine, reading, rulesOf(tracker.settings), now);
    changed ||= next.happened.some((h) => h.type === "price_changed" || h.type === "availability_changed");
    const before = JSON.stringify(tracker.state);
    tracker.state = { machine: next.state, result: reading.kind === "ok" && result ? result : tracker.state.result };
    tracker.status = next.state.status;
    if (JSON.stringify(tracker.state) !== before) await store.updateTracker(tx, tracker);
    if (next.changed)
      await store.addPoint(tx, tracker.id, {
        atMs: now,
        amount: next.state.amount,
        listAmount: next.state.listAmount,
        currency: next.state.currency,
        availability: next.state.availability,
      });
    events.push(...next.happened.map((h) => eventOf(platform, h, tracker, page, now)));
    if (isPlain(tracker) && result) plain = result;
  }
  await appendEvents(tx, events);
  if (answer && answer.status === 200 && !same && plain?.status === "blocked") failed = true;
  const failures = failed ? page.failures + 1 : 0;
  await store.finish(
    tx,
    page,
    {
      etag: answer?.status === 200 ? answer.etag : page.etag,
      last_modified: answer?.status === 200 ? answer.lastModified : page.last_modified,
      body_hash: answer?.status === 200 ? hash : page.body_hash,
      result: plain,
      http_status: answer?.status ?? null,
      not_modified: answer?.notModified ?? false,
      bytes: answer ? (answer.notModified ? 0 : answer.body.length) : null,
      duration_ms: fetched.tookMs,
      robots: fetched.robots,
      error: fetched.failure?.detail ?? null,
      failures,
      checkedAt: new Date(now),
      changedAt: changed ? new Date(now) : page.changed_at,
      dueAt: new Date(now + waitOf(deps, page, trackers, fetched, failures, changed, now)),
    },
    hostAfter(deps, page, host, fetched, now),
  );
}

function waitOf(
  { platform }: CheckDeps,
  page: PageRow,
  trackers: TrackerRow[],
  fetched: Fetched,
  failures: number,
  changed: boolean,
  now: number,
): number {
  if (page.simulated) return demoWait(page, trackers);
  if (fetched.failure?.kind === "robots_disallowed") return ROBOTS_TTL_MS;
  const rhythm = {
    askedMs: Number(page.asked_ms),
    lastChangedMs: changed ? now : (page.changed_at?.getTime() ?? null),
    firstSeenMs: page.created_at.getTime(),
    failures,
    retryAfterMs: fetched.answer?.retryAfterMs ?? fetched.failure?.retryAfterMs ?? null,
  };
  return nextInterval(rhythm, now, platform.random.unit());
}

/** The host after a visit: its failures in a row, and when it may be visited again. */
function hostAfter(
  deps: CheckDeps,
  page: PageRow,
  host: HostRow,
  { answer, failure }: Fetched,
  now: number,
): { failures: number; freeAt: number } {
  if (page.simulated) return { failures: 0, freeAt: now };
  const pushed = answer?.status === 429 || answer?.status === 503;
  const failed = failure?.kind === "error" || pushed || (answer !== null && answer.status >= 500);
  const failures = failed ? host.failures + 1 : 0;
  const asked = answer?.retryAfterMs ?? failure?.retryAfterMs ?? 60_000;
  const pause = hostPause({
    crawlDelayS: host.crawl_delay_s,
    failures,
    retryAfterMs: pushed ? Math.min(asked, 86_400_000) : null,
  });
  return { failures, freeAt: now + Math.max(pause, gapOf(deps, host)) };
}

const eventOf = (
  platform: Platform,
  happened: Happening,
  tracker: TrackerRow,
  page: PageRow,
  now: number,
): NewEvent => ({
  id: platform.makeId("evt"),
  tenantId: tracker.tenant_id,
  tags: tracker.tags,
  at: now,
  ...describe(happened, tracker, page),
});

const demoWait = (page: PageRow, trackers: readonly TrackerRow[]): number =>
  page.checks < DEMO_LOOKS ? DEMO_LOOK_MS : Math.min(...trackers.map((t) => t.settings.interval_s * 1000), 21_600_000);
