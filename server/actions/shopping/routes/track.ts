// GET /shopping/track: makes or finds the tracker, checks the page where what is stored is too old, answers what is known.
import type { Call } from "../../../contract/define.ts";
import { Failure, invalid } from "../../../contract/errors.ts";
import { sleep } from "../../../lib/clock.ts";
import { MINUTE_MS, SECOND_MS } from "../../../lib/time.ts";
import { findOr404 } from "../../../platform/pages.ts";
import type { Tx } from "../../../store/db.ts";
import { lockInTransaction } from "../../../store/locks.ts";
import { checkOnce } from "../background/check-once.ts";
import { LEASE_MS, checkPage } from "../background/check.ts";
import type { CheckDeps } from "../background/robots.ts";
import type { TrackQuery, Tracked } from "../contract/index.ts";
import { type PageAddress, pageAddress } from "../engine/address.ts";
import { parseDuration } from "../engine/schedule/interval.ts";
import { NEW_TRACKER } from "../machine.ts";
import { DEMO_HOST, type DemoShop } from "../providers/demo-shop.ts";
import { type PageReader, ReadError } from "../providers/port.ts";
import { DEFAULT_SETTINGS, changesReading, settingsAfter } from "../settings.ts";
import type { TrackerRow, TrackerWithPage } from "../store/index.ts";
import { type ViewOptions, viewMissingPage, viewSingleCheck, viewTracker } from "../view.ts";

/** How many products a plan may track. */
const MAX_TRACKERS = { free: 50, plus: 1_000, max: 20_000 } as const;
const DEFAULT_WAIT_S = 8;
const DEFAULT_MAX_AGE_MS = 15 * MINUTE_MS;
/** While the host is busy its turn is asked for so often, and so many times. */
const TURN_RETRY_MS = 500;
const MAX_TURN_RETRIES = 12;

export interface TrackerDeps extends CheckDeps {
  readers: { web: PageReader; demo: DemoShop };
}

type TrackCall = Call<unknown, TrackQuery>;
type Address = PageAddress & { simulated: boolean };

export const findTracker = ({ platform, store }: TrackerDeps, call: Call, id: string): Promise<TrackerWithPage> =>
  findOr404("tracker", store.trackerById(platform.db.sql, call.caller.tenantId, id));

export const showTracker = async (
  { platform, store }: TrackerDeps,
  tx: Tx,
  tracker: TrackerWithPage,
  options: ViewOptions,
): Promise<Tracked> =>
  viewTracker(tracker, tracker.page, await store.points(tx, tracker.id), platform.clock.now(), options);

export async function trackProduct(deps: TrackerDeps, call: TrackCall): Promise<Tracked> {
  const { query } = call;
  const view: ViewOptions = {
    historyDays: query.history_days ?? 90,
    history: query.history ?? "changes",
    include: query.include ?? [],
  };
  if (query.id) return refresh(deps, call, await findTracker(deps, call, query.id), view);
  if (!query.url) throw invalid("/url", "url or id is required", "Add url=https://shop.example/p/1", "required");
  const address = await allowedAddress(deps, call, query.url);
  if (query.track === false) return checkWithoutTracking(deps, call, address, view);
  const { tracker, isNew, mustRead } = await openTracker(deps, call, address);
  const shown = await refresh(deps, call, tracker, view, mustRead);
  return isNew ? dropMissingPage(deps, call, shown) : shown;
}

/** The address of a page that this caller may read: the demo shop with a test key, anything else with a live one. */
async function allowedAddress({ platform, readers }: TrackerDeps, call: Call, url: string): Promise<Address> {
  const simulated = call.caller.mode === "test";
  if (simulated && !readers.demo.isOurs(url)) {
    throw new Failure("target_not_allowed", "A test key reads only the demo shop.", {
      hint: `Use a live key for this page, or track ${platform.publicUrl()}/demo-shop/kettle.`,
    });
  }
  if (!simulated && readers.demo.isOurs(url))
    throw new Failure("target_not_allowed", "The demo shop is simulated; a live key never reads it.", {
      hint: "Use a test key for the demo shop.",
    });
  try {
    await (simulated ? readers.demo : readers.web).check(url);
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    // A name that does not resolve just now may do so later; the check will show it.
    if (error.code === "target_not_allowed")
      throw new Failure("target_not_allowed", error.message, {
        hint: "Use a public http or https address. An operator opens an address of this machine with CONNECTOR_ALLOW_LOOPBACK, a private network with CONNECTOR_ALLOW_NETWORKS.",
      });
  }
  const address = pageAddress(url);
  return simulated
    ? { ...address, key: `test:${new URL(url).pathname}${new URL(url).search}`, host: DEMO_HOST, simulated }
    : { ...address, simulated };
}

interface OpenedTracker {
  tracker: TrackerWithPage;
  isNew: boolean;
  /** What is known of the page was read with other settings. */
  mustRead: boolean;
}

