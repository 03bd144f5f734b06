// Judges one item and records what was asked for: short texts are judged at once, all else in a worker thread; an event is
// written at the threshold, the content is kept only with store:true.
import { errors, Failure } from "../../../contract/errors.ts";
import { appendEvents } from "../../../platform/events/index.ts";
import type { Platform } from "../../../platform/platform.ts";
import { type WorkerQueue, QueueFull, TaskTimeout } from "./worker-queue.ts";
import type { Outcome, Result, Task } from "./tasks.ts";
import type { Analysis, AnalyzeRequest, ItemError } from "../contract/shapes.ts";
import { analyzeText, type TextOptions } from "../engine/analyze.ts";
import { openLight } from "../model-files.ts";
import type { Page } from "../providers/page.ts";
import type { Tx } from "../../../store/db.ts";
import { insertAnalysis } from "../store.ts";
import { viewFlagged } from "../view.ts";

/** Longer texts are judged in the worker: at this length the event loop would be held for two to three milliseconds. */
const INLINE_CHARACTERS = 6_000;

export type Item = Pick<AnalyzeRequest, "content" | "url" | "media" | "file" | "type" | "id">;

export interface Judged {
  analysis: Analysis;
  /** What was judged: the text, or the image in base64. */
  content: string;
}

/** What judging needs, for routes and background work alike. */
export interface Deps {
  platform: Platform;
  queue: WorkerQueue;
  /** A thread of its own, so that a hostile file delays other files only. */
  fileQueue: WorkerQueue;
  readPage(url: string): Promise<Page>;
}

export async function judgeItem(deps: Deps, item: Item, options: TextOptions, mode: string): Promise<Judged> {
  const finish = (result: Result, sourceUrl: string | null): Analysis => ({
    analysis_id: deps.platform.makeId("ana"),
    id: item.id ?? null,
    source_url: sourceUrl,
    ...result,
  });
  if (item.media !== undefined) {
    const { result } = await runTask(deps.queue, { kind: "image", base64: item.media });
    return { analysis: finish(result, null), content: item.media };
  }
  if (item.file !== undefined) {
    const { result, text = "" } = await runTask(deps.fileQueue, { kind: "file", base64: item.file, options });
    return { analysis: finish(result, null), content: text };
  }
  if (item.url !== undefined) {
    const page = await fetchPage(deps, item.url, mode);
    const { result, text = page.body } = await runTask(deps.queue, taskOfPage(page, options));
    return { analysis: finish(result, page.url), content: text };
  }
  const text = item.content!;
  return { analysis: finish(await judgeText(deps.queue, text, options), null), content: text };
}

async function judgeText(queue: WorkerQueue, text: string, options: TextOptions): Promise<Result> {
  if (text.length <= INLINE_CHARACTERS) return analyzeText(await openLight(), text, options);
  return (await runTask(queue, { kind: "text", text, options })).result;
}

function taskOfPage(page: Page, options: TextOptions): Task {
  return page.isHtml ? { kind: "page", html: page.body, options } : { kind: "text", text: page.body, options };
}

async function fetchPage(deps: Deps, url: string, mode: string): Promise<Page> {
  if (mode === "test") {
    throw new Failure("target_not_allowed", "A test key reaches nothing outside.", {
      hint: "Send the text as content, or use a live key.",
    });
  }
  return deps.readPage(url);
}

async function runTask(queue: WorkerQueue, task: Task): Promise<Outcome & { ok: true }> {
  const outcome = await queue.run(task).catch((error: unknown) => {
    throw failureOf(error);
  });
  if (outcome.ok) return outcome;
  throw new Failure("media_not_readable", `${outcome.detail}.`);
}

function failureOf(error: unknown): unknown {
  if (error instanceof QueueFull)
    return new Failure("overloaded", "Too many analyses wait.", { headers: { "Retry-After": "2" } });
  if (error instanceof TaskTimeout)
    return new Failure("media_not_readable", "This could not be read in reasonable time.", {
      hint: "Send it in another form, e.g. the text alone or a re-encoded image.",
    });
  return error;
}

/** What is asked for all items alike. */
export type Terms = Pick<AnalyzeRequest, "detail" | "sensitivity" | "language" | "threshold" | "tags" | "store">;

export function optionsOf({ detail, sensitivity = "0.01", language }: Terms): TextOptions {
  return { point: sensitivity, segments: detail !== "basic", language };
}

/** What went wrong with one item does not spoil the others. */
export function errorOf(item: Item, error: unknown): ItemError {
  if (!(error instanceof Failure)) throw error;
  const hint = error.options.hint ?? errors[error.code].hint;
  return { id: item.id ?? null, error: { code: error.code, detail: error.message, hint } };
}

/** Without a kept content or an event, nothing touches the store. */
export function hasEffect(terms: Terms, judged: Judged[]): boolean {
  return terms.store === true || judged.some(({ analysis }) => isFlagged(analysis, terms));
}

/** Writes the events and the kept contents of what was judged. */
export async function recordJudged(
  { platform }: Deps,
  tx: Tx,
  done: { tenantId: number; terms: Terms; judged: Judged[]; nowMs: number },
): Promise<void> {
  const { tenantId, terms, judged, nowMs } = done;
  if (terms.store)
    for (const { analysis, content } of judged) await insertAnalysis(tx, tenantId, analysis, content, nowMs);
  const flagged = judged.filter(({ analysis }) => isFlagged(analysis, terms));
  await appendEvents(
    tx,
    flagged.map(({ analysis }) => ({
      id: platform.makeId("evt"),
      tenantId,
      type: "detector.flagged",
      tags: terms.tags ?? [],
      at: nowMs,
      data: viewFlagged(analysis, terms.threshold!),
    })),
  );
}

/** An image has no score; a claim that it is AI-made reaches any threshold. */
function isFlagged({ score, type, verdict }: Analysis, { threshold }: Terms): boolean {
  if (threshold === undefined) return false;
  return score === null ? type === "image" && verdict === "likely_ai" : score >= threshold;
}
