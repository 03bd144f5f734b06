// Judges one item: fetches a page where one is named, and picks the thread. Short texts are judged at once, all else in the worker.
import { Failure } from "../../contract/errors.ts";
import type { Platform } from "../../platform/platform.ts";
import { type WorkerQueue, QueueFull, TaskTimeout } from "./background/worker-queue.ts";
import type { Outcome, Result, Task } from "./background/tasks.ts";
import type { Analysis, AnalyzeRequest } from "./contract.ts";
import { analyzeText, type TextOptions } from "./engine/analyze.ts";
import { openLight } from "./model-files.ts";
import type { Page } from "./providers/page.ts";

/** Longer texts are judged in the worker: at this length the event loop would be held for two to three milliseconds. */
const INLINE_CHARACTERS = 6_000;

export type Item = Pick<AnalyzeRequest, "content" | "url" | "media" | "type" | "id">;

export interface Judged {
  analysis: Analysis;
  /** What was judged: the text, or the image in base64. */
  content: string;
}

export interface JudgeDeps {
  platform: Pick<Platform, "makeId">;
  queue: WorkerQueue;
  readPage(url: string): Promise<Page>;
}

export async function judgeItem(deps: JudgeDeps, item: Item, options: TextOptions, mode: string): Promise<Judged> {
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
  if (item.url !== undefined) {
    const page = await fetchPage(deps, item.url, mode);
    const { result, text = page.body } = await runTask(deps.queue, taskOfPage(page, options));
    return { analysis: finish(result, page.url), content: text };
  }
  const text = item.content!;
  return { analysis: finish(await judgeText(deps.queue, text, options), null), content: text };
}

async function judgeText(queue: WorkerQueue, text: string, options: TextOptions): Promise<Result> {
  const isQuick = options.tier === "light" && text.length <= INLINE_CHARACTERS;
  if (isQuick) return analyzeText(await openLight(), text, options, null);
  return (await runTask(queue, { kind: "text", text, options })).result;
}

function taskOfPage(page: Page, options: TextOptions): Task {
  return page.isHtml ? { kind: "page", html: page.body, options } : { kind: "text", text: page.body, options };
}

async function fetchPage(deps: JudgeDeps, url: string, mode: string): Promise<Page> {
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
