// Events per second through the outbox to a signed POST, and fan-out of a stream to many readers; beside bare loops of the
// same POSTs and writes, and beside BullMQ on Redis. Alternating rounds in one run; ratios are what counts.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { SQL } from "bun";
import type { Bench, Compared } from "../tools/bench.ts";
import { HERE, type Measured, median, startProcess, startService, storeUrl } from "./lib/process.ts";

const here = resolve(import.meta.dir, "events");
const bun = process.execPath;
const SENDERS = 8;

export default {
  help: "outbox to signed POST against a bare loop and BullMQ; SSE fan-out to 1,000 readers against a bare loop",
  async run({ quick, say, flags }) {
    const rounds = quick ? 1 : 5;
    const each = quick ? 250 : 1000;
    const readers = quick ? 200 : 1000;
    const frames = quick ? 50 : 200;
    const receiver = await startProcess([bun, join(here, "receiver.ts")]);
    const redis = await startRedis();
    const service = await openService(HERE, receiver.port);
    const before = flags.before ? await openService(resolve(flags.before), receiver.port) : null;
    try {
      const posts = await measurePosts({ receiver, service, before, redis, rounds, each, say });
      const fanOut = await measureFanOut({ service, rounds, readers, frames, say });
      const { outbox_to_bare_fetch: now, before_to_bare_fetch: earlier } = posts.ratios;
      const compared: Compared[] = [{ what: "webhooks ÷ loop of native fetch", before: earlier, now, aim: "0.5" }];
      return { posts, fan_out: fanOut, compared };
    } finally {
      await before?.stop();
      await service.stop();
      await receiver.stop();
      await redis?.stop();
    }
  },
} satisfies Bench;

interface Service extends Measured {
  key: string;
  sql: SQL;
}

async function openService(checkout: string, receiverPort: number): Promise<Service> {
  const running = await startService(checkout, { CONNECTOR_ALLOW_LOOPBACK: `127.0.0.1:${receiverPort}` });
  const sql = new SQL(storeUrl(running.folder), { max: 1 });
  const key = readFileSync(join(running.folder, "first-key"), "utf8").trim();
  return {
    ...running,
    key,
    sql,
    async stop() {
      await sql.close();
      await running.stop();
    },
  };
}

