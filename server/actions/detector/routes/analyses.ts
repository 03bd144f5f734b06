// The routes of analyses: judge one item or many, write the events asked for, keep only what was asked to be kept.
import { type Call, handle, type Handler } from "../../../contract/define.ts";
import { errors, Failure } from "../../../contract/errors.ts";
import { appendEvents } from "../../../platform/events/index.ts";
import { transact } from "../../../platform/idempotency/index.ts";
import { notFound, type Platform } from "../../../platform/platform.ts";
import * as contract from "../contract.ts";
import type { Analysis, AnalyzeRequest, ItemError } from "../contract.ts";
import type { TextOptions } from "../engine/analyze.ts";
import { type Item, type JudgeDeps, type Judged, judgeItem } from "../judge.ts";
import type { Store } from "../store.ts";
import { viewFlagged, viewStored } from "../view.ts";
import { refuseAmbiguous } from "./one-of.ts";

export interface AnalysisDeps extends JudgeDeps {
  platform: Platform;
  store: Store;
}

type AnalyzeCall = Call<unknown, unknown, AnalyzeRequest>;

async function analyze(deps: AnalysisDeps, call: AnalyzeCall) {
  refuseAmbiguous(call.body);
  if (call.body.items) return analyzeItems(deps, call, call.body.items);
  const judged = await judgeItem(deps, call.body, optionsOf(call.body), call.caller.mode);
  return commit(deps, call, [judged], judged.analysis);
}

async function analyzeItems(deps: AnalysisDeps, call: AnalyzeCall, items: Item[]) {
  const options = optionsOf(call.body);
  const judged: Judged[] = [];
  const results: (Analysis | ItemError)[] = [];
  for (const item of items) {
    const outcome = await judgeItem(deps, item, options, call.caller.mode).catch((error) => errorOf(item, error));
    if ("analysis" in outcome) judged.push(outcome);
    results.push("analysis" in outcome ? outcome.analysis : outcome);
    // Other requests get their turn between two items.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return commit(deps, call, judged, { results });
}

/** What went wrong with one item does not spoil the others. */
function errorOf(item: Item, error: unknown): ItemError {
  if (!(error instanceof Failure)) throw error;
  const hint = error.options.hint ?? errors[error.code].hint;
  return { id: item.id ?? null, error: { code: error.code, detail: error.message, hint } };
}

/** Writes events and kept contents in one transaction; without either, nothing touches the store. */
async function commit<T>(deps: AnalysisDeps, call: AnalyzeCall, judged: Judged[], data: T): Promise<T> {
  const { threshold, store: isKept, tags = [] } = call.body;
  const { tenantId } = call.caller;
  const flagged =
    threshold === undefined
      ? []
      : judged
          .filter(({ analysis }) => reaches(analysis, threshold))
          .map(({ analysis }) => viewFlagged(analysis, threshold));
  if (flagged.length === 0 && !isKept) return data;
  return transact(deps.platform.db, call, async (tx) => {
    if (isKept)
      for (const { analysis, content } of judged) await deps.store.insert(tx, tenantId, analysis, content, call.now);
    await appendEvents(
      tx,
      flagged.map((event) => ({
        id: deps.platform.makeId("evt"),
        tenantId,
        type: "detector.flagged",
        tags,
        at: call.now,
        data: event,
      })),
    );
    return data;
  });
}

async function readAnalysis(deps: AnalysisDeps, call: Call<{ id: string }>) {
  const row = await deps.store.find(call.caller.tenantId, call.params.id);
  if (!row) throw notFound("analysis");
  return viewStored(row);
}

async function removeAnalysis(deps: AnalysisDeps, call: Call<{ id: string }>) {
  return transact(deps.platform.db, call, async (tx) => {
    if (!(await deps.store.remove(tx, call.caller.tenantId, call.params.id))) throw notFound("analysis");
    return { analysis_id: call.params.id, deleted: true as const };
  });
}

function optionsOf({ detail, sensitivity = "0.01", language }: AnalyzeRequest): TextOptions {
  return { tier: detail === "deep" ? "deep" : "light", point: sensitivity, segments: detail !== "basic", language };
}

/** An image has no score; a claim that it is AI-made reaches any threshold. */
function reaches(analysis: Analysis, threshold: number): boolean {
  return analysis.score === null
    ? analysis.type === "image" && analysis.verdict === "likely_ai"
    : analysis.score >= threshold;
}

export const analysisRoutes = (deps: AnalysisDeps): Handler[] => [
  handle(contract.analyze, (call) => analyze(deps, call)),
  handle(contract.read, (call) => readAnalysis(deps, call)),
  handle(contract.remove, (call) => removeAnalysis(deps, call)),
];
