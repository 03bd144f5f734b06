// The detector's engine in documents a processor-second (which a busy machine does not distort), the deep kernels beside
// onnxruntime on the same weights, and the service over HTTP with its event loop watched.
import { dlopen } from "bun:ffi";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { analyzeText, scoreText } from "../server/actions/detector/engine/analyze.ts";
import { type Library, nativeKernel, SYMBOLS } from "../server/actions/detector/engine/deep/native.ts";
import { DeepNetwork, wasmKernel } from "../server/actions/detector/engine/deep/network.ts";
import { Pieces } from "../server/actions/detector/engine/deep/pieces.ts";
import { deepLogit } from "../server/actions/detector/engine/deep/read.ts";
import { HUMAN, MACHINE } from "../server/actions/detector/engine/fixtures/samples.ts";
import { unpackLight } from "../server/actions/detector/engine/light/model.ts";
import type { Bench } from "../tools/bench.ts";
import { load, type LoadResult } from "./load.ts";
import { median, startProcess } from "./process.ts";

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

/** The same weights in WebAssembly and, where this machine can, in the native library. */
function openNetworks(): DeepNetwork[] {
  const weights = read("weights/deep.bin");
  const inWasm = wasmKernel(new WebAssembly.Module(read("deep/kernel/forward.wasm")), weights);
  const isOurs = process.platform === "linux" && process.arch === "x64";
  const path = join(engine, "deep/kernel/forward-linux-x64.so");
  const native = isOurs ? nativeKernel(dlopen(path, SYMBOLS).symbols as unknown as Library, weights) : null;
  return [inWasm, native].filter((kernel) => kernel !== null).map((kernel) => new DeepNetwork(kernel));
}

/** One window of 512 pieces by each kernel and by onnxruntime, alternating, in wall time of one core. */
async function oneWindow(file: string | undefined, nets: DeepNetwork[], rounds: number, say: (line: string) => void) {
  const ids = Uint16Array.from({ length: 512 }, (_, i) => 3 + ((i * 7919) % 16_000));
  const runners = new Map<string, () => unknown>(nets.map((net) => [net.kernel, () => net.logit(ids, 512)]));
  const onnx = await openOnnx(file, ids, say);
  if (onnx) runners.set("onnxruntime", onnx);
  const times = new Map<string, number[]>([...runners.keys()].map((name) => [name, []]));
  for (let r = 0; r < rounds * 4; r++) {
    for (const [name, work] of runners) {
      const from = performance.now();
      for (let i = 0; i < 10; i++) await work();
      times.get(name)!.push((performance.now() - from) / 10);
    }
  }
  const figures = Object.fromEntries(
    [...times].map(([name, list]) => [name, { best_ms: least(list), median_ms: Math.round(100 * median(list)) / 100 }]),
  );
  say(`512 pieces, one core, alternating: ${JSON.stringify(figures)}`);
  return figures;
}

async function openOnnx(file: string | undefined, ids: Uint16Array, say: (line: string) => void) {
  const peers = createRequire(join(import.meta.dir, "peers/package.json"));
  let ort: any = null;
  try {
    ort = peers("onnxruntime-node");
  } catch {
    say("onnxruntime-node (288 MB) is missing: npm install --prefix benchmarks/peers onnxruntime-node");
  }
  if (!ort || !file || !existsSync(file)) {
    say("SKIPPED onnxruntime: make the model with training/deep-onnx.py and pass --onnx=FILE");
    return null;
  }
  const session = await ort.InferenceSession.create(file, { intraOpNumThreads: 1, interOpNumThreads: 1 });
  const numbers = BigInt64Array.from(ids, (id) => BigInt(id));
  const tensor = new ort.Tensor("int64", numbers, [1, 512]);
  return () => session.run({ ids: tensor, pairs: tensor });
}

const least = (values: number[]) => Math.round(100 * Math.min(...values)) / 100;

/** The plan allows 2,000 requests a minute to each account, so each text is sent from one of its own. */
const ACCOUNTS = 120;

/** Latency over HTTP, one request after the other from a process of its own; then liveness while deep requests run. */
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
    const rounds: Record<string, LoadResult[]> = { light_basic: [], light_full: [], deep: [] };
    for (let r = 0; r < 4; r++)
      for (const [name, list] of Object.entries(rounds)) list.push(await drive(requests(name.replace("light_", ""))));
    const figures: Record<string, unknown> = {};
    for (const [name, list] of Object.entries(rounds)) figures[name] = summary(list);
    const live = ["GET /health/live HTTP/1.1\r\nHost: bench\r\n\r\n"];
    const [, beside] = await Promise.all([drive(requests("deep"), 2), drive(live)]);
    figures.live_beside_deep = summary([beside]);
    figures.memory_mb = child.memoryMb();
    say(`service: ${JSON.stringify(figures)}`);
    return figures;
  } finally {
    await child.stop();
    rmSync(folder, { recursive: true, force: true });
  }
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
  help: "light and deep documents (400 words) a processor-second; --onnx=FILE compares; the service's latency",
  async run({ quick, flags, say }) {
    const rounds = quick ? 3 : 8;
    const docs = documents(quick ? 150 : 400);
    const light = unpackLight(read("weights/light.bin"));
    const [inWasm, native] = openNetworks();
    const best = native ?? inWasm;
    const pieces = new Pieces(readFileSync(join(engine, "weights/pieces.txt"), "utf8"));
    const deepRate = (network: DeepNetwork) =>
      perCpuSecond(docs.slice(0, 40), rounds, (doc) => void deepLogit({ network, pieces }, doc));
    const options = { tier: "light", point: "0.01", segments: true } as const;
    const figures: Record<string, unknown> = {
      words: 400,
      light_score_per_cpu_s: perCpuSecond(docs, rounds, (doc) => void scoreText(light, doc, "light", null)),
      light_full_answer_per_cpu_s: perCpuSecond(docs, rounds, (doc) => void analyzeText(light, doc, options, null)),
      deep_kernel: best.kernel,
      deep_per_cpu_s: deepRate(best),
      deep_wasm_per_cpu_s: deepRate(inWasm),
    };
    say(JSON.stringify(figures));
    const networks = native ? [inWasm, native] : [inWasm];
    figures.one_window = await oneWindow(flags.onnx, networks, rounds, say);
    figures.service = await service(quick ? 1 : 2, say);
    return figures;
  },
} satisfies Bench;
