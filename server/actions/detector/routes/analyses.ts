// The use cases: judge one thing or many, tell who asked to be told, keep only what was asked to be kept.
import type { Call } from "../../../contract/define.ts";
import { errors, Failure } from "../../../contract/errors.ts";
import { appendEvents } from "../../../platform/events/index.ts";
import { transact } from "../../../platform/idempotency/index.ts";
import { notFound, type Platform } from "../../../platform/platform.ts";
import type { Analysis, AnalyzeRequest } from "../contract.ts";
import { analyzeText, type TextOptions } from "../engine/analyze.ts";
import type { Tier } from "../engine/score.ts";
import { openLight } from "../model-files.ts";
import type { Page } from "../providers/page.ts";
import type { Store } from "../store.ts";
import { type Crew, CrewBusy, CrewStuck } from "../background/worker-queue.ts";
import type { Outcome, Result, Task } from "../background/tasks.ts";

/** Longer texts are judged in the worker: at this length the event loop would be held for two to three milliseconds. */
const INLINE_CHARACTERS = 6_000;

type Item = Pick<AnalyzeRequest, "content" | "url" | "media" | "type" | "id">;
interface Judged {
  analysis: Analysis;
  content: string | null;
}

export interface Parts {
  platform: Platform;
  store: Store;
  crew: Crew;
  readPage(url: string): Promise<Page>;
}

export function createService({ platform, store, crew, readPage }: Parts) {
  async function judge(item: Item, order: AnalyzeRequest, mode: string): Promise<Judged> {
    const { id = null } = item;
    if (item.media !== undefined) {
      const { result } = await inCrew({ kind: "image", base64: item.media });
      return { analysis: finish(result, id, null), content: item.media };
    }
    const options = optionsOf(order);
    if (item.url !== undefined) {
      const page = await readAllowed(item.url, mode);
      const task: Task = page.isHtml
        ? { kind: "page", html: page.body, options }
        : { kind: "text", text: page.body, options };
      const { result, text = page.body } = await inCrew(task);
      return { analysis: finish(result, id, page.url), content: text };
    }
    const text = item.content!;
    const isQuick = options.tier === "light" && text.length <= INLINE_CHARACTERS;
    const result = isQuick
      ? analyzeText(await openLight(), text, options, null)
      : (await inCrew({ kind: "text", text, options })).result;
    return { analysis: finish(result, id, null), content: text };
  }

  async function readAllowed(url: string, mode: string): Promise<Page> {
    if (mode === "test") {
      throw new Failure("target_not_allowed", "A test key reaches nothing outside.", {
        hint: "Send the text as content, or use a live key.",
      });
    }
    return readPage(url);
  }

  async function inCrew(task: Task): Promise<Outcome & { ok: true }> {
    try {
      const outcome = await crew.perform(task);
      if (outcome.ok) return outcome;
      throw new Failure("media_not_readable", `${outcome.detail}.`);
    } catch (error) {
      if (error instanceof CrewBusy)
        throw new Failure("overloaded", "Too many analyses wait.", { headers: { "Retry-After": "2" } });
      if (error instanceof CrewStuck)
        throw new Failure("media_not_readable", "This could not be read in reasonable time.", {
          hint: "Send it in another form, e.g. the text alone or a re-encoded image.",
        });
      throw error;
    }
  }

  const finish = (result: Result, id: string | null, url: string | null): Analysis => ({
    analysis_id: platform.makeId("ana"),
    id,
    source_url: url,
    ...result,
  });

  /** Writes events and kept contents in one transaction; without either, nothing touches the store. */
  async function settle(call: Call, order: AnalyzeRequest, judged: Judged[], data: unknown): Promise<unknown> {
    const told =
      order.threshold === undefined ? [] : judged.filter(({ analysis }) => reaches(analysis, order.threshold!));
    if (told.length === 0 && !order.store) return data;
    const { tenantId } = call.caller;
    return transact(platform.db, call, async (tx) => {
      if (order.store)
        for (const { analysis, content } of judged) await store.keep(tx, tenantId, analysis, content, call.now);
      await appendEvents(
        tx,
        told.map(({ analysis }) => ({
          id: platform.makeId("evt"),
          tenantId,
          type: "detector.flagged",
          tags: order.tags ?? [],
          at: call.now,
          data: {
            analysis_id: analysis.analysis_id,
            id: analysis.id,
            type: analysis.type,
            verdict: analysis.verdict,
            score: analysis.score,
            threshold: order.threshold,
            words: analysis.words,
            source_url: analysis.source_url,
          },
        })),
      );
      return data;
    });
  }

  return {
    async analyze(call: Call<unknown, unknown, AnalyzeRequest>) {
      const order = call.body;
      refuseUnclear(order);
      if (!order.items) {
        const judged = await judge(order, order, call.caller.mode);
        return settle(call, order, [judged], judged.analysis);
      }
      const judged: Judged[] = [];
      const results: unknown[] = [];
      for (const item of order.items) {
        try {
          const one = await judge(item, order, call.caller.mode);
          judged.push(one);
          results.push(one.analysis);
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
          results.push({
            id: item.id ?? null,
            error: { code: error.code, detail: error.message, hint: error.options.hint ?? errors[error.code].hint },
          });
        }
        // Other requests get their turn between two items.
        await new Promise((resolve) => setImmediate(resolve));
      }
      return settle(call, order, judged, { results });
    },

    async read(call: Call<{ id: string }>) {
      const row = await store.find(call.caller.tenantId, call.params.id);
      if (!row) throw notFound("analysis");
      return { ...row.analysis, content: row.content, created_at: row.created_at.toISOString().replace(".000Z", "Z") };
    },

    async remove(call: Call<{ id: string }>) {
      return transact(platform.db, call, async (tx) => {
        if (!(await store.remove(tx, call.caller.tenantId, call.params.id))) throw notFound("analysis");
        return { analysis_id: call.params.id, deleted: true as const };
      });
    },
  };
}

