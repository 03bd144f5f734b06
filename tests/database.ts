// The PostgreSQL of tests: the one `npm test` hands over, or an embedded one per process that goes when the process does.
import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import pino from "pino";
import { migrateJobs } from "../server/jobs/worker.ts";
import { systemClock } from "../server/lib/clock.ts";
import { connect, type Db } from "../server/store/db.ts";
import { startEmbedded } from "../server/store/embedded.ts";
import { migrate } from "../server/store/migrate.ts";

interface Cluster {
  url: string;
  /** A migrated database to copy from. */
  template: string;
  made: number;
}

/** The address of a fresh, migrated database. */
export async function freshDatabase(): Promise<string> {
  const app = globalThis as { connectorTestCluster?: Promise<Cluster> };
  const cluster = await (app.connectorTestCluster ??= openCluster());
  const name = `t_${process.pid}_${cluster.made++}`;
  await onCluster(cluster.url, `create database ${name} template ${cluster.template}`);
  return withDatabase(cluster.url, name);
}

export interface TestDatabase {
  db: Db;
  url: string;
  drop(): Promise<void>;
}

/** A fresh, migrated database with a connection. Call `drop` in afterAll. */
export async function testDatabase({ pool = 5 } = {}): Promise<TestDatabase> {
  const url = await freshDatabase();
  const db = await connect({ url, pool, timeoutMs: 30_000 });
  return {
    db,
    url,
    async drop() {
      await db.close();
      const name = new URL(url).pathname.slice(1);
      await onCluster(withDatabase(url, "postgres"), `drop database if exists ${name} with (force)`);
    },
  };
}

async function openCluster(): Promise<Cluster> {
  const url = process.env.CONNECTOR_TEST_POSTGRES ?? (await startOwn());
  const template = `template_${process.pid}`;
  await onCluster(url, `create database ${template}`);
  const db = await connect({ url: withDatabase(url, template), pool: 2, timeoutMs: 30_000 });
  await migrate(db);
  await migrateJobs(db.url, pino({ level: "silent" }));
  await db.close();
  return { url, template, made: 0 };
}

async function startOwn(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "connector-test-store-"));
  chmodSync(folder, 0o755);
  const embedded = await startEmbedded(folder, systemClock);
  removeAfterUs(embedded.pid, folder);
  return embedded.url;
}

/** The test runner ends without exit handlers (and may be killed), so a small shell waits for that and cleans up. */
function removeAfterUs(postmaster: number, folder: string): void {
  const script =
    'while kill -0 "$1" 2>/dev/null; do sleep 1; done; kill -INT "$2"; sleep 1; kill -KILL "$2" 2>/dev/null; rm -rf "$3"';
  const args = ["sh", "-c", script, "sh", String(process.pid), String(postmaster), folder];
  Bun.spawn(args, { stdio: ["ignore", "ignore", "ignore"], detached: true } as never).unref();
}

async function onCluster(url: string, statement: string): Promise<void> {
  const sql = new SQL(url, { max: 1 });
  await sql.unsafe(statement);
  await sql.close();
}

function withDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}
