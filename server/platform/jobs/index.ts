// Background work as the rest of the service sees it: declare a job, add one inside a transaction, look at the dead ones.
// How jobs are run is the driver's business (server/jobs).
import type { Logger } from "pino";
import type { Db, Tx } from "../../store/db.ts";

export interface JobContext {
  jobId: string;
  /** 1 for the first run. */
  attempt: number;
  log: Logger;
  /** Aborted when the process is asked to stop; a job that is cut off runs again. */
  signal: AbortSignal;
}

/** A handler runs at least once and must bear running twice. */
export interface Job<Payload = any> {
  /** `<module>.<verb>`, e.g. `shopping.check`. */
  name: string;
  /** How often it is tried before it lies among the dead letters; 10 unless set. */
  maxAttempts?: number;
  /** Five cron fields in UTC: the job is also added by the clock, once for all replicas, with an empty payload. */
  cron?: string;
  run(payload: Payload, context: JobContext): Promise<void>;
}

export interface JobOptions {
  /** Not before this time (milliseconds since the epoch). */
  runAt?: number;
  /** Jobs of one queue run one after the other. */
  queue?: string;
  /** A second job with the same key replaces the first while that one waits. */
  key?: string;
  /** With a key: `replace` (also its time), `preserve_run_at`, or `unsafe_dedupe` (the first one stands). */
  keyMode?: "replace" | "preserve_run_at" | "unsafe_dedupe";
  /** Smaller runs earlier; 0 unless set. */
  priority?: number;
  maxAttempts?: number;
}

export const DEFAULT_ATTEMPTS = 10;

/** Adds a job in the caller's transaction: it exists exactly when the change that needs it does. Returns its id. */
export async function addJob(tx: Tx, name: string, payload: unknown, options: JobOptions = {}): Promise<string> {
  const runAt = options.runAt === undefined ? null : new Date(options.runAt);
  const attempts = options.maxAttempts ?? DEFAULT_ATTEMPTS;
  const [{ id }] = await tx`
    select id::text from graphile_worker.add_job(
      ${name}, ${JSON.stringify(payload ?? {})}::text::json, queue_name => ${options.queue ?? null},
      run_at => ${runAt}::timestamptz, max_attempts => ${attempts}::int, job_key => ${options.key ?? null},
      priority => ${options.priority ?? 0}::int, job_key_mode => ${options.keyMode ?? "replace"})`;
  return id;
}

/** Takes back a waiting job by its key; one that already runs goes on. */
export async function removeJob(tx: Tx, key: string): Promise<void> {
  await tx`select graphile_worker.remove_job(${key})`;
}

export interface DeadJob {
  id: string;
  name: string;
  attempts: number;
  error: string | null;
  created_at: Date;
  failed_at: Date;
}

/** What was tried as often as it may be and failed every time, newest first. */
export async function listDeadJobs(db: Db, before: string | null, count: number): Promise<DeadJob[]> {
  return db.sql`
    select id::text, task_identifier as name, attempts::int, last_error as error, created_at, updated_at as failed_at
    from graphile_worker.jobs
    where attempts >= max_attempts and locked_at is null and (${before}::bigint is null or id < ${before}::bigint)
    order by id desc limit ${count}`;
}

/** Gives dead jobs a fresh set of attempts, from now on. Returns the ids that were really dead. */
export async function requeueDeadJobs(tx: Tx, ids: string[], now: number): Promise<string[]> {
  const rows = await tx`
    select r.id::text from graphile_worker.reschedule_jobs(
      array(select id from graphile_worker.jobs
            where id = any(${ids}::bigint[]) and attempts >= max_attempts and locked_at is null),
      run_at => ${new Date(now)}::timestamptz, attempts => 0) r`;
  return rows.map((row: { id: string }) => row.id);
}

export async function countDeadJobs(db: Db): Promise<number> {
  const [{ count }] = await db.sql`
    select count(*)::int as count from graphile_worker.jobs where attempts >= max_attempts and locked_at is null`;
  return count;
}
