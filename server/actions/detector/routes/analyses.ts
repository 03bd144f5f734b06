// The routes of analyses: judge one item or many, list, read, print and delete what was kept.
import { type Call, handle, type Handler } from "../../../contract/define.ts";
import { transact } from "../../../platform/idempotency/index.ts";
import { findOr404, notFound, readPage } from "../../../platform/pages.ts";
import * as contract from "../contract/index.ts";
import type { Analysis, AnalyzeRequest, ItemError, Verdict } from "../contract/shapes.ts";
import {
  type Deps,
  errorOf,
  hasEffect,
  type Item,
  type Judged,
  judgeItem,
  optionsOf,
  recordJudged,
} from "../background/judge.ts";
import { deleteAnalysis, findAnalysis, listAnalyses } from "../store.ts";
import { viewStored, viewSummary } from "../view.ts";
import { renderReport } from "./report.ts";
import { refuseContradiction } from "./contradiction.ts";

type ListQuery = { limit?: number; cursor?: string; verdict?: Verdict };
type AnalyzeCall = Call<unknown, unknown, AnalyzeRequest>;

async function analyze(deps: Deps, call: AnalyzeCall) {
  refuseContradiction(call.body);
  if (call.body.items) return analyzeItems(deps, call, call.body.items);
  const judged = await judgeItem(deps, call.body, optionsOf(call.body), call.caller);
  return commit(deps, call, [judged], judged.analysis);
}

async function analyzeItems(deps: Deps, call: AnalyzeCall, items: Item[]) {
  const options = optionsOf(call.body);
  const judged: Judged[] = [];
  const results: (Analysis | ItemError)[] = [];
  for (const item of items) {
    const outcome = await judgeItem(deps, item, options, call.caller).catch((error) => errorOf(item, error));
    if ("analysis" in outcome) judged.push(outcome);
    results.push("analysis" in outcome ? outcome.analysis : outcome);
    // Other requests get their turn between two items.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return commit(deps, call, judged, { results });
}

async function commit<T>(deps: Deps, call: AnalyzeCall, judged: Judged[], data: T): Promise<T> {
  const { tenantId } = call.caller;
  if (!hasEffect(call.body, judged)) return data;
  return transact(deps.platform.db, call, async (tx) => {
    await recordJudged(deps, tx, { tenantId, terms: call.body, judged, nowMs: call.now });
    return data;
  });
}

function listStored(deps: Deps, call: Call<unknown, ListQuery>) {
  const { tenantId } = call.caller;
  const { verdict = null } = call.query;
  return readPage({
    cursors: deps.platform.cursors,
    list: `analyses ${tenantId} ${verdict}`,
    query: call.query,
    read: (before, count) => listAnalyses(deps.platform.db, { tenantId, verdict, before, count }),
    position: (row) => row.analysis.analysis_id,
    view: viewSummary,
  });
}

const findStored = (deps: Deps, call: Call<{ id: string }>) =>
  findOr404("analysis", findAnalysis(deps.platform.db, call.caller.tenantId, call.params.id));

async function readAnalysis(deps: Deps, call: Call<{ id: string }>) {
  return viewStored(await findStored(deps, call));
}

async function readReport(deps: Deps, call: Call<{ id: string }>): Promise<Response> {
  return renderReport(await findStored(deps, call));
}

async function removeAnalysis(deps: Deps, call: Call<{ id: string }>) {
  return transact(deps.platform.db, call, async (tx) => {
    if (!(await deleteAnalysis(tx, call.caller.tenantId, call.params.id))) throw notFound("analysis");
    return { analysis_id: call.params.id, deleted: true as const };
  });
}

export const analysisRoutes = (deps: Deps): Handler[] => [
  handle(contract.analyze, (call) => analyze(deps, call)),
  handle(contract.list, (call) => listStored(deps, call)),
  handle(contract.read, (call) => readAnalysis(deps, call)),
  handle(contract.report, (call) => readReport(deps, call)),
  handle(contract.remove, (call) => removeAnalysis(deps, call)),
];
