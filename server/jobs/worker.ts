// The driver of background work: graphile-worker runs what the modules declare. It decides nothing of any job.
import { EventEmitter } from "node:events";
import { Logger as WorkerLogger, parseCronItems, run, runMigrations } from "graphile-worker";
import type { Runner, TaskList, WorkerPool } from "graphile-worker";
import { Pool } from "pg";
import type { Logger } from "pino";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import type { Job } from "../platform/jobs/index.ts";
import { DEFAULT_ATTEMPTS } from "../platform/jobs/index.ts";
import type { Db } from "../store/db.ts";
import { createOrphanReaper } from "./orphans.ts";
import { createShares } from "./shares.ts";
import { delayJob } from "./store.ts";

export interface WorkerOptions {
  db: Db;
  jobs: Job[];
  concurrency: number;
  clock: Clock;
  random: Random;
  log: Logger;
}

const RESTART_MS = 1000;

export interface Worker {
  stop(): Promise<void>;
}

/** Makes or updates the job tables; safe to call from several processes at once. */
export async function migrateJobs(url: string, log: Logger): Promise<void> {
  const pool = openPool(url, 1, log);
  try {
    await runMigrations({ pgPool: pool, logger: quiet(log) });
  } finally {
    await pool.end();
  }
}

/** A connection that is cut raises an error on the connection itself, and an error nobody listens to ends the process. */
function openPool(url: string, max: number, log: Logger): Pool {
  const pool = new Pool({ connectionString: url, max });
  const lost = (error: Error) => log.warn({ error: String(error) }, "a connection of the job worker was lost");
  pool.on("error", lost);
  pool.on("connect", (client) => client.on("error", lost));
  return pool;
}

export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { db, jobs, clock, log } = options;
  const stopping = new AbortController();
  const events = new EventEmitter();
  const reaper = createOrphanReaper(db, clock, log);
  events.on("pool:create", ({ workerPool }: { workerPool: WorkerPool & { id?: string } }) => {
    if (workerPool.id) reaper.claim(workerPool.id);
  });
  const pool = openPool(db.url, Math.max(3, Math.min(options.concurrency + 2, 10)), log);
  const settings = {
    pgPool: pool,
    concurrency: options.concurrency,
    noHandleSignals: true,
    pollInterval: 1000,
    taskList: tasksOf(jobs, options, stopping.signal),
    parsedCronItems: parseCronItems(cronOf(jobs)),
    events: events as never,
    forbiddenFlags: createShares(events, options.concurrency),
    logger: quiet(log),
  };
  let runner: Runner | null = null;
  let stopTimer = () => {};

  /** A worker that lost its database gives up; a new one takes its place as soon as that is back. */
  async function keepRunning(): Promise<void> {
    try {
      runner = await run(settings);
    } catch (error) {
      return restart(error);
    }
    void runner.promise.then(() => restart("it ended"), restart);
  }

  function restart(error: unknown): void {
    runner = null;
    if (stopping.signal.aborted) return;
    log.error({ error: String(error) }, "the job worker ended; a new one is started");
    stopTimer = clock.after(RESTART_MS, () => void keepRunning());
  }

  await keepRunning();
  await reaper.start();
  return {
    async stop() {
      stopping.abort(new Error("stopping"));
      stopTimer();
      await runner?.stop();
      await reaper.stop();
      await pool.end();
    },
  };
}

function tasksOf(jobs: Job[], { random, log }: WorkerOptions, signal: AbortSignal): TaskList {
  const tasks: TaskList = {};
  for (const job of jobs) {
    if (tasks[job.name]) throw new Error(`Two jobs are named ${job.name}.`);
    tasks[job.name] = async (payload, helpers) => {
      const { id, attempts, max_attempts: most } = helpers.job;
      const about = { job: job.name, job_id: id, attempt: attempts };
      try {
        await job.run(withoutCron(payload), { jobId: id, attempt: attempts, log: log.child(about), signal });
      } catch (error) {
        const dead = attempts >= most;
        log[dead ? "error" : "warn"](
          { ...about, error: String(error) },
          dead ? "a job died" : "a job will be tried again",
        );
        // The worker itself adds e^attempts seconds; up to a third of that on top keeps failed jobs from marching in step.
        const jitterMs = Math.round((random.unit() * Math.exp(Math.min(attempts, 10)) * 1000) / 3);
        await delayJob(helpers.query, id, jitterMs);
        throw error;
      }
    };
  }
  return tasks;
}

/** Cron adds its own bookkeeping to the payload, which no handler should see. */
function withoutCron(payload: unknown): unknown {
  if (payload === null || typeof payload !== "object") return payload;
  const { _cron, ...rest } = payload as Record<string, unknown>;
  return rest;
}

function cronOf(jobs: Job[]) {
  return jobs
    .filter((job) => job.cron)
    .map((job) => ({
      task: job.name,
      identifier: job.name,
      match: job.cron!,
      // One waiting run is enough: a slow job must not pile up behind itself.
      options: {
        maxAttempts: job.maxAttempts ?? DEFAULT_ATTEMPTS,
        jobKey: `cron:${job.name}`,
        jobKeyMode: "preserve_run_at" as const,
      },
    }));
}

/** graphile-worker reports every finished job; only what needs a person goes to our log. */
function quiet(log: Logger): WorkerLogger {
  return new WorkerLogger(() => (level, message) => {
    if (level === "error" && !message.startsWith("Failed task")) log.error({ source: "graphile-worker" }, message);
    else if (level === "warning") log.warn({ source: "graphile-worker" }, message);
  });
}
