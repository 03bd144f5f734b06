// `connector analyze`: one text or file at once, several in the background with progress.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Analysis, AnalysisBatchResult, DetectorItemInput } from "../../../sdks/typescript/src/index.ts";
import { sleep, systemClock } from "../../lib/clock.ts";
import { type Command, type CommandInput, EXIT, UsageError } from "../command.ts";
import { usageOf } from "../help.mjs";
import { type Client, connect } from "./connection.ts";
import { bar, printFacts, printJson, printTable, startProgress } from "./terminal.ts";

const IMAGE = /\.(png|jpe?g|webp)$/i;
const DOCUMENT = /\.(pdf|docx|rtf|html?)$/i;
const MAX_BATCH = 500;
const POLL_MS = 500;

export const analyze: Command = async (input) => {
  const { words, flags } = input;
  const items = await readItems(words, flags.text);
  if (items.length === 0) throw new UsageError(`Which text? Hint: connector analyze --text "…"\n${usageOf("analyze")}`);
  if (items.length > MAX_BATCH) throw new UsageError(`At most ${MAX_BATCH} files at a time, not ${items.length}.`);
  const client = connect(input);
  if (items.length > 1) return analyzeMany(client, items, flags);
  const [{ id: _, ...one }] = items;
  const settings = {
    sensitivity: flags.sensitivity as "0.01" | undefined,
    detail: flags.json ? undefined : ("full" as const),
  };
  const analysis = (await client.detector.analyze({ ...one, ...settings } as { content: string })) as Analysis;
  if (flags.json) return printJson(analysis);
  showAnalysis(analysis);
};

async function readItems(words: string[], text: string | undefined): Promise<DetectorItemInput[]> {
  if (text !== undefined && words.length > 0) throw new UsageError("Give either --text or files, not both.");
  if (text !== undefined) return [{ content: text }];
  const items: DetectorItemInput[] = [];
  for (const word of words) items.push(word === "-" ? { content: await Bun.stdin.text(), id: "-" } : readItem(word));
  return items;
}

function readItem(path: string): DetectorItemInput {
  const bytes = readOrExplain(path);
  const id = basename(path).slice(0, 60);
  if (IMAGE.test(path)) return { id, media: bytes.toString("base64") };
  if (DOCUMENT.test(path)) return { id, file: bytes.toString("base64") };
  return { id, content: bytes.toString("utf8") };
}

function readOrExplain(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    const shown = path.length > 40 ? `${path.slice(0, 40)}…` : path;
    throw new UsageError(`The file "${shown}" does not exist. Hint: for a text write connector analyze --text "…"`);
  }
}

function showAnalysis(analysis: Analysis): void {
  const { operating_point: point, shares } = analysis;
  const percent = (share: number) => `${Math.round(share * 1000) / 10} %`;
  printFacts({
    verdict: analysis.verdict,
    score: analysis.score,
    confidence: analysis.confidence,
    "not judged": analysis.abstained_because,
    words: analysis.words,
    language: analysis.language,
    "flagged from": point ? `${point.threshold} (${percent(point.measured_false_positive_rate)} of human texts)` : null,
    passages: shares
      ? `human ${percent(shares.human)}, mixed ${percent(shares.mixed)}, AI ${percent(shares.ai)}`
      : null,
  });
}

async function analyzeMany(client: Client, items: DetectorItemInput[], flags: CommandInput["flags"]): Promise<number> {
  const progress = startProgress(bar(0, items.length));
  const results: AnalysisBatchResult[] = [];
  try {
    const sensitivity = flags.sensitivity as "0.01" | undefined;
    let batch = await client.detector.batch({ items, detail: "basic", sensitivity });
    while (batch.status !== "completed") {
      await sleep(systemClock, POLL_MS);
      batch = await client.detector.getBatch(batch.batch_id);
      progress.update(bar(batch.done, batch.total));
    }
    for await (const { result } of client.detector.batchResults(batch.batch_id)) results.push(result);
  } finally {
    progress.end();
  }
  if (flags.json) for (const result of results) printJson(result);
  else
    printTable(
      ["FILE", "VERDICT", "SCORE", "WORDS"],
      results.map((r) =>
        "error" in r ? [r.id, r.error.code, "", r.error.detail] : [r.id, r.verdict, r.score ?? "", r.words],
      ),
      "No result.",
    );
  return results.some((result) => "error" in result) ? EXIT.failed : EXIT.done;
}
