// Background work on a real PostgreSQL: added with the change, retried, moved to the dead-letter queue, requeued,
// released from dead workers.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import pino from "pino";
import { testDatabase } from "../../tests/database.ts";
import type { TestDatabase } from "../../tests/database.ts";
import { systemClock } from "../lib/clock.ts";
import { seededRandom } from "../lib/random.ts";
import { addJob, listDeadJobs, removeJob, requeueDeadJobs } from "../platform/jobs/index.ts";
import type { Job } from "../platform/jobs/index.ts";
import { migrateJobs, startWorker } from "./worker.ts";
import type { Worker } from "./worker.ts";

const log = pino({ level: "silent" });
let database: TestDatabase;
let worker: Worker | null = null;

beforeAll(async () => {
  database = await testDatabase();
  await Promise.all([migrateJobs(database.url, log), migrateJobs(database.url, log)]);
}, 120_000);
afterEach(async () => {
  await worker?.stop();
  worker = null;
  await database.db.sql`delete from graphile_worker._private_jobs`;
}, 120_000);
afterAll(() => database.drop(), 120_000);

const start = async (...jobs: Job[]) => {
  const random = seededRandom("jobs");
  worker = await startWorker({ db: database.db, jobs, concurrency: 4, clock: systemClock, random, log });
};

/** A job whose runs can be awaited. */
function watched(name: string, behave: (payload: any, attempt: number) => void | Promise<void> = () => {}) {
  const runs: unknown[] = [];
  const waiting: Array<{ count: number; go: () => void }> = [];
  const job: Job = {
    name,
    async run(payload, { attempt }) {
      runs.push(payload);
      for (const w of waiting) if (runs.length >= w.count) w.go();
      await behave(payload, attempt);
    },
  };
  const ran = (count: number) => new Promise<void>((go) => (runs.length >= count ? go() : waiting.push({ count, go })));
  return { job, runs, ran };
}

/** Waits for something the worker writes after the handler has returned. */
async function until(check: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 20_000; i++) if (await check()) return;
  throw new Error("never happened");
}

