// The background loops of alerts: one matches events, one polls feeds, one sends; so that a feed or a receiver that hangs holds up
// nothing else. And the hourly retention job.
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

  const shared = { clock, onError: logFailure };
  // Woken by the others, at least once a second.
  const sending = createLoop({ ...shared, everyMs: null, run: (signal) => sendDue(deps, signal) });
  const polling = createLoop({ ...shared, everyMs: SECOND_MS, run: (signal) => pollDue(deps, signal, sending.wake) });
  const matching = createLoop({
    ...shared,
    everyMs: SECOND_MS,
    async run() {
      // A step that fails does not stop the other.
      for (const step of [matchNewEvents, notifyDue]) await step(deps).catch(logFailure);
      sending.wake();
    },
  });
  // In this order, so that what one finds the next one sends.
  const loops = [matching, polling, sending];

  const retention: Job = {
    name: "alerts.forget",
    cron: "41 * * * *",
    run: async () => deleteOld(db, await retentionNow(deps, "alerts.forget"), deps.retentionDays),
  };

  return {
    jobs: [retention],
    /** Does everything that is due now. */
    async settle(): Promise<void> {
      for (const loop of loops) await loop.settle();
    },
    /** Does nothing in a process that runs no background work. */
    wake(): void {
      if (stopListening) for (const loop of loops) loop.wake();
    },
    loop: {
      start(): void {
        stopListening = follower.onNews(matching.wake);
        for (const loop of loops) loop.start();
      },
      async stop(): Promise<void> {
        stopListening?.();
        stopListening = null;
        await Promise.all(loops.map((loop) => loop.stop()));
      },
    },
  };
}
