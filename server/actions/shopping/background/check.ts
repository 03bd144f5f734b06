// One check of a page for all its trackers: robots first, then the page, then state, points and events in one transaction.
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../../lib/time.ts";
import { type Account, PoolFull, TaskEnded } from "../../../lib/pool/index.ts";
import { appendEvents, type NewEvent } from "../../../platform/events/index.ts";
import type { Tx } from "../../../store/db.ts";
import { ROBOTS_TTL_MS, demoInterval, hostPause, nextInterval } from "../engine/schedule/interval.ts";
import { step } from "../machine.ts";
import { rulesOf } from "../settings.ts";
import type { HostRow, PageRow, TrackerRow } from "../store/index.ts";
import { eventOf } from "./events.ts";
import { askPlatform, fetchPage } from "./fetch.ts";
import { type Extractions, type Fetched, extractFor, extractionOf, readingOf } from "./reading.ts";
import { type CheckDeps, fetchRobots, gapOf, isRobotsFresh } from "./robots.ts";

/** How long a worker may hold a page; what a killed worker held comes back after it. */
export const LEASE_MS = 2 * MINUTE_MS;
/** How long a host that pushed back is left alone where it names no time, and at most. */
const PUSH_BACK_MS = MINUTE_MS;
const PUSH_BACK_MAX_MS = DAY_MS;

/** Checks a page that was claimed. False when only robots.txt was read and the page's turn comes after the gap. */
export async function checkPage(
  deps: CheckDeps,
  page: PageRow,
  host: HostRow,
  { signal, account = `host ${host.host}` }: { signal?: AbortSignal; account?: Account } = {},
): Promise<boolean> {
  const { store } = deps;
  const { clock, db } = deps.platform;
  if (!page.simulated && !isRobotsFresh(host, clock.now())) {
    await fetchRobots(deps, host, page.url, signal);
    const freeMs = clock.now() + gapOf(deps, host);
    await store.freeHost(host.host, freeMs);
    await store.releasePage(page.id, freeMs);
    return false;
  }
  const fetched = await fetchPage(deps, page, host, signal);
  const extractions: Extractions = new Map();
  try {
    if (!page.simulated && !fetched.same)
      fetched.platform = await askPlatform(deps, page, host, fetched, extractions, account, signal);
    const trackers = await store.trackersOfPage(page.id);
    await extractFor(deps.platform.pool, trackers, fetched, page.url, extractions, account);
  } catch (error) {
    // Nothing was learned: the page's turn comes again at once.
    if (error instanceof PoolFull) await store.releasePage(page.id, clock.now());
    if (!(error instanceof TaskEnded)) throw error;
    extractions.clear();
    markUnreadable(fetched, error);
  }
  await db.sql.begin((tx) => commitCheck(deps, tx, page, host, fetched, extractions));
  return true;
}

/** A page made to be slow or large counts as a failed visit. */
function markUnreadable(fetched: Fetched, error: TaskEnded): void {
  fetched.answer = null;
  fetched.failure = { kind: "error", detail: `The page could not be read. ${error.message}`, retryAfterMs: null };
}

/** Writes what came of a check: every tracker's step, then page and host. */
async function commitCheck(
  deps: CheckDeps,
  tx: Tx,
  page: PageRow,
  host: HostRow,
  fetched: Fetched,
  extractions: Extractions,
): Promise<void> {
  const { store, platform } = deps;
  const nowMs = platform.clock.now();
  if (!(await store.lockHostAndPage(tx, page))) return;
  const trackers = await store.lockTrackersOfPage(tx, page.id);
  const events: NewEvent[] = [];
  for (const tracker of trackers) events.push(...(await commitStep(deps, tx, tracker, page, fetched, extractions)));
  await appendEvents(tx, events);
  const changed = events.some((e) => e.type === "shopping.price_changed" || e.type === "shopping.availability_changed");
  const failures = isFailed(fetched, extractions) ? page.failures + 1 : 0;
  const { answer } = fetched;
  await store.finishCheck(
    tx,
    page,
    {
      ...validatorsAfter(page, trackers, fetched, extractions),
      httpStatus: answer?.status ?? null,
      notModified: answer?.notModified ?? false,
      bytes: answer ? (answer.notModified ? 0 : answer.body.length) : null,
      durationMs: fetched.tookMs,
      robots: fetched.robots,
      error: fetched.failure?.detail ?? null,
      failures,
      checkedMs: nowMs,
      changedMs: changed ? nowMs : page.changedMs,
      dueMs: nowMs + waitOf(deps, page, trackers, fetched, failures, changed),
    },
    hostAfter(deps, page, host, fetched),
  );
}

