// Fills an empty store from a backup, all or nothing. A backup of an older version is loaded into the tables of that
// version, and the migrations it lacks run afterwards, in the same transaction.
import { type Db, StoreError, type Tx } from "../db.ts";
import { applyMigration, type Migration, readMigrations } from "../migrate.ts";
import { type BackupHead, checkBackup, readBackup } from "./file.ts";
import { ADD_JOBS, JOBS, tablesOf } from "./tables.ts";
import type { OnProgress } from "./write.ts";

const BATCH = 1000;

export interface RestoreOptions {
  file: string;
  /** Of the secret that the service will run with; null to restore although no key will work. */
  fingerprint: string | null;
  migrations?: Migration[];
  onProgress?: OnProgress;
}

/** Returns how many rows of each table were restored; tables without rows are left out. */
export async function restoreFrom(db: Db, options: RestoreOptions): Promise<Record<string, number>> {
  const { file, fingerprint, migrations = readMigrations() } = options;
  const head = await checkBackup(file);
  refuseOtherSecret(head, fingerprint);
  const made = migrationsOf(head, migrations);
  try {
    // With a mode of its own a transaction may take its time: a restore is as long as its file.
    return await db.sql.begin("read write", async (tx) => {
      await tx`set local statement_timeout = 0`;
      // What was kept once is taken back whole, whatever the caps are now; what is stored is counted as it comes in.
      await tx`set local connector.restoring = 'on'`;
      await refuseUsed(tx);
      const missing = migrations.filter((migration) => !made.includes(migration));
      if (missing.length > 0) await rebuild(tx, migrations, made);
      const counts = await loadRows(tx, options);
      for (const migration of missing) await applyMigration(tx, migration);
      await resetSequences(tx);
      return counts;
    });
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError(`${file} could not be restored: ${(error as Error).message}. Nothing was restored.`);
  }
}

function refuseOtherSecret(head: BackupHead, fingerprint: string | null): void {
  if (fingerprint === null || head.secret === undefined || head.secret === fingerprint) return;
  throw new StoreError(
    "The backup belongs to another secret: none of its keys would work. Nothing was restored. Hint: put the secret of the backed up service into DATA_DIR/secret or CONNECTOR_SECRET, or go on without it: --without-secret.",
  );
}

/** Those of our migrations that the backup was made with. */
function migrationsOf(head: BackupHead, migrations: Migration[]): Migration[] {
  return head.migrations.map(({ name, checksum }) => {
    const found = migrations.find((migration) => migration.name === name);
    if (found?.checksum === checksum) return found;
    throw new StoreError(
      `The backup was made by a ${found ? "different" : "newer"} version (migration ${name}). Nothing was restored. Hint: restore it with that version.`,
    );
  });
}

async function refuseUsed(tx: Tx): Promise<void> {
  const [{ used }] = await tx`select exists (select 1 from accounts) as used`;
  if (used) throw new StoreError("The store is not empty. Hint: restore into an empty CONNECTOR_DATA_DIR or database.");
  // Migrations leave rows of their own, which the backup brings again.
  for (const table of (await tablesOf(tx)).toReversed()) await tx.unsafe(`delete from "${table}"`);
}

/** Our tables as they were in the version that made the backup. Tables of others in the same database are left alone. */
async function rebuild(tx: Tx, migrations: Migration[], made: Migration[]): Promise<void> {
  for (const { sql } of migrations) {
    for (const [, kind, name] of sql.matchAll(/^create (?:or replace )?(table|function)(?: if not exists)? (\w+)/gim))
      await tx.unsafe(`drop ${kind} if exists ${name} cascade`);
  }
  await tx`delete from migrations`;
  for (const migration of made) await applyMigration(tx, migration);
  for (const table of (await tablesOf(tx)).toReversed()) await tx.unsafe(`delete from "${table}"`);
}

async function loadRows(tx: Tx, { file, onProgress }: RestoreOptions): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  let table = "";
  let rows: string[] = [];
  const flush = async () => {
    if (rows.length === 0) return;
    await insertRows(tx, table, rows);
    counts[table] = (counts[table] ?? 0) + rows.length;
    onProgress?.(table, counts[table], 0);
    rows = [];
  };
  for await (const line of readBackup(file)) {
    if (line.kind !== "row") continue;
    if (line.table !== table || rows.length >= BATCH) await flush();
    table = line.table;
    rows.push(line.row);
  }
  await flush();
  return counts;
}

async function insertRows(tx: Tx, table: string, rows: string[]): Promise<void> {
  if (table === JOBS) return void (await tx.unsafe(ADD_JOBS, [`[${rows.join()}]`]));
  await tx.unsafe(
    `insert into "${table}" overriding system value select * from jsonb_populate_recordset(null::"${table}", $1::text::jsonb)`,
    [`[${rows.join()}]`],
  );
}

async function resetSequences(tx: Tx): Promise<void> {
  const columns = await tx`
    select table_name, column_name from information_schema.columns
    where table_schema = 'public' and (is_identity = 'YES' or column_default like 'nextval%')`;
  for (const { table_name: table, column_name: column } of columns) {
    await tx.unsafe(
      `select setval(pg_get_serial_sequence('"${table}"', '${column}'), greatest(1, (select coalesce(max("${column}"), 0) from "${table}")), (select count(*) > 0 from "${table}"))`,
    );
  }
}
