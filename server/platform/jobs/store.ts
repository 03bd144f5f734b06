// The SQL of background jobs: adding one in a transaction, and the dead letters.
import { type Db, jsonb, toIso, toMs, type Tx } from "../../store/db.ts";

export interface JobOptions {
  /** Not before this time (milliseconds since the epoch). */
  runAt?: number;
  /** Whose work it is: jobs of one tenant leave room for those of others. */
  tenantId?: number;
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
  const runAt = toIso(options.runAt ?? null);
  const attempts = options.maxAttempts ?? DEFAULT_ATTEMPTS;
  const flags = options.tenantId === undefined ? null : [flagOf(options.tenantId)];
  const [{ id }] = await tx`
    select id::text from graphile_worker.add_job(
      ${name}, ${jsonb(payload ?? {})}::text::json, flags => ${flags}::text[],
      run_at => ${runAt}::timestamptz, max_attempts => ${attempts}::int, job_key => ${options.key ?? null},
      priority => ${options.priority ?? 0}::int, job_key_mode => ${options.keyMode ?? "replace"})`;
  return id;
}

/** How a job names its tenant. */
export const flagOf = (tenantId: number): string => `tenant ${tenantId}`;

/** The tenant that the flags of a job name, or null. */
export function tenantOf(flags: string[]): number | null {
  const flag = flags.find((name) => name.startsWith("tenant "));
  return flag ? Number(flag.slice("tenant ".length)) : null;
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
  createdMs: number;
  failedMs: number;
}

/** What was tried as often as it may be and failed every time, newest first. */
export async function listDeadJobs(db: Db, before: string | null, count: number): Promise<DeadJob[]> {
  const rows = await db.sql`
    select id::text, task_identifier as name, attempts::int, last_error as error, created_at, updated_at as failed_at
    from graphile_worker.jobs
    where attempts >= max_attempts and locked_at is null and (${before}::bigint is null or id < ${before}::bigint)
    order by id desc limit ${count}`;
  return rows.map(({ created_at, failed_at, ...rest }: any) => ({
    ...rest,
    createdMs: toMs(created_at as Date),
    failedMs: toMs(failed_at as Date),
  }));
}

/** Gives dead jobs a fresh set of attempts, from now on. Returns the ids that were really dead. */
export async function requeueDeadJobs(tx: Tx, ids: string[], now: number): Promise<string[]> {
  const rows = await tx`
    select r.id::text from graphile_worker.reschedule_jobs(
      array(select id from graphile_worker.jobs
            where id = any(${ids}::bigint[]) and attempts >= max_attempts and locked_at is null),
      run_at => ${toIso(now)}::timestamptz, attempts => 0) r`;
  return rows.map((row: { id: string }) => row.id);
}

export async function countDeadJobs(db: Db): Promise<number> {
  const [{ count }] = await db.sql`
    select count(*)::int as count from graphile_worker.jobs where attempts >= max_attempts and locked_at is null`;
  return count;
}
