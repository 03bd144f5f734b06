// The detector's engine in documents a processor-second (which a busy machine does not distort), the deep kernel beside
// onnxruntime on the same weights, and the service over HTTP with its event loop watched.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { analyzeText, scoreText } from "../server/actions/detector/engine/analyze.ts";
import { DeepNetwork } from "../server/actions/detector/engine/deep/network.ts";
import { Pieces } from "../server/actions/detector/engine/deep/pieces.ts";
import { deepLogit } from "../server/actions/detector/engine/deep/read.ts";
import { HUMAN, MACHINE } from "../server/actions/detector/engine/fixtures/samples.ts";
import { unpackLight } from "../server/actions/detector/engine/light/model.ts";
import type { Bench } from "../tools/bench.ts";
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

async function besideOnnx(file: string | undefined, net: DeepNetwork, rounds: number, say: (line: string) => void) {
  const peers = createRequire(join(import.meta.dir, "peers/package.json"));
  let ort: any = null;
  try {
    ort = peers("onnxruntime-node");
  } catch {
    say(
      "onnxruntime-node is not installed in benchmarks/peers (288 MB): npm install --prefix benchmarks/peers onnxruntime-node",
    );
  }
  if (!ort || !file || !existsSync(file)) {
    say("SKIPPED onnxruntime: make the model with training/deep-onnx.py and pass --onnx=FILE");
    return null;
  }
  const session = await ort.InferenceSession.create(file, { intraOpNumThreads: 1, interOpNumThreads: 1 });
  const ids = Uint16Array.from({ length: 512 }, (_, i) => 3 + ((i * 7919) % 16_000));
  const tensor = new ort.Tensor(
    "int64",
    BigInt64Array.from(ids, (id) => BigInt(id)),
    [1, 512],
  );
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let r = 0; r < rounds * 4; r++) {
    let from = performance.now();
    for (let i = 0; i < 10; i++) net.logit(ids, 512);
    ours.push((performance.now() - from) / 10);
    from = performance.now();
    for (let i = 0; i < 10; i++) await session.run({ ids: tensor, pairs: tensor });
    theirs.push((performance.now() - from) / 10);
  }
  const figures = {
    our_ms: best(ours),
    onnxruntime_ms: best(theirs),
    ratio: Math.round((100 * best(theirs)) / best(ours)) / 100,
  };
  say(`512 pieces, one core, alternating: ours ${figures.our_ms} ms, onnxruntime int8 ${figures.onnxruntime_ms} ms`);
  return figures;
}

const best = (values: number[]) => Math.round(100 * Math.min(...values)) / 100;

/** Latency of light requests while deep ones run: the light ones show how long the event loop was held. */
async function service(seconds: number, say: (line: string) => void) {
  const folder = mkdtempSync(join(tmpdir(), "detector-bench-"));
  const child = await startProcess([resolve(import.meta.dir, "../connector"), "start"], {
    CONNECTOR_PORT: "0",
    CONNECTOR_DATA_DIR: folder,
    CONNECTOR_HOST: "127.0.0.1",
  });
  try {
    const key = readFileSync(join(folder, "first-key"), "utf8").trim();
    const ask = (body: unknown) =>
      fetch(`http://127.0.0.1:${child.port}/api/v1/detector/analyze`, {
        method: "POST",
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      }).then((r) => r.text());
    const [doc] = documents(1);
    const live = () => fetch(`http://127.0.0.1:${child.port}/health/live`).then((r) => r.text());
    for (let i = 0; i < 40; i++) await ask({ content: doc });
    const light = await timed(Math.min(600, seconds * 100), () => ask({ content: doc, detail: "basic" }));
    await ask({ content: doc, detail: "deep" });
    let busy = true;
    const deep = (async () => {
      while (busy) await Promise.all([ask({ content: doc, detail: "deep" }), ask({ content: doc, detail: "deep" })]);
    })();
    const beside = await timed(Math.min(400, seconds * 60), live);
    busy = false;
    await deep;
    say(
      `service: light ${light.p50} ms median, ${light.p99} ms p99; liveness beside deep work ${beside.p50} / ${beside.p99} ms`,
    );
    return { light_ms: light, live_beside_deep_ms: beside, memory_mb: child.memoryMb() };
  } finally {
    await child.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function timed(count: number, work: () => Promise<unknown>) {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const from = performance.now();
    await work();
    times.push(performance.now() - from);
  }
  times.sort((a, b) => a - b);
  const at = (q: number) => Math.round(100 * times[Math.min(times.length - 1, Math.floor(q * times.length))]) / 100;
  return { p50: Math.round(100 * median(times)) / 100, p99: at(0.99), most: at(1) };
}

export default {
  help: "light and deep documents (400 words) a processor-second; --onnx=FILE compares; the service's latency",
  async run({ quick, flags, say }) {
    const rounds = quick ? 3 : 8;
    const docs = documents(quick ? 150 : 400);
    const light = unpackLight(read("weights/light.bin"));
    const module = new WebAssembly.Module(read("deep/kernel/forward.wasm"));
    const network = new DeepNetwork(module, read("weights/deep.bin"));
    const deep = { network, pieces: new Pieces(readFileSync(join(engine, "weights/pieces.txt"), "utf8")) };
    const options = { tier: "light", point: "0.01", segments: true } as const;
    const figures: Record<string, unknown> = {
      words: 400,
      light_score_per_cpu_s: perCpuSecond(docs, rounds, (doc) => void scoreText(light, doc, "light", null)),
      light_full_answer_per_cpu_s: perCpuSecond(docs, rounds, (doc) => void analyzeText(light, doc, options, null)),
      deep_per_cpu_s: perCpuSecond(docs.slice(0, 40), rounds, (doc) => void deepLogit(deep, doc)),
    };
    say(JSON.stringify(figures));
    figures.onnxruntime = await besideOnnx(flags.onnx, network, rounds, say);
    figures.service = await service(quick ? 3 : 6, say);
    return figures;
  },
} satisfies Bench;
