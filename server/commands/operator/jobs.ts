// `connector jobs dead` and `connector jobs requeue ID… | all`: the dead letters of background work.
import { listDeadJobs, requeueDeadJobs, viewDeadJob } from "../../platform/jobs/index.ts";
import { withPlatform } from "./with-platform.ts";
import { type OperatorCommand, UsageError } from "../command.ts";
import { usageOf } from "../help.mjs";

const MAX_SHOWN = 1000;

export const jobs: OperatorCommand = ({ words, flags, config }) => {
  const [verb, ...ids] = words;
  if (verb !== "dead" && !(verb === "requeue" && ids.length > 0)) {
    throw new UsageError(usageOf("jobs"));
  }
  return withPlatform(config(), async ({ db, clock }) => {
    const dead = (await listDeadJobs(db, null, MAX_SHOWN)).map(viewDeadJob);
    if (verb === "requeue") {
      const chosen = ids[0] === "all" ? dead.map((job) => job.id) : ids.filter((id) => /^\d{1,18}$/.test(id));
      const requeued = await requeueDeadJobs(db.sql, chosen, clock.now());
      console.log(`${requeued.length} of ${ids[0] === "all" ? dead.length : ids.length} will run again`);
    } else if (flags.json) console.log(JSON.stringify(dead));
    else if (dead.length === 0) console.log("No job has failed for good.");
    else for (const job of dead) console.log(`${job.id}  ${job.failed_at}  ${job.name}  ${job.error ?? ""}`);
  });
};
