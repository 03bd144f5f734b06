// Group commit, migrations, backup: what the store promises.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Harness, startHarness } from "../../tests/harness.ts";
import { backupTo, restoreFrom } from "./backup.ts";
import { connect, type Db } from "./db.ts";
import { createGroupCommit } from "./group-commit.ts";
import { migrate, readMigrations } from "./migrate.ts";

describe("group commit", () => {
  test("rows that arrive together go in one flush, in order", async () => {
    const groups: number[][] = [];
    const write = createGroupCommit<number>(async (rows) => void groups.push(rows));
    await Promise.all([1, 2, 3, 4].map(write));
    expect(groups).toEqual([[1, 2, 3, 4]]);
  });

  test("one bad row fails alone; its neighbours are written once", async () => {
    const written: number[] = [];
    const write = createGroupCommit<number>(async (rows) => {
      if (rows.includes(3)) throw new Error("3 is bad");
      written.push(...rows);
    });
    const results = await Promise.allSettled([1, 2, 3, 4].map(write));
    expect(results.map((r) => r.status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
    expect(written).toEqual([1, 2, 4]);
  });

  test("what arrives while the lanes are busy waits and then goes together", async () => {
    const groups: number[][] = [];
    const gates: (() => void)[] = [];
    const write = createGroupCommit<number>(
      (rows) => {
        groups.push(rows);
        return new Promise((open) => gates.push(open));
      },
      { lanes: 1 },
    );
    const first = write(1);
    await new Promise(setImmediate);
    const rest = [2, 3, 4].map(write);
    gates[0]();
    await first;
    await new Promise(setImmediate);
    gates[1]();
    await Promise.all(rest);
    expect(groups).toEqual([[1], [2, 3, 4]]);
  });
});

describe("migrations", () => {
  let app: Harness;
  beforeAll(async () => {
    app = await startHarness();
  });
  afterAll(() => app.stop());

  test("a second run applies nothing; two replicas at once apply each file once", async () => {
    const { db } = app.service.platform;
    expect(await migrate(db)).toEqual([]);
    const more = [...readMigrations(), { name: "9998-x", checksum: "x", sql: "create table x_once (id int)" }];
    const applied = await Promise.all([migrate(db, more), migrate(db, more)]);
    expect(applied.flat()).toEqual(["9998-x"]);
  });

  test("a changed file and a database from the future are refused with their hint", async () => {
    const { db } = app.service.platform;
    const changed = readMigrations().map((m, i) => (i === 0 ? { ...m, checksum: "other" } : m));
    await expect(migrate(db, [...changed, { name: "9998-x", checksum: "x", sql: "" }])).rejects.toThrow(
      /was changed after it ran.*Hint/,
    );
    await expect(migrate(db, readMigrations())).rejects.toThrow(/9998-x is not part of this version.*Hint/);
  });

  test("a migration that fails half-way leaves nothing behind", async () => {
    const { db } = app.service.platform;
    const bad = [
      ...readMigrations(),
      { name: "9998-x", checksum: "x", sql: "" },
      { name: "9999-bad", checksum: "b", sql: "create table half (id int); select 1/0" },
    ];
    await expect(migrate(db, bad)).rejects.toThrow();
    const [{ t }] = await db.sql`select to_regclass('half') as t`;
    expect(t).toBeNull();
  });
});

test("an unreachable database is named, with its hint", async () => {
  await expect(connect({ url: "postgres://u:secret@127.0.0.1:1/x", pool: 1, timeoutMs: 1000 })).rejects.toThrow(
    /127\.0\.0\.1:1 cannot be used.*Hint/s,
  );
});

/** As a store is right after its migrations, before the first account. */
async function emptyStore(db: Db): Promise<void> {
  const tables =
    await db.sql`select tablename from pg_tables where schemaname = 'public' and tablename not in ('migrations')`;
  await db.sql.unsafe("alter table audit disable trigger all");
  await db.sql.unsafe(`truncate ${tables.map((t: any) => `"${t.tablename}"`).join(", ")} cascade`);
  await db.sql.unsafe("alter table audit enable trigger all");
}

describe("backup and restore", () => {
  const folder = mkdtempSync(join(tmpdir(), "connector-backup-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("everything comes back: the keys still work, the chain still holds, new rows still fit", async () => {
    const from = await startHarness();
    const order = {
      pickup: { address: 'Dépôt 雪, "A"', time: "2026-11-01T15:00:00Z" },
      dropoff: { address: "Boston, MA" },
    };
    const made = await from.call("POST", "/delivery/schedule", { body: order, headers: { "Idempotency-Key": "b1" } });
    const { sql } = from.service.platform.db;
    await sql`select graphile_worker.add_job('x.later', '{"n": 9007199254740993}', run_at => '2030-01-01T00:00:00Z', job_key => 'one')`;
    const file = join(folder, "all.gz");
    const kept = await backupTo(from.service.platform.db, file, () => {});
    expect(kept.deliveries).toBe(1);

    const empty = await startHarness();
    const { db } = empty.service.platform;
    await expect(restoreFrom(db, file, () => {})).rejects.toThrow(/not empty.*Hint/);
    await emptyStore(db);
    const restored = await restoreFrom(db, file, () => {});
    expect(restored).toEqual(Object.fromEntries(Object.entries(kept).filter(([, n]) => n > 0)));
    await empty.service.refreshKeys();
    const read = await empty.call("GET", `/delivery/${made.body.data.delivery_id}`, { key: from.key });
    expect(read.body.data.pickup.address).toBe(order.pickup.address);
    const again = await empty.call("POST", "/delivery/schedule", {
      key: from.key,
      body: order,
      headers: { "Idempotency-Key": "b1" },
    });
    expect(again.text).toBe(made.text);
    const [job] =
      await db.sql`select payload::text as payload, run_at, key from graphile_worker._private_jobs where key = 'one'`;
    expect(job).toMatchObject({ payload: '{"n": 9007199254740993}', key: "one" });
    const fresh = await empty.call("POST", "/delivery/schedule", { key: from.key, body: order });
    expect(fresh.status).toBe(200);
    await from.stop();
    await empty.stop();
  });

  test("a backup that was cut short restores nothing", async () => {
    const app = await startHarness();
    const file = join(folder, "cut.gz");
    await backupTo(app.service.platform.db, file, () => {});
    const lines = Bun.gunzipSync(readFileSync(file)).toString().split("\n");
    writeFileSync(file, Bun.gzipSync(Buffer.from(lines.slice(0, -2).join("\n"))));
    const { db } = app.service.platform;
    await emptyStore(db);
    await expect(restoreFrom(db, file, () => {})).rejects.toThrow(/no end/);
    const [{ n }] = await db.sql`select count(*)::int as n from accounts`;
    expect(n).toBe(0);
    await app.stop();
  });
});
