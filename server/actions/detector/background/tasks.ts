// What a thread of the pool is asked to judge, and how: the same functions for a thread, for tests and for the command line.
import type { Analysis } from "../contract/shapes.ts";
import { systemClock } from "../../../lib/clock.ts";
import { checkManifest } from "./c2pa.ts";
import { pdfText, preparePdf } from "./pdf.ts";
import { analyzeImage } from "../engine/analyze-image.ts";
import { analyzeText, type TextOptions } from "../engine/analyze.ts";
import { DocumentError } from "../engine/documents/error.ts";
import { documentText, formatOf } from "../engine/documents/format.ts";
import { MediaError } from "../engine/images/bytes.ts";
import { readContainer } from "../engine/images/provenance.ts";
import { mainText } from "../engine/text/main-text.ts";
import { openLight } from "../model-files.ts";
import { warmUp } from "./warm-up.ts";

export type Work =
  | { kind: "text"; text: string; options: TextOptions }
  | { kind: "page"; html: string; options: TextOptions }
  | { kind: "file"; base64: string; options: TextOptions }
  | { kind: "image"; base64: string };
export type Result = Omit<Analysis, "analysis_id" | "id" | "source_url">;
/** `text` is what was judged of a page or a file. */
export type Outcome = { ok: true; result: Result; text?: string } | { ok: false; detail: string };

export async function perform(work: Work): Promise<Outcome> {
  if (work.kind === "image") return performImage(work.base64);
  if (work.kind === "file") return performFile(work.base64, work.options);
  if (work.kind === "page") {
    const text = mainText(work.html);
    return { ok: true, result: await performText(text, work.options), text };
  }
  return { ok: true, result: await performText(work.text, work.options) };
}

/** Loads and compiles in a thread what the first file would else wait for. */
export async function prepare(): Promise<void> {
  await preparePdf(systemClock);
  await warmUp();
}

async function performText(text: string, options: TextOptions): Promise<Result> {
  return analyzeText(await openLight(), text, options);
}

async function performFile(base64: string, options: TextOptions): Promise<Outcome> {
  try {
    const bytes = new Uint8Array(Buffer.from(base64, "base64"));
    const format = formatOf(bytes);
    const text = format === "pdf" ? await pdfText(bytes, systemClock) : documentText(bytes, format);
    return { ok: true, result: await performText(text, options), text };
  } catch (error) {
    if (error instanceof DocumentError) return { ok: false, detail: error.message };
    throw error;
  }
}

async function performImage(base64: string): Promise<Outcome> {
  try {
    const bytes = new Uint8Array(Buffer.from(base64, "base64"));
    const container = readContainer(bytes);
    return { ok: true, result: analyzeImage(container, await checkManifest(bytes, container)) };
  } catch (error) {
    if (error instanceof MediaError) return { ok: false, detail: error.message };
    throw error;
  }
}
