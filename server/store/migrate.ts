// Migrations: forward only, checksummed, one at a time across replicas. Each file runs in a transaction of its own.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Db, StoreError, toMs, type Tx } from "./db.ts";
import { lockSession, unlockSession } from "./locks.ts";

const FOLDER = join(import.meta.dir, "migrations");

export interface Migration {
  name: string;
  checksum: string;
  sql: string;
}

export function readMigrations(): Migration[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((file) => {
      const sql = readFileSync(join(FOLDER, file), "utf8");
      return { name: file.slice(0, -4), sql, checksum: createHash("sha256").update(sql).digest("hex") };
    });
}

/** Brings the database up to date; returns the names of what was applied. */
export async function migrate(db: Db, migrations: Migration[] = readMigrations()): Promise<string[]> {
  const connection = await db.sql.reserve();
  try {
    await lockSession(connection, "migrations");
    await connection`create table if not exists migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`;
    const done = new Map<string, string>(
      (await connection`select name, checksum from migrations`).map((m: any) => [m.name, m.checksum]),
    );
    refuseSurprises(done, migrations);
    const applied: string[] = [];
    for (const migration of migrations) {
      if (done.has(migration.name)) continue;
      await connection.begin((tx) => applyMigration(tx, migration));
      applied.push(migration.name);
    }
    return applied;
  } finally {
    await unlockSession(connection, "migrations").catch(() => {});
    connection.release();
  }
}

/** Runs one migration inside the caller's transaction and notes that it ran. */
export async function applyMigration(tx: Tx, { name, checksum, sql }: Migration): Promise<void> {
  await tx.unsafe(sql);
  await tx`insert into migrations (name, checksum) values (${name}, ${checksum})`;
}

/** What has been applied to this database, in order. */
export async function listMigrations(db: Db): Promise<{ name: string; appliedMs: number }[]> {
  const rows = await db.sql`select name, applied_at from migrations order by name`;
  return rows.map((row: { name: string; applied_at: Date }) => ({ name: row.name, appliedMs: toMs(row.applied_at) }));
}

function refuseSurprises(done: Map<string, string>, migrations: Migration[]): void {
  const known = new Map(migrations.map((m) => [m.name, m.checksum]));
  for (const [name, checksum] of done) {
    if (!known.has(name)) {
      throw new StoreError(
        `The database is ahead: migration ${name} is not part of this version. Hint: run the newer version, or restore a backup.`,
      );
    }
    if (known.get(name) !== checksum) {
      throw new StoreError(
        `Migration ${name} was changed after it ran. Hint: put the file back as it was, and add a new migration instead.`,
      );
    }
  }
}
