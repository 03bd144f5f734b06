// Detector: routes and events. Data, no logic.
import Type from "typebox";
import { route } from "../../../contract/define.ts";
import { Choice, Id, Nullable, Page, pageQuery, Shape } from "../../../contract/shapes.ts";
import { Batch, BatchRequest, BatchResult } from "./batches.ts";
import {
  Analysis,
  AnalysisSummary,
  AnalyzeRequest,
  ItemError,
  Number01,
  StoredAnalysis,
  Verdict,
  VERDICTS,
} from "./shapes.ts";

export const analyze = route({
  id: "detector.analyze",
  method: "POST",
  path: "/detector/analyze",
  summary: "Check content for AI-generation signals",
  description:
    "One of content, url, media, file, or items. The answer is one analysis, or results in the order of items.",
  scope: "detector:use",
  body: AnalyzeRequest,
  answer: Type.Union([
    Analysis,
    Shape({
      results: Type.Array(Type.Union([Analysis, ItemError]), { description: "One for each item, in the order sent." }),
    }),
  ]),
  errors: [
    "media_not_readable",
    "target_not_allowed",
    "upstream_error",
    "upstream_timeout",
    "overloaded",
    "plan_limit_reached",
  ],
  maxBodyBytes: 9 * 1024 * 1024,
});

const params = Shape({ id: Id("ana") });

export const read = route({
  id: "detector.get",
  method: "GET",
  path: "/detector/analyses/{id}",
  summary: "Read an analysis that was kept with its content",
  scope: "detector:use",
  params,
  answer: StoredAnalysis,
  errors: ["not_found"],
});

export const remove = route({
  id: "detector.delete",
  method: "DELETE",
  path: "/detector/analyses/{id}",
  summary: "Delete a kept analysis and its content",
  scope: "detector:use",
  params,
  answer: Shape({ analysis_id: Id("ana"), deleted: Type.Literal(true, { description: "Always true." }) }),
  errors: ["not_found"],
});

export const list = route({
  id: "detector.list",
  method: "GET",
  path: "/detector/analyses",
  summary: "List kept analyses, newest first",
  scope: "detector:use",
  query: Shape({
    ...pageQuery,
    verdict: Type.Optional(Choice(VERDICTS, "Only analyses with this verdict.")),
  }),
  answer: Page(AnalysisSummary),
  errors: ["invalid_cursor"],
});

export const report = route({
  id: "detector.report",
  method: "GET",
  path: "/detector/analyses/{id}/report",
  summary: "A kept analysis as a page to print",
  scope: "detector:use",
  params,
  produces: "text/html",
  errors: ["not_found"],
});

export const createBatch = route({
  id: "detector.batch",
  method: "POST",
  path: "/detector/batches",
  summary: "Judge up to 500 items in the background",
  description: "Answers at once. When every item is judged, a detector.batch_completed event is written.",
  scope: "detector:use",
  status: 202,
  body: BatchRequest,
  answer: Batch,
  errors: ["plan_limit_reached"],
  maxBodyBytes: 9 * 1024 * 1024,
});

const batchParams = Shape({ id: Id("bat") });

export const readBatch = route({
  id: "detector.get_batch",
  method: "GET",
  path: "/detector/batches/{id}",
  summary: "How far a batch is",
  scope: "detector:use",
  params: batchParams,
  answer: Batch,
  errors: ["not_found"],
});

export const listResults = route({
  id: "detector.batch_results",
  method: "GET",
  path: "/detector/batches/{id}/results",
  summary: "The results of a batch so far, in the order of its items",
  scope: "detector:use",
  params: batchParams,
  query: Shape(pageQuery),
  answer: Page(BatchResult),
  errors: ["not_found", "invalid_cursor"],
});

export const routes = [analyze, list, read, report, remove, createBatch, readBatch, listResults];

export const events = [
  {
    type: "detector.flagged",
    summary: "An analysis reached the score that was asked for.",
    data: Shape({
      analysis_id: Id("ana"),
      id: Nullable(Type.String({ description: "Your own id." })),
      type: Choice(["text", "image"], "What was judged."),
      verdict: Verdict,
      score: Nullable(Number01("Calibrated probability; null for an image.")),
      threshold: Number01("What was asked."),
      words: Type.Integer({ description: "How many words were judged." }),
      source_url: Nullable(Type.String({ description: "The address the text was read from." })),
    }),
  },
  {
    type: "detector.batch_completed",
    summary: "Every item of a batch is judged.",
    data: Batch,
  },
];
