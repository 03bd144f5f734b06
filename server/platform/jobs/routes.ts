// GET /admin/jobs/dead and POST /admin/jobs/requeue.
import { handle } from "../../contract/define.ts";
import { formatTime } from "../../lib/time.ts";
import { transact } from "../idempotency/index.ts";
import { type Module, type Platform, readPage } from "../platform.ts";
import { listDead, requeueDead } from "./contract.ts";
import { type DeadJob, listDeadJobs, requeueDeadJobs } from "./index.ts";

export function createJobRoutes({ db, cursors, audit }: Platform): Module {
  return {
    handlers: [
      handle(listDead, (call) => {
        const read = (before: string | null, count: number) => listDeadJobs(db, before, count);
        return readPage(cursors, "dead jobs", call.query, read, (row) => row.id, view);
      }),
      handle(requeueDead, (call) =>
        transact(db, call, async (tx) => {
          const requeued = await requeueDeadJobs(tx, call.body.ids, call.now);
          const { accountId, keyId } = call.caller;
          const detail = { requeued: requeued.length };
          const deed = {
            accountId,
            actor: keyId,
            action: "jobs.requeued",
            target: requeued.slice(0, 10).join(","),
            detail,
          };
          await audit.record(tx, { ...deed, clientAddress: call.clientAddress, requestId: call.requestId }, call.now);
          return { requeued };
        }),
      ),
    ],
  };
}

export function view({ created_at, failed_at, ...rest }: DeadJob) {
  return { ...rest, created_at: formatTime(created_at.getTime()), failed_at: formatTime(failed_at.getTime()) };
}