function optionsOf(order: AnalyzeRequest): TextOptions {
  const tier: Tier = order.detail === "deep" ? "deep" : "light";
  return { tier, point: order.sensitivity ?? "0.01", segments: order.detail !== "basic", language: order.language };
}

/** An image has no score; a claim that it is AI-made reaches any threshold. */
function reaches(analysis: Analysis, threshold: number): boolean {
  return analysis.score === null
    ? analysis.type === "image" && analysis.verdict === "likely_ai"
    : analysis.score >= threshold;
}

/** Exactly one thing to judge, at the top or in each item. */
function refuseUnclear(order: AnalyzeRequest): void {
  const faults: { pointer: string; code: string; detail: string; hint: string }[] = [];
  const given = (item: Item) => [item.content, item.url, item.media].filter((x) => x !== undefined).length;
  const check = (item: Item, pointer: string) => {
    if (given(item) !== 1)
      faults.push({
        pointer,
        code: "one_of",
        detail: "Exactly one of content, url and media is needed.",
        hint: 'Send e.g. {"content":"…"}.',
      });
    else if (item.type === "image" && item.content !== undefined)
      faults.push({
        pointer: `${pointer}/type`,
        code: "one_of",
        detail: "content is text, not an image.",
        hint: "Send an image as media.",
      });
    else if (item.type === "text" && item.media !== undefined)
      faults.push({
        pointer: `${pointer}/type`,
        code: "one_of",
        detail: "media is an image, not text.",
        hint: "Send a text as content.",
      });
  };
  if (order.items && given(order) > 0)
    faults.push({
      pointer: "/items",
      code: "one_of",
      detail: "Send items or a single thing, not both.",
      hint: "Move it into items.",
    });
  else if (order.items) order.items.forEach((item, i) => check(item, `/items/${i}`));
  else check(order, "");
  if (faults.length > 0) throw new Failure("validation_failed", faults[0].detail, { errors: faults });
}
