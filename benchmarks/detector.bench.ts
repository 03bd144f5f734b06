// The detector's engine in documents a processor-second (which a busy machine does not distort), a PDF of 20 pages, and the
// service over HTTP with its event loop watched.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { analyzeText, scoreText } from "../server/actions/detector/engine/analyze.ts";
import { makePdf, wrap } from "../server/actions/detector/engine/fixtures/documents.ts";
import { HUMAN, MACHINE } from "../server/actions/detector/engine/fixtures/samples.ts";
import { unpackLight } from "../server/actions/detector/engine/light/model.ts";
import type { Bench } from "../tools/bench.ts";
import { load, type LoadResult } from "./lib/load.ts";
import { median, startProcess } from "./lib/process.ts";

const engine = join(import.meta.dir, "../server/actions/detector/engine");
const read = (path: string) => new Uint8Array(readFileSync(join(engine, path)));

/** Texts of 400 words: sentences of the two samples, shuffled by a fixed stride so that no two are alike. */
function documents(count: number): string[] {
  const sentences = `${HUMAN} ${MACHINE}`.split(/(?<=\.) /);
  return Array.from({ length: count }, (_, n) => {
    const words: string[] = [];
    for (let k = 0; words.length < 400; k++)
      words.push(...sentences[(n * 7 + k * (1 + (n % 5))) % sentences.length].split(" "));
    return words.slice(0, 400).join(" ");
  });
}

function perCpuSecond(docs: string[], rounds: number, work: (doc: string) => void): number {
  for (const doc of docs.slice(0, 50)) work(doc);
  const rates: number[] = [];
  for (let r = 0; r < rounds; r++) {
    const before = process.cpuUsage().user;
    for (const doc of docs) work(doc);
    rates.push(docs.length / ((process.cpuUsage().user - before) / 1e6));
  }
  return Math.round(Math.max(...rates));
}

/** The plan allows 2,000 requests a minute to each account, so each text is sent from one of its own. */
const ACCOUNTS = 120;

/** Latency over HTTP, one request after the other from a process of its own; then liveness while files are read. */
async function service(seconds: number, say: (line: string) => void) {
  const folder = mkdtempSync(join(tmpdir(), "detector-bench-"));
  const child = await startProcess([process.execPath, join(import.meta.dir, "../server/main.ts"), "start"], {
    CONNECTOR_PORT: "0",
    CONNECTOR_DATA_DIR: folder,
    CONNECTOR_HOST: "127.0.0.1",
    CONNECTOR_LOG: "error",
  });
  try {
    const keys = await makeKeys(child.port, readFileSync(join(folder, "first-key"), "utf8").trim());
    const docs = documents(ACCOUNTS);
    const requests = (detail: string) => docs.map((content, i) => post(keys[i], { content, detail }));
    const drive = (list: string[], connections = 1) =>
      load({ port: child.port, connections, seconds, requests: list, start: 0 });
    await drive(requests("full"));
    const rounds: Record<string, LoadResult[]> = { light_basic: [], light_full: [] };
    for (let r = 0; r < 4; r++)
      for (const [name, list] of Object.entries(rounds)) list.push(await drive(requests(name.replace("light_", ""))));
    const figures: Record<string, unknown> = {};
    for (const [name, list] of Object.entries(rounds)) figures[name] = summary(list);
    const live = ["GET /health/live HTTP/1.1\r\nHost: bench\r\n\r\n"];
    const file = Buffer.from(twentyPages()).toString("base64");
    const files = keys.map((key) => post(key, { file, detail: "basic" }));
    // The first file loads the PDF reader in the pool's thread; it is said apart, because a p99 of few requests is their slowest.
    figures.pdf_first_ms = Math.round(await firstFile(child.port, keys[0], file));
    figures.pdf_20_pages = summary([await drive(files), await drive(files)]);
    const [, beside] = await Promise.all([drive(files, 2), drive(live)]);
    figures.live_beside_files = summary([beside]);
    figures.memory_mb = child.memoryMb();
    say(`service: ${JSON.stringify(figures)}`);
    return figures;
  } finally {
    await child.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** About 3,400 characters a page. */
function twentyPages(): Uint8Array {
  const text = documents(20).map((doc) => doc.replace(/[^\x20-\x7e]/g, ""));
  return makePdf(text.map((page) => wrap(`${page} ${page}`.slice(0, 3_400))));
}

async function makeKeys(port: number, first: string): Promise<string[]> {
  const keys: string[] = [];
  for (let i = 0; i < ACCOUNTS; i++) {
    const made = await fetch(`http://127.0.0.1:${port}/api/v1/admin/accounts`, {
      method: "POST",
      headers: { Authorization: `Bearer ${first}`, "Content-Type": "application/json" },
      body: JSON.stringify({ name: `bench ${i}`, plan: "max" }),
    });
    keys.push(((await made.json()) as any).data.test_key.key);
  }
  return keys;
}

async function firstFile(port: number, key: string, file: string): Promise<number> {
  const startMs = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/detector/analyze`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ file, detail: "basic" }),
  });
  await answer.text();
  return performance.now() - startMs;
}

function post(key: string, body: unknown): string {
  const text = JSON.stringify(body);
  return [
    "POST /api/v1/detector/analyze HTTP/1.1",
    "Host: bench",
    `Authorization: Bearer ${key}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(text)}`,
    "",
    text,
  ].join("\r\n");
}

/** Medians over the rounds, and the p99 of the round that was disturbed least. */
function summary(rounds: LoadResult[]) {
  const round = (x: number) => Math.round(100 * x) / 100;
  return {
    per_s: Math.round(median(rounds.map((r) => r.perSecond))),
    p50_ms: round(median(rounds.map((r) => r.p50Ms))),
    p99_ms: round(median(rounds.map((r) => r.p99Ms))),
    best_p99_ms: round(Math.min(...rounds.map((r) => r.p99Ms))),
    requests: rounds.reduce((sum, r) => sum + r.requests, 0),
  };
}

export default {
  help: "documents (400 words) a processor-second; the service's latency, also for a PDF of 20 pages",
  async run({ quick, say }) {
    const rounds = quick ? 3 : 8;
    const docs = documents(quick ? 150 : 400);
    const light = unpackLight(read("weights/light.bin"));
    const options = { point: "0.01", segments: true } as const;
    const figures: Record<string, unknown> = {
      words: 400,
      light_score_per_cpu_s: perCpuSecond(docs, rounds, (doc) => void scoreText(light, doc)),
      light_full_answer_per_cpu_s: perCpuSecond(docs, rounds, (doc) => void analyzeText(light, doc, options)),
    };
    say(JSON.stringify(figures));
    figures.service = await service(quick ? 1 : 2, say);
    return figures;
  },
} satisfies Bench;
