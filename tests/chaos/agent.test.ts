// An agent and kill -9: a call whose answer was lost is sent again with its idempotency key, and there is one delivery.
// CONNECTOR_TEST_KILLS=20 gives the full run; `npm run conformance -- kill` asks for it.
import { afterAll, expect, test } from "bun:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { seededRandom } from "../../server/lib/random.ts";
import { makeDataFolder, removeDataFolder, type Running, startConnector } from "../connector.ts";

const folder = makeDataFolder();
afterAll(() => removeDataFolder(folder));

const kills = Number(process.env.CONNECTOR_TEST_KILLS ?? 2);
const AGENTS = 8;
const random = seededRandom(11);

interface Attempt {
  key: string;
  deliveryId: string | null;
}

async function connect(service: Running, fetch?: typeof globalThis.fetch): Promise<Client> {
  const client = new Client({ name: "agent", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  const requestInit = { headers: { Authorization: `Bearer ${service.key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit, fetch }));
  return client;
}

async function schedule(client: Client, attempt: Attempt): Promise<void> {
  const hour = new Date(Date.now() + 3_600_000).toISOString().slice(0, 13);
  const result: any = await client.callTool({
    name: "schedule_delivery",
    arguments: {
      pickup_address: `Dock ${attempt.key}`,
      pickup_time: `${hour}:00:00Z`,
      dropoff_address: "Boston, MA",
      external_id: attempt.key,
      idempotency_key: attempt.key,
    },
  });
  if (result.isError) throw new Error(result.content[0].text);
  attempt.deliveryId = result.structuredContent.delivery_id;
}

async function storedIds(client: Client, key: string): Promise<string[]> {
  const result: any = await client.callTool({ name: "list_deliveries", arguments: { external_id: key } });
  if (result.isError) throw new Error(result.content[0].text);
  return result.structuredContent.items.map((item: any) => item.delivery_id);
}

test("an agent whose first answer is dropped schedules exactly one delivery", async () => {
  const service = await startConnector(folder);
  let dropped = 0;
  const lossy = (async (input: any, init: any) => {
    const response = await fetch(input, init);
    if (dropped > 0 || !String(init?.body).includes("tools/call")) return response;
    dropped++;
    await response.text();
    throw new TypeError("the connection was lost before the answer arrived");
  }) as typeof fetch;
  const client = await connect(service, lossy);
  const attempt: Attempt = { key: "dropped", deliveryId: null };
  await expect(schedule(client, attempt)).rejects.toThrow();
  await schedule(client, attempt);
  expect([dropped, await storedIds(client, "dropped")]).toEqual([1, [attempt.deliveryId!]]);
  await client.close();
  expect(await service.stop()).toBe(0);
}, 120_000);

test(`${kills} × kill -9 during tool calls: every asked delivery is stored once`, async () => {
  const attempts: Attempt[] = [];
  let unfinished: Attempt[] = [];
  for (let round = 0; round < kills; round++) {
    const service = await startConnector(folder);
    const clients = await Promise.all(Array.from({ length: AGENTS }, () => connect(service)));
    for (const attempt of unfinished) await schedule(clients[0], attempt);
    unfinished = [];
    const enough = attempts.length + AGENTS + Math.floor(random.unit() * 24);
    const working = clients.map(async (client, agent) => {
      for (let n = 0; ; n++) {
        const attempt: Attempt = { key: `r${round}-a${agent}-n${n}`, deliveryId: null };
        attempts.push(attempt);
        try {
          await schedule(client, attempt);
        } catch {
          unfinished.push(attempt);
          return;
        }
      }
    });
    while (attempts.length < enough) await new Promise(setImmediate);
    await service.kill(round % 2 === 1);
    await Promise.all(working);
  }
  const last = await startConnector(folder);
  const client = await connect(last);
  for (const attempt of unfinished) await schedule(client, attempt);
  const wrong: unknown[] = [];
  for (const { key, deliveryId } of attempts) {
    const stored = await storedIds(client, key);
    if (stored.length !== 1 || stored[0] !== deliveryId) wrong.push({ key, deliveryId, stored });
  }
  await client.close();
  expect(await last.stop()).toBe(0);
  expect(wrong).toEqual([]);
  console.log(`${kills} kills, ${attempts.length} asked, ${attempts.length} stored, 0 missing, 0 doubled`);
}, 600_000);
