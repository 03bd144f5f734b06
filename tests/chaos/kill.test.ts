// kill -9 under load: no acknowledged delivery is missing, and a key retried after the kill gives exactly one delivery.
// CONNECTOR_TEST_KILLS=20 gives the full run; CI kills fewer times.
import { afterAll, expect, test } from "bun:test";
import { seededRandom } from "../../server/lib/random.ts";
import { makeDataFolder, removeDataFolder, type Running, startConnector } from "../connector.ts";
import { openDatabase } from "./load.ts";

const folder = makeDataFolder();
afterAll(() => removeDataFolder(folder));

const kills = Number(process.env.CONNECTOR_TEST_KILLS ?? 6);
const writers = 50;
const random = seededRandom(7);

interface Attempt {
  key: string;
  deliveryId: string | null;
}

async function schedule(service: Running, attempt: Attempt): Promise<void> {
  const time = new Date(Date.now() + 3_600_000).toISOString();
  const body = JSON.stringify({
    pickup: { address: `Dock ${attempt.key}`, time: `${time.slice(0, 11)}${time.slice(11, 13)}:00:00Z` },
    dropoff: { address: "Boston, MA" },
  });
  const headers = {
    Authorization: `Bearer ${service.key}`,
    "Content-Type": "application/json",
    "Idempotency-Key": attempt.key,
  };
  const response = await fetch(`${service.url}/api/v1/delivery/schedule`, { method: "POST", headers, body });
  const answer: any = await response.json();
  if (response.status === 200) attempt.deliveryId = answer.data.delivery_id;
  else if (response.status !== 429) throw new Error(`${response.status}: ${JSON.stringify(answer)}`);
}

test(`${kills} × kill -9 under ${writers} writers: 0 acknowledged deliveries missing, one delivery a key`, async () => {
  const attempts: Attempt[] = [];
  let unfinished: Attempt[] = [];
  for (let round = 0; round < kills; round++) {
    const service = await startConnector(folder);
    for (const attempt of unfinished) await schedule(service, attempt);
    unfinished = [];
    let alive = true;
    const writing = Array.from({ length: writers }, async (_, writer) => {
      for (let n = 0; alive && n < 30; n++) {
        const attempt: Attempt = { key: `r${round}-w${writer}-n${n}`, deliveryId: null };
        attempts.push(attempt);
        try {
          await schedule(service, attempt);
        } catch {
          unfinished.push(attempt);
          return;
        }
      }
    });
    const progress = attempts.length;
    const enough = progress + 40 + Math.floor(random.unit() * 400);
    while (attempts.length < enough) await Promise.race([Promise.all(writing), new Promise(setImmediate)]);
    await service.kill(round % 2 === 1);
    alive = false;
    await Promise.all(writing);
  }
  const last = await startConnector(folder);
  for (const attempt of unfinished) await schedule(last, attempt);
  const sql = openDatabase(folder);
  const rows: any[] = await sql`select id, view #>> '{pickup,address}' as address from deliveries`;
  const events: any[] = await sql`select data ->> 'delivery_id' as id from events where type = 'delivery.scheduled'`;
  await sql.close();
  expect(await last.stop()).toBe(0);
  const stored = new Set(rows.map((r) => r.id));
  const acknowledged = attempts.filter((a) => a.deliveryId !== null);
  expect(acknowledged.filter((a) => !stored.has(a.deliveryId!))).toEqual([]);
  const perKey = new Map<string, number>();
  for (const row of rows) perKey.set(row.address, (perKey.get(row.address) ?? 0) + 1);
  expect([...perKey.values()].every((n) => n === 1)).toBe(true);
  expect(events.map((e) => e.id).sort()).toEqual([...stored].sort());
  console.log(`${kills} kills, ${acknowledged.length} acknowledged, ${rows.length} stored, 0 missing, 0 doubled`);
}, 300_000);
