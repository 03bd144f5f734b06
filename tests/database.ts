// A PostgreSQL for tests: one throw-away database per caller, on CONNECTOR_TEST_DATABASE_URL or on an embedded cluster
// that is started once per test process and removed at its end.
import { mkdtempSync, rmSync, chmodSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { systemClock } from "../server/lib/clock.ts";
import { connect, type Db } from "../server/store/db.ts";
import { type Embedded, startEmbedded } from "../server/store/embedded.ts";
import { migrate } from "../server/store/migrate.ts";

let cluster: Promise<{ url: string; embedded: Embedded | null; folder: string | null }> | null = null;
let users = 0;
let made = 0;

async function startCluster() {
  const given = process.env.CONNECTOR_TEST_DATABASE_URL;
  if (given) return { url: given, embedded: null, folder: null };
  const folder = mkdtempSync(join(tmpdir(), "connector-test-"));
  chmodSync(folder, 0o755);
  const embedded = await startEmbedded(folder, systemClock);
  return { url: embedded.url, embedded, folder };
}

export interface TestDatabase {
  db: Db;
  url: string;
  drop(): Promise<void>;
}

/** A fresh, migrated database. Call `drop` in afterAll. */
export async function testDatabase({ pool = 5 } = {}): Promise<TestDatabase> {
  users += 1;
  cluster ??= startCluster();
  const { url } = await cluster;
  const name = `test_${process.pid}_${made++}`;
  const admin = new SQL(url, { max: 1 });
  await admin.unsafe(`create database ${name}`);
  await admin.close();
  const own = new URL(url);
  own.pathname = `/${name}`;
  const db = await connect({ url: own.href, pool, timeoutMs: 30_000 });
  await migrate(db);
  return {
    db,
    url: own.href,
    async drop() {
      await db.close();
      users -= 1;
      if (users === 0) return stopCluster();
      const again = new SQL(url, { max: 1 });
      await again.unsafe(`drop database if exists ${name} with (force)`);
      await again.close();
    },
  };
}

async function stopCluster(): Promise<void> {
  const running = await cluster;
  cluster = null;
  await running?.embedded?.stop();
  if (running?.folder) rmSync(running.folder, { recursive: true, force: true });
}
