// One account does its worst from 8 connections while another works as usual: what the other one notices.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bench } from "../tools/bench.ts";
import { startProcess } from "./lib/process.ts";

const CONNECTIONS = 8;

interface Call {
  path: string;
  type?: string;
  body: string;
}

/** The worst requests that are known, each within the documented sizes. */
const SHAPES: Record<string, () => Call> = {
  "content that matches 20 alerts": () => ({
    path: "/alerts/content",
    type: "application/x-ndjson",
    body: `${JSON.stringify({ title: "z", text: "中".repeat(200_000) })}\n`.repeat(13),
  }),
  "preview of hash tags": () => ({
    path: "/alerts/preview",
    body: JSON.stringify({ query: "#a OR b", content: Array(5).fill({ title: "z", text: "#a ".repeat(60_000) }) }),
  }),
  "analysis of 20 long texts": () => ({
    path: "/detector/analyze",
    body: JSON.stringify({ items: Array(20).fill({ content: "the quick brown fox jumps ".repeat(15_000) }) }),
  }),
  "a body of 60,000 names": () => ({
    path: "/detector/analyze",
    body: `{${Array.from({ length: 60_000 }, (_, n) => `"name${n}":1`).join(",")}}`,
  }),
  "a body of 800,000 names": () => ({
    path: "/detector/analyze",
    body: `{${Array.from({ length: 800_000 }, (_, n) => `"n${n}":1`).join(",")}}`,
  }),
  "100,000 ticks": () => ({
    path: "/stock/ticks?currency=USD",
    type: "application/x-ndjson",
    body: Array.from(
      { length: 100_000 },
      (_, n) => `{"type":"trade","symbol":"AAPL","seq":${n},"at":"2026-11-13T15:30:00Z","price":"271.30","size":100}\n`,
    ).join(""),
  }),
  "1,000 lines of content": () => ({
    path: "/alerts/content",
    type: "application/x-ndjson",
    body: `${JSON.stringify({ title: "z", text: "b1 中 ".repeat(1_000) })}\n`.repeat(1_000),
  }),
};

interface Seen {
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  errors: number;
}

const bench: Bench = {
  help: "one account at its worst beside another at work; --quick for short rounds, --once for the first shape sent a single time, --server=FOLDER for another checkout",
  async run({ quick, flags, say }) {
    const root = flags.server ?? join(import.meta.dir, "..");
    const folder = mkdtempSync(join(tmpdir(), "connector-neighbours-"));
    Bun.spawnSync(["chmod", "755", folder]);
    const settings = { CONNECTOR_PORT: "0", CONNECTOR_DATA_DIR: folder, CONNECTOR_LOG: "silent" };
    const service = await startProcess([process.execPath, join(root, "server/main.ts"), "start"], settings);
    const base = `http://127.0.0.1:${service.port}`;
    const first = readFileSync(join(folder, "first-key"), "utf8").trim();
    const send = (key: string, { path, type = "application/json", body }: Call) =>
      fetch(`${base}/v1${path}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${key}`, "Content-Type": type },
        body,
      });
    const account = async (plan: string) => {
      const made: any = await (
        await send(first, { path: "/admin/accounts", body: JSON.stringify({ name: plan, plan }) })
      ).json();
      return made.data.test_key.key as string;
    };
    const bad = await account("max");
    const good = await account("max");
    for (let n = 0; n < 20; n++) {
      const body = JSON.stringify({ query: `中 OR b${n}`, match: { whole_word: false } });
      await send(bad, { path: "/alerts/create", body });
    }

    const seconds = quick ? 4 : 15;
    const figures: Record<string, unknown> = {};
    const measure = async (name: string, isAttacked: boolean) => {
      const attack = isAttacked ? startAttack(base, bad, name) : null;
      const work = await watch(base, good, seconds);
      const attacker = await attack?.();
      figures[name] = { ...work, attacker };
      const line = Object.entries(work).map(
        ([what, seen]) => `${what} p99 ${seen.p99Ms} max ${seen.maxMs} errors ${seen.errors}`,
      );
      say(`${name}: ${line.join(" · ")}${attacker ? ` · attacker ${JSON.stringify(attacker)}` : ""}`);
    };
    const memoryMb = service.memoryMb();
    say(`memory after the start: ${memoryMb} MB`);
    figures.memory = { startMb: memoryMb };
    if ("once" in flags) {
      const single = await once(base, () => send(bad, SHAPES["content that matches 20 alerts"]()));
      say(`one request: ${JSON.stringify(single)}`);
      figures.once = single;
    }
    await measure("quiet", false);
    for (const name of Object.keys(SHAPES)) await measure(name, true);
    figures.memory = { startMb: memoryMb, endMb: service.memoryMb() };
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
    return figures;
  },
};
export default bench;

