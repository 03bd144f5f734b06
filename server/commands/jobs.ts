// `connector jobs dead` and `connector jobs requeue ID… | all`: the dead letters of background work.
import { listDeadJobs, requeueDeadJobs } from "../platform/jobs/index.ts";
import { withGround } from "./ground.ts";
import type { Command } from "./index.ts";
import { UsageError } from "./usage-error.ts";

const MAX_SHOWN = 1000;

export const jobs: Command = {
  usage: "jobs dead [--json] | jobs requeue ID… | jobs requeue all",
  summary: "See jobs that failed for good, and run them again.",
  run({ words, flags, config }) {
    const [verb, ...ids] = words;
    if (verb !== "dead" && !(verb === "requeue" && ids.length > 0)) {
      throw new UsageError("Say `connector jobs dead`, `connector jobs requeue ID…` or `connector jobs requeue all`.");
    }
    return withGround(config(), async ({ platform: { db, clock } }) => {
      const dead = await listDeadJobs(db, null, MAX_SHOWN);
      if (verb === "requeue") {
        const chosen = ids[0] === "all" ? dead.map((job) => job.id) : ids.filter((id) => /^\d{1,18}$/.test(id));
        const requeued = await requeueDeadJobs(db.sql, chosen, clock.now());
        console.log(`${requeued.length} of ${ids[0] === "all" ? dead.length : ids.length} will run again`);
      } else if (flags.json) console.log(JSON.stringify(dead));
      else if (dead.length === 0) console.log("No job has failed for good.");
      else
        for (const job of dead)
          console.log(`${job.id}  ${job.failed_at.toISOString()}  ${job.name}  ${job.error ?? ""}`);
    });
  },
};
