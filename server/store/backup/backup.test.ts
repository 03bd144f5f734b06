// Backup and restore: everything comes back, or nothing does.
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testDatabase } from "../../../tests/database.ts";
import { startHarness } from "../../../tests/harness.ts";
import type { Db } from "../db.ts";
import { applyMigration, listMigrations, readMigrations } from "../migrate.ts";
import { checkSecret, fingerprintOf } from "../secret.ts";
import { checkBackup } from "./file.ts";
import { restoreFrom } from "./restore.ts";
import { backupTo } from "./write.ts";

const SECRET = "a secret for tests, long enough to be one";
const fingerprint = fingerprintOf(SECRET);
const folder = mkdtempSync(join(tmpdir(), "connector-backup-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** As a store is right after its migrations, before the first account. */
async function emptyStore(db: Db): Promise<void> {
  const tables =
    await db.sql`select tablename from pg_tables where schemaname = 'public' and tablename not in ('migrations')`;
  await db.sql.unsafe("alter table audit disable trigger all");
  await db.sql.unsafe(`truncate ${tables.map((t: any) => `"${t.tablename}"`).join(", ")} cascade`);
  await db.sql.unsafe("alter table audit enable trigger all");
}

const accountsIn = async (db: Db) => (await db.sql`select count(*)::int as n from accounts`)[0].n;

describe("backup and restore", () => {
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
    const kept = await backupTo(from.service.platform.db, { file, fingerprint });
    expect(kept.deliveries).toBe(1);
    expect(readdirSync(folder)).toEqual(["all.gz"]);

    const empty = await startHarness();
    const { db } = empty.service.platform;
    await expect(restoreFrom(db, { file, fingerprint })).rejects.toThrow(/not empty.*Hint/);
    await emptyStore(db);
    expect(await restoreFrom(db, { file, fingerprint })).toEqual(kept);
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

  test("a damaged file restores nothing, and says so in one line", async () => {
    const app = await startHarness();
    const { db } = app.service.platform;
    const whole = join(folder, "whole.gz");
    await backupTo(db, { file: whole, fingerprint });
    await emptyStore(db);
    const bytes = readFileSync(whole);
    const lines = Bun.gunzipSync(bytes).toString().trimEnd().split("\n");
    const packed = (kept: string[]) => Bun.gzipSync(Buffer.from(`${kept.join("\n")}\n`));
    const flipped = Buffer.from(bytes);
    flipped[Math.floor(flipped.length / 2)] ^= 0x40;
    const damaged: [string, Uint8Array][] = [
      ["no end", packed(lines.slice(0, -1))],
      ["no head", packed(lines.slice(1))],
      ["a row less", packed(lines.filter((_, i) => i !== 2))],
      ["another line", packed([lines[0], "hello", ...lines.slice(1)])],
      ["cut in the middle", bytes.subarray(0, bytes.length >> 1)],
      ["a bit flipped", flipped],
      ["empty", Buffer.alloc(0)],
      ["not gzip", Buffer.from("hello")],
    ];
    for (const [name, content] of damaged) {
      const file = join(folder, `${name}.gz`);
      writeFileSync(file, content);
      const failure = await restoreFrom(db, { file, fingerprint }).catch((error: Error) => error.message);
      expect([name, failure]).toEqual([
        name,
        expect.stringMatching(/^.* is damaged or no backup: .*Nothing was restored/),
      ]);
    }
    await expect(restoreFrom(db, { file: join(folder, "none"), fingerprint })).rejects.toThrow(/does not exist/);
    expect(await accountsIn(db)).toBe(0);
    await app.stop();
  });

  test("a backup of another secret is refused unless the caller goes on without it", async () => {
    const app = await startHarness();
    const { db } = app.service.platform;
    const file = join(folder, "secret.gz");
    await backupTo(db, { file, fingerprint });
    await emptyStore(db);
    const other = fingerprintOf("another secret, as long as it has to be");
    await expect(restoreFrom(db, { file, fingerprint: other })).rejects.toThrow(/another secret.*--without-secret/);
    expect(await accountsIn(db)).toBe(0);
    await restoreFrom(db, { file, fingerprint: null });
    expect(await accountsIn(db)).toBe(1);
    await app.stop();
  });

  test("a store refuses to be opened with another secret once it has an account", async () => {
    const app = await startHarness();
    const { db } = app.service.platform;
    await expect(checkSecret(db, "another secret, as long as it has to be")).rejects.toThrow(/no key would work.*Hint/);
    await checkSecret(db, SECRET);
    await emptyStore(db);
    await checkSecret(db, "another secret, as long as it has to be");
    await app.stop();
  });
});

describe("the backup of an older version", () => {
  const newer = [
    ...readMigrations(),
    { name: "9999-shout", checksum: "n", sql: "create table shout (id text); update accounts set name = upper(name)" },
  ];

  test("is migrated while it is restored", async () => {
    const app = await startHarness();
    const file = join(folder, "older.gz");
    await backupTo(app.service.platform.db, { file, fingerprint });
    await app.stop();
    const { db, drop } = await testDatabase();
    await db.sql.begin((tx) => applyMigration(tx, newer.at(-1)!));
    await restoreFrom(db, { file, fingerprint, migrations: newer });
    expect((await db.sql`select name from accounts`)[0].name).toBe("ADA");
    expect((await listMigrations(db)).map((m) => m.name)).toEqual(newer.map((m) => m.name));
    await drop();
  });

  test("and that of a newer version is refused", async () => {
    const { db, drop } = await testDatabase();
    await db.sql.begin((tx) => applyMigration(tx, newer.at(-1)!));
    const file = join(folder, "newer.gz");
    await backupTo(db, { file, fingerprint });
    expect((await checkBackup(file)).migrations.at(-1)!.name).toBe("9999-shout");
    const target = await testDatabase();
    await expect(restoreFrom(target.db, { file, fingerprint })).rejects.toThrow(/made by a newer version .*9999-shout/);
    await drop();
    await target.drop();
  });
});
