// Dead letters as an operator sees them: jobs that failed as often as they may.
import Type from "typebox";
import { route } from "../../contract/define.ts";
import { Nullable, Page, pageQuery, Shape, Time } from "../../contract/shapes.ts";

const JobId = Type.String({ pattern: "^[0-9]{1,18}$", description: "The job's number.", examples: ["1024"] });

export const DeadJob = Shape({
  id: JobId,
  name: Type.String({ description: "What it should have done.", examples: ["shopping.check"] }),
  attempts: Type.Integer({ description: "How often it was tried." }),
  error: Nullable(Type.String({ description: "What went wrong the last time." })),
  created_at: Time("When it was added."),
  failed_at: Time("When it failed for the last time."),
});

export const listDead = route({
  id: "admin.jobs.list",
  method: "GET",
  path: "/admin/jobs/dead",
  summary: "List jobs that failed for good",
  description: "Newest first. Requeue them once their cause is corrected.",
  scope: "admin",
  query: Shape(pageQuery),
  answer: Page(DeadJob),
});

export const requeueDead = route({
  id: "admin.jobs.requeue",
  method: "POST",
  path: "/admin/jobs/requeue",
  summary: "Give dead jobs a fresh set of attempts",
  scope: "admin",
  body: Shape({
    ids: Type.Array(JobId, {
      minItems: 1,
      maxItems: 1000,
      description: "Which ones; those that are not dead are left alone.",
      examples: [["1024"]],
    }),
  }),
  answer: Shape({ requeued: Type.Array(JobId, { description: "Those that were dead and will run now." }) }),
});

export const routes = [listDead, requeueDead];
