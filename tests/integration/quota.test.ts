// Exact quotas on a real Redis: one ring for all replicas.
import { RedisClient } from "bun";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createRedisLimits } from "../../server/platform/limits/index.ts";
import { startHarness } from "../harness.ts";
import { startRedis, type TestRedis } from "../redis.ts";

const redis: TestRedis | null = await startRedis();
const suite = redis ? describe : describe.skip;
afterAll(() => redis?.stop());

suite("quota on Redis", () => {
  let client: RedisClient;
  beforeAll(() => {
    client = new RedisClient(redis!.url);
  });
  afterAll(() => client.close());

  test("4 processes together never have more than N admitted in any window", async () => {
    // 4 × 60 admissions at 50 a window take four windows, however fast the machine is.
    const [limit, windowMs, wanted] = [50, 300, 60];
    const args = [redis!.url, "hammered", String(limit), String(windowMs), String(wanted)];
    // Redis keeps only the window; a monitor on the list records every admission that was ever made.
    const seen: number[] = [];
    const watcher = new RedisClient(redis!.url);
    const hammers = Array.from({ length: 4 }, () =>
      Bun.spawn([process.execPath, join(import.meta.dir, "hammer.ts"), ...args], { stdout: "pipe", stderr: "inherit" }),
    );
    let running = true;
    const watch = (async () => {
      const known = new Set<string>();
      while (running) {
        for (const time of (await watcher.send("LRANGE", ["acn:quota:hammered", "0", "-1"])) as string[]) {
          if (!known.has(time)) seen.push(Number(time));
          known.add(time);
        }
      }
    })();
    const counts = await Promise.all(hammers.map(async (h) => Number(await new Response(h.stdout).text())));
    running = false;
    await watch;
    watcher.close();
    const total = counts.reduce((a, b) => a + b, 0);
    expect(total).toBe(4 * wanted);
    seen.sort((a, b) => a - b);
    for (let i = limit; i < seen.length; i++) expect(seen[i] - seen[i - limit]).toBeGreaterThanOrEqual(windowMs * 1000);
  }, 120_000);

  test("two replicas spend one quota, and both show what is left of it", async () => {
    const one = await startHarness({ config: { REDIS_URL: redis!.url } });
    const two = await startHarness({ config: { REDIS_URL: redis!.url }, databaseUrl: one.databaseUrl });
    const { testKey } = await one.openAccount("free");
    const statuses: number[] = [];
    for (let i = 0; i < 110; i++) {
      const reply = await (i % 2 ? one : two).call("GET", "/user/profile", { key: testKey });
      statuses.push(reply.status);
      if (i < 100) expect(reply.headers.get("X-RateLimit-Remaining")).toBe(String(99 - i));
    }
    expect(statuses.filter((s) => s === 200).length).toBe(100);
    expect(statuses.slice(100).every((s) => s === 429)).toBe(true);
    await one.stop();
    await two.stop();
  });

  test("a clock that goes back inside Redis frees nothing early", async () => {
    const limits = await createRedisLimits({
      url: redis!.url,
      windowMs: 60_000,
      without: "closed",
      onUndecided: () => {},
      onLost: () => {},
      onBack: () => {},
    });
    const future = (Date.now() + 30_000) * 1000;
    for (let i = 0; i < 5; i++) await client.send("RPUSH", ["acn:quota:jumped", String(future + i)]);
    const verdict = await limits.admit("jumped", 5);
    expect(verdict).toMatchObject({ admitted: false, remaining: 0 });
    expect(verdict.resetMs).toBeGreaterThan(59_000);
    await limits.close();
  });

  test("503 when Redis is killed, and service again when it is back; open lets pass and counts that", async () => {
    const own = (await startRedis())!;
    const closed = await startHarness({ config: { REDIS_URL: own.url } });
    const open = await startHarness({
      config: { REDIS_URL: own.url, QUOTA_WITHOUT_REDIS: "open" },
      databaseUrl: closed.databaseUrl,
    });
    expect((await closed.call("GET", "/user/profile")).status).toBe(200);
    await own.stop();
    const refused = await closed.call("GET", "/user/profile");
    expect([refused.status, refused.body.error.code, refused.body.error.retryable]).toEqual([503, "overloaded", true]);
    expect((await open.call("GET", "/user/profile")).status).toBe(200);
    const metrics = await open.call("GET", "//metrics", { key: null });
    expect(metrics.text).toMatch(/connector_quota_undecided_total [1-9]/);
    await closed.stop();
    await open.stop();
  }, 120_000);
});
