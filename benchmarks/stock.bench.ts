// Stock: cached quotes over HTTP beside bare Bun.serve, and the engine beside its bare limits. Alternating rounds.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bench } from "../tools/bench.ts";
import { load } from "./load.ts";
import { median, type Measured, startProcess } from "./process.ts";
import { measureFanOut } from "./stock/fan-out.ts";
import { measureCalendar, measureHedge, measureReads, measureTicks } from "./stock/engine.ts";

const here = import.meta.dir;
const bun = process.execPath;
/** A quota of 2,000 a minute each: enough that no round is refused. The last one is for the stream alone. */
const ACCOUNTS = 1_200;
const TWENTY =
  "AAPL MSFT GOOGL AMZN NVDA META TSLA AVGO NFLX COST CSCO INTC AMD PEP ADBE QCOM TXN AMGN SBUX PYPL".split(" ");

const bodies = { one: JSON.stringify({ symbol: "AAPL" }), twenty: JSON.stringify({ symbols: TWENTY }) };
const requestOf = (key: string, body: string) =>
  `POST /api/v1/stock/quote HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

async function openService() {
  const folder = mkdtempSync(join(tmpdir(), "connector-bench-"));
  Bun.spawnSync(["chmod", "755", folder]);
  const ours = await startProcess([bun, "--max-http-header-size=65536", join(here, "../server/main.ts"), "start"], {
    CONNECTOR_PORT: "0",
    CONNECTOR_DATA_DIR: folder,
    CONNECTOR_LOG: "error",
  });
  const call = (path: string, key: string, body: string) =>
    fetch(`http://127.0.0.1:${ours.port}/api/v1${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body,
    });
  const first = readFileSync(join(folder, "first-key"), "utf8").trim();
  const keys: string[] = [];
  for (let i = 0; i < ACCOUNTS; i++) {
    const made: any = await (
      await call("/admin/accounts", first, JSON.stringify({ name: `bench ${i}`, plan: "max" }))
    ).json();
    keys.push(made.data.test_key.key);
  }
  return {
    ours,
    keys,
    call,
    close: async () => {
      await ours.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function measureHttp(rounds: number, seconds: number, say: (line: string) => void) {
  const service = await openService();
  const figures: Record<string, unknown> = {};
  try {
    for (const [name, body] of Object.entries(bodies)) {
      const reply = await service.call("/stock/quote", service.keys[0], body);
      const text = await reply.text();
      const headers = Object.fromEntries([...reply.headers].filter(([h]) => !["date", "content-length"].includes(h)));
      const bare = await startProcess([bun, join(here, "gate/bare-serve.ts")], {
        SAME_BYTES: JSON.stringify({ body: text, headers }),
      });
      figures[name] = {
        ...(await alternate(
          rounds,
          seconds,
          service.keys.slice(0, -1).map((k) => requestOf(k, body)),
          service.ours,
          bare,
        )),
        bytes: text.length,
      };
      await bare.stop();
      say(`${name.padEnd(7)} ${JSON.stringify(figures[name])}`);
    }
    const send = (body: string) => service.call("/stock/ticks", service.keys.at(-1)!, body);
    figures.fan_out = tidy(
      await measureFanOut({ port: service.ours.port, key: service.keys.at(-1)!, send, rounds, readers: 500 }),
    );
    say(`fan-out ${JSON.stringify(figures.fan_out)}   (aim 0.7)`);
  } finally {
    await service.close();
  }
  return figures;
}

async function alternate(rounds: number, seconds: number, requests: string[], ours: Measured, bare: Measured) {
  const ratios: number[] = [];
  const rates: Record<string, number[]> = { ours: [], bare: [] };
  const cpu: Record<string, number[]> = { ours: [], bare: [] };
  let p99 = 0;
  for (let round = -1; round < rounds; round++) {
    const result: Record<string, number> = {};
    for (const [name, runner] of Object.entries({ ours, bare })) {
      const before = runner.cpuMs();
      const r = await load({ port: runner.port, connections: 32, seconds, requests, start: 0 });
      result[name] = r.perSecond;
      if (round < 0) continue;
      rates[name].push(r.perSecond);
      cpu[name].push(((runner.cpuMs() - before) * 1000) / r.requests);
      if (name === "ours") p99 = Math.max(p99, r.p99Ms);
    }
    if (round >= 0) ratios.push(result.ours / result.bare);
  }
  return {
    to_bare: round3(median(ratios)),
    to_bare_by_cpu: round3(median(cpu.bare) / median(cpu.ours)),
    per_second: Math.round(median(rates.ours)),
    bare_per_second: Math.round(median(rates.bare)),
    cpu_us: round3(median(cpu.ours)),
    bare_cpu_us: round3(median(cpu.bare)),
    worst_p99_ms: round3(p99),
  };
}

const round3 = (n: number) => Math.round(n * 1000) / 1000;
const tidy = (figures: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(figures)
      .filter(([k]) => k !== "sink")
      .map(([k, v]) => [k, typeof v === "number" ? round3(v) : v]),
  );

async function startRedis(): Promise<{ port: number; stop(): void } | null> {
  if (!Bun.which("redis-server")) return null;
  const port = await new Promise<number>((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port: free } = probe.address() as { port: number };
      probe.close(() => resolve(free));
    });
  });
  const child = Bun.spawn(
    ["redis-server", "--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"],
    { stdout: "pipe", stderr: "ignore" },
  );
  const reader = child.stdout.getReader();
  for (let text = ""; !/Ready to accept/.test(text); ) text += new TextDecoder().decode((await reader.read()).value);
  return { port, stop: () => child.kill() };
}

export default {
  help: "cached quotes beside bare Bun.serve; calendar, ticks, reads and hedging beside bare limits",
  async run({ quick, say, flags }) {
    const rounds = quick ? 3 : 5;
    const calendar = tidy(measureCalendar(rounds));
    say(`calendar ${JSON.stringify(calendar)}   (aim phase 0.3)`);
    const ticks = tidy(measureTicks(rounds));
    say(`ticks    ${JSON.stringify(ticks)}   (aim 0.4)`);
    const redis = await startRedis();
    const reads = tidy(await measureReads(rounds, redis?.port ?? null));
    redis?.stop();
    say(`reads    ${JSON.stringify(reads)}   (aim 20)`);
    const hedge = tidy(await measureHedge(quick ? 100 : 300));
    say(`hedge    ${JSON.stringify(hedge)}`);
    if (flags.engine) return { calendar, ticks, reads, hedge };
    const http = await measureHttp(rounds, 1, say);
    say("aims: one symbol 0.70, twenty 0.60 of bare Bun.serve answering the same bytes");
    return { calendar, ticks, reads, hedge, http };
  },
} satisfies Bench;
