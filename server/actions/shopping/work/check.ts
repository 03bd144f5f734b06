// One look at a page for all its trackers: robots first, then the page, then state, points and events in one transaction.
import { createHash } from "node:crypto";
import { sleep } from "../../../lib/clock.ts";
import { appendEvents, type NewEvent } from "../../../platform/events/index.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Tx } from "../../../store/db.ts";
import { extractPage } from "../engine/page/extract.ts";
import type { ExtractedPage } from "../engine/page/result.ts";
import { type PlatformProduct, platformAddress, readPlatformJson } from "../engine/product/platform.ts";
import { isAllowed, parseRobots, rulesFor } from "../engine/robots/robots.ts";
import {
  ROBOTS_TTL_MS,
  type RobotsState,
  hostGap,
  hostPause,
  nextInterval,
  robotsAfter,
} from "../engine/schedule/interval.ts";
import { type Happening, type TrackerStatus, step } from "../machine.ts";
import { type PageAnswer, type PageReader, ReadError } from "../providers/port.ts";
import { type Fetched, PLAIN_KEY, describe, isPlain, optionsKey, plainExtract, readingOf, rulesOf } from "./reading.ts";
import type { HostRow, PageRow, Settings, ShoppingStore, TrackerRow } from "../store.ts";

/** The name robots.txt files know us by. */
export const PRODUCT_TOKEN = "ActionConnector";
export const LEASE_MS = 120_000;
/** Demo pages move every few seconds; their trackers look as often for the first ten minutes. */
const DEMO_LOOK_MS = 10_000;
const DEMO_LOOKS = 60;

export interface Readers {
  web: PageReader;
  demo: PageReader;
}

export interface Glance {
  result: ExtractedPage | null;
  answer: PageAnswer | null;
  status: TrackerStatus;
  error: string | null;
}

export type Checker = ReturnType<typeof createChecker>;

