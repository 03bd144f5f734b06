// Background work as the rest of the service sees it: declare a job, add one inside a transaction, look at the dead letters.
export type { Job, JobContext } from "./job.ts";
export { createJobRoutes, viewDeadJob } from "./routes.ts";
export {
  addJob,
  countDeadJobs,
  DEFAULT_ATTEMPTS,
  flagOf,
  type JobOptions,
  listDeadJobs,
  removeJob,
  requeueDeadJobs,
  tenantOf,
} from "./store.ts";
