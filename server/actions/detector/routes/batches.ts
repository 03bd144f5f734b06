// The routes of batches: take many items at once, say how far they are, hand out the results.
import { type Call, handle, type Handler } from "../../../contract/define.ts";
import { transact } from "../../../platform/idempotency/index.ts";
import { addJob } from "../../../platform/jobs/index.ts";
import { findOr404, readPage } from "../../../platform/pages.ts";
import { BATCH_JOB } from "../background/batches.ts";
import type { BatchRequest } from "../contract/batches.ts";
import * as contract from "../contract/index.ts";
import type { Deps } from "../background/judge.ts";
import { findBatch, insertBatch, listResults } from "../store.ts";
import { viewBatch } from "../view.ts";
import { refuseContradiction } from "./contradiction.ts";
import { refuseMoreBatches } from "./plan-limits.ts";

type BatchCall<Q = unknown> = Call<{ id: string }, Q>;

async function createBatch({ platform }: Deps, call: Call<unknown, unknown, BatchRequest>) {
  refuseContradiction(call.body);
  const { tenantId } = call.caller;
  const id = platform.makeId("bat");
  return transact(platform.db, call, async (tx) => {
    await refuseMoreBatches(tx, call.caller);
    await insertBatch(tx, { id, tenantId, request: call.body, nowMs: call.now });
    await addJob(tx, BATCH_JOB, { batchId: id }, { tenantId, key: id });
    return viewBatch((await findBatch(tx, tenantId, id))!);
  });
}

const findOwn = ({ platform }: Deps, call: BatchCall) =>
  findOr404("batch", findBatch(platform.db.sql, call.caller.tenantId, call.params.id));

async function readBatch(deps: Deps, call: BatchCall) {
  return viewBatch(await findOwn(deps, call));
}

async function readResults(deps: Deps, call: BatchCall<{ limit?: number; cursor?: string }>) {
  const { id } = await findOwn(deps, call);
  const { cursors, db } = deps.platform;
  return readPage({
    cursors,
    list: `batch ${id}`,
    query: call.query,
    read: (after, count) => listResults(db, id, after === null ? -1 : Number(after), count),
    position: (row) => String(row.position),
    view: (row) => row,
  });
}

export const batchRoutes = (deps: Deps): Handler[] => [
  handle(contract.createBatch, (call) => createBatch(deps, call)),
  handle(contract.readBatch, (call) => readBatch(deps, call)),
  handle(contract.listResults, (call) => readResults(deps, call)),
];
