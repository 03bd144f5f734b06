// What the first request of each kind costs everybody else: calls every route of a fresh service once, and a few with
// bodies that load models or places, and reads from the metrics how long the event loop was held.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "../tools/bench.ts";
import { HERE, startService } from "./lib/process.ts";

interface Door {
  name: string;
  path: string;
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** The beat of the watchdog is 20 ms: after this a turn that was held has been seen. */
const AFTER_CALL_MS = 60;
const SLOW_MS = 50;
const PROSE = "The committee met on Tuesday to discuss the plan, and nobody had read it before they came. ".repeat(40);

const mcp = (method: string, params: object = {}): Door => ({
  name: `MCP ${method}`,
  path: "/mcp",
  method: "POST",
  headers: { Accept: "application/json, text/event-stream", "MCP-Protocol-Version": "2026-07-28" },
  body: { jsonrpc: "2.0", id: 1, method, params },
});

const DOORS: Door[] = [
  ...["/openapi.json", "/openapi.yaml", "/docs/reference", "/docs", "/", "/docs/errors", "/llms-full.txt"].map(byPath),
  ...["/docs/search?q=webhook", "/docs/start", "/console", "/console/assets/main.js", "/metrics"].map(byPath),
  ...["/console/assets/world.json", "/console/assets/console.css"].map(byPath),
  mcp("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  }),
  mcp("tools/list"),
  mcp("resources/list"),
  mcp("prompts/list"),
  { name: "detector, prose", path: "/v1/detector/analyze", method: "POST", body: { content: PROSE } },
  { name: "detector, deep", path: "/v1/detector/analyze", method: "POST", body: { content: PROSE, tier: "deep" } },
  {
    name: "schedule, addresses",
    path: "/v1/delivery/schedule",
    method: "POST",
    body: {
      pickup: { address: "350 5th Ave, New York, NY 10118", time: "2030-01-01T10:00:00Z" },
      dropoff: { address: "10 Rue de Rivoli, 75004 Paris" },
    },
  },
  {
    name: "alerts, content",
    path: "/v1/alerts/content",
    method: "POST",
    body: { title: "A title", text: PROSE },
  },
];

function byPath(path: string): Door {
  return { name: path, path };
}

/** Every operation with the example of its body; ids that do not exist are part of it. Streams are left out: they do not end. */
async function everyOperation(base: string): Promise<Door[]> {
  const { paths }: any = await (await fetch(`${base}/openapi.json`)).json();
  return Object.entries<any>(paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods)
      .filter(([, { responses }]) => !responses[200]?.content?.["text/event-stream"])
      .map(([method, { requestBody }]) => ({
        name: `${method.toUpperCase()} ${path}`,
        path: path.replaceAll(/\{\w+\}/g, "x"),
        method: method.toUpperCase(),
        body: requestBody?.content["application/json"]?.example,
      })),
  );
}

const bench: Bench = {
  help: "how long the first request of each kind holds the event loop",
  async run({ say }) {
    const service = await startService(HERE, { CONNECTOR_LOG: "silent", CONNECTOR_KEYLESS_PER_MINUTE: "10000" });
    const key = readFileSync(join(service.folder, "first-key"), "utf8").trim();
    const base = `http://127.0.0.1:${service.port}`;
    const takeDelayMs = async () => {
      const text = await (await fetch(`${base}/metrics`)).text();
      return Number(/^connector_event_loop_delay_seconds (\S+)/m.exec(text)?.[1]) * 1000;
    };
    const delays: { name: string; status: number; tookMs: number; delayMs: number }[] = [];
    await takeDelayMs();
    const visit = async ({ name, path, method = "GET", body, headers }: Door) => {
      const startMs = performance.now();
      const reply = await fetch(base + path, {
        method,
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json", ...headers },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      await reply.text();
      const tookMs = performance.now() - startMs;
      await Bun.sleep(AFTER_CALL_MS);
      delays.push({ name, status: reply.status, tookMs, delayMs: await takeDelayMs() });
    };
    for (const door of DOORS) await visit(door);
    for (const door of await everyOperation(base)) await visit(door);
    await service.stop();
    delays.sort((a, b) => b.delayMs - a.delayMs);
    for (const { name, status, tookMs, delayMs } of delays.slice(0, 15))
      say(`${delayMs.toFixed(0).padStart(5)} ms held, ${tookMs.toFixed(0).padStart(5)} ms in all  ${status} ${name}`);
    const slow = delays.filter(({ delayMs }) => delayMs > SLOW_MS);
    say(`${delays.length} doors, ${slow.length} held the event loop longer than ${SLOW_MS} ms`);
    return { doors: delays };
  },
};

export default bench;
