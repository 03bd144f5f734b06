// GET /usage/requests and GET /usage/errors.
import { type CallOf, handle } from "../../../contract/define.ts";
import { type ErrorCode, type ErrorEntry, errors, invalid } from "../../../contract/errors.ts";
import { DAY_MS, parseTime } from "../../../lib/time.ts";
import { toIso } from "../../../store/db.ts";
import { readPage } from "../../pages.ts";
import type { Module, Platform } from "../../platform.ts";
import { listErrors, listRequests } from "./contract.ts";
import type { RequestLog } from "./index.ts";
import { type CodeCount, listRequestRows, readErrors, type RequestQuery, type RequestRow } from "./store.ts";

const MAX_RANGE_DAYS = 31;

const timeOf = (text: string | undefined) => (text === undefined ? null : parseTime(text)!);

export function createRequestRoutes({ db, cursors }: Platform, log: RequestLog): Module {
  async function list({ caller, query }: CallOf<typeof listRequests>) {
    const filter: RequestQuery = {
      tenantId: caller.tenantId,
      failed: query.outcome === undefined ? null : query.outcome === "failed",
      status: query.status ?? null,
      code: query.error_code ?? null,
      action: query.action ?? null,
      route: query.route ?? null,
      method: query.method ?? null,
      keyId: query.key_id ?? null,
      id: query.request_id ?? null,
      sinceMs: timeOf(query.since),
      untilMs: timeOf(query.until),
    };
    await log.flush();
    return readPage({
      cursors,
      list: `requests ${JSON.stringify(filter)}`,
      query,
      read: (before, count) => listRequestRows(db, filter, before, count),
      position: (row) => row.seq,
      view: viewRequest,
    });
  }

  async function countErrors({ caller, query, now }: CallOf<typeof listErrors>) {
    const toTimeMs = timeOf(query.to) ?? now;
    const fromMs = timeOf(query.from) ?? toTimeMs - DAY_MS;
    refuseRange(fromMs, toTimeMs);
    await log.flush();
    const items = (await readErrors(db, caller.tenantId, fromMs, toTimeMs)).map(viewError);
    return {
      from: toIso(fromMs),
      to: toIso(toTimeMs),
      mode: caller.mode,
      requests: items.reduce((sum, item) => sum + item.requests, 0),
      items,
    };
  }

  return { handlers: [handle(listRequests, list), handle(listErrors, countErrors)] };
}

function refuseRange(fromMs: number, toTimeMs: number): void {
  if (fromMs >= toTimeMs) throw invalid("/from", "from must be before to", "Swap them, or leave them out", "range");
  if (toTimeMs - fromMs <= MAX_RANGE_DAYS * DAY_MS) return;
  throw invalid("/from", `the range is longer than ${MAX_RANGE_DAYS} days`, "Ask for a shorter range", "range");
}

function viewRequest({ id, atMs, method, path, route, status, code, durationMs, keyId }: RequestRow) {
  return {
    id,
    at: toIso(atMs),
    method,
    path,
    route,
    action: route.split(".")[0],
    status,
    error_code: code,
    duration_ms: durationMs,
    key_id: keyId,
  };
}

/** A code of an older version is shown without words rather than not at all. */
const UNKNOWN_ERROR: ErrorEntry = { status: 400, title: "Refused", hint: "See the request log." };

function viewError({ code, requests, routes, lastMs, lastId }: CodeCount) {
  const { status, title, hint } = errors[code as ErrorCode] ?? UNKNOWN_ERROR;
  return { code, status, title, hint, requests, routes, last_at: toIso(lastMs), last_request_id: lastId };
}
