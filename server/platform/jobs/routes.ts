// GET /admin/jobs/dead and POST /admin/jobs/requeue.
import { type Call, handle } from "../../contract/define.ts";
import { toIso } from "../../store/db.ts";
import { auditEntry } from "../audit/index.ts";
import { transact } from "../idempotency/index.ts";
import { readPage } from "../pages.ts";
import type { Module, Platform } from "../platform.ts";
import { listDead, requeueDead } from "./contract.ts";
import { type DeadJob, listDeadJobs, requeueDeadJobs } from "./store.ts";

const MAX_NAMED = 10;

export function createJobRoutes({ db, cursors, audit }: Platform): Module {
  const list = (call: Call) =>
    readPage({
      cursors,
      list: "dead jobs",
      query: call.query,
      read: (before, count) => listDeadJobs(db, before, count),
      position: (row) => row.id,
      view: viewDeadJob,
    });

  const requeue = (call: Call) =>
    transact(db, call, async (tx) => {
      const requeued = await requeueDeadJobs(tx, call.body.ids, call.now);
      const target = requeued.slice(0, MAX_NAMED).join(",");
      await audit.record(tx, auditEntry(call, "jobs.requeued", target, { requeued: requeued.length }), call.now);
      return { requeued };
    });

  return { handlers: [handle(listDead, list), handle(requeueDead, requeue)] };
}

export function viewDeadJob({ createdMs, failedMs, ...rest }: DeadJob) {
  return { ...rest, created_at: toIso(createdMs), failed_at: toIso(failedMs) };
}
