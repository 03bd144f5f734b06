// Writes a backup without outside tools: every table from one consistent snapshot, while the service runs.
import { closeSync, createWriteStream, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { Db, Tx } from "../db.ts";
import { type BackupHead, FORMAT } from "./file.ts";
import { JOBS, tablesOf, WAITING_JOBS } from "./tables.ts";

export type OnProgress = (table: string, done: number, total: number) => void;

const BATCH = 1000;

export interface BackupOptions {
  file: string;
  /** Of the secret that the keys of this store need. */
  fingerprint: string;
  onProgress?: OnProgress;
}

/** Returns how many rows of each table were written; tables without rows are left out. */
export async function backupTo(db: Db, options: BackupOptions): Promise<Record<string, number>> {
  const unfinished = `${options.file}.part`;
  const counts: Record<string, number> = {};
  try {
    await db.sql.begin("isolation level repeatable read read only", async (tx) => {
      await tx`set local statement_timeout = 0`;
      const target = createWriteStream(unfinished, { mode: 0o600 });
      await pipeline(Readable.from(linesOf(tx, options, counts)), createGzip(), target);
    });
    sync(unfinished);
    renameSync(unfinished, options.file);
    sync(dirname(options.file));
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
  return counts;
}

async function* linesOf(tx: Tx, { fingerprint, onProgress }: BackupOptions, counts: Record<string, number>) {
  const migrations = [...(await tx`select name, checksum from migrations order by name`)];
  const head: BackupHead = { backup: "action-connector", format: FORMAT, secret: fingerprint, migrations };
  yield `${JSON.stringify(head)}\n`;
  for (const table of [...(await tablesOf(tx)), JOBS]) {
    const source = table === JOBS ? WAITING_JOBS : `"${table}"`;
    const [{ total }] = await tx.unsafe(`select count(*)::int as total from ${source} t`);
    if (total === 0) continue;
    counts[table] = 0;
    await tx.unsafe(`declare rows no scroll cursor for select row_to_json(t)::text as row from ${source} t`);
    for (;;) {
      const rows = await tx.unsafe(`fetch ${BATCH} from rows`);
      if (rows.length === 0) break;
      yield rows.map((r: { row: string }) => `{"table":${JSON.stringify(table)},"row":${r.row}}\n`).join("");
      counts[table] += rows.length;
      onProgress?.(table, counts[table], total);
    }
    await tx.unsafe("close rows");
  }
  yield `${JSON.stringify({ end: true, counts })}\n`;
}

/** A backup that is reported as kept must survive a power cut. */
function sync(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
