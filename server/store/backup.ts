// Backup and restore without outside tools: every table as JSON lines from one consistent snapshot, gzipped, with
// counts at the end; a file without its end is not a backup.
import { createReadStream, createWriteStream, renameSync } from "node:fs";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { Readable } from "node:stream";
import { type Db, StoreError } from "./db.ts";

const batch = 1000;

/** Jobs that wait are kept under this name and added anew: the queue's own tables belong to its library. */
const jobs = "jobs";
const waitingJobs = `(
  select t.identifier, j.payload, q.queue_name, j.run_at, j.max_attempts, j.key, j.priority
  from graphile_worker._private_jobs j
  join graphile_worker._private_tasks t on t.id = j.task_id
  left join graphile_worker._private_job_queues q on q.id = j.job_queue_id)`;
const addJobs = `
  select graphile_worker.add_job(identifier, payload, queue_name, run_at, max_attempts, key, priority)
  from jsonb_to_recordset($1::text::jsonb) as j (
    identifier text, payload json, queue_name text, run_at timestamptz, max_attempts int, key text, priority int)`;

export type OnProgress = (table: string, done: number, total: number) => void;

/** Tables in an order in which each stands after those it refers to. */
async function tablesOf(sql: any): Promise<string[]> {
  const tables: string[] = (await sql`select tablename from pg_tables where schemaname = 'public' order by 1`).map(
    (t: any) => t.tablename,
  );
  const links: { child: string; parent: string }[] = await sql`
    select conrelid::regclass::text as child, confrelid::regclass::text as parent from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace and conrelid <> confrelid`;
  const done: string[] = [];
  const visit = (table: string) => {
    if (done.includes(table)) return;
    for (const link of links) if (link.child === table) visit(link.parent);
    done.push(table);
  };
  tables.filter((t) => t !== "migrations").forEach(visit);
  return done;
}

export async function backupTo(db: Db, file: string, onProgress: OnProgress): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  await db.sql.begin("isolation level repeatable read read only", async (tx) => {
    await tx`set local statement_timeout = 0`;
    const lines = async function* () {
      const migrations = (await tx`select name, checksum from migrations order by name`).map((m: any) => m);
      yield `${JSON.stringify({ backup: "action-connector", format: 1, migrations })}\n`;
      for (const table of [...(await tablesOf(tx)), jobs]) {
        const source = table === jobs ? waitingJobs : `"${table}"`;
        const [{ total }] = await tx.unsafe(`select count(*)::int as total from ${source} t`);
        counts[table] = 0;
        await tx.unsafe(`declare rows no scroll cursor for select row_to_json(t)::text as row from ${source} t`);
        for (;;) {
          const rows = await tx.unsafe(`fetch ${batch} from rows`);
          if (rows.length === 0) break;
          yield rows.map((r: any) => `{"table":${JSON.stringify(table)},"row":${r.row}}\n`).join("");
          counts[table] += rows.length;
          onProgress(table, counts[table], total);
        }
        await tx.unsafe("close rows");
      }
      yield `${JSON.stringify({ end: true, counts })}\n`;
    };
    await pipeline(Readable.from(lines()), createGzip(), createWriteStream(`${file}.part`, { mode: 0o600 }));
  });
  renameSync(`${file}.part`, file);
  return counts;
}

/** Fills a migrated, empty store; all or nothing. */
export async function restoreFrom(db: Db, file: string, onProgress: OnProgress): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  await db.sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`;
    await refuseUsed(tx);
    let ended: Record<string, number> | null = null;
    let pending: { table: string; rows: string[] } = { table: "", rows: [] };
    const flush = async () => {
      if (pending.rows.length === 0) return;
      await insertRows(tx, pending.table, pending.rows);
      counts[pending.table] = (counts[pending.table] ?? 0) + pending.rows.length;
      onProgress(pending.table, counts[pending.table], 0);
      pending = { table: pending.table, rows: [] };
    };
    const reader = createInterface({ input: createReadStream(file).pipe(createGunzip()), crlfDelay: Infinity });
    for await (const line of reader) {
      // A row stays text: reading its numbers would round those that JavaScript cannot hold.
      const [, table, row] = /^\{"table":"(\w+)","row":(.*)\}$/s.exec(line) ?? [];
      if (table) {
        if (table !== pending.table || pending.rows.length >= batch) await flush();
        pending.table = table;
        pending.rows.push(row);
        continue;
      }
      const entry = JSON.parse(line);
      if (entry.migrations) await refuseOther(tx, entry.migrations);
      else if (entry.end) ended = entry.counts;
    }
    await flush();
    for (const [table, count] of Object.entries(ended ?? {})) {
      if ((counts[table] ?? 0) !== count)
        throw new StoreError(`The backup says ${count} rows of ${table}, but holds ${counts[table] ?? 0}.`);
    }
    if (!ended) throw new StoreError("The backup has no end: it was cut short. Nothing was restored.");
    await resetSequences(tx);
  });
  return counts;
}

async function refuseUsed(tx: any): Promise<void> {
  const [{ used }] = await tx`select exists (select 1 from accounts) as used`;
  if (used) throw new StoreError("The store is not empty. Hint: restore into an empty CONNECTOR_DATA_DIR or database.");
  // Migrations leave rows of their own, which the backup brings again.
  for (const table of (await tablesOf(tx)).toReversed()) await tx.unsafe(`delete from "${table}"`);
}

async function refuseOther(tx: any, migrations: { name: string }[]): Promise<void> {
  const here = (await tx`select name from migrations order by name`).map((m: any) => m.name).join();
  if (migrations.map((m) => m.name).join() !== here) {
    throw new StoreError(
      "The backup was made by another version of the store. Hint: restore it with the version that made it, then upgrade.",
    );
  }
}

async function insertRows(tx: any, table: string, rows: string[]): Promise<void> {
  if (table === jobs) return void (await tx.unsafe(addJobs, [`[${rows.join()}]`]));
  await tx.unsafe(
    `insert into "${table}" overriding system value select * from jsonb_populate_recordset(null::"${table}", $1::text::jsonb)`,
    [`[${rows.join()}]`],
  );
}

async function resetSequences(tx: any): Promise<void> {
  const columns = await tx`
    select table_name, column_name from information_schema.columns
    where table_schema = 'public' and (is_identity = 'YES' or column_default like 'nextval%')`;
  for (const { table_name: table, column_name: column } of columns) {
    await tx.unsafe(
      `select setval(pg_get_serial_sequence('"${table}"', '${column}'), greatest(1, (select coalesce(max("${column}"), 0) from "${table}")), (select count(*) > 0 from "${table}"))`,
    );
  }
}
