// What a background job is. How jobs are run is the driver's business (server/jobs).
import type { Logger } from "pino";

export interface JobContext {
  jobId: string;
  /** 1 for the first run. */
  attempt: number;
  log: Logger;
  /** Aborted when the process is asked to stop; a job that is cut off runs again. */
  signal: AbortSignal;
}

/** A handler runs at least once and must be idempotent. */
export interface Job<Payload = any> {
  /** `<module>.<verb>`, e.g. `shopping.check`. */
  name: string;
  /** How often it is tried before it becomes a dead letter; 10 unless set. */
  maxAttempts?: number;
  /** Five cron fields in UTC: the job is also added by the clock, once for all replicas, with an empty payload. */
  cron?: string;
  run(payload: Payload, context: JobContext): Promise<void>;
}