describe("a job", () => {
  test("exists exactly when the transaction that added it does", async () => {
    const { sql } = database.db;
    const { job, runs, ran } = watched("t.once");
    await sql.begin(async (tx) => void (await addJob(tx, "t.once", { n: 1, text: "ü" })));
    const failed = sql.begin(async (tx) => {
      await addJob(tx, "t.once", { n: 2 });
      throw new Error("rolled back");
    });
    await expect(failed).rejects.toThrow("rolled back");
    await start(job);
    await ran(1);
    await until(async () => (await sql`select 1 from graphile_worker.jobs`).length === 0);
    expect(runs).toEqual([{ n: 1, text: "ü" }]);
  });

  test("that hangs leaves room for the jobs of other accounts", async () => {
    const { sql } = database.db;
    const { promise: letGo, resolve: release } = Promise.withResolvers<void>();
    let hanging = 0;
    let maxHanging = 0;
    const { job, runs, ran } = watched("t.shared", async (payload) => {
      if ((payload as any).tenantId !== 1) return;
      maxHanging = Math.max(maxHanging, ++hanging);
      await letGo;
      hanging--;
    });
    for (let n = 0; n < 20; n++) await addJob(sql, "t.shared", { tenantId: 1, n }, { tenantId: 1, key: `one ${n}` });
    for (let n = 0; n < 6; n++) await addJob(sql, "t.shared", { tenantId: 2, n }, { tenantId: 2, key: `two ${n}` });
    await start(job);
    const runsOfOther = () => runs.filter((run: any) => run.tenantId === 2).length;
    await until(async () => (await sql`select 1`) && runsOfOther() === 6);
    expect(maxHanging).toBeLessThan(4);
    release();
    await ran(26);
  });

  test("with a key replaces the waiting one, and can be taken back", async () => {
    const { sql } = database.db;
    const runAt = Date.now() + 3_600_000;
    await addJob(sql, "t.key", { n: 1 }, { key: "k", runAt });
    await addJob(sql, "t.key", { n: 2 }, { key: "k", runAt });
    await addJob(sql, "t.key", { n: 3 }, { key: "gone", runAt });
    await removeJob(sql, "gone");
    const rows = await sql`select payload from graphile_worker._private_jobs`;
    expect(rows.map((r: any) => r.payload)).toEqual([{ n: 2 }]);
  });

  test("that fails waits longer each time, with jitter, and never in step with another", async () => {
    const { sql } = database.db;
    const { job, ran } = watched("t.fail", () => Promise.reject(new Error("no luck")));
    for (let n = 0; n < 8; n++) await addJob(sql, "t.fail", { n });
    await start(job);
    await ran(8);
    await until(async () => (await sql`select 1 from graphile_worker.jobs where locked_at is null`).length === 8);
    const rows = await sql`select extract(epoch from run_at - updated_at)::float8 as s from graphile_worker.jobs`;
    const waits: number[] = rows.map((r: any) => r.s);
    // No upper limit: what passes between the two columns on a busy machine is added to the wait.
    for (const wait of waits) expect(wait).toBeGreaterThan(2.5);
    expect(new Set(waits.map((w) => w.toFixed(3))).size).toBeGreaterThan(4);
  });

  test("that fails for good lies among the dead until an operator requeues it", async () => {
    const { sql } = database.db;
    let broken = true;
    const { job, runs, ran } = watched("t.dead", () => (broken ? Promise.reject(new Error("no luck")) : undefined));
    const id = await addJob(sql, "t.dead", { n: 1 }, { maxAttempts: 1 });
    await start(job);
    await ran(1);
    await until(async () => (await listDeadJobs(database.db, null, 10)).length === 1);
    const [dead] = await listDeadJobs(database.db, null, 10);
    expect(dead).toMatchObject({ id, name: "t.dead", attempts: 1, error: "no luck" });
    broken = false;
    expect(await requeueDeadJobs(sql, [id, "999999"], Date.now())).toEqual([id]);
    await ran(2);
    await until(async () => (await sql`select 1 from graphile_worker.jobs`).length === 0);
    expect(runs).toEqual([{ n: 1 }, { n: 1 }]);
    expect(await requeueDeadJobs(sql, [id], Date.now())).toEqual([]);
  });
});

describe("cron", () => {
  test("is registered once for all replicas, and a pattern that is none is refused", async () => {
    const { job } = watched("t.cron");
    await start({ ...job, cron: "*/5 * * * *" });
    const read = () => database.db.sql`select identifier from graphile_worker._private_known_crontabs`;
    await until(async () => (await read()).length > 0);
    expect((await read()).map((r: any) => r.identifier)).toEqual(["t.cron"]);
    await worker!.stop();
    worker = null;
    await expect(start({ ...job, cron: "every day" })).rejects.toThrow();
  });

  test("hands the job an empty payload", async () => {
    const { job, runs, ran } = watched("t.tick");
    await addJob(database.db.sql, "t.tick", { _cron: { ts: "2026-01-01T00:00:00Z", backfilled: false } });
    await start(job);
    await ran(1);
    expect(runs).toEqual([{}]);
  });
});

test("two jobs of one name are refused at start", async () => {
  const { job } = watched("t.twin");
  await expect(start(job, job)).rejects.toThrow("Two jobs are named t.twin.");
});

test("the jobs of a worker killed with -9 are run by another within seconds, not hours", async () => {
  const { sql } = database.db;
  const id = await addJob(sql, "t.orphan", { n: 1 });
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "fixtures/hanging-worker.ts"), database.url], {
    stdout: "pipe",
  });
  const reader = child.stdout.getReader();
  await reader.read();
  child.kill("SIGKILL");
  await child.exited;
  const [{ locked_by }] = await sql`select locked_by from graphile_worker.jobs where id = ${id}`;
  expect(locked_by).not.toBeNull();
  // Stands in for waiting: the reaper leaves locks younger than a few seconds alone.
  await sql`update graphile_worker._private_jobs set locked_at = now() - interval '10 seconds'`;
  const { job, ran } = watched("t.orphan");
  await start(job);
  await ran(1);
}, 120_000);
