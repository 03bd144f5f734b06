// Shares out the places of the job worker by account: whoever has its share under way waits, so that long or hanging jobs of one
// account leave room for the others. A job names its account by a flag.
import type { EventEmitter } from "node:events";
import { within } from "../lib/deadline.ts";
import { accountsWithShare } from "../lib/fair-work.ts";
import { SECOND_MS } from "../lib/time.ts";
import { flagOf, tenantOf } from "../platform/jobs/index.ts";

interface JobEvent {
  job: { id: string; flags: Record<string, true> | null };
}

const MAX_LOOK_MS = 5 * SECOND_MS;

/** Flags that no job may have which is taken now. One place looks for a job at a time, so that none passes its share. */
export function createShares(events: EventEmitter, concurrency: number): () => Promise<string[]> {
  const underWay = new Map<string, number>();
  let endLook = () => {};
  let lastLook = Promise.resolve();
  // After a fault of the database a new pool takes the place of the old one, which no longer reports.
  events.on("pool:create", () => {
    underWay.clear();
    lastLook = Promise.resolve();
  });
  events.on("job:start", ({ job }: JobEvent) => {
    const tenantId = tenantOf(Object.keys(job.flags ?? {}));
    if (tenantId !== null) underWay.set(job.id, tenantId);
    endLook();
  });
  events.on("job:complete", ({ job }: JobEvent) => underWay.delete(job.id));
  events.on("worker:getJob:empty", () => endLook());
  events.on("worker:getJob:error", () => endLook());
  return async () => {
    const before = lastLook;
    const { promise, resolve } = Promise.withResolvers<void>();
    lastLook = promise;
    await within(MAX_LOOK_MS, "the look for a job before", before).catch(() => {});
    endLook = resolve;
    return accountsWithShare(underWay.values(), concurrency).map(flagOf);
  };
}
