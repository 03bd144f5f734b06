// Judges the items of a batch one after the other. Idempotent: a run that is cut off goes on where the last result was saved.
import { appendEvents } from "../../../platform/events/index.ts";
import type { Job } from "../../../platform/jobs/index.ts";
import { type Deps, errorOf, judgeItem, optionsOf, recordJudged } from "./judge.ts";
import { type BatchItemRow, type BatchRow, completeBatch, findBatch, nextItems, saveResult } from "../store.ts";
import { viewBatch } from "../view.ts";

export const BATCH_JOB = "detector.batch";
const ITEMS_A_READ = 20;

export function batchJob(deps: Deps): Job<{ batchId: string }> {
  return { name: BATCH_JOB, run: ({ batchId }, { signal }) => runBatch(deps, batchId, signal) };
}

export async function runBatch(deps: Deps, batchId: string, signal?: AbortSignal): Promise<void> {
  const batch = await findBatch(deps.platform.db.sql, null, batchId);
  if (!batch) return;
  for (;;) {
    const items = await nextItems(deps.platform.db, batchId, ITEMS_A_READ);
    if (items.length === 0) return complete(deps, batch);
    for (const item of items) {
      signal?.throwIfAborted();
      await judgeOne(deps, batch, item);
    }
  }
}

async function judgeOne(deps: Deps, batch: BatchRow, { position, item }: BatchItemRow): Promise<void> {
  const { db, clock } = deps.platform;
  const outcome = await judgeItem(deps, item, optionsOf(batch.terms), batch).catch((error) => errorOf(item, error));
  const judged = "analysis" in outcome ? [outcome] : [];
  await db.sql.begin(async (tx) => {
    const result = "analysis" in outcome ? outcome.analysis : outcome;
    if (!(await saveResult(tx, batch.id, { position, result }))) return;
    await recordJudged(deps, tx, { tenantId: batch.tenantId, terms: batch.terms, judged, nowMs: clock.now() });
  });
}

async function complete({ platform }: Deps, { id, tenantId, terms }: BatchRow): Promise<void> {
  const nowMs = platform.clock.now();
  await platform.db.sql.begin(async (tx) => {
    if (!(await completeBatch(tx, id, nowMs))) return;
    const data = viewBatch((await findBatch(tx, tenantId, id))!);
    const event = { id: platform.makeId("evt"), tenantId, type: "detector.batch_completed", at: nowMs, data };
    await appendEvents(tx, [{ ...event, tags: terms.tags ?? [] }]);
  });
}
