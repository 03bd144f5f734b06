// The use cases of trackers, in the order of a tracker's life: track, list, read, change, delete. `track` itself is in track.ts.
import { type Call, type Handler, handle } from "../../../contract/define.ts";
import { transact } from "../../../platform/idempotency/index.ts";
import { notFound, readPage } from "../../../platform/platform.ts";
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
import { changesOf, readsOtherwise } from "../settings.ts";
import { PLAIN_VIEW, historyCsv, historyView, viewTracker } from "../view.ts";
import { type TrackerDeps, findTracker, showTracker, trackProduct } from "./track.ts";

async function listTrackers(deps: TrackerDeps, call: Call<unknown, ListQuery>) {
  const { platform, store } = deps;
  const { status, tag } = call.query;
  const page = await readPage(
    platform.cursors,
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
      viewTracker(row, row.page, points.get(row.id) ?? [], platform.clock.now(), { ...PLAIN_VIEW, history: "none" }),
    ),
  };
}

async function readTracker(deps: TrackerDeps, call: Call<{ id: string }>) {
  const found = await findTracker(deps, call, call.params.id);
  return showTracker(deps, found, found.page, PLAIN_VIEW);
}

function updateTracker(deps: TrackerDeps, call: Call<{ id: string }, unknown, UpdateBody>) {
  const { platform, store } = deps;
  return transact(platform.db, call, async (tx) => {
    const found = await store.trackerById(tx, call.caller.tenantId, call.params.id);
    if (!found) throw notFound("tracker");
    found.settings = { ...found.settings, ...changesOf(call.body) };
    if (call.body.tags) found.tags = call.body.tags;
    await store.updateTracker(tx, found);
    if (readsOtherwise(call.body)) await store.forgetValidators(tx, found.page_id);
    await store.settlePage(tx, found.page_id);
    return showTracker(deps, found, found.page, PLAIN_VIEW);
  });
}

function deleteTracker({ platform, store }: TrackerDeps, call: Call<{ id: string }>) {
  return transact(platform.db, call, async (tx) => {
    const pageId = await store.deleteTracker(tx, call.caller.tenantId, call.params.id);
    if (pageId === null) throw notFound("tracker");
    await store.settlePage(tx, pageId);
    return { id: call.params.id, deleted: true };
  });
}

async function readHistory(deps: TrackerDeps, call: Call<{ id: string }, HistoryQuery>) {
  const { platform, store } = deps;
  const found = await findTracker(deps, call, call.params.id);
  const items = historyView(await store.points(found.id), platform.clock.now(), {
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
}

export const trackerRoutes = (deps: TrackerDeps): Handler[] => [
  handle(track, (call) => trackProduct(deps, call as Call<unknown, TrackQuery>)),
  handle(list, (call) => listTrackers(deps, call)),
  handle(get, (call) => readTracker(deps, call)),
  handle(update, (call) => updateTracker(deps, call)),
  handle(remove, (call) => deleteTracker(deps, call)),
  handle(history, (call) => readHistory(deps, call)),
];
