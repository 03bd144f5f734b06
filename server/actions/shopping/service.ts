// The use cases of shopping, in the order of a tracker's life: track, look, list, change, forget.
import { type Call, handle } from "../../contract/define.ts";
import { Failure } from "../../contract/errors.ts";
import { sleep } from "../../lib/clock.ts";
import { transact } from "../../platform/idempotency/index.ts";
import { type Module, notFound, type Platform, readPage } from "../../platform/platform.ts";
import type { Checker } from "./work/check.ts";
import { LEASE_MS } from "./work/check.ts";
import { type TrackQuery, demoPage, demoShop, get, history, list, remove, track, update } from "./contract.ts";
import { type PageAddress, pageAddress } from "./engine/address.ts";
import { parseSelector } from "./engine/page/select.ts";
import { INTERVAL_MAX_MS, INTERVAL_MIN_MS, parseDuration } from "./engine/schedule/interval.ts";
import { newTracker } from "./machine.ts";
import { DEMO_HOST, type DemoShop } from "./providers/demo-shop.ts";
import { type PageReader, ReadError } from "./providers/port.ts";
import type { PageRow, Settings, ShoppingStore, TrackerRow } from "./store.ts";
import { PLAIN_VIEW, type ViewOptions, historyCsv, historyView, viewGlance, viewTracker } from "./view.ts";

/** How many products a plan may track. */
const MOST = { free: 50, plus: 1_000, max: 20_000 } as const;
const DEFAULTS: Settings = {
  interval_s: 21_600,
  target_price: null,
  drop_percent: null,
  min_price: null,
  max_price: null,
  alert_on: ["price_drop", "back_in_stock"],
  threshold_base: "last_alert",
  selector: null,
  unit_quantity: null,
  extra_cost: null,
  condition: null,
  seller: null,
  currency: null,
  locale: null,
};

