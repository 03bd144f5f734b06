// What a backup holds: every table of ours in an order in which each stands after those it refers to, and waiting jobs.
import type { Tx } from "../db.ts";

/** Jobs that wait are kept under this name and added anew: the queue's own tables belong to its library. */
export const JOBS = "jobs";

export const WAITING_JOBS = `(
  select t.identifier, j.payload, q.queue_name, j.run_at, j.max_attempts, j.key, j.priority
  from graphile_worker._private_jobs j
  join graphile_worker._private_tasks t on t.id = j.task_id
  left join graphile_worker._private_job_queues q on q.id = j.job_queue_id)`;

export const ADD_JOBS = `
  select graphile_worker.add_job(identifier, payload, queue_name, run_at, max_attempts, key, priority)
  from jsonb_to_recordset($1::text::jsonb) as j (
    identifier text, payload json, queue_name text, run_at timestamptz, max_attempts int, key text, priority int)`;

/** They describe this very store and are never copied to another. */
const OF_THIS_STORE = new Set([
  "migrations",
  "store_secret",
  "plan_caps",
  "stored_changes",
  "stored_log",
  "cap_holders",
]);

export async function tablesOf(sql: Tx): Promise<string[]> {
  const tables: { tablename: string }[] = await sql`
    select tablename from pg_tables where schemaname = 'public' order by 1`;
  const links: { child: string; parent: string }[] = await sql`
    select conrelid::regclass::text as child, confrelid::regclass::text as parent from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace and conrelid <> confrelid`;
  const done: string[] = [];
  const visit = (table: string) => {
    if (done.includes(table)) return;
    for (const link of links) if (link.child === table) visit(link.parent);
    done.push(table);
  };
  for (const { tablename } of tables) if (!OF_THIS_STORE.has(tablename)) visit(tablename);
  return done;
}