export function createChecker(platform: Platform, store: ShoppingStore, readers: Readers) {
  const { clock, random, db } = platform;
  const readerOf = (page: PageRow): PageReader => (page.simulated ? readers.demo : readers.web);

  /** Looks at a page that was claimed. Returns false where only robots.txt was read and the page's turn comes after the gap. */
  async function check(page: PageRow, host: HostRow, signal?: AbortSignal): Promise<boolean> {
    if (!page.simulated && !robotsFresh(host, clock.now())) {
      await fetchRobots(host, page.url, signal);
      const free = clock.now() + gap(host);
      await store.freeHost(host.host, free);
      await store.release(page.id, free);
      return false;
    }
    const fetched = await fetchPage(page, host, signal);
    const results = new Map<string, ExtractedPage>();
    const { answer } = fetched;
    fetched.hash = answer?.status === 200 ? createHash("sha256").update(answer.body).digest("base64url") : null;
    fetched.same =
      answer !== null && (answer.notModified || (answer.status === 200 && fetched.hash === page.body_hash));
    if (!page.simulated && !fetched.same) fetched.platform = await askPlatform(page, host, fetched, results, signal);
    await db.sql.begin((tx) => conclude(tx, page, host, fetched, results));
    return true;
  }

  /** How long a host is left alone after a visit. */
  const gap = (host: HostRow): number =>
    hostGap({ crawlDelayS: host.crawl_delay_s, failures: host.failures, retryAfterMs: null }, random.unit());

  function robotsFresh(host: HostRow, now: number): boolean {
    const age = host.robots_at === null ? Infinity : now - host.robots_at.getTime();
    // A host that could not say what it allows is asked again sooner.
    return age < (host.robots?.kind === "unreachable" ? 3_600_000 : ROBOTS_TTL_MS);
  }

  async function fetchRobots(host: HostRow, url: string, signal?: AbortSignal): Promise<void> {
    const now = clock.now();
    const since = host.robots?.kind === "unreachable" ? host.robots.sinceMs : null;
    let state: RobotsState;
    try {
      const answer = await readers.web.read(new URL("/robots.txt", url).href, {
        etag: null,
        lastModified: null,
        signal,
      });
      state = robotsAfter(answer.status, Buffer.from(answer.body.subarray(0, 512 * 1024)).toString("utf8"), since, now);
    } catch (error) {
      if (!(error instanceof ReadError)) throw error;
      state = robotsAfter(null, "", since, now);
    }
    const delay = state.kind === "rules" ? rulesFor(parseRobots(state.text), PRODUCT_TOKEN).crawlDelayS : null;
    host.crawl_delay_s = delay;
    await store.keepRobots(host.host, state, delay, now);
  }

  /** A page of a known platform that shows no price is asked for as JSON, after the host's gap and where robots.txt allows. */
  async function askPlatform(
    page: PageRow,
    host: HostRow,
    { answer }: Fetched,
    results: Map<string, ExtractedPage>,
    signal?: AbortSignal,
  ): Promise<PlatformProduct | null> {
    if (answer?.status !== 200) return null;
    const plain = plainExtract(answer, page.url);
    results.set(PLAIN_KEY, plain);
    const address = plain.price === null && plain.platform ? platformAddress(plain.platform, page.url) : null;
    if (address === null || verdict(host.robots, address) !== "allowed") return null;
    await sleep(clock, gap(host), signal);
    try {
      const reply = await readers.web.read(address, { etag: null, lastModified: null, signal });
      return reply.status === 200
        ? readPlatformJson(plain.platform!, JSON.parse(Buffer.from(reply.body).toString()))
        : null;
    } catch (error) {
      // Not JSON, or not reachable: the page itself stays the answer.
      if (error instanceof ReadError || error instanceof SyntaxError) return null;
      throw error;
    }
  }

  async function fetchPage(page: PageRow, host: HostRow, signal?: AbortSignal): Promise<Fetched> {
    const started = clock.now();
    const robots = page.simulated ? null : verdict(host.robots, page.url);
    if (robots === "disallowed" || robots === "unreachable") {
      const detail =
        robots === "disallowed"
          ? "robots.txt of the host does not allow this page."
          : "robots.txt of the host cannot be read, so nothing there is fetched.";
      return {
        answer: null,
        failure: { kind: robots === "disallowed" ? "robots_disallowed" : "error", detail, retryAfterMs: null },
        robots,
        tookMs: 0,
        platform: null,
        hash: null,
        same: false,
      };
    }
    try {
      const answer = await readerOf(page).read(page.url, { etag: page.etag, lastModified: page.last_modified, signal });
      return { answer, failure: null, robots, tookMs: clock.now() - started, platform: null, hash: null, same: false };
    } catch (error) {
      if (!(error instanceof ReadError)) throw error;
      return {
        answer: null,
        failure: { kind: "error", detail: error.message, retryAfterMs: error.retryAfterMs },
        robots,
        tookMs: clock.now() - started,
        platform: null,
        hash: null,
        same: false,
      };
    }
  }

  async function conclude(
    tx: Tx,
    page: PageRow,
    host: HostRow,
    fetched: Fetched,
    results: Map<string, ExtractedPage>,
  ): Promise<void> {
    const now = clock.now();
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
      events.push(...next.happened.map((h) => eventOf(h, tracker, page, now)));
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
        dueAt: new Date(now + waitOf(page, trackers, fetched, failures, changed, now)),
      },
      hostAfter(page, host, fetched, now),
    );
  }

  function waitOf(
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
    return nextInterval(rhythm, now, random.unit());
  }

  /** The host after a visit: its failures in a row, and when it may be visited again. */
  function hostAfter(
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
    return { failures, freeAt: now + Math.max(pause, gap(host)) };
  }

  const eventOf = (happened: Happening, tracker: TrackerRow, page: PageRow, now: number): NewEvent => ({
    id: platform.makeId("evt"),
    tenantId: tracker.tenant_id,
    tags: tracker.tags,
    at: now,
    ...describe(happened, tracker, page),
  });

  return {
    check,
    /** One look that nobody keeps, with the manners of any other: gap and robots.txt count. */
    async glance(
      url: string,
      simulated: boolean,
      options: Partial<Settings> & { variant?: string | null },
      waitMs: number,
    ): Promise<Glance> {
      const end = clock.now() + waitMs;
      let host: HostRow | null = null;
      while (!simulated) {
        host = await store.claimHost(new URL(url).host, clock.now(), LEASE_MS);
        if (host && robotsFresh(host, clock.now())) break;
        if (host) {
          await fetchRobots(host, url);
          await store.freeHost(host.host, clock.now() + gap(host));
        }
        if (clock.now() >= end)
          return {
            result: null,
            answer: null,
            status: "pending",
            error: "The host's turn did not come within the wait.",
          };
        await sleep(clock, Math.min(500, end - clock.now()));
      }
      try {
        const robots = simulated ? "allowed" : verdict(host!.robots, url);
        if (robots !== "allowed") {
          const status = robots === "disallowed" ? "robots_disallowed" : "error";
          return { result: null, answer: null, status, error: "robots.txt of the host does not allow this page." };
        }
        const answer = await (simulated ? readers.demo : readers.web).read(url, { etag: null, lastModified: null });
        const result = extractPage({
          bytes: answer.body,
          url: answer.finalUrl,
          status: answer.status,
          contentType: answer.contentType,
          ...options,
        });
        return { result, answer, status: result.status, error: null };
      } catch (error) {
        if (!(error instanceof ReadError)) throw error;
        return { result: null, answer: null, status: "error", error: error.message };
      } finally {
        if (host) await store.freeHost(host.host, clock.now() + gap(host));
      }
    },
  };
}

const demoWait = (page: PageRow, trackers: readonly TrackerRow[]): number =>
  page.checks < DEMO_LOOKS ? DEMO_LOOK_MS : Math.min(...trackers.map((t) => t.settings.interval_s * 1000), 21_600_000);

function verdict(robots: RobotsState | null, url: string): "allowed" | "disallowed" | "unreachable" {
  if (robots === null || robots.kind === "none") return "allowed";
  if (robots.kind === "unreachable") return "unreachable";
  return isAllowed(parseRobots(robots.text), PRODUCT_TOKEN, url) ? "allowed" : "disallowed";
}
