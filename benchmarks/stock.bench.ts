// Stock: cached quotes over HTTP beside bare Bun.serve, and the engine beside its bare limits. Alternating rounds.
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import type { Bench, Compared } from "../tools/bench.ts";
import { load } from "./lib/load.ts";
import { HERE, median, type Measured, startProcess, startService } from "./lib/process.ts";
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

type Service = Measured & { keys: string[] };

const call = ({ port }: Measured, path: string, key: string, body: string) =>
  fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body,
  });

async function openService(checkout: string): Promise<Service> {
  const service = await startService(checkout);
  const first = readFileSync(join(service.folder, "first-key"), "utf8").trim();
  const keys: string[] = [];
  for (let i = 0; i < ACCOUNTS; i++) {
    const order = JSON.stringify({ name: `bench ${i}`, plan: "max" });
    const made: any = await (await call(service, "/admin/accounts", first, order)).json();
    keys.push(made.data.test_key.key);
  }
  return { ...service, keys };
}

async function measureHttp(rounds: number, seconds: number, beforePath: string | undefined, say: Say) {
  const ours = await openService(HERE);
  const before = beforePath ? await openService(resolve(beforePath)) : null;
  const services = { ours, ...(before ? { before } : {}) };
  const figures: Record<string, any> = {};
  try {
    for (const [name, body] of Object.entries(bodies)) {
      for (const each of Object.values(services)) await (await call(each, "/stock/quote", each.keys[0], body)).text();
      const reply = await call(ours, "/stock/quote", ours.keys[0], body);
      const text = await reply.text();
      const headers = Object.fromEntries([...reply.headers].filter(([h]) => !["date", "content-length"].includes(h)));
      const bare = await startProcess([bun, join(here, "lib/bare-serve.ts")], {
        SAME_BYTES: JSON.stringify({ body: text, headers }),
      });
      figures[name] = { ...(await alternate(rounds, seconds, body, services, bare)), bytes: text.length };
      await bare.stop();
      say(`${name.padEnd(7)} ${JSON.stringify(figures[name])}`);
    }
    const key = ours.keys.at(-1)!;
    const send = (body: string) => call(ours, "/stock/ticks", key, body);
    figures.fan_out = tidy(await measureFanOut({ port: ours.port, key, send, rounds, readers: 500 }));
    say(`fan-out ${JSON.stringify(figures.fan_out)}   (aim 0.7)`);
  } finally {
    await before?.stop();
    await ours.stop();
  }
  return figures;
}

type Say = (line: string) => void;

/** Rates and processor time of each service beside the bare one, round by round. */
async function alternate(
  rounds: number,
  seconds: number,
  body: string,
  services: Record<string, Service>,
  bare: Measured,
) {
  const runners: Record<string, Measured> = { ...services, bare };
  const ours = Object.values(services)[0];
  const rates: Record<string, number[]> = Object.fromEntries(Object.keys(runners).map((name) => [name, []]));
  const cpu: Record<string, number[]> = Object.fromEntries(Object.keys(runners).map((name) => [name, []]));
  let p99 = 0;
  for (let round = -1; round < rounds; round++) {
    for (const [name, runner] of Object.entries(runners)) {
      const requests = (services[name] ?? ours).keys.slice(0, -1).map((key) => requestOf(key, body));
      const before = runner.cpuMs();
      const r = await load({ port: runner.port, connections: 32, seconds, requests, start: 0 });
      if (round < 0) continue;
      rates[name].push(r.perSecond);
      cpu[name].push(((runner.cpuMs() - before) * 1000) / r.requests);
      if (name === "ours") p99 = Math.max(p99, r.p99Ms);
    }
  }
  const toBare = (name: string) =>
    rates[name] ? round3(median(rates[name].map((rate, i) => rate / rates.bare[i]))) : null;
  return {
    to_bare: toBare("ours"),
    before_to_bare: toBare("before"),
    to_bare_by_cpu: round3(median(cpu.bare) / median(cpu.ours)),
    per_second: Math.round(median(rates.ours)),
    bare_per_second: Math.round(median(rates.bare)),
    cpu_us: round3(median(cpu.ours)),
    before_cpu_us: cpu.before ? round3(median(cpu.before)) : null,
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
    const http = await measureHttp(rounds, 1, flags.before, say);
    const row = (what: string, figure: any, aim: string): Compared[] => [
      { what: `${what} ÷ bare Bun.serve`, before: figure.before_to_bare, now: figure.to_bare, aim },
      { what: `${what}, µs`, before: figure.before_cpu_us, now: figure.cpu_us, aim: "" },
    ];
    const compared = [...row("quote, one symbol", http.one, "0.65"), ...row("quote, twenty", http.twenty, "0.55")];
    return { calendar, ticks, reads, hedge, http, compared };
  },
} satisfies Bench;
