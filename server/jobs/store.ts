// SQL on the tables of graphile-worker, which offers no call for it.
import type { JobHelpers } from "graphile-worker";
import type { Tx } from "../store/db.ts";

/** The workers that have held a job for at least so many seconds. */
export async function listLockHolders(sql: Tx, seconds: number): Promise<string[]> {
  const rows = await sql`
    select distinct locked_by as owner from graphile_worker._private_jobs
    where locked_by is not null and locked_at < now() - ${seconds} * interval '1 second'`;
  return rows.map((row: { owner: string }) => row.owner);
}

/** Gives the jobs of a worker that is gone back to the queue. */
export async function unlockWorker(sql: Tx, worker: string): Promise<void> {
  await sql`select graphile_worker.force_unlock_workers(array[${worker}])`;
}

/** Runs a failed job so many milliseconds later than the worker would. */
export async function delayJob(query: JobHelpers["query"], id: string, ms: number): Promise<void> {
  await query("update graphile_worker._private_jobs set run_at = now() + $2 * interval '1 millisecond' where id = $1", [
    id,
    ms,
  ]);
}