/** Makes the tracker, or brings an existing one up to what is asked now. */
async function openTracker(
  { platform, store }: TrackerDeps,
  call: TrackCall,
  address: Address,
): Promise<OpenedTracker> {
  const { query, caller, now } = call;
  const variant = query.variant ?? "";
  return platform.db.sql.begin(async (tx) => {
    const settings = settingsAfter(DEFAULT_SETTINGS, query);
    const page = await store.openPage(tx, { ...address, askedMs: settings.interval_s * SECOND_MS }, now);
    const known = await store.findTracker(tx, caller.tenantId, page.id, variant);
    if (known) {
      const before = known.settings;
      known.settings = settingsAfter(before, query);
      if (query.tags) known.tags = query.tags;
      await store.updateTracker(tx, known);
      const mustRead = changesReading(before, known.settings);
      if (mustRead) await store.forgetValidators(tx, page.id);
      return { tracker: { ...known, page }, isNew: false, mustRead };
    }
    // One at a time for each tenant, so that the count is exact.
    await lockInTransaction(tx, "cap", `shopping_trackers ${caller.tenantId}`);
    if ((await store.countTrackers(tx, caller.tenantId)) >= MAX_TRACKERS[caller.plan])
      throw new Failure(
        "plan_limit_reached",
        `The plan ${caller.plan} tracks at most ${MAX_TRACKERS[caller.plan]} products.`,
      );
    const tracker: TrackerRow = {
      id: platform.makeId("trk"),
      tenantId: caller.tenantId,
      pageId: page.id,
      variant,
      settings,
      state: { machine: NEW_TRACKER, result: null },
      status: "pending",
      tags: query.tags ?? [],
      createdMs: now,
    };
    await store.forgetValidators(tx, page.id);
    await store.insertTracker(tx, tracker);
    return { tracker: { ...tracker, page }, isNew: true, mustRead: true };
  }) as Promise<OpenedTracker>;
}

async function refresh(
  deps: TrackerDeps,
  call: TrackCall,
  tracker: TrackerWithPage,
  view: ViewOptions,
  mustRead = false,
) {
  const maxAgeMs = parseDuration(call.query.max_age ?? "") ?? DEFAULT_MAX_AGE_MS;
  const { checkedMs } = tracker.page;
  const ageMs = checkedMs === null ? Infinity : deps.platform.clock.now() - checkedMs;
  if (mustRead || ageMs > maxAgeMs || maxAgeMs === 0 || tracker.state.result === null)
    await checkWithin(deps, tracker.page.id, waitMsOf(call.query), call);
  const found = await findTracker(deps, call, tracker.id);
  return showTracker(deps, deps.platform.db.sql, found, view);
}

const waitMsOf = (query: TrackQuery): number => (query.wait ?? DEFAULT_WAIT_S) * SECOND_MS;

/** Checks the page now, within the host's gap, or gives up when the wait is over; the schedule does the rest. */
async function checkWithin(deps: TrackerDeps, pageId: string, waitMs: number, call: Call): Promise<void> {
  const { signal } = call.request;
  const { tenantId: account } = call.caller;
  const { clock } = deps.platform;
  const endMs = clock.now() + waitMs;
  for (let tries = 0; tries < MAX_TURN_RETRIES && !signal.aborted; tries++) {
    const [claimed] = await deps.store.claim(clock.now(), { limit: 1, leaseMs: LEASE_MS, only: pageId });
    if (claimed && (await checkPage(deps, claimed.page, claimed.host, { signal, account }))) return;
    const leftMs = endMs - clock.now();
    if (leftMs <= 0) return;
    await sleep(clock, Math.min(leftMs, TURN_RETRY_MS), signal);
  }
}

/** A new tracker whose page is not there at its first check is not kept: a mistyped address must not count for the plan. */
async function dropMissingPage(deps: TrackerDeps, call: TrackCall, shown: Tracked): Promise<Tracked> {
  const { http_status } = shown.check;
  if (shown.price !== null || (http_status !== 404 && http_status !== 410)) return shown;
  const { tenantId } = call.caller;
  await deps.platform.db.sql.begin((tx) => deps.store.deleteTracker(tx, tenantId, shown.id!));
  return viewMissingPage(shown);
}

async function checkWithoutTracking(deps: TrackerDeps, call: TrackCall, address: Address, view: ViewOptions) {
  const { query } = call;
  const { url, simulated } = address;
  const settings = settingsAfter(DEFAULT_SETTINGS, query);
  const variant = query.variant ?? null;
  const { result, answer, status, error } = await checkOnce(deps, {
    url,
    simulated,
    settings,
    variant,
    waitMs: waitMsOf(query),
    account: call.caller.tenantId,
  });
  const single = {
    url,
    simulated,
    settings,
    variant,
    result,
    status,
    error,
    httpStatus: answer?.status ?? null,
    bytes: answer?.body.length ?? null,
    nowMs: deps.platform.clock.now(),
  };
  return viewSingleCheck(single, view);
}