/** Redis with its append-only file on, as people run it when jobs must survive; null where it is not installed. */
async function startRedis(): Promise<{ port: number; stop(): Promise<void> } | null> {
  const program = Bun.which("redis-server") ?? Bun.which("valkey-server");
  if (!program) return null;
  const port = await freePort();
  const dir = mkdtempSync(join(tmpdir(), "bench-redis-"));
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--dir", dir, "--appendonly", "yes", "--save", ""];
  const child = Bun.spawn([program, ...args], { stdout: "pipe", stderr: "ignore" });
  const reader = child.stdout.getReader();
  for (let text = ""; !text.includes("Ready to accept connections"); ) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`redis-server ended: ${text}`);
    text += new TextDecoder().decode(value);
  }
  return {
    port,
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

interface PostOptions {
  receiver: Measured;
  service: Service;
  /** The checkout given by --before. */
  before: Service | null;
  redis: { port: number } | null;
  rounds: number;
  each: number;
  say(line: string): void;
}

async function measurePosts({ receiver, service, before, redis, rounds, each, say }: PostOptions) {
  for (const one of [service, before]) {
    for (let i = 0; i < SENDERS; i++) if (one) await makeWebhook(one, `http://127.0.0.1:${receiver.port}/${i}`);
  }
  const body = JSON.stringify({ type: "delivery.scheduled", data: { text: "x".repeat(300) } });
  const order = { port: receiver.port, senders: SENDERS, each, body };
  const runs: Record<string, () => Promise<number>> = {
    outbox: () => drainOutbox(service, receiver, each),
    ...(before ? { before: () => drainOutbox(before, receiver, each) } : {}),
    bare_guarded: () => runProcess("bare-posts.ts", { ...order, client: "guard" }),
    bare_fetch: () => runProcess("bare-posts.ts", { ...order, client: "fetch" }),
    ...(redis ? { bullmq: () => runProcess("../peers/bullmq.ts", { ...order, redis: redis.port }) } : {}),
  };
  const rates = await alternate(runs, rounds, say);
  const ratio = (name: string, one = "outbox") =>
    rates[name] && rates[one] ? median(rates[one].map((r, i) => r / rates[name][i])) : null;
  const ratios = {
    outbox_to_bare_guarded: ratio("bare_guarded"),
    outbox_to_bare_fetch: ratio("bare_fetch"),
    before_to_bare_fetch: ratio("bare_fetch", "before"),
    outbox_to_bullmq: ratio("bullmq"),
  };
  say(`deliveries/s ${JSON.stringify(medians(rates))}`);
  say(`ratios ${JSON.stringify(ratios)}`);
  return { endpoints: SENDERS, deliveries: SENDERS * each, rounds, per_second: medians(rates), all: rates, ratios };
}

/** Events are written in one transaction; the clock stops when the receiver has the last of them. */
async function drainOutbox(service: Service, receiver: Measured, each: number): Promise<number> {
  const stats = async () =>
    (await (await fetch(`http://127.0.0.1:${receiver.port}/`)).json()) as { count: number; lastMs: number };
  const goal = (await stats()).count + SENDERS * each;
  const started = Date.now();
  await insertEvents(service.sql, each);
  for (;;) {
    const { count, lastMs } = await stats();
    if (count >= goal) return (SENDERS * each) / ((lastMs - started) / 1000);
    await Bun.sleep(20);
  }
}

async function insertEvents(sql: SQL, count: number): Promise<void> {
  await sql`
    insert into events (id, tenant_id, type, tags, data, created_at)
    select 'evt_' || upper(substr(replace(gen_random_uuid()::text, '-', ''), 1, 26)), (select id from tenants where mode = 'test' limit 1),
      'delivery.scheduled', '{}', jsonb_build_object('n', n, 'text', repeat('x', 300)), now() from generate_series(1, ${count}) n`;
  await sql`select pg_notify('connector_events', '')`;
}

async function makeWebhook(service: Service, url: string): Promise<void> {
  const headers = { Authorization: `Bearer ${service.key}`, "Content-Type": "application/json" };
  const reply = await fetch(`http://127.0.0.1:${service.port}/api/v1/webhooks`, {
    method: "POST",
    headers,
    body: JSON.stringify({ url }),
  });
  if (reply.status !== 201) throw new Error(`POST /webhooks: ${reply.status} ${await reply.text()}`);
}

interface FanOutOptions {
  service: Service;
  rounds: number;
  readers: number;
  frames: number;
  say(line: string): void;
}

async function measureFanOut({ service, rounds, readers, frames, say }: FanOutOptions) {
  // Webhooks would read along and take their share of the processor.
  await service.sql`delete from webhooks`;
  const bare = await startProcess([bun, join(here, "bare-stream.ts")]);
  const ours = await openReaders({ port: service.port, path: "/api/v1/events/stream", key: service.key, readers });
  const theirs = await openReaders({ port: bare.port, path: "/", key: "", readers });
  const event = JSON.stringify({
    id: "evt_0",
    type: "delivery.scheduled",
    created_at: "2026-11-15T00:00:00Z",
    mode: "test",
    tags: [],
    data: { n: 1, text: "x".repeat(300) },
  });
  const frame = `id: evt_00000000000000000000000000\nevent: delivery.scheduled\ndata: ${event}\n\n`;
  const runs = {
    stream: async () => {
      await ours.begin(frames);
      const started = Date.now();
      await insertEvents(service.sql, frames);
      return (readers * frames) / (((await ours.finished()) - started) / 1000);
    },
    bare: async () => {
      await theirs.begin(frames);
      const started = Date.now();
      await fetch(`http://127.0.0.1:${bare.port}/?times=${frames}`, { method: "POST", body: frame });
      return (readers * frames) / (((await theirs.finished()) - started) / 1000);
    },
  };
  const rates = await alternate(runs, rounds, say);
  ours.stop();
  theirs.stop();
  await bare.stop();
  const ratio = median(rates.stream.map((r, i) => r / rates.bare[i]));
  say(`stream frames/s ${JSON.stringify(medians(rates))} ratio ${ratio.toFixed(2)}; service ${service.memoryMb()} MB`);
  return {
    readers,
    frames,
    rounds,
    per_second: medians(rates),
    all: rates,
    stream_to_bare: ratio,
    service_mb: service.memoryMb(),
  };
}

async function openReaders(options: { port: number; path: string; key: string; readers: number }) {
  const child = Bun.spawn([bun, join(here, "stream-readers.ts"), JSON.stringify(options)], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines = child.stdout
    .pipeThrough(new TextDecoderStream() as never)
    .getReader() as ReadableStreamDefaultReader<string>;
  let text = "";
  const line = async (): Promise<string> => {
    while (!text.includes("\n")) {
      const { value, done } = await lines.read();
      if (done) throw new Error("the readers ended");
      text += value;
    }
    const [first, ...rest] = text.split("\n");
    text = rest.join("\n");
    return first;
  };
  await line();
  return {
    /** Starts to count anew. */
    async begin(frames: number): Promise<void> {
      child.stdin.write(`${frames}\n`);
      child.stdin.flush();
      await line();
    },
    /** When the last reader had everything, in milliseconds since the epoch. */
    finished: async () => Number((await line()).split(" ")[1]),
    stop: () => child.kill("SIGTERM"),
  };
}

async function runProcess(file: string, options: unknown): Promise<number> {
  const child = Bun.spawn([bun, join(here, file), JSON.stringify(options)], { stdout: "pipe", stderr: "inherit" });
  return JSON.parse(await new Response(child.stdout).text()).perSecond;
}

async function alternate(runs: Record<string, () => Promise<number>>, rounds: number, say: (line: string) => void) {
  const rates: Record<string, number[]> = Object.fromEntries(Object.keys(runs).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(runs)) rates[name].push(await run());
    say(
      `round ${round + 1}: ${Object.entries(rates)
        .map(([name, all]) => `${name} ${Math.round(all.at(-1)!)}`)
        .join(", ")}`,
    );
  }
  return rates;
}

const medians = (rates: Record<string, number[]>) =>
  Object.fromEntries(Object.entries(rates).map(([name, all]) => [name, Math.round(median(all))]));

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
}
