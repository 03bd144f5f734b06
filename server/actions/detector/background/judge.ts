// Judges one item and records what was asked for: short texts are judged at once, all else in the pool; an event is
// written at the threshold, the content is kept only with store:true.
import { errors, Failure } from "../../../contract/errors.ts";
import { appendEvents } from "../../../platform/events/index.ts";
import type { Platform } from "../../../platform/platform.ts";
import { type Pool, type Task, TaskEnded } from "../../../lib/pool/index.ts";
import { type Outcome, perform, prepare, type Result, type Work } from "./tasks.ts";
import type { Analysis, AnalyzeRequest, ItemError } from "../contract/shapes.ts";
import type { TextOptions } from "../engine/analyze.ts";
import type { Page } from "../providers/page.ts";
import type { Tx } from "../../../store/db.ts";
import { insertAnalysis } from "../store.ts";
import { viewFlagged } from "../view.ts";

const MODULE = new URL("./tasks.ts", import.meta.url).href;
const JUDGE = { module: MODULE, name: "perform", run: perform, maxSize: 32_000_000 };
/** Of 98 hostile shapes the slowest took 0.7 ms at 4,000 characters and 1.0 ms at 8,000; the longest honest text 0.3 s. */
const JUDGE_TEXT: Task<Work, Outcome> = { ...JUDGE, inlineSize: 6_000, maxMs: 5_000 };
/** A 20-page PDF takes 50 ms; reading pages ends by itself after four seconds. */
const JUDGE_FILE: Task<Work, Outcome> = { ...JUDGE, inlineSize: 0, maxMs: 8_000 };

const PREPARE: Task<null, void> = {
  module: MODULE,
  name: "prepare",
  run: prepare,
  inlineSize: 0,
  maxSize: 1,
  maxMs: 8_000,
};
/** Pools with a thread that is ready for files, or soon will be. */
const prepared = new WeakSet<Pool>();

export type Item = Pick<AnalyzeRequest, "content" | "url" | "media" | "file" | "type" | "id">;

export interface Judged {
  analysis: Analysis;
  /** What was judged: the text, or the image in base64. */
  content: string;
}

/** What judging needs, for routes and background work alike. */
export interface Deps {
  platform: Platform;
  readPage(url: string): Promise<Page>;
}

/** Whose item it is, and in which world. */
export interface Owner {
  tenantId: number;
  mode: string;
}

export async function judgeItem(deps: Deps, item: Item, options: TextOptions, owner: Owner): Promise<Judged> {
  const { pool } = deps.platform;
  const finish = (result: Result, sourceUrl: string | null): Analysis => ({
    analysis_id: deps.platform.makeId("ana"),
    id: item.id ?? null,
    source_url: sourceUrl,
    ...result,
  });
  if (item.media !== undefined) {
    const { result } = await judge(pool, owner, { kind: "image", base64: item.media });
    return { analysis: finish(result, null), content: item.media };
  }
  if (item.file !== undefined) {
    const { result, text = "" } = await judge(pool, owner, { kind: "file", base64: item.file, options });
    return { analysis: finish(result, null), content: text };
  }
  if (item.url !== undefined) {
    const page = await fetchPage(deps, item.url, owner.mode);
    const { result, text = page.body } = await judge(pool, owner, workOfPage(page, options));
    return { analysis: finish(result, page.url), content: text };
  }
  const text = item.content!;
  const { result } = await judge(pool, owner, { kind: "text", text, options });
  return { analysis: finish(result, null), content: text };
}

function workOfPage(page: Page, options: TextOptions): Work {
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

async function judge(pool: Pool, { tenantId }: Owner, work: Work): Promise<Outcome & { ok: true }> {
  const task = work.kind === "text" ? JUDGE_TEXT : JUDGE_FILE;
  const outcome = await pool.run(task, work, { account: tenantId, size: sizeOf(work) }).catch((error: unknown) => {
    throw error instanceof TaskEnded ? notReadable(error) : error;
  });
  prepareOnce(pool, tenantId);
  if (outcome.ok) return outcome;
  throw new Failure("media_not_readable", `${outcome.detail}.`);
}

/**
 * Whoever sends texts may send files next. A thread is made ready after the first judgement, not at the start of the service: one
 * that judges nothing keeps its memory. If the pool has no room, the first file takes longer, no more.
 */
function prepareOnce(pool: Pool, account: number): void {
  if (prepared.has(pool)) return;
  prepared.add(pool);
  pool.run(PREPARE, null, { account, size: 1 }).catch(() => {});
}

function sizeOf(work: Work): number {
  if (work.kind === "text") return work.text.length;
  return work.kind === "page" ? work.html.length : work.base64.length;
}

const notReadable = (error: TaskEnded): Failure =>
  new Failure("media_not_readable", `This could not be read. ${error.message}`, {
    hint: "Send it in another form, e.g. the text alone or a re-encoded image.",
  });

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