/** One tracker's step: its new state and its point in the history. Returns its events. */
async function commitStep(
  { store, platform }: CheckDeps,
  tx: Tx,
  tracker: TrackerRow,
  page: PageRow,
  fetched: Fetched,
  extractions: Extractions,
): Promise<NewEvent[]> {
  const nowMs = platform.clock.now();
  const reading = readingOf(tracker, fetched, page, extractions);
  if (!reading) return [];
  const next = step(tracker.state.machine, reading, rulesOf(tracker.settings), nowMs);
  const before = JSON.stringify(tracker.state);
  const extracted = extractionOf(tracker, extractions);
  // A page that gave a price before keeps that reading while it cannot be read.
  const replaces = reading.kind === "ok" || tracker.state.machine.amount === null;
  tracker.state = { machine: next.state, result: replaces && extracted ? extracted : tracker.state.result };
  tracker.status = next.state.status;
  if (JSON.stringify(tracker.state) !== before) await store.updateTracker(tx, tracker);
  if (next.changed) {
    const { amount, listAmount, currency, availability } = next.state;
    await store.addPoint(tx, tracker.id, { atMs: nowMs, amount, listAmount, currency, availability });
  }
  return next.events.map((event) => eventOf(platform.makeId("evt"), event, tracker, page, nowMs));
}

function isFailed({ answer, failure, same }: Fetched, extractions: Extractions): boolean {
  if (failure !== null || (answer !== null && answer.status >= 400)) return true;
  return answer?.status === 200 && !same && [...extractions.values()].some((e) => e.status === "blocked");
}

/** Validators are kept only of a page that gave everybody a price: else an unchanged page would never be read again. */
function validatorsAfter(
  page: PageRow,
  trackers: readonly TrackerRow[],
  fetched: Fetched,
  extractions: Extractions,
): Pick<PageRow, "etag" | "lastModified" | "bodyHash"> {
  const { etag, lastModified, bodyHash } = page;
  const { answer, hash, same } = fetched;
  if (answer?.status !== 200) return { etag, lastModified, bodyHash };
  const readAll = trackers.every((tracker) => readingOf(tracker, fetched, page, extractions) !== null);
  const wasRead = readAll && (same || [...extractions.values()].every((extracted) => extracted.price !== null));
  return wasRead
    ? { etag: answer.etag, lastModified: answer.lastModified, bodyHash: hash }
    : { etag: null, lastModified: null, bodyHash: null };
}

/** How long until the page is checked again. */
function waitOf(
  { platform }: CheckDeps,
  page: PageRow,
  trackers: readonly TrackerRow[],
  fetched: Fetched,
  failures: number,
  changed: boolean,
): number {
  const nowMs = platform.clock.now();
  if (page.simulated)
    return demoInterval(page.checks, Math.min(...trackers.map((t) => t.settings.interval_s * SECOND_MS), page.askedMs));
  if (fetched.failure?.kind === "robots_disallowed") return ROBOTS_TTL_MS;
  const rhythm = {
    askedMs: page.askedMs,
    lastChangedMs: changed ? nowMs : page.changedMs,
    firstSeenMs: page.createdMs,
    failures,
    retryAfterMs: fetched.answer?.retryAfterMs ?? fetched.failure?.retryAfterMs ?? null,
  };
  return nextInterval(rhythm, nowMs, platform.random.unit());
}

/** The host after a visit: its failures in a row, and when it may be visited again. */
function hostAfter(
  deps: CheckDeps,
  page: PageRow,
  host: HostRow,
  { answer, failure }: Fetched,
): Pick<HostRow, "failures" | "freeMs"> {
  const nowMs = deps.platform.clock.now();
  if (page.simulated) return { failures: 0, freeMs: nowMs };
  const pushedBack = answer?.status === 429 || answer?.status === 503;
  const failed = failure?.kind === "error" || pushedBack || (answer !== null && answer.status >= 500);
  const failures = failed ? host.failures + 1 : 0;
  const askedMs = answer?.retryAfterMs ?? failure?.retryAfterMs ?? PUSH_BACK_MS;
  const pause = hostPause({
    crawlDelayS: host.crawlDelayS,
    failures,
    retryAfterMs: pushedBack ? Math.min(askedMs, PUSH_BACK_MAX_MS) : null,
  });
  return { failures, freeMs: nowMs + Math.max(pause, gapOf(deps, host)) };
}
