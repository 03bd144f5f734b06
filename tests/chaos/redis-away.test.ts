// Redis dies and comes back while the service runs: every request meanwhile is an honest 503, and the quota is counted again
// by itself. How long it took is printed, not asserted.
import { afterAll, expect, test } from "bun:test";
import { makeDataFolder, removeDataFolder, startConnector } from "../connector.ts";
import { startRedis } from "../redis.ts";

const folder = makeDataFolder();
afterAll(() => removeDataFolder(folder));
/** The service is a process with the real clock: so is the load. */
const BETWEEN_MS = 20;
const ENOUGH = 30;

const redis = await startRedis();

test.skipIf(redis === null)(
  "Redis killed and started again: 503 meanwhile, then back by itself",
  async () => {
    const settings = { CONNECTOR_REDIS_URL: redis!.url, CONNECTOR_LOG: "silent" };
    const service = await startConnector(folder, settings);
    const headers = { Authorization: `Bearer ${service.key}` };
    const statuses = new Map<number, number>();
    /** Asks until so many answers of this status came; returns how long it took. */
    const until = async (status: number, count: number) => {
      const startedMs = performance.now();
      for (let seen = 0; seen < count; await Bun.sleep(BETWEEN_MS)) {
        const answer = await fetch(`${service.url}/v1/user/profile`, { headers });
        await answer.text();
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        if (answer.status === status) seen++;
      }
      return performance.now() - startedMs;
    };
    await until(200, ENOUGH);
    await redis!.stop();
    await until(503, ENOUGH);
    expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
    expect(await (await fetch(`${service.url}/health/ready`)).json()).toMatchObject({ missing: ["redis"] });
    const again = await startRedis(Number(new URL(redis!.url).port));
    const backMs = await until(200, 1);
    await until(200, ENOUGH);
    expect([...statuses.keys()].sort()).toEqual([200, 503]);
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
    expect(await service.stop()).toBe(0);
    await again!.stop();
    console.log(`Redis away: back after ${Math.round(backMs)} ms, answers ${JSON.stringify([...statuses])}`);
  },
  120_000,
);