/** Starts the attacker as a process of its own; what is returned ends it and says how its requests were answered. */
function startAttack(base: string, key: string, shape: string): () => Promise<Record<string, number>> {
  // Of the lowest priority: a real one has a machine of its own.
  const child = Bun.spawn(["nice", "-n", "19", process.execPath, import.meta.path, base, key, shape], {
    stdout: "pipe",
  });
  return async () => {
    child.kill("SIGTERM");
    return JSON.parse(await new Response(child.stdout).text());
  };
}

/** One request alone: how long it takes, and how long a health probe waits meanwhile. */
async function once(base: string, send: () => Promise<Response>) {
  let done = false;
  const sentMs = performance.now();
  const answer = send().then(async (reply) => {
    await reply.arrayBuffer();
    done = true;
    return { status: reply.status, ms: Math.round(performance.now() - sentMs) };
  });
  const waits: number[] = [];
  while (!done) {
    const askedMs = performance.now();
    await (await fetch(`${base}/health/live`)).text();
    waits.push(performance.now() - askedMs);
    await Bun.sleep(5);
  }
  return { ...(await answer), liveMaxMs: Math.round(Math.max(...waits) * 10) / 10, probes: waits.length };
}

/** What the other account and a health probe see in that time, in milliseconds. */
async function watch(base: string, key: string, seconds: number): Promise<Record<string, Seen>> {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const time = `${new Date(Date.now() + 7_200_000).toISOString().slice(0, 13)}:00:00Z`;
  const body = JSON.stringify({ pickup: { address: "Boston, MA", time }, dropoff: { address: "Salem, MA" } });
  const calls: Record<string, () => Promise<Response>> = {
    live: () => fetch(`${base}/health/live`),
    profile: () => fetch(`${base}/v1/user/profile`, { headers }),
    schedule: () => fetch(`${base}/v1/delivery/schedule`, { method: "POST", headers, body }),
  };
  const endMs = performance.now() + seconds * 1000;
  const seen = Object.entries(calls).map(async ([name, call]) => {
    const times: number[] = [];
    let errors = 0;
    while (performance.now() < endMs) {
      const sentMs = performance.now();
      const ok = await call().then(
        async (answer) => {
          await answer.text();
          return answer.status === 200;
        },
        () => false,
      );
      if (!ok) errors += 1;
      times.push(performance.now() - sentMs);
      await Bun.sleep(60);
    }
    times.sort((a, b) => a - b);
    const at = (share: number) => Math.round((times[Math.floor((times.length - 1) * share)] ?? 0) * 10) / 10;
    return [name, { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1), errors }] as const;
  });
  return Object.fromEntries(await Promise.all(seen));
}

/** Run as a process: the same request again and again from eight connections, until it is told to stop. */
async function attack(base: string, key: string, name: string): Promise<void> {
  const { path, type = "application/json", body } = SHAPES[name]();
  const bytes = new TextEncoder().encode(body);
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": type };
  const answers: Record<string, number> = {};
  process.on("SIGTERM", () => {
    console.log(JSON.stringify(answers));
    process.exit(0);
  });
  const send = async () => {
    const answer = await fetch(`${base}/v1${path}`, { method: "POST", headers, body: bytes });
    await answer.arrayBuffer();
    return String(answer.status);
  };
  const connection = async () => {
    for (;;) {
      const status = await send().catch(() => "failed");
      answers[status] = (answers[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
}

if (import.meta.main) await attack(process.argv[2], process.argv[3], process.argv[4]);
