// The file of a backup: gzipped JSON lines with a head, the rows, and counts at the end. A file without its head or its
// end is not a backup.
import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { StoreError } from "../db.ts";

export const FORMAT = 1;

export interface BackupHead {
  backup: "action-connector";
  format: number;
  /** Which secret the keys in it need; missing in files of before. */
  secret?: string;
  migrations: { name: string; checksum: string }[];
}

export type BackupLine =
  | { kind: "head"; head: BackupHead }
  /** The row stays text: reading its numbers would round those that JavaScript cannot hold. */
  | { kind: "row"; table: string; row: string }
  | { kind: "end"; counts: Record<string, number> };

const damaged = (file: string, why: string) =>
  new StoreError(`${file} is damaged or no backup: ${why}. Nothing was restored. Hint: try another backup.`);

/** Reads a backup line by line; throws a StoreError for whatever is no backup. */
export async function* readBackup(file: string): AsyncGenerator<BackupLine> {
  const source = createReadStream(file);
  const unpacked = createGunzip();
  source.on("error", (error) => unpacked.destroy(error));
  source.pipe(unpacked);
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for await (const chunk of unpacked) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop()!;
      for (const line of lines) yield readLine(file, line);
    }
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new StoreError(`${file} does not exist. Nothing was restored.`);
    throw damaged(file, message);
  } finally {
    source.destroy();
  }
  if (rest !== "") yield readLine(file, rest);
}

function readLine(file: string, line: string): BackupLine {
  const [, table, row] = /^\{"table":"(\w+)","row":(.*)\}$/s.exec(line) ?? [];
  if (table) return { kind: "row", table, row };
  try {
    const entry = JSON.parse(line);
    if (entry.backup === "action-connector" && Array.isArray(entry.migrations)) return { kind: "head", head: entry };
    if (entry.end === true) return { kind: "end", counts: entry.counts };
  } catch {
    // A line that is no JSON is answered like one of another kind.
  }
  throw damaged(file, "it has a line of another kind");
}

/** Reads the whole file before anything is touched: the head comes first, the end last, and the counts agree. */
export async function checkBackup(file: string): Promise<BackupHead> {
  let head: BackupHead | null = null;
  let end: Record<string, number> | null = null;
  const counts: Record<string, number> = {};
  for await (const line of readBackup(file)) {
    if (head === null && line.kind !== "head") throw damaged(file, "its head is missing");
    if (end !== null) throw damaged(file, "it goes on behind its end");
    if (line.kind === "head") head = line.head;
    else if (line.kind === "end") end = line.counts;
    else counts[line.table] = (counts[line.table] ?? 0) + 1;
  }
  if (head === null) throw damaged(file, "it is empty");
  if (head.format > FORMAT)
    throw new StoreError(`${file} was made by a newer version. Nothing was restored. Hint: upgrade first.`);
  if (end === null) throw damaged(file, "it has no end, so it was cut short");
  for (const [table, count] of Object.entries(end)) {
    const held = counts[table] ?? 0;
    if (held !== count) throw damaged(file, `its end says ${count} rows of ${table}, but it holds ${held}`);
  }
  return head;
}