export function createService(
  platform: Platform,
  store: ShoppingStore,
  checker: Checker,
  readers: { web: PageReader; demo: DemoShop },
): Pick<Module, "handlers"> {
  const { db, clock, cursors } = platform;
  const show = async (tracker: TrackerRow, page: PageRow, options: ViewOptions) =>
    viewTracker(tracker, page, await store.points(tracker.id), clock.now(), options);

  async function find(call: Call, id: string) {
    const found = await store.trackerById(db.sql, call.caller.tenantId, id);
    if (!found) throw notFound("tracker");
    return found;
  }

  async function allowed(call: Call, url: string): Promise<PageAddress & { simulated: boolean }> {
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
  async function open(
    call: Call<unknown, TrackQuery>,
    address: PageAddress & { simulated: boolean },
  ): Promise<{ tracker: TrackerRow; page: PageRow }> {
    const { query, caller, now } = call;
    const variant = query.variant ?? "";
    return db.sql.begin(async (tx) => {
      const wanted = { ...DEFAULTS, ...changesOf(query) };
      const page = await store.openPage(tx, { ...address, askedMs: wanted.interval_s * 1000 }, now);
      const known = await store.findTracker(tx, caller.tenantId, page.id, variant);
      if (known) {
        known.settings = { ...known.settings, ...changesOf(query) };
        if (query.tags) known.tags = query.tags;
        await store.updateTracker(tx, known);
        if (readsOtherwise(query)) await store.forgetValidators(tx, page.id);
        return { tracker: known, page };
      }
      if ((await store.countTrackers(tx, caller.tenantId)) >= MOST[caller.plan])
        throw new Failure(
          "plan_limit_reached",
          `The plan ${caller.plan} tracks at most ${MOST[caller.plan]} products.`,
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
  async function lookWithin(pageId: string, waitMs: number, signal: AbortSignal): Promise<void> {
    const end = clock.now() + waitMs;
    for (let tries = 0; tries < 12 && !signal.aborted; tries++) {
      const [claimed] = await store.claim(clock.now(), { limit: 1, leaseMs: LEASE_MS, only: pageId });
      if (claimed && (await checker.check(claimed.page, claimed.host, signal))) return;
      const left = end - clock.now();
      if (left <= 0) return;
      await sleep(clock, Math.min(left, 500), signal);
    }
  }

  async function trackOne(call: Call<unknown, TrackQuery>) {
    const { query } = call;
    const view: ViewOptions = {
      historyDays: query.history_days ?? 90,
      history: query.history ?? "changes",
      include: query.include ?? [],
    };
    if (query.id) {
      const found = await find(call, query.id);
      return refresh(call, found, found.page, view);
    }
    if (!query.url) throw fault("/url", "required", "url or id is required", "Add url=https://shop.example/p/1");
    const address = await allowed(call, query.url);
    if (query.track === false) {
      const settings = { ...DEFAULTS, ...changesOf(query) };
      const seen = await checker.glance(
        address.url,
        address.simulated,
        { ...settings, variant: query.variant ?? null },
        (query.wait ?? 8) * 1000,
      );
      return viewGlance(
        address.url,
        seen.result,
        settings,
        clock.now(),
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
    const { tracker, page } = await open(call, address);
    return refresh(call, tracker, page, view);
  }

  async function refresh(call: Call<unknown, TrackQuery>, tracker: TrackerRow, page: PageRow, view: ViewOptions) {
    const maxAge = parseDuration(call.query.max_age ?? "15m") ?? 900_000;
    const age = page.checked_at === null ? Infinity : clock.now() - page.checked_at.getTime();
    if (age > maxAge || maxAge === 0 || tracker.state.result === null)
      await lookWithin(page.id, (call.query.wait ?? 8) * 1000, call.request.signal);
    const now = await find(call, tracker.id);
    return show(now, now.page, view);
  }

  return {
    handlers: [
      handle(track, (call) => trackOne(call as Call<unknown, TrackQuery>)),
      handle(list, async (call) => {
        const { status, tag } = call.query;
        const page = await readPage(
          cursors,
          `shopping ${call.caller.tenantId} ${status ?? ""} ${tag ?? ""}`,
          call.query,
          (after, count) => store.listTrackers(call.caller.tenantId, { status, tag }, after, count),
          (row) => row.id,
          (row) => row,
        );
        const points = await store.pointsOf(page.items.map((row) => row.id));
        return {
          ...page,
          items: page.items.map((row) =>
            viewTracker(row, row.page, points.get(row.id) ?? [], clock.now(), { ...PLAIN_VIEW, history: "none" }),
          ),
        };
      }),
      handle(get, async (call) => {
        const found = await find(call, call.params.id);
        return show(found, found.page, PLAIN_VIEW);
      }),
      handle(update, (call) =>
        transact(db, call, async (tx) => {
          const found = await store.trackerById(tx, call.caller.tenantId, call.params.id);
          if (!found) throw notFound("tracker");
          found.settings = { ...found.settings, ...changesOf(call.body) };
          if (call.body.tags) found.tags = call.body.tags;
          await store.updateTracker(tx, found);
          if (readsOtherwise(call.body)) await store.forgetValidators(tx, found.page_id);
          await store.settlePage(tx, found.page_id);
          return show(found, found.page, PLAIN_VIEW);
        }),
      ),
      handle(remove, (call) =>
        transact(db, call, async (tx) => {
          const pageId = await store.deleteTracker(tx, call.caller.tenantId, call.params.id);
          if (pageId === null) throw notFound("tracker");
          await store.settlePage(tx, pageId);
          return { id: call.params.id, deleted: true };
        }),
      ),
      handle(history, async (call) => {
        const found = await find(call, call.params.id);
        const items = historyView(await store.points(found.id), clock.now(), {
          history: call.query.resolution ?? "changes",
          historyDays: call.query.days ?? 36_500,
        });
        if (call.query.format !== "csv") return { id: found.id, items };
        return new Response(historyCsv(items), {
          headers: {
            "content-type": "text/csv; charset=utf-8",
            "content-disposition": `attachment; filename="${found.id}.csv"`,
          },
        });
      }),
      handle(demoShop, async () => html(200, readers.demo.index())),
      handle(demoPage, async (call) => {
        const page = readers.demo.render(call.params.page, clock.now());
        if (!page) throw notFound("page");
        return html(page.status, page.html);
      }),
    ],
  };
}

const html = (status: number, body: string): Response =>
  new Response(body, { status, headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" } });

function fault(pointer: string, code: string, detail: string, hint: string): Failure {
  return new Failure("validation_failed", detail, { hint, errors: [{ pointer, code, detail, hint }] });
}

/** Whether a request changes how the page is read. */
const readsOtherwise = (asked: Record<string, unknown>): boolean =>
  ["selector", "condition", "seller", "currency", "locale"].some((name) => asked[name] !== undefined);

/** The settings that a request names; what it does not name stays as it is. */
function changesOf(asked: Record<string, any>): Partial<Settings> {
  const out: Record<string, unknown> = {};
  for (const name of Object.keys(DEFAULTS)) if (asked[name] !== undefined) out[name] = asked[name];
  if (asked.interval !== undefined) {
    const ms = parseDuration(asked.interval);
    if (ms === null || ms < INTERVAL_MIN_MS || ms > INTERVAL_MAX_MS)
      throw fault("/interval", "range", "interval must be from 15m to 7d", "Send e.g. 6h");
    out.interval_s = ms / 1000;
  }
  if (typeof asked.selector === "string" && parseSelector(asked.selector) === null)
    throw fault(
      "/selector",
      "format",
      "selector uses something that is not understood",
      "Use tags, #ids, .classes, [attributes], blanks and >",
    );
  return out as Partial<Settings>;
}
