// The routes of trackers, in the order of a tracker's life: track (in track.ts), list, read, change, delete, history.
import { type Call, type Handler, handle } from "../../../contract/define.ts";
import { transact } from "../../../platform/idempotency/index.ts";
import { findOr404, notFound, readPage } from "../../../platform/pages.ts";
import {
  type HistoryQuery,
  type ListQuery,
  type TrackQuery,
  type UpdateBody,
  get,
  history,
  list,
  remove,
  track,
  update,
} from "../contract/index.ts";
import { historyCsv, viewHistory } from "../history.ts";
import { changesReading, settingsAfter } from "../settings.ts";
import { PLAIN_VIEW, viewTracker } from "../view.ts";
import { type TrackerDeps, findTracker, showTracker, trackProduct } from "./track.ts";

/** Longer than any history. */
const ALL_DAYS = 36_500;
const LIST_VIEW = { ...PLAIN_VIEW, history: "none" } as const;

type TrackerCall = Call<{ id: string }>;

async function listTrackers({ platform, store }: TrackerDeps, call: Call<unknown, ListQuery>) {
  const { tenantId } = call.caller;
  const { status, tag } = call.query;
  const page = await readPage({
    cursors: platform.cursors,
    list: `shopping ${tenantId} ${status ?? ""} ${tag ?? ""}`,
    query: call.query,
    read: (after, count) => store.listTrackers(tenantId, { status, tag }, after, count),
    position: (row) => row.id,
    view: (row) => row,
  });
  const points = await store.pointsOf(page.items.map((row) => row.id));
  const nowMs = platform.clock.now();
  return {
    ...page,
    items: page.items.map((row) => viewTracker(row, row.page, points.get(row.id) ?? [], nowMs, LIST_VIEW)),
  };
}

async function readTracker(deps: TrackerDeps, call: TrackerCall) {
  const found = await findTracker(deps, call, call.params.id);
  return showTracker(deps, deps.platform.db.sql, found, PLAIN_VIEW);
}

function updateTracker(deps: TrackerDeps, call: Call<{ id: string }, unknown, UpdateBody>) {
  const { platform, store } = deps;
  const { tenantId } = call.caller;
  return transact(platform.db, call, async (tx) => {
    await store.lockPageOf(tx, tenantId, call.params.id);
    const found = await findOr404("tracker", store.trackerById(tx, tenantId, call.params.id));
    const before = found.settings;
    found.settings = settingsAfter(before, call.body);
    if (call.body.tags) found.tags = call.body.tags;
    await store.updateTracker(tx, found);
    if (changesReading(before, found.settings)) await store.forgetValidators(tx, found.pageId);
    await store.settlePage(tx, found.pageId);
    return showTracker(deps, tx, found, PLAIN_VIEW);
  });
}

function deleteTracker({ platform, store }: TrackerDeps, call: TrackerCall) {
  const { id } = call.params;
  return transact(platform.db, call, async (tx) => {
    if (!(await store.deleteTracker(tx, call.caller.tenantId, id))) throw notFound("tracker");
    return { id, deleted: true as const };
  });
}

async function readHistory(deps: TrackerDeps, call: Call<{ id: string }, HistoryQuery>) {
  const { platform, store } = deps;
  const found = await findTracker(deps, call, call.params.id);
  const items = viewHistory(await store.points(platform.db.sql, found.id), platform.clock.now(), {
    history: call.query.resolution ?? "changes",
    historyDays: call.query.days ?? ALL_DAYS,
  });
  if (call.query.format !== "csv") return { id: found.id, items };
  return new Response(historyCsv(items), {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${found.id}.csv"`,
    },
  });
}

export const trackerRoutes = (deps: TrackerDeps): Handler[] => [
  handle(track, (call) => trackProduct(deps, call as Call<unknown, TrackQuery>)),
  handle(list, (call) => listTrackers(deps, call)),
  handle(get, (call) => readTracker(deps, call)),
  handle(update, (call) => updateTracker(deps, call)),
  handle(remove, (call) => deleteTracker(deps, call)),
  handle(history, (call) => readHistory(deps, call)),
];
