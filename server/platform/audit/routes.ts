// GET /audit-log.
import { type Call, handle } from "../../contract/define.ts";
import { parseTime } from "../../lib/time.ts";
import { toIso } from "../../store/db.ts";
import { readPage } from "../pages.ts";
import type { Module, Platform } from "../platform.ts";
import { listAudit } from "./contract.ts";
import { type AuditRow, listRows } from "./store.ts";

export function createAuditRoutes({ db, cursors }: Platform): Module {
  function list(call: Call) {
    const { accountId, mode } = call.caller;
    const { actor = null, action = null, target = null, since, until } = call.query;
    const sinceMs = since ? parseTime(since) : null;
    const untilMs = until ? parseTime(until) : null;
    const filter = { accountId, mode, actor, action, target, sinceMs, untilMs };
    return readPage({
      cursors,
      list: `audit ${JSON.stringify(filter)}`,
      query: call.query,
      read: (before, count) => listRows(db, { ...filter, before, count }),
      position: (row) => String(row.seq),
      view,
    });
  }
  return { handlers: [handle(listAudit, list)] };
}

function view(row: AuditRow) {
  return {
    id: row.id,
    at: toIso(row.atMs),
    mode: row.mode,
    actor: row.actor,
    action: row.action,
    target: row.target,
    client_address: row.clientAddress,
    request_id: row.requestId,
    detail: row.detail,
    previous_hash: row.previousHash,
    hash: row.hash,
  };
}
