// GET /audit-log.
import { handle } from "../../contract/define.ts";
import { formatTime } from "../../lib/time.ts";
import { type Module, type Platform, readPage } from "../platform.ts";
import { listAudit } from "./contract.ts";

export function createAuditRoutes({ db, cursors }: Platform): Module {
  return {
    handlers: [
      handle(listAudit, (call) => {
        const { accountId } = call.caller;
        const read = (after: string | null, count: number): Promise<any[]> => db.sql`
          select * from audit where account_id = ${accountId} and (${after}::bigint is null or seq < ${after}::bigint)
          order by seq desc limit ${count}`;
        return readPage(cursors, `audit ${accountId}`, call.query, read, (row) => String(row.seq), view);
      }),
    ],
  };
}

function view(row: any) {
  const { id, actor, action, target, client_address, request_id, detail, previous_hash, hash } = row;
  return {
    id,
    at: formatTime(row.at.getTime()),
    actor,
    action,
    target,
    client_address,
    request_id,
    detail,
    previous_hash,
    hash,
  };
}
