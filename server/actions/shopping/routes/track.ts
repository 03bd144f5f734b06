// GET /shopping/track: makes or finds the tracker, looks at the page where what is stored is too old, answers what is known.
import type { Call } from "../../../contract/define.ts";
import { Failure } from "../../../contract/errors.ts";
import { sleep } from "../../../lib/clock.ts";
import { notFound } from "../../../platform/platform.ts";
import { checkOnce } from "../background/check-once.ts";
import { LEASE_MS, checkPage } from "../background/check.ts";
import type { CheckDeps } from "../background/robots.ts";
import type { TrackQuery } from "../contract/index.ts";
import { type PageAddress, pageAddress } from "../engine/address.ts";
import { parseDuration } from "../engine/schedule/interval.ts";
import { newTracker } from "../machine.ts";
import { DEMO_HOST, type DemoShop } from "../providers/demo-shop.ts";
import { type PageReader, ReadError } from "../providers/port.ts";
import { DEFAULT_SETTINGS, changesOf, fault, readsOtherwise } from "../settings.ts";
import type { PageRow, TrackerRow } from "../store.ts";
import { type ViewOptions, viewGlance, viewTracker } from "../view.ts";

/** How many products a plan may track. */
const MAX_TRACKERS = { free: 50, plus: 1_000, max: 20_000 } as const;

export interface TrackerDeps extends CheckDeps {
  readers: { web: PageReader; demo: DemoShop };
}

type TrackCall = Call<unknown, TrackQuery>;
type Address = PageAddress & { simulated: boolean };

export const showTracker = async (
  { platform, store }: TrackerDeps,
  tracker: TrackerRow,
  page: PageRow,
  options: ViewOptions,
) => viewTracker(tracker, page, await store.points(tracker.id), platform.clock.now(), options);

export async function findTracker({ platform, store }: TrackerDeps, call: Call, id: string) {
  const found = await store.trackerById(platform.db.sql, call.caller.tenantId, id);
  if (!found) throw notFound("tracker");
  return found;
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
    if (error instanceof ReadError && error.code === "target_not_allowed")
      throw new Failure("target_not_allowed", error.message);
    // A name that does not resolve just now may do so later; the check will tell.
    if (!(error instanceof ReadError)) throw error;
  }
  const address = pageAddress(url);
  return simulated
    ? { ...address, key: `test:${new URL(url).pathname}${new URL(url).search}`, host: DEMO_HOST, simulated }
    : { ...address, simulated };
}

/** Makes the tracker, or brings an existing one up to what is asked now. */
async function openTracker(
  { platform, store }: TrackerDeps,
  call: TrackCall,
  address: Address,
): Promise<{ tracker: TrackerRow; page: PageRow }> {
  const { query, caller, now } = call;
  const variant = query.variant ?? "";
  return platform.db.sql.begin(async (tx) => {
    const wanted = { ...DEFAULT_SETTINGS, ...changesOf(query) };
    const page = await store.openPage(tx, { ...address, askedMs: wanted.interval_s * 1000 }, now);
    const known = await store.findTracker(tx, caller.tenantId, page.id, variant);
    if (known) {
      known.settings = { ...known.settings, ...changesOf(query) };
      if (query.tags) known.tags = query.tags;
      await store.updateTracker(tx, known);
      if (readsOtherwise(query)) await store.forgetValidators(tx, page.id);
      return { tracker: known, page };
    }
    if ((await store.countTrackers(tx, caller.tenantId)) >= MAX_TRACKERS[caller.plan])
      throw new Failure(
        "plan_limit_reached",
        `The plan ${caller.plan} tracks at most ${MAX_TRACKERS[caller.plan]} products.`,
      );
    const fresh: TrackerRow = {
      id: platform.makeId("trk"),
      tenant_id: caller.tenantId,
      page_id: page.id,
      variant,
      settings: wanted,
      state: { machine: newTracker, result: null },
      status: "pending",
      tags: query.tags ?? [],
      created_at: new Date(now),
    };
    await store.forgetValidators(tx, page.id);
    return { tracker: await store.insertTracker(tx, fresh), page };
  }) as Promise<{ tracker: TrackerRow; page: PageRow }>;
}

/** Looks now, within the host's gap, or gives up when the wait is over; the schedule does the rest. */
async function lookWithin(deps: TrackerDeps, pageId: string, waitMs: number, signal: AbortSignal): Promise<void> {
  const { clock } = deps.platform;
  const end = clock.now() + waitMs;
  for (let tries = 0; tries < 12 && !signal.aborted; tries++) {
    const [claimed] = await deps.store.claim(clock.now(), { limit: 1, leaseMs: LEASE_MS, only: pageId });
    if (claimed && (await checkPage(deps, claimed.page, claimed.host, signal))) return;
    const left = end - clock.now();
    if (left <= 0) return;
    await sleep(clock, Math.min(left, 500), signal);
  }
}

export async function trackProduct(deps: TrackerDeps, call: TrackCall) {
  const { query } = call;
  const view: ViewOptions = {
    historyDays: query.history_days ?? 90,
    history: query.history ?? "changes",
    include: query.include ?? [],
  };
  if (query.id) {
    const found = await findTracker(deps, call, query.id);
    return refresh(deps, call, found, found.page, view);
  }
  if (!query.url) throw fault("/url", "required", "url or id is required", "Add url=https://shop.example/p/1");
  const address = await allowedAddress(deps, call, query.url);
  if (query.track === false) return lookOnce(deps, query, address, view);
  const { tracker, page } = await openTracker(deps, call, address);
  return refresh(deps, call, tracker, page, view);
}

/** One look that is not kept. */
async function lookOnce(deps: TrackerDeps, query: TrackQuery, address: Address, view: ViewOptions) {
  const settings = { ...DEFAULT_SETTINGS, ...changesOf(query) };
  const seen = await checkOnce(
    deps,
    address.url,
    address.simulated,
    { ...settings, variant: query.variant ?? null },
    (query.wait ?? 8) * 1000,
  );
  return viewGlance(
    address.url,
    seen.result,
    settings,
    deps.platform.clock.now(),
    address.simulated,
    {
      state: seen.status,
      status: seen.answer?.status ?? null,
      bytes: seen.answer?.body.length ?? null,
      error: seen.error,
    },
    view,
  );
}

async function refresh(deps: TrackerDeps, call: TrackCall, tracker: TrackerRow, page: PageRow, view: ViewOptions) {
  const maxAge = parseDuration(call.query.max_age ?? "15m") ?? 900_000;
  const age = page.checked_at === null ? Infinity : deps.platform.clock.now() - page.checked_at.getTime();
  if (age > maxAge || maxAge === 0 || tracker.state.result === null)
    await lookWithin(deps, page.id, (call.query.wait ?? 8) * 1000, call.request.signal);
  const now = await findTracker(deps, call, tracker.id);
  return showTracker(deps, now, now.page, view);
}
