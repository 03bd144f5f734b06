// The background loop of alerts: matches events, sends what is due, polls feeds; and the hourly retention job.
import type { Logger } from "pino";
import { createLoop } from "../../../lib/loop.ts";
import { SECOND_MS } from "../../../lib/time.ts";
import type { Follower } from "../../../platform/events/index.ts";
import type { Job } from "../../../platform/jobs/index.ts";
import { retentionNow } from "../../../platform/retention/index.ts";
import { deleteOld } from "../store/retention.ts";
import { type DueDeps, notifyDue } from "./due.ts";
import { type EventFollowerDeps, matchNewEvents } from "./event-follower.ts";
import { type OutboxDeps, sendDue } from "./outbox.ts";
import { type PollingDeps, pollDue } from "./polling.ts";

export interface BackgroundDeps extends EventFollowerDeps, DueDeps, OutboxDeps, PollingDeps {
  log: Logger;
  follower: Follower;
  retentionDays: number;
}

export function createBackground(deps: BackgroundDeps) {
  const { db, clock, log, follower } = deps;
  const logFailure = (error: unknown) =>
    log.error({ error: String(error) }, "background work of alerts failed; tried again");
  let stopListening: (() => void) | null = null;

  const loop = createLoop({
    clock,
    everyMs: SECOND_MS,
    async run() {
      // In this order, so that what one step finds the next one sends. A step that fails does not stop the others.
      for (const step of [matchNewEvents, notifyDue, pollDue, sendDue]) await step(deps).catch(logFailure);
    },
    onError: logFailure,
  });

  const retention: Job = {
    name: "alerts.forget",
    cron: "41 * * * *",
    run: async () => deleteOld(db, await retentionNow(deps, "alerts.forget"), deps.retentionDays),
  };

  return {
    jobs: [retention],
    /** Does everything that is due now. */
    settle: loop.settle,
    /** Does nothing in a process that runs no background work. */
    wake: () => {
      if (stopListening) loop.wake();
    },
    loop: {
      start(): void {
        stopListening = follower.onNews(loop.wake);
        loop.start();
      },
      async stop(): Promise<void> {
        stopListening?.();
        stopListening = null;
        await loop.stop();
      },
    },
  };
}
