// Streams opened, dropped at any moment and cut by a revoked key, at random: none is left over.
// CONNECTOR_TEST_STREAMS=5000 gives the full run, which also prints the memory of the process.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { seededRandom } from "../../server/lib/random.ts";
import { type Harness, startHarness } from "../harness.ts";

const STREAMS = Number(process.env.CONNECTOR_TEST_STREAMS ?? 200);
const AT_ONCE = 50;
const PATHS = ["/events/stream", "/alerts/stream", "/events/stream?last_event_id=evt_unknown"];
const SCOPES = ["events:read", "alerts:read", "profile:read"];

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
});
afterAll(() => app.stop());

async function openStreams(): Promise<number> {
  const text = await (await fetch(`${app.url}/metrics`)).text();
  return Number(/^connector_streams_open (\d+)/m.exec(text)?.[1] ?? Number.NaN);
}

/** Bounded rounds of requests, no waiting for time: a dropped connection is noticed when its socket is read. */
async function untilNoneIsOpen(): Promise<number> {
  let left = await openStreams();
  for (let round = 0; left > 0 && round < 2_000; round++) left = await openStreams();
  return left;
}

test(`${STREAMS} streams: dropped before the answer, after it, and by revocation; 0 are left over`, async () => {
  const random = seededRandom(16);
  const { testKey: owner } = await app.openAccount("max");
  const memoryMb: number[] = [];
  for (let opened = 0; opened < STREAMS; opened += AT_ONCE) {
    const made = await app.call("POST", "/keys", { key: owner, body: { name: "s", mode: "test", scopes: SCOPES } });
    const { id, key } = made.body.data;
    await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => listen(key, PATHS[n % PATHS.length], random.unit())));
    await app.call("DELETE", `/keys/${id}`, { key: owner });
    await app.service.refreshKeys();
    // The quota of the plan is 2,000 requests a minute.
    await app.clock.advance(2_000);
    if (opened % 500 === 0) memoryMb.push(Math.round(process.memoryUsage.rss() / 1e6));
  }
  expect(await untilNoneIsOpen()).toBe(0);
  Bun.gc(true);
  memoryMb.push(Math.round(process.memoryUsage.rss() / 1e6));
  if (STREAMS > 1_000) console.log(`memory in MB, every 500 streams: ${memoryMb.join(" ")}`);
}, 300_000);

/** Chance decides: gone before the answer, gone after the first bytes, or left open for the revocation to cut. */
async function listen(key: string, path: string, chance: number): Promise<void> {
  const leaving = new AbortController();
  const headers = { Authorization: `Bearer ${key}` };
  const asked = fetch(`${app.url}/api/v1${path}`, { headers, signal: leaving.signal });
  if (chance < 0.3) leaving.abort();
  const answer = await asked.catch(() => null);
  if (!answer || chance >= 0.6) return void answer?.body?.pipeTo(new WritableStream()).catch(() => {});
  await answer.body!.getReader().read();
  leaving.abort();
}
