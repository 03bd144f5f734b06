import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startHarness } from "../../../tests/harness.ts";
import type { Harness } from "../../../tests/harness.ts";
import { addJob } from "./index.ts";

let app: Harness;
beforeAll(async () => {
  app = await startHarness();
}, 120_000);
afterAll(() => app.stop(), 120_000);

/** A job that a worker has tried as often as it may. */
async function bury(name: string): Promise<string> {
  const { sql } = app.service.platform.db;
  const id = await addJob(sql, name, { a: 1 }, { maxAttempts: 3 });
  await sql`update graphile_worker._private_jobs set attempts = 3, last_error = 'no luck' where id = ${id}`;
  return id;
}

describe("GET /admin/jobs/dead", () => {
  test("200 lists what failed for good, newest first, in pages; waiting jobs are not among them", async () => {
    const ids = [await bury("t.one"), await bury("t.two"), await bury("t.three")];
    await addJob(app.service.platform.db.sql, "t.waiting", {});
    const first = await app.call("GET", "/admin/jobs/dead?limit=2");
    expect(first.status).toBe(200);
    const second = await app.call("GET", `/admin/jobs/dead?limit=2&cursor=${first.body.data.next_cursor}`);
    const items = [...first.body.data.items, ...second.body.data.items];
    expect(items.map((j: any) => j.id)).toEqual(ids.toReversed());
    expect(items[0]).toMatchObject({ name: "t.three", attempts: 3, error: "no luck" });
  });

  test("403 without the scope admin", async () => {
    const key = await app.makeKey(app.account, { scopes: ["events:read"] });
    expect((await app.call("GET", "/admin/jobs/dead", { key })).status).toBe(403);
  });
});

describe("GET /metrics", () => {
  test("200 shows how many jobs are dead and how many deliveries wait", async () => {
    await bury("t.counted");
    const { status, text } = await app.call("GET", "//metrics", { key: null });
    expect(status).toBe(200);
    expect(Number(/^connector_jobs_dead (\d+)$/m.exec(text)![1])).toBeGreaterThan(0);
    expect(text).toMatch(/^connector_webhook_retries 0$/m);
  });
});

describe("POST /admin/jobs/requeue", () => {
  test("200 gives them fresh attempts; what is not dead is left alone", async () => {
    const { sql } = app.service.platform.db;
    const dead = await bury("t.again");
    const waiting = await addJob(sql, "t.waiting", {});
    const reply = await app.call("POST", "/admin/jobs/requeue", { body: { ids: [dead, waiting, "999999"] } });
    expect([reply.status, reply.body.data.requeued]).toEqual([200, [dead]]);
    const [row] = await sql`select attempts::int from graphile_worker.jobs where id = ${dead}`;
    expect(row.attempts).toBe(0);
  });
});
