// Load for the chaos tests: writers that schedule deliveries and write down every answer, and what must be stored for it.
import { expect } from "bun:test";
import { SQL } from "bun";
import { databaseUrl, type Running } from "../connector.ts";

const PATIENCE_MS = 60_000;
export const WRITERS = 8;
/** The service is a process of its own with the real clock, so its load is paced in real time too. */
const BETWEEN_WRITES_MS = 40;
const BEFORE_RETRY_MS = 100;
/** Counted in place of a status when there was no answer at all. */
export const NO_ANSWER = 0;

export interface Ledger {
  acknowledged: Map<string, string>;
  refused: Map<number, number>;
  slowestMs: number;
}

/** Schedules until stopped; every answer is written down. A refusal is tried again with the same key. */
export function startLoad(service: () => Running) {
  const ledger: Ledger = { acknowledged: new Map(), refused: new Map(), slowestMs: 0 };
  const onAnswer = new Set<() => void>();
  let running = true;
  const time = `${new Date(Date.now() + 7_200_000).toISOString().slice(0, 13)}:00:00Z`;
  const send = async (key: string): Promise<number> => {
    const { url, key: apiKey } = service();
    const headers = { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json", "Idempotency-Key": key };
    const body = JSON.stringify({ pickup: { address: `Dock ${key}`, time }, dropoff: { address: "Boston, MA" } });
    const sentMs = performance.now();
    const response = await fetch(`${url}/v1/delivery/schedule`, { method: "POST", headers, body });
    const answer: any = await response.json();
    ledger.slowestMs = Math.max(ledger.slowestMs, performance.now() - sentMs);
    if (response.status === 200) ledger.acknowledged.set(key, answer.data.delivery_id);
    return response.status;
  };
  const write = async (key: string): Promise<void> => {
    const status = await send(key).catch(() => NO_ANSWER);
    if (status !== 200) ledger.refused.set(status, (ledger.refused.get(status) ?? 0) + 1);
    for (const look of onAnswer) look();
    if (status === 200 || !running) return;
    await Bun.sleep(BEFORE_RETRY_MS);
    return write(key);
  };
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let n = 0; running; n++) {
      await write(`w${writer}-${n}`);
      await Bun.sleep(BETWEEN_WRITES_MS);
    }
  });
  const stop = async () => {
    running = false;
    await Promise.all(writers);
    return ledger;
  };
  /** Resolves with the answer after which it holds. */
  const until = (holds: () => boolean) =>
    new Promise<void>((done, fail) => {
      const patience = setTimeout(
        () => fail(new Error(`no progress: ${JSON.stringify([...ledger.refused])}`)),
        PATIENCE_MS,
      );
      const look = () => {
        if (!holds()) return;
        clearTimeout(patience);
        onAnswer.delete(look);
        done();
      };
      onAnswer.add(look);
      look();
    });
  /** Waits for that many more acknowledgements; the milliseconds it took. */
  const progress = async (count: number) => {
    const startedMs = performance.now();
    const wanted = ledger.acknowledged.size + count;
    await until(() => ledger.acknowledged.size >= wanted);
    return performance.now() - startedMs;
  };
  /** Waits for that many more refusals because the store cannot be reached. */
  const refusals = (count: number) => {
    const wanted = (ledger.refused.get(503) ?? 0) + count;
    return until(() => (ledger.refused.get(503) ?? 0) >= wanted);
  };
  return { ledger, progress, refusals, stop };
}

export async function expectNothingLost(folder: string, { acknowledged }: Ledger): Promise<void> {
  const sql = openDatabase(folder);
  const rows: any[] = await sql`select id, view #>> '{pickup,address}' as address from deliveries`;
  await sql.close();
  const stored = new Map(rows.map((row) => [row.id, row.address]));
  expect([...acknowledged].filter(([key, id]) => stored.get(id) !== `Dock ${key}`)).toEqual([]);
  expect(new Set(stored.values()).size).toBe(rows.length);
}

export const openDatabase = (folder: string): SQL => new SQL(databaseUrl(folder), { max: 1 });
