// Streams opened, dropped at any moment and cut by a revoked key, at random: none is left over, and the memory of the service
// is after the last round what it was after the second: the first one warms up. CONNECTOR_TEST_STREAMS=5000 gives the full run.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type Random, seededRandom } from "../../server/lib/random.ts";
import { makeDataFolder, removeDataFolder, type Running, startConnector } from "../connector.ts";
import { type Harness, startHarness } from "../harness.ts";

const STREAMS = Number(process.env.CONNECTOR_TEST_STREAMS ?? 200);
const AT_ONCE = 50;
const IS_FULL = STREAMS > 1_000;
const ROUNDS = IS_FULL ? 6 : 3;
/** What one round and the next may differ by without a leak; only the full run compares. */
const NOISE_MB = 15;
const PATHS = ["/events/stream", "/alerts/stream", "/events/stream?last_event_id=evt_unknown"];
const SCOPES = ["events:read", "alerts:read", "profile:read"];

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
});
afterAll(() => app.stop());

async function openStreams(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^connector_streams_open (\d+)/m.exec(text)?.[1] ?? Number.NaN);
}

/** Bounded rounds of requests, no waiting for time: a dropped connection is noticed when its socket is read. */
async function untilNoneIsOpen(url: string): Promise<number> {
  let left = await openStreams(url);
  for (let round = 0; left > 0 && round < 2_000; round++) left = await openStreams(url);
  return left;
}

test(`${STREAMS} streams: dropped before the answer, after it, and by revocation; 0 are left over`, async () => {
  const random = seededRandom(16);
  const { testKey: owner } = await app.openAccount("max");
  for (let opened = 0; opened < STREAMS; opened += AT_ONCE) {
    const made = await app.call("POST", "/keys", { key: owner, body: { name: "s", mode: "test", scopes: SCOPES } });
    const { id, key } = made.body.data;
    await openAndDrop(app.url, key, random);
    await app.call("DELETE", `/keys/${id}`, { key: owner });
    await app.service.refreshKeys();
    // The quota of the plan is 2,000 requests a minute.
    await app.clock.advance(2_000);
  }
  expect(await untilNoneIsOpen(app.url)).toBe(0);
}, 300_000);

test(`${ROUNDS} × ${STREAMS} streams of a service in its own process: 0 are left over, and its memory is flat`, async () => {
  const folder = makeDataFolder();
  // Relative, since BUN_OPTIONS are split at blanks and the checkout may lie in a path with one.
  const preload = `./${relative(process.cwd(), join(import.meta.dir, "collect-garbage.ts"))}`;
  const service = await startConnector(folder, {
    CONNECTOR_LOG: "silent",
    BUN_OPTIONS: `--preload=${preload}`,
  });
  const call = async (method: string, path: string, key: string, body?: unknown): Promise<any> => {
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const reply = await fetch(`${service.url}/v1${path}`, { method, headers, body: JSON.stringify(body) });
    return reply.json();
  };
  try {
    // Enough that no round runs into a quota.
    const owners: string[] = [];
    for (let n = 0; n < STREAMS / 100; n++) {
      const made = await call("POST", "/admin/accounts", service.key, { name: `reader ${n}`, plan: "max" });
      owners.push(made.data.test_key.key);
    }
    const random = seededRandom(5);
    const memoryMb: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (let opened = 0; opened < STREAMS; opened += AT_ONCE) {
        const owner = owners[(opened / AT_ONCE) % owners.length];
        const { data } = await call("POST", "/keys", owner, { name: "s", mode: "test", scopes: SCOPES });
        await openAndDrop(service.url, data.key, random);
        await call("DELETE", `/keys/${data.id}`, owner);
      }
      expect(await untilNoneIsOpen(service.url)).toBe(0);
      memoryMb.push(await memoryOf(service));
    }
    expect(await service.stop()).toBe(0);
    if (!IS_FULL) return;
    console.log(`memory of the service in MB after each round of ${STREAMS} streams: ${memoryMb.join(" ")}`);
    expect(memoryMb.at(-1)! - memoryMb[1]).toBeLessThanOrEqual(NOISE_MB);
  } finally {
    removeDataFolder(folder);
  }
}, 600_000);

/** Megabytes that are in use once the garbage is collected; answers come after the signal was handled. */
async function memoryOf({ pid, url }: Running): Promise<number> {
  process.kill(pid, "SIGUSR2");
  for (let n = 0; n < 3; n++) await fetch(`${url}/health/live`);
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024);
}

function openAndDrop(url: string, key: string, random: Random): Promise<unknown> {
  return Promise.all(
    Array.from({ length: AT_ONCE }, (_, n) => listen(url, key, PATHS[n % PATHS.length], random.unit())),
  );
}

/** Chance decides: gone before the answer, gone after the first bytes, or left open for the revocation to cut. */
async function listen(url: string, key: string, path: string, chance: number): Promise<void> {
  const leaving = new AbortController();
  const headers = { Authorization: `Bearer ${key}` };
  const asked = fetch(`${url}/api/v1${path}`, { headers, signal: leaving.signal });
  if (chance < 0.3) leaving.abort();
  const answer = await asked.catch(() => null);
  if (!answer || chance >= 0.6) return void answer?.body?.pipeTo(new WritableStream()).catch(() => {});
  await answer.body!.getReader().read();
  leaving.abort();
}
